"""Home Assistant finds the table: what is announced to it, as its MQTT discovery asks. An option of the profile.

The sensors read the station's own retained messages; nothing is sent twice, and nothing can be switched from there.
"""

from __future__ import annotations

from typing import Any

from firmware.event import topics

PREFIX = "homeassistant"


def announcements(station: str, version: str) -> dict[str, dict[str, Any]]:
    """Topics and documents that make Home Assistant show this table."""
    table, status = topics.table(station), topics.status(station)
    device = {
        "identifiers": [f"marchwarden-{station}"],
        "name": f"Marchwarden {station}",
        "manufacturer": "Marchwarden",
        "model": "camera referee",
        "sw_version": version,
    }

    origin = {"name": "Marchwarden", "sw_version": version}

    def sensor(kind: str, name: str, topic: str, template: str, **more: Any) -> tuple[str, dict[str, Any]]:
        document = {
            "name": name,
            "unique_id": f"marchwarden-{station}-{name.replace(' ', '-')}",
            "state_topic": topic,
            "value_template": template,
            "device": device,
            "origin": origin,
            **more,
        }
        return f"{PREFIX}/{kind}/{station}/{name.replace(' ', '-')}/config", document

    there = {
        "availability_topic": status,
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    return dict(
        (
            sensor("binary_sensor", "connected", status, _flag("online"), device_class="connectivity"),
            sensor("binary_sensor", "game over", table, _flag("over"), **there),
            sensor("binary_sensor", "needs attention", table, _NEEDS, device_class="problem", **there),
            sensor("sensor", "turn", table, "{{ value_json.turn or '' }}", **there),
            sensor("sensor", "says", table, "{{ value_json.headline }}", **there),
            sensor("sensor", "score", table, "{{ value_json.score.values() | join(' : ') }}", **there),
        )
    )


def _flag(name: str) -> str:
    return f"{{{{ 'ON' if value_json.{name} else 'OFF' }}}}"


_NEEDS = "{{ 'ON' if value_json.put_right or value_json.unread or value_json.tone == 'foul' else 'OFF' }}"
