"""Sets words in a typeface: how large they fit into a room, on which lines, in which columns.

Knows typefaces and sizes in pixels; knows no screen and nothing of what the words mean.
"""

from __future__ import annotations

from functools import cache, lru_cache

from PIL import ImageFont

from firmware.printing.fonts import font_file

SMALLEST_PT = 8


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
    one, two = largest((words,), width, height, bold), 0
    pair = halves(words, bold)
    if len(pair) == 2:
        two = largest(pair, width, height, bold)
    if two > one:
        return pair, two
    if one:
        return (words,), one
    font = typeface(SMALLEST_PT, bold)
    cut = words
    while len(cut) > 1 and font.getlength(cut + "…") > width:
        cut = cut[:-1]
    return (cut.rstrip() + "…",), SMALLEST_PT


@lru_cache(maxsize=256)
def largest(lines: tuple[str, ...], width: int, height: int, bold: bool) -> int:
    """The largest size at which all lines fit, 0 when none does."""
    for size in range(max(SMALLEST_PT, height), SMALLEST_PT - 1, -1):
        fits = line_height(size, bold) * len(lines) <= height
        if fits and all(typeface(size, bold).getlength(line) <= width for line in lines):
            return size
    return 0


def halves(words: str, bold: bool) -> tuple[str, ...]:
    """The words on two lines of about the same length."""
    font = typeface(16, bold)
    parts = words.split(" ")
    splits = [(" ".join(parts[:n]), " ".join(parts[n:])) for n in range(1, len(parts))]
    if not splits:
        return (words,)
    return min(splits, key=lambda pair: max(font.getlength(half) for half in pair))


def room_in(width: int, columns: int) -> int:
    """How wide a line in one of these columns may be: between two of them a gap shows where the next one begins."""
    return width - 2 if columns == 1 else width // columns * 5 // 6


def is_short(line: str, width: int, columns: int) -> bool:
    """Whether a line may stand in a column, as small as it gets."""
    return typeface(SMALLEST_PT, False).getlength(line) <= room_in(width, columns)


def shelves(lines: tuple[str, ...], width: int, columns: int) -> list[list[str]]:
    """Lines in rows: so many short ones to a row, row by row, and each long one in a row of its own."""
    rows: list[list[str]] = []
    for line in lines:
        joins = rows and len(rows[-1]) < columns and is_short(line, width, columns)
        if joins and is_short(rows[-1][0], width, columns):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


@lru_cache(maxsize=64)
def sizes_in(lines: tuple[str, ...], width: int, height: int, columns: int) -> tuple[int, int]:
    """The largest sizes at which the long lines and the short ones fit, these in so many columns; 0 when none does."""
    rows = shelves(lines, width, columns)
    room = height // len(rows)
    sizes = [room, room]
    for shelf in rows:
        short = columns > 1 and is_short(shelf[0], width, columns)
        wide = room_in(width, columns if short else 1)
        ways = [[(line,)] if short else [(line,), halves(line, False)] for line in shelf]
        sizes[short] = min(sizes[short], *(max(largest(way, wide, room, False) for way in each) for each in ways))
    return sizes[0], sizes[1]
