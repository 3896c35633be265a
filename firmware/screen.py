"""Draws a screen for whatever display there is: 128×32 to 320×240 pixels, on and off or in colour.

The two lines come first and as large as they fit, so that they can be read at arm's length; whose turn it is, the
score, how the game stands and a row of lamps follow where there is room. Knows pixels and typefaces; knows no
game and no device. How large words fit is `firmware.typeset`'s to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from engine.rules import Sign
from firmware.ports import Canvas
from firmware.signals import Lamp, Screen, Tone
from firmware.typeset import SMALLEST_PT, fitted, is_short, largest, line_height, shelves, sizes_in, typeface

SEATS = "ABCDEFGH"
LOW_PX, HIGH_PX = 48, 100  # displays lower than this have two lines; from this on there is room for everything
LINE_PX = 12
COLUMNS = (1, 2, 3, 5)  # in which short lines may stand
Box = tuple[int, int, int, int]
Ink = tuple[int, int, int]

WHITE, BLACK, GREY = (255, 255, 255), (0, 0, 0), (110, 110, 110)
TONES: dict[Tone, Ink] = {
    Tone.CALM: WHITE,
    Tone.GOOD: (90, 220, 110),
    Tone.WARNING: (255, 190, 40),
    Tone.FOUL: (255, 80, 70),
}
SIDES: tuple[Ink, ...] = ((90, 220, 110), (255, 80, 70))


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things stand on a canvas of some height, in pixels from the top; None is left out."""

    status: tuple[int, int] | None
    headline: tuple[int, int]
    detail: tuple[int, int]
    brief: tuple[int, int] | None
    lines: tuple[int, int] | None
    lamps: tuple[int, int] | None


def plan(canvas: Canvas, lines: int = 0, *, brief: bool = False) -> Plan:
    """Shares out the height: two lines alone on a low display, on a higher one how the game stands in brief, on a high
    one everything; the more lines there are, the more of it."""
    height = canvas.height
    if height < LOW_PX:
        middle = round(height * 0.56)
        return Plan(None, (0, middle), (middle, height), None, None, None)
    status, lamps = round(height * 0.17), height - round(height * 0.17)
    room = lamps - status
    if height < HIGH_PX:
        first = status + round(room * (0.44 if brief else 0.58))
        second = first + round(room * 0.27) if brief else lamps
        standing = (second, lamps) if brief else None
        return Plan((0, status), (status, first), (first, second), standing, None, (lamps, height))
    few = lines < 3
    first, second = status + round(room * (0.42 if few else 0.34)), status + round(room * (0.68 if few else 0.56))
    return Plan((0, status), (status, first), (first, second), None, (second, lamps), (lamps, height))


@lru_cache(maxsize=32)
def draw(screen: Screen, canvas: Canvas) -> Image.Image:
    """The picture of this screen. The same screen gives the same picture."""
    picture = Image.new("RGB" if canvas.colours else "1", (canvas.width, canvas.height))
    pen = Pen(ImageDraw.Draw(picture), canvas)
    places = plan(canvas, len(screen.lines), brief=bool(screen.brief))
    if canvas.height < LOW_PX and screen.tone is Tone.CALM and _is_one_line(screen, canvas):
        _draw_low(pen, screen, places)
        return picture
    if places.status is not None:
        _draw_status(pen, screen, places.status)
    _draw_headline(pen, screen, places.headline)
    pen.write(screen.detail, (0, *places.detail, canvas.width), WHITE, bold=False)
    if places.brief is not None:
        pen.write(screen.brief, (0, *places.brief, canvas.width), WHITE, bold=False)
    if places.lines is not None:
        _draw_lines(pen, screen, places.lines)
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

    def line(self, words: str, middle: tuple[int, int], size: int, colour: Ink, *, bold: bool = True) -> None:
        """Words of a given size around a point."""
        self.draw.text(middle, words, font=typeface(size, bold), fill=self.ink(colour), anchor="mm")

    def box(self, box: Box, fill: Ink | None = None, outline: Ink | None = None, width: int = 1) -> None:
        self.draw.rectangle(
            box,
            fill=None if fill is None else self.ink(fill),
            outline=None if outline is None else self.ink(outline),
            width=width,
        )


def _is_one_line(screen: Screen, canvas: Canvas) -> bool:
    """Whether both words fit side by side, and there is something to say below them."""
    widths = (
        typeface(SMALLEST_PT, True).getlength(screen.headline),
        typeface(SMALLEST_PT, False).getlength(screen.detail),
    )
    return bool(screen.brief or len(screen.score) > 2) and sum(widths) + 12 <= canvas.width


def _draw_low(pen: Pen, screen: Screen, places: Plan) -> None:
    """A calm moment on a display of two lines: both words in the upper one, how the game stands in the lower one."""
    width, (top, bottom) = pen.canvas.width, places.headline
    detail = typeface(SMALLEST_PT, False).getlength(screen.detail) + 5
    split = round(min(width - detail, width * 0.64))
    pen.write(screen.headline, (0, top, bottom, split), WHITE, bold=True)
    pen.write(screen.detail, (split, top, bottom, width), WHITE, bold=False)
    if screen.brief:
        pen.write(screen.brief, (0, *places.detail, width), WHITE, bold=False)
    else:
        _draw_cells(pen, screen, places.detail, width)


def _draw_status(pen: Pen, screen: Screen, rows: tuple[int, int]) -> None:
    """Whose turn it is, how long the round still lasts, and the score: of two players as one figure, of more in a cell
    for each, that of the player on turn bright."""
    right = pen.canvas.width
    if screen.clock:
        left = right - right // 5
        pen.write(screen.clock, (left, *rows, right), WHITE, bold=False)
        right = left
    if len(screen.score) > 2:
        _draw_cells(pen, screen, rows, right)
        return
    top, bottom = rows
    score = "-".join(str(points) for _, points in screen.score)
    if score:
        left = right - pen.canvas.width // 4
        pen.write(score, (left, top, bottom, right), WHITE, bold=True)
        right = left
    if screen.turn:
        size = bottom - top - 3
        pen.draw.polygon([(0, top + 1), (0, top + 1 + size), (size // 2 + 1, top + 1 + size // 2)], fill=pen.ink(WHITE))
        pen.write(screen.turn, (size // 2 + 4, top, bottom, right), WHITE, bold=False, centred=False)


def _draw_cells(pen: Pen, screen: Screen, rows: tuple[int, int], width: int) -> None:
    top, bottom = rows
    pitch = width / len(screen.score)
    wholes = tuple(f"{name} {points}" for name, points in screen.score)
    # Names too long for their cells are called by their seats, so that nobody's points are cut off.
    short = tuple(f"{SEATS[n]}{points}" for n, (_, points) in enumerate(screen.score))
    room = (int(pitch * 0.86), bottom - top)
    sizes = [min(largest((cell,), *room, True) for cell in cells) for cells in (wholes, short)]
    cells, size = (wholes, sizes[0]) if sizes[0] else (short, max(sizes[1], SMALLEST_PT))
    for n, ((name, _), cell) in enumerate(zip(screen.score, cells, strict=True)):
        left, right = round(n * pitch), round((n + 1) * pitch) - 1
        on_turn = name == screen.turn
        if on_turn:
            pen.box((left, top, right - 1, bottom - 1), fill=WHITE)
        pen.line(cell, ((left + right) // 2, (top + bottom) // 2), size, BLACK if on_turn else WHITE)


def _draw_headline(pen: Pen, screen: Screen, rows: tuple[int, int]) -> None:
    """A foul stands dark on a bright band, so that it is told from everything else without a colour."""
    top, bottom = rows
    width = pen.canvas.width
    if screen.tone is Tone.FOUL:
        pen.box((0, top, width - 1, bottom - 1), fill=TONES[Tone.FOUL])
        pen.write(screen.headline, (1, top, bottom, width - 1), BLACK, bold=True)
    else:
        pen.write(screen.headline, (0, top, bottom, width), TONES[screen.tone], bold=True)


def _draw_lines(pen: Pen, screen: Screen, rows: tuple[int, int]) -> None:
    """Line by line, short ones side by side where that makes them larger. Where they do not fit at all, the last says
    in brief how the game stands."""
    top, bottom = rows
    lines, width, height = screen.lines, pen.canvas.width - 4, bottom - top
    if not lines:
        return
    columns = max(COLUMNS, key=lambda count: sorted(sizes_in(lines, width, height, count)))
    if not min(sizes_in(lines, width, height, columns)):
        room = max(1, height // LINE_PX)
        lines, columns = (*lines[: room - 1], screen.brief or lines[room - 1]), 1
    rows_of_lines, sizes = shelves(lines, width, columns), sizes_in(lines, width, height, columns)
    room = height // len(rows_of_lines)
    for n, shelf in enumerate(rows_of_lines):
        short = is_short(shelf[0], width, columns)
        pitch, above = width // columns if short else width, top + n * room
        for column, line in enumerate(shelf):
            left = 2 + column * pitch
            if short and columns > 1:
                pen.line(line, (left + pitch // 2, above + room // 2), sizes[1], WHITE, bold=False)
            else:
                pen.write(line, (left, above, above + room, left + pitch), WHITE, bold=False)


def _draw_lamps(pen: Pen, lamps: tuple[Lamp, ...], rows: tuple[int, int]) -> None:
    if not lamps:
        return
    top, bottom = rows
    pitch = pen.canvas.width / len(lamps)
    for n, lamp in enumerate(lamps):
        _draw_lamp(pen, lamp, (round(n * pitch) + 1, top + 1, round((n + 1) * pitch) - 2, bottom - 1))


def _draw_lamp(pen: Pen, lamp: Lamp, box: Box) -> None:
    """A box split between the players: the first one's half is below, as that player sits. A lamp that stands for a
    player is not split.

    What is held fills its part, what is offered frames it; a tie is a bar in the middle, what must be put right is a
    cross, what cannot be read three dots.
    """
    left, top, right, bottom = box
    middle_x, middle_y = (left + right) // 2, (top + bottom) // 2
    dot = max(1, (bottom - top) // 10)
    colour = SIDES[lamp.side or 0]
    part = {None: box, 0: (left, middle_y, right, bottom), 1: (left, top, right, middle_y)}[lamp.side]
    match lamp.sign:
        case Sign.DARK:
            pen.box((middle_x - dot, middle_y - dot, middle_x, middle_y), fill=GREY)
        case Sign.HELD:
            pen.box(part, fill=colour)
            pen.box(box, outline=colour, width=dot)
        case Sign.OFFERED:
            pen.box(part, outline=colour, width=dot)
        case Sign.TIE:
            pen.box((left, middle_y - dot, right, middle_y), fill=WHITE)
            pen.box(box, outline=WHITE, width=dot)
        case Sign.PUT_RIGHT:
            for ends in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
                pen.draw.line(ends, fill=pen.ink(TONES[Tone.FOUL]), width=dot + 1)
        case Sign.UNREADABLE:
            for x in (left + dot, middle_x, right - dot):
                pen.box((x - dot, middle_y - dot, x, middle_y + dot), fill=TONES[Tone.WARNING])
