"""Draws a screen for whatever display there is: 128×32 to 320×240 pixels, on and off or in colour.

The two lines come first and as large as they fit, so that they can be read at arm's length; whose turn it is, the
score and a row of lamps follow where there is room. Knows pixels and typefaces; knows no game and no device.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont

from engine.rules import Sign
from firmware.ports import Canvas
from firmware.printing.fonts import font_file
from firmware.signals import Lamp, Screen, Tone

SMALLEST_PT = 8
Box = tuple[int, int, int, int]
Ink = tuple[int, int, int]

WHITE, BLACK, GREY = (255, 255, 255), (0, 0, 0), (110, 110, 110)
TONES: dict[Tone, Ink] = {
    Tone.CALM: WHITE,
    Tone.GOOD: (90, 220, 110),
    Tone.WARNING: (255, 190, 40),
    Tone.FOUL: (255, 80, 70),
}
SIDES: tuple[Ink, ...] = ((90, 220, 110), (255, 80, 70), (90, 160, 255), (255, 190, 40), (210, 120, 255))


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things stand on a canvas of some height, in pixels from the top; None is left out."""

    status: tuple[int, int] | None
    headline: tuple[int, int]
    detail: tuple[int, int]
    lines: tuple[int, int] | None
    lamps: tuple[int, int] | None


def plan(canvas: Canvas) -> Plan:
    """Shares out the height: two lines alone on a low display, everything on a high one."""
    height = canvas.height
    if height < 48:
        middle = round(height * 0.56)
        return Plan(None, (0, middle), (middle, height), None, None)
    status, lamps = round(height * 0.17), height - round(height * 0.17)
    if height < 100:
        middle = status + round((lamps - status) * 0.58)
        return Plan((0, status), (status, middle), (middle, lamps), None, (lamps, height))
    first, second = status + round((lamps - status) * 0.42), status + round((lamps - status) * 0.68)
    return Plan((0, status), (status, first), (first, second), (second, lamps), (lamps, height))


@lru_cache(maxsize=32)
def draw(screen: Screen, canvas: Canvas) -> Image.Image:
    """The picture of this screen. The same screen gives the same picture."""
    picture = Image.new("RGB" if canvas.colours else "1", (canvas.width, canvas.height))
    pen = Pen(ImageDraw.Draw(picture), canvas)
    places = plan(canvas)
    if places.status is not None:
        _draw_status(pen, screen, places.status)
    _draw_headline(pen, screen, places.headline)
    pen.write(screen.detail, (0, *places.detail, canvas.width), WHITE, bold=False)
    if places.lines is not None:
        _draw_lines(pen, screen.lines, places.lines)
    if places.lamps is not None:
        _draw_lamps(pen, screen.lamps, places.lamps)
    return picture


def border(canvas: Canvas, label: str) -> Image.Image:
    """A line round the outermost pixels with the numbers of two corners: what is cut off or shifted shows at once."""
    picture = Image.new("RGB" if canvas.colours else "1", (canvas.width, canvas.height))
    pen = Pen(ImageDraw.Draw(picture), canvas)
    right, bottom = canvas.width - 1, canvas.height - 1
    third = canvas.height // 3
    pen.box((0, 0, right, bottom), outline=WHITE)
    pen.write("0,0", (2, 1, third, canvas.width // 2), WHITE, bold=False, centred=False)
    pen.write(label, (2, third, bottom - third, right - 1), TONES[Tone.GOOD], bold=True)
    pen.write(f"{right},{bottom}", (canvas.width // 2, bottom - third, bottom - 1, right - 1), WHITE, bold=False)
    return picture


class Pen:
    """Writes and draws on one picture; without colours everything that is not black is white."""

    def __init__(self, draw: ImageDraw.ImageDraw, canvas: Canvas) -> None:
        self.draw = draw
        self.canvas = canvas
        draw.fontmode = "L" if canvas.colours else "1"

    def ink(self, colour: Ink) -> Ink | int:
        return colour if self.canvas.colours else int(any(colour))

    def write(
        self, words: str, box: tuple[int, int, int, int], colour: Ink, *, bold: bool, centred: bool = True
    ) -> None:
        """Words in the box (left, top, bottom, right), as large as they fit, on two lines if that makes them larger."""
        if not words:
            return
        left, top, bottom, right = box
        lines, size = fitted(words, right - left - 2, bottom - top, bold)
        font = typeface(size, bold)
        height = line_height(size, bold)
        y = top + (bottom - top - height * len(lines)) // 2
        for line in lines:
            width = round(font.getlength(line))
            x = left + (right - left - width) // 2 if centred else left + 1
            self.draw.text((x, y + height // 2), line, font=font, fill=self.ink(colour), anchor="lm")
            y += height

    def box(self, box: Box, fill: Ink | None = None, outline: Ink | None = None, width: int = 1) -> None:
        self.draw.rectangle(
            box,
            fill=None if fill is None else self.ink(fill),
            outline=None if outline is None else self.ink(outline),
            width=width,
        )


@cache
def typeface(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file("bold" if bold else "plain")), size)


@cache
def line_height(size: int, bold: bool) -> int:
    """From the top of an accented capital to the foot of a descender."""
    _, top, _, bottom = typeface(size, bold).getbbox("ÉÑgjp")
    return int(bottom - top) + 1


def fitted(words: str, width: int, height: int, bold: bool) -> tuple[tuple[str, ...], int]:
    """The lines and the largest size at which the words fit; one line is preferred, and too long words are cut."""
    one, two = _largest((words,), width, height, bold), 0
    halves = _halves(words, bold)
    if len(halves) == 2:
        two = _largest(halves, width, height, bold)
    if two > one:
        return halves, two
    if one:
        return (words,), one
    font = typeface(SMALLEST_PT, bold)
    cut = words
    while len(cut) > 1 and font.getlength(cut + "…") > width:
        cut = cut[:-1]
    return (cut.rstrip() + "…",), SMALLEST_PT


@lru_cache(maxsize=256)
def _largest(lines: tuple[str, ...], width: int, height: int, bold: bool) -> int:
    """The largest size at which all lines fit, 0 when none does."""
    for size in range(max(SMALLEST_PT, height), SMALLEST_PT - 1, -1):
        fits = line_height(size, bold) * len(lines) <= height
        if fits and all(typeface(size, bold).getlength(line) <= width for line in lines):
            return size
    return 0


def _halves(words: str, bold: bool) -> tuple[str, ...]:
    """The words on two lines of about the same length."""
    font = typeface(16, bold)
    parts = words.split(" ")
    splits = [(" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts))]
    if not splits:
        return (words,)
    return min(splits, key=lambda pair: max(font.getlength(half) for half in pair))


def _draw_status(pen: Pen, screen: Screen, rows: tuple[int, int]) -> None:
    top, bottom = rows
    width = pen.canvas.width
    score = "-".join(str(points) for _, points in screen.score)
    right = width - width // 4 if score else width
    if screen.clock:
        pen.write(screen.clock, (right - width // 5, top, bottom, right), WHITE, bold=False)
        right -= width // 5
    if screen.turn:
        size = bottom - top - 3
        pen.draw.polygon([(0, top + 1), (0, top + 1 + size), (size // 2 + 1, top + 1 + size // 2)], fill=pen.ink(WHITE))
        pen.write(screen.turn, (size // 2 + 4, top, bottom, right), WHITE, bold=False, centred=False)
    if score:
        pen.write(score, (width - width // 4, top, bottom, width), WHITE, bold=True)


def _draw_headline(pen: Pen, screen: Screen, rows: tuple[int, int]) -> None:
    """A foul stands dark on a bright band, so that it is told from everything else without a colour."""
    top, bottom = rows
    width = pen.canvas.width
    if screen.tone is Tone.FOUL:
        pen.box((0, top, width - 1, bottom - 1), fill=TONES[Tone.FOUL])
        pen.write(screen.headline, (1, top, bottom, width - 1), BLACK, bold=True)
    else:
        pen.write(screen.headline, (0, top, bottom, width), TONES[screen.tone], bold=True)


def _draw_lines(pen: Pen, lines: tuple[str, ...], rows: tuple[int, int]) -> None:
    top, bottom = rows
    shown = lines[: max(1, (bottom - top) // 14)]
    if not shown:
        return
    height = (bottom - top) // len(shown)
    for n, line in enumerate(shown):
        pen.write(line, (2, top + n * height, top + (n + 1) * height, pen.canvas.width - 2), WHITE, bold=False)


def _draw_lamps(pen: Pen, lamps: tuple[Lamp, ...], rows: tuple[int, int]) -> None:
    if not lamps:
        return
    top, bottom = rows
    pitch = pen.canvas.width / len(lamps)
    for n, lamp in enumerate(lamps):
        _draw_lamp(pen, lamp, (round(n * pitch) + 1, top + 1, round((n + 1) * pitch) - 2, bottom - 1))


def _draw_lamp(pen: Pen, lamp: Lamp, box: Box) -> None:
    """A box split between the players: the first one's half is below, as that player sits.

    Claimed fills the half, claimable frames it; a tie is a bar in the middle, what must be put right is a cross, what
    cannot be read three dots.
    """
    left, top, right, bottom = box
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    dot = max(1, (bottom - top) // 10)
    colour = SIDES[lamp.side % len(SIDES)] if lamp.side is not None else WHITE
    half = (left, middle_y, right, bottom) if lamp.side == 0 else (left, top, right, middle_y)
    match lamp.sign:
        case Sign.DARK:
            pen.box((middle_x - dot, middle_y - dot, middle_x, middle_y), fill=GREY)
        case Sign.CLAIMED:
            pen.box(half, fill=colour)
            pen.box(box, outline=colour, width=dot)
        case Sign.CLAIMABLE:
            pen.box(half, outline=colour, width=dot)
        case Sign.TIE:
            pen.box((left, middle_y - dot, right, middle_y), fill=WHITE)
            pen.box(box, outline=WHITE, width=dot)
        case Sign.PUT_RIGHT:
            for ends in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
                pen.draw.line(ends, fill=pen.ink(TONES[Tone.FOUL]), width=dot + 1)
        case Sign.UNREADABLE:
            for x in (left + dot, middle_x, right - dot):
                pen.box((x - dot, middle_y - dot, x, middle_y + dot), fill=TONES[Tone.WARNING])
