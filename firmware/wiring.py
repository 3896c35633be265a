"""How a profile is wired to the header: as text, and as a drawing with every wire.

Knows the 40 pins and who goes where; knows no device.
"""

from __future__ import annotations

from collections import defaultdict

from firmware.printing.shapes import Drawing, Shape, Text, circle, line, rect, rounded
from hardware_config.profile import HEADER, Profile

POWER = {1: "3V3", 2: "5V", 4: "5V", 6: "GND", 9: "GND", 14: "GND", 17: "3V3", 20: "GND", 25: "GND", 30: "GND",
         34: "GND", 39: "GND"}  # fmt: skip
GPIO_AT = {place: pin for pin, place in HEADER.items()}
PITCH_MM = 6.0
INKS = {"camera": "#444444", "display": "#1b6ca8", "lamps": "#2a8a3e", "buttons": "#b5541c"}
NOTES = {
    "lamps": "each LED through a resistor of 470 to 1000 Ω to ground: 2 to 3 mA a LED, 50 mA in all",
    "buttons": "each button between its pin and ground; the Pi's own pull-up is used",
    "display": "VCC to 3V3 (pin 1), GND to pin 6",
    "camera": "the ribbon cable goes to the CAM/DISP connector, contacts as its mark shows",
}


def users(profile: Profile) -> dict[int, list[tuple[str, str]]]:
    """Who is on each pin of the header: place on the header, then part and purpose."""
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for part, purpose, pin in profile.wires():
        found[HEADER[pin]].append((part.split(".")[0], purpose))
    return dict(found)


def as_text(profile: Profile) -> str:
    """The header as a table, two pins a line as they stand, and what else there is to know."""
    wired = users(profile)

    def cell(place: int) -> str:
        return ", ".join(dict.fromkeys(purpose for _, purpose in wired.get(place, [])))

    def name(place: int) -> str:
        return POWER.get(place, f"GPIO{GPIO_AT.get(place, '')}")

    rows = [f"{'':>26} {'':>7}  pin | pin"] if wired else ["nothing is wired to the header"]
    for left in range(1, 40, 2) if wired else ():
        right = left + 1
        rows.append(
            f"{cell(left):>26} {name(left):>7}  {left:>3} | {right:<3}  {name(right):<7} {cell(right)}".rstrip()
        )
    return "\n".join([f"{profile.name}: {profile.description}", "", *rows, "", *_notes(profile)])


def as_drawing(profile: Profile) -> Drawing:
    """The header in the middle, a wire from each pin in use to a label beside it."""
    wired = users(profile)
    middle, top = 105.0, 26.0
    items: list[Shape] = [
        rect(0, 0, 210, 170, fill="#ffffff"),
        Text((10, 12), f"{profile.name}: the 40-pin header, seen from above", 5.0, font="bold"),
        Text((10, 18), profile.description, 3.2),
        rounded(middle - 9, top - 5, 18, 20 * PITCH_MM + 4, 2, fill="#20262e"),
    ]
    for place in range(1, 41):
        side = -1 if place % 2 else 1
        x, y = middle + side * 4.0, top + (place - 1) // 2 * PITCH_MM
        items.append(circle(x, y, 1.8, fill=_metal(place)))
        items.append(Text((x, y + 0.8), str(place), 2.2, fill="#ffffff", anchor="middle"))
        items += _label(place, side, x, y, wired.get(place, []))
    items += [Text((10, 150 + 5 * n), note, 3.0) for n, note in enumerate(_notes(profile))]
    return Drawing((210.0, 170.0), tuple(items))


def _label(place: int, side: int, x: float, y: float, on_it: list[tuple[str, str]]) -> list[Shape]:
    anchor = "end" if side < 0 else "start"
    if not on_it:
        free = POWER.get(place, f"GPIO{GPIO_AT.get(place, '')}")
        return [Text((x + side * 8, y + 1), free, 2.6, fill="#9aa0a6", anchor="end" if side < 0 else "start")]
    ink = INKS[on_it[0][0]]
    words = ", ".join(dict.fromkeys(purpose for _, purpose in on_it)) + f"  (GPIO{GPIO_AT[place]})"
    end = x + side * 26
    return [
        line([(x + side * 2, y), (end, y)], stroke=ink, pen=0.7),
        Text((end + side * 2, y + 1.1), words, 3.2, fill=ink, anchor="end" if anchor == "end" else "start"),
    ]


def _metal(place: int) -> str:
    power = POWER.get(place, "")
    return "#c0392b" if power == "5V" else "#d35400" if power == "3V3" else "#3d4650" if power == "GND" else "#b58900"


def _notes(profile: Profile) -> list[str]:
    wired = {part.split(".")[0] for part, _, _ in profile.wires()}
    if profile.camera.driver == "picamera2":
        wired.add("camera")
    return [f"{part}: {note}" for part, note in NOTES.items() if part in wired]
