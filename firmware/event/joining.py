"""Finding an invitation: in a picture, in a text file, under the station's own camera, or at the event's door."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.event.invitation import PREFIX, BadInvitation

LOOKS_S = 60.0


def in_file(path: Path) -> str:
    """The invitation in a file: a picture of its code, or its text."""
    content = path.read_bytes()
    if content.lstrip().startswith(PREFIX.encode()):
        return content.decode("ascii", "replace")
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    found = None if pixels is None else in_picture(pixels)
    if found is None:
        raise BadInvitation(f"{path} shows no invitation: expected its text or a picture of its code")
    return found


def in_picture(pixels_bgr: Any) -> str | None:
    """The invitation that a picture shows, if any."""
    import cv2

    # The one that looks for corners as for markers finds large codes that the other loses, one in five.
    for detector in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
        text = str(detector.detectAndDecode(pixels_bgr)[0])
        if text.startswith(PREFIX):
            return text
    return None


def seen_by_camera(profile_name: str | None, within_s: float = LOOKS_S) -> str:
    """The invitation that is held under the station's camera."""
    from firmware.cli.hardware import loaded
    from firmware.drivers import make_camera

    camera = make_camera(loaded(profile_name).profile.camera)
    camera.open()
    try:
        end_s = time.monotonic() + within_s
        while time.monotonic() < end_s:
            found = in_picture(camera.read().pixels_bgr)
            if found is not None:
                return found
    finally:
        camera.close()
    raise BadInvitation(f"no invitation was seen in {within_s:.0f} seconds; hold it flat, near and well lit")


def at_the_door(host: str, port: int, profile_name: str | None, said: Callable[[str], None], within_s: float) -> str:
    """The invitation that the hub leaves for the code which the station's displays show meanwhile. Where the event asks
    for certificates, whoever has none yet waits one port further on."""
    from firmware.cli.hardware import loaded
    from firmware.drivers import make_display
    from firmware.event import door

    code = door.new_code()
    said(door.grouped(code))
    displays = [make_display(settings) for settings in loaded(profile_name).profile.display]
    for display in displays:
        display.show(door.drawn(code, display.open()))
    try:
        end_s = time.monotonic() + within_s
        while time.monotonic() < end_s:
            for entrance in (port, port + 1):
                found = door.unsealed(code, _parcel(host, entrance, door.mark_of(code)))
                if found is not None:
                    return found
            time.sleep(1.0)
    finally:
        for display in displays:
            display.close()
    raise BadInvitation(f"nobody let this station in at {host}:{port} within {within_s:.0f} seconds; try again")


def _parcel(host: str, port: int, mark: str) -> str:
    """What lies at the door under this mark; empty for nothing. Nobody is trusted here: only the code opens it."""
    from firmware.drivers.broker_mqtt import Driver
    from firmware.event import documents, topics
    from firmware.faults import PartFault
    from hardware_config.settings import MqttBroker

    settings = MqttBroker(host=host, port=port, station="not-joined")
    look = Driver(settings, topics.DOOR, (topics.door(mark),), open_house=True)
    try:
        look.open()
        for _, payload in look.received(2.0):
            return str(documents.decoded(payload).get("parcel", ""))
    except (PartFault, documents.BadMessage):
        return ""
    finally:
        look.close()
    return ""
