"""How a profile is wired to the header: as text, and as a drawing with every wire.

Knows the 40 pins and who goes where; knows no device.
"""

from __future__ import annotations

from collections import defaultdict

from firmware.printing.shapes import Drawing, Shape, Text, circle, line, rect, rounded
from hardware_config.profile import HEADER, Profile
from hardware_config.settings import Apa102Lamps, LumaDisplay, Mcp23017Lamps, Settings

POWER = {1: "3V3", 2: "5V", 4: "5V", 6: "GND", 9: "GND", 14: "GND", 17: "3V3", 20: "GND", 25: "GND", 30: "GND",
         34: "GND", 39: "GND"}  # fmt: skip
GPIO_AT = {place: pin for pin, place in HEADER.items()}
PITCH_MM = 6.0
INKS = {"camera": "#444444", "display": "#1b6ca8", "lamps": "#2a8a3e", "buttons": "#b5541c"}
RESISTOR = "each LED through a resistor of 470 to 1000 Ω"
NOTES = {  # by part and driver
    ("lamps", "gpio"): (RESISTOR + " to {common}: 2 to 3 mA a LED, 50 mA in all",),
    ("lamps", "apa102"): (
        "the strip's DI to SPI MOSI, its CI to SPI SCLK, 5 V from pin 2, ground to pin 6; no resistors",
        "a strip of which many LEDs shine needs a supply of its own, its ground joined to the Pi's",
    ),
    ("lamps", "mcp23017"): (
        "each expander: VDD and RESET to 3V3, VSS to ground; A0, A1 and A2 to ground or 3V3 give its address",
        "the first has lamps 1 to 8: green on GPA0 to GPA7, red on GPB0 to GPB7; the second goes on in the same way",
        RESISTOR + " to {common}",
    ),
    ("buttons", "gpio"): ("each button between its pin and ground; the Pi's own pull-up is used",),
    ("display", "luma"): ("VCC to 3V3 (pin 1), GND to pin 6",),
    ("camera", "picamera2"): ("the ribbon cable goes to the CAM/DISP connector, contacts as its mark shows",),
}
NOTHING = "nothing is wired to the header"
ELSEWHERE = "its bus is none of the header's own: its wires go to the pins that config.txt gives that bus"


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

    rows = [f"{'':>26} {'':>7}  pin | pin"] if wired else [NOTHING]
    for left in range(1, 40, 2) if wired else ():
        right = left + 1
        rows.append(
            f"{cell(left):>26} {name(left):>7}  {left:>3} | {right:<3}  {name(right):<7} {cell(right)}".rstrip()
        )
    return "\n".join([f"{profile.name}: {profile.description}", "", *rows, "", *_notes(profile)])


def as_drawing(profile: Profile) -> Drawing:
    """The header in the middle, a wire from each pin in use to a label beside it."""
    wired = users(profile)
    notes = _notes(profile) if wired else [NOTHING, *_notes(profile)]
    middle, top, height = 105.0, 26.0, max(170.0, 150.0 + 5 * len(notes))
    items: list[Shape] = [
        rect(0, 0, 210, height, fill="#ffffff"),
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
    items += [Text((10, 150 + 5 * n), note, 3.0) for n, note in enumerate(notes)]
    return Drawing((210.0, height), tuple(items))


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
    order = ("lamps", "buttons", "display", "camera")
    parts = [(name.split(".")[0], settings) for name, settings in profile.parts()]
    found = []
    for part, settings in sorted(parts, key=lambda both: order.index(both[0])):
        if isinstance(settings, LumaDisplay) and not settings.bus():
            continue
        common = "ground" if getattr(settings, "active_high", True) else "3V3"
        driver = getattr(settings, "driver", "")
        found += [f"{part}: {note.format(common=common)}" for note in NOTES.get((part, driver), ())]
        if _is_elsewhere(settings):
            found.append(f"{part}: {ELSEWHERE}")
    return list(dict.fromkeys(found))


def _is_elsewhere(settings: Settings) -> bool:
    """Whether a part hangs on a bus whose pins are not known here."""
    on_bus = isinstance(settings, Apa102Lamps | Mcp23017Lamps) or (isinstance(settings, LumaDisplay) and settings.bus())
    return bool(on_bus) and not settings.shared_pins()
