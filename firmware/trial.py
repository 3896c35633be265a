"""Trying lamps: every lamp in every colour, and every pattern by its meaning. Yields what is shown just now.

Knows patterns and the port of lamps; knows no device.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from firmware.messages import label
from firmware.ports import Lamps, Light
from firmware.signals import PATTERNS, Lamp, lights, pattern

PLAYERS = ("A", "B")


def colours(lamps: Lamps, count: int, pace_s: float, language: str) -> Iterator[tuple[str, str]]:
    """One lamp after the other, in each colour it can do."""
    for number in range(count):
        for light in (Light.GREEN, Light.RED, Light.AMBER):
            row = [Light.OFF] * count
            row[number] = light
            lamps.show(row)
            yield label("lamp", language, number=number + 1), label(light.value, language)
            time.sleep(pace_s)


def patterns(lamps: Lamps, count: int, seconds: float, language: str) -> Iterator[tuple[str, str]]:
    """All lamps together in each pattern, with what it means and how it shines."""
    for sign, side in PATTERNS:
        lamp = Lamp(sign, side)
        player = PLAYERS[side] if side is not None else ""
        meaning = label(f"sign-{sign.value.replace(' ', '-')}", language, player=player)
        yield meaning, _rhythm(lamp, language)
        end_s = time.monotonic() + seconds
        while (now_s := time.monotonic()) < end_s:
            lamps.show(lights((lamp,) * count, count, now_s))
            time.sleep(min(max(0.01, pattern(lamp).next_change_s(now_s)), max(0.0, end_s - now_s)))
    lamps.show((Light.OFF,) * count)


def _rhythm(lamp: Lamp, language: str) -> str:
    """The lights in turn with their lengths in seconds, as the build guide writes them."""
    return " ".join(f"{label(light.value, language)} {length:g}" for light, length in pattern(lamp).beats)
