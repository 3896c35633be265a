"""Draws the pictures of the build guide: every screen of a first game, screens of every size, and the wiring.

`python -m tests.firmware.guide_pictures` draws them into docs/pictures; test_build_guide.py holds them to what the
station shows today.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from firmware.commands import Pause
from firmware.optics import EYEPIECES, mounting
from firmware.ports import Canvas
from firmware.printing.deck import deck_of
from firmware.printing.shapes import Drawing, Shape, Text, circle, line, rect
from firmware.printing.svg import to_svg
from firmware.screen import border, draw
from firmware.signals import Screen
from firmware.state import saying
from firmware.wiring import as_drawing
from hardware_config.load import load, shipped
from tests.firmware.sitting import Sitting
from vision.layout import schotten_totten

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
OLED = Canvas(128, 64)
SIZES = (Canvas(128, 32), OLED, Canvas(240, 240, True), Canvas(320, 240, True))
SCALE, FRAME = 3, 6
PX_PER_MM, PITCH, GAP, MAT_GREEN = 3.0, 180, 6, (188, 199, 186)
LORDS_CARDS = (
    "scott1", "makgill2", "macdonnell3", "wemyss4", "fergusson5", "forsyth6", "cockburn7",
    "cochrane8", "scott9", "makgill10", "macdonnell12", "bruce1", "bruce2", "back",
)  # fmt: skip
STONE_1 = ("A g1@1", "B r9@1", "A g2@1", "B y4@1", "A g3@1", "B b2@1")
NEXT_STONES = (
    "A g4@2", "A claim 1", "B r1@2", "A g5@2", "B y9@2", "A g6@2", "B b5@2", "A g7@3", "A claim 2",
    "B r3@3", "A g8@3", "B y6@3", "A g9@3", "B b9@3", "A b1@9", "A claim 3",
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """A moment of the first game: what happens, and the name of the picture, if the guide shows one."""

    name: str | None
    act: Callable[[Sitting], None]


def _playing(*lines: str) -> Callable[[Sitting], None]:
    def act(sitting: Sitting) -> None:
        sitting.play(*lines)

    return act


def _waiting(sitting: Sitting) -> None:
    sitting.look(10.0)


def _laying(name: str, place: str) -> Callable[[Sitting], None]:
    def act(sitting: Sitting) -> None:
        sitting.look(10.0)
        sitting.table.lay(name, place)
        sitting.look()

    return act


def _taking(name: str, place: str) -> Callable[[Sitting], None]:
    def act(sitting: Sitting) -> None:
        sitting.table.take(name, place)
        sitting.look()
        sitting.look(10.0)

    return act


def _pausing(sitting: Sitting) -> None:
    sitting.ask(Pause())


def _going_on(sitting: Sitting) -> None:
    sitting.ask(Pause())
    sitting.look(10.0)


def _dark(sitting: Sitting) -> None:
    sitting.look_away(saying("too-dark"))


def _restarting(sitting: Sitting) -> None:
    sitting.get_up()
    sitting.sit_down()


def _to_the_end(sitting: Sitting) -> None:
    sitting.look(10.0)
    sitting.play(*NEXT_STONES[2:])


SCENES = (
    Scene("ready", lambda sitting: None),
    Scene("card-laid", _playing("A g1@1")),
    Scene("turn", _waiting),
    Scene("foul", _playing("A g2@1")),
    Scene(None, _taking("g2", "1A")),
    Scene("face-down", _laying("back", "1B")),
    Scene(None, _taking("back", "1B")),
    Scene("claimable", _playing(*STONE_1[1:])),
    Scene("claimed", _playing("A g4@2", "A claim 1")),
    Scene("paused", _pausing),
    Scene(None, _going_on),
    Scene("dark", _dark),
    Scene("resuming", _restarting),
    Scene("won", _to_the_end),
)


def first_game() -> Iterator[tuple[str, Screen]]:
    """Each scene of one game with its screen."""
    with tempfile.TemporaryDirectory() as folder:
        sitting = Sitting(Path(folder))
        for scene in SCENES:
            scene.act(sitting)
            if scene.name is not None:
                yield scene.name, sitting.snapshots[-1].signals.screen
        sitting.get_up()


def drawn() -> Iterator[tuple[str, Image.Image]]:
    """Every picture by its file's name."""
    for name, screen in first_game():
        yield f"screen-{name}.png", framed(draw(screen, OLED))
        if name == "foul":
            for canvas in SIZES:
                yield f"size-{canvas.width}x{canvas.height}.png", framed(draw(screen, canvas))
    yield "test-display.png", framed(border(OLED, "ssd1306"))
    yield "deck-lords-of-scotland.png", lords_of_scotland_cards()


def lords_of_scotland_cards() -> Image.Image:
    """A card of each clan and some more, a back, and one token of each kind, laid out on the mat's green."""
    deck = deck_of("lords-of-scotland")
    sheet = Image.new("RGB", (7 * PITCH + GAP, 592), MAT_GREEN)

    def lay(code: str, left: int, top: int) -> None:
        sheet.paste(Image.fromarray(np.ascontiguousarray(deck.draw(code, PX_PER_MM)[..., ::-1])), (left, top))

    for n, code in enumerate(LORDS_CARDS):
        lay(code, GAP + n % 7 * PITCH, GAP + n // 7 * 252)
    for n, code in enumerate(("initiative", "power-bruce1", "power-cochrane1", "power-macdonnell1")):
        lay(code, 420 + n * 112, 514)
    return sheet.quantize(256, dither=Image.Dither.NONE)


def framed(picture: Image.Image) -> Image.Image:
    """Each pixel as a square, with a dark rim as a panel has it."""
    scale = SCALE if picture.mode == "1" else 1
    width, height = (side * scale for side in picture.size)
    panel = Image.new(picture.mode, (width + 2 * FRAME, height + 2 * FRAME))
    panel.paste(picture.resize((width, height), Image.Resampling.NEAREST), (FRAME, FRAME))
    return panel


def mounting_drawing() -> Drawing:
    """The table from A's side, a tenth of its size: camera, what it sees, lamps that shine past it."""
    layout = schotten_totten()
    module = next(one for one in EYEPIECES if one.name == "Camera Module 3")
    found = mounting(module, layout)
    width, height = layout.size_mm[0] / 10, found.height_mm / 10
    middle, table = 75.0, 96.0
    left, top = middle - width / 2, table - height
    reach = height * math.tan(math.radians(module.across_deg) / 2)
    lamps = [(middle + side * 60.0, table - 48.0) for side in (-1, 1)]
    items: list[Shape] = [rect(0, 0, 150, 112, fill="#ffffff"), rect(5, table, 140, 2.5, fill="#8a6f4d")]
    items += [line([(middle, top + 3), (middle + side * reach, table)], stroke="#1b6ca8", pen=0.4) for side in (-1, 1)]
    items += [rect(left, table - 0.8, width, 0.8, fill="#2a8a3e"), rect(middle - 4, top, 8, 3, fill="#20262e")]
    items += [line([(143.0, table), (143.0, top - 3), (middle, top - 3)], stroke="#20262e", pen=1.2)]
    for x, y in lamps:
        way = 1 if x < middle else -1
        items += [circle(x, y, 2.4, fill="#f2b134"), line([(x, y), (x + way * 30, table)], stroke="#f2b134", pen=0.4)]
    items += [
        Text((7, 10), f"{module.name}: {found.height_mm:.0f} mm above the mat, {found.px_per_mm:.1f} px/mm", 4.2),
        Text((middle, table - 3), f"mat {layout.size_mm[0]:.0f} × {layout.size_mm[1]:.0f} mm", 3.4, anchor="middle"),
        Text((7, table - 53), "lamp", 3.4),
        Text((7, 108), "Lamps stand beside the mat, so that their mirror image misses the camera.", 3.4),
    ]
    return Drawing((150.0, 112.0), tuple(items))


def drawings() -> Iterator[tuple[str, str]]:
    """How a camera hangs, and the wiring of every profile that has a header, as drawings."""
    for name in shipped():
        profile = load(name).profile
        if profile.board == "pi":
            yield f"wiring-{name}.svg", to_svg(as_drawing(profile))
    yield "mounting.svg", to_svg(mounting_drawing())


def main() -> None:
    for name, picture in drawn():
        picture.save(PICTURES / name, optimize=True)
    for name, drawing in drawings():
        (PICTURES / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
