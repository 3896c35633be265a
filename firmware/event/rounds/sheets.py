"""Paper for the wall and the tables: pairings of a round, standings, and slips for results where no station referees.

A4, in the reader's language. The same tournament always gives the same bytes. Knows the printer's page; the words come
from `firmware.event.words`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from firmware.event.rounds.facts import Pairing, Style
from firmware.event.rounds.round import Round
from firmware.event.rounds.standings import standings
from firmware.event.rounds.tournament import Tournament
from firmware.event.words import say
from firmware.printing.fonts import FILES, font_file

MM = float(mm)
WIDTH, HEIGHT = float(A4[0]), float(A4[1])
LEFT, RIGHT, TOP, BOTTOM = 16 * MM, WIDTH - 16 * MM, HEIGHT - 20 * MM, 16 * MM
ROW = 6.4 * MM
SLIP = (HEIGHT - 24 * MM) / 4
INK, FAINT, LINE = HexColor("#1d1a17"), HexColor("#6f6a61"), HexColor("#c9c2b4")

Columns = Sequence[tuple[str, float, str]]  # heading, width in mm, "left" or "right"


def standings_sheet(tournament: Tournament, language: str) -> bytes:
    """Everybody's place with all that decides it."""
    columns = [
        ("", 9, "right"),
        (say("player", language), 62, "left"),
        (say("points", language), 19, "right"),
        (say("games", language), 17, "right"),
        (say("wins", language), 17, "right"),
        (say("opponents", language), 23, "right"),
        (say("direct", language), 16, "right"),
        (say(held_word(tournament), language), 15, "right"),
    ]
    rows = [
        [
            str(one.place),
            f"{one.player.name}{'' if one.player.is_in else ' †'}",
            *map(str, (one.points, one.games, one.wins)),
            f"{float(one.opponents):.2f}",
            *map(str, (one.direct, one.stones)),
        ]
        for one in standings(tournament)
    ]
    current = tournament.round
    running = current is not None and not current.is_over
    when = say("in_round" if running else "after_round", language, round=0 if current is None else current.number)
    title = say("standings", language)
    file, sheet = _sheet(tournament, title)
    y = _pages(sheet, tournament, title, when, columns, rows)
    _small_print(sheet, y, tie_breaks(tournament, language))
    sheet.save()
    return file.getvalue()


def pairings_sheet(tournament: Tournament, one: Round, language: str) -> bytes:
    """Where everybody plays: once by table, and once by name, since that is what people look for."""
    title = say("round_number", language, round=one.number)
    games = [
        [
            str(pairing.table or "–"),
            _name(tournament, pairing.a),
            _opponent(tournament, pairing.b, language),
            _score(one, pairing),
        ]
        for pairing in one.pairings
    ]
    heads: Columns = [
        (say("table", language), 18, "right"),
        (say("seat_a", language), 65, "left"),
        (say("seat_b", language), 65, "left"),
        (say("points", language), 25, "right"),
    ]
    names = sorted(
        ([_name(tournament, mine), str(pairing.table or "–"), _opponent(tournament, theirs, language)]
         for pairing in one.pairings
         for mine, theirs in ((pairing.a, pairing.b), (pairing.b, pairing.a)) if mine is not None),
        key=lambda row: row[0].casefold(),
    )  # fmt: skip
    by_name: Columns = [
        (say("player", language), 75, "left"),
        (say("table", language), 18, "right"),
        (say("opponent", language), 75, "left"),
    ]
    file, sheet = _sheet(tournament, title)
    _pages(sheet, tournament, title, say("by_table", language), heads, games)
    sheet.showPage()
    _pages(sheet, tournament, title, say("by_name", language), by_name, names)
    sheet.save()
    return file.getvalue()


def slips(tournament: Tournament, one: Round, language: str) -> bytes:
    """A slip for every table where no station writes the result down: winner, Stones, two signatures."""
    title = say("round_number", language, round=one.number)
    file, sheet = _sheet(tournament, title)
    games = [pairing for pairing in one.games if tournament.tables.get(pairing.table or 0) is None]
    held = held_word(tournament)
    for n, pairing in enumerate(games):
        if n and n % 4 == 0:
            sheet.showPage()
        y = HEIGHT - 12 * MM - (n % 4) * SLIP
        _write(
            sheet,
            LEFT,
            y - 8 * MM,
            f"{_event(tournament)} · {title} · {say('table', language)} {pairing.table}",
            "bold",
            12,
        )
        for k, (seat, number) in enumerate((("A", pairing.a), ("B", pairing.b))):
            x = LEFT + k * 90 * MM
            name = f"{seat}   {_name(tournament, number)}"
            _write(sheet, x, y - 17 * MM, name, "plain", _fitting(name, "plain", 11, 84 * MM))
            sheet.setStrokeColor(INK)
            sheet.rect(x, y - 26 * MM, 5 * MM, 5 * MM)
            _write(sheet, x + 7 * MM, y - 25 * MM, say("has_won", language), "plain", 9)
            blanks = "  ".join(["______"] * one.match.best_of) if one.match.best_of <= 3 else "  ______"
            _write(sheet, x, y - 35 * MM, f"{say(held, language)}  {blanks}", "plain", 9)
            _write(sheet, x, y - 52 * MM, say("signature", language), "plain", 8, FAINT)
            sheet.line(x, y - 48 * MM, x + 78 * MM, y - 48 * MM)
        sheet.setStrokeColor(LINE)
        sheet.setDash(2, 3)
        sheet.line(0, y - SLIP, WIDTH, y - SLIP)
        sheet.setDash()
    sheet.save()
    return file.getvalue()


def tie_breaks(tournament: Tournament, language: str) -> str:
    """What decides who stands where, in words."""
    names = ["tie_breaks_knock_out"] if tournament.style is Style.KNOCK_OUT else []
    names.append("tie_breaks" if held_word(tournament) == "stones" else "tie_breaks_lords")
    names.extend(["match_points"] if tournament.match.best_of > 1 else [])
    return " ".join(say(name, language) for name in names)


def _small_print(sheet: Canvas, y: float, words: str) -> None:
    lines = simpleSplit(words, "sheet-plain", 8, RIGHT - LEFT)
    if y < BOTTOM + len(lines) * 4 * MM:
        sheet.showPage()
        y = TOP
    for n, line in enumerate(lines):
        _write(sheet, LEFT, y - n * 4 * MM, line, "plain", 8, FAINT)


def _sheet(tournament: Tournament, title: str) -> tuple[io.BytesIO, Canvas]:
    for font in FILES:
        pdfmetrics.registerFont(TTFont(f"sheet-{font}", str(font_file(font))))
    file = io.BytesIO()
    sheet = Canvas(file, pagesize=A4, invariant=1)
    sheet.setTitle(f"{_event(tournament)}: {title}")
    return file, sheet


def _pages(
    sheet: Canvas, tournament: Tournament, title: str, note: str, columns: Columns, rows: Iterable[Sequence[str]]
) -> float:
    """A list over as many pages as it takes; how far down the last one it goes."""
    y, number = _head(sheet, tournament, title, note, columns, 1), 1
    for row in rows:
        if y < BOTTOM:
            sheet.showPage()
            number += 1
            y = _head(sheet, tournament, title, note, columns, number)
        _row(sheet, y, columns, row)
        y -= ROW
    return y


def _head(sheet: Canvas, tournament: Tournament, title: str, note: str, columns: Columns, number: int) -> float:
    _write(sheet, LEFT, TOP, _event(tournament), "bold", 17)
    _write(sheet, LEFT, TOP - 7 * MM, f"{title} · {note}", "plain", 11, FAINT)
    if number > 1:
        _write(sheet, RIGHT - 8 * MM, TOP, str(number), "plain", 11, FAINT)
    y = TOP - 18 * MM
    _row(sheet, y, columns, [heading for heading, _, _ in columns], "bold")
    return y - ROW


def _row(sheet: Canvas, y: float, columns: Columns, cells: Sequence[str], font: str = "plain") -> None:
    x, beside = LEFT, 0.0
    for cell, (_, width, side) in zip(cells, columns, strict=True):
        edge = x + (width - 2) * MM
        size = _fitting(cell, font, 9.5, edge - x - beside)
        at = x + beside if side == "left" else edge - pdfmetrics.stringWidth(cell, f"sheet-{font}", size)
        _write(sheet, at, y, cell, font, size)
        x, beside = x + width * MM, 0.0 if side == "left" else 2 * MM  # words stand a little apart from a number
    sheet.setStrokeColor(LINE)
    sheet.setLineWidth(0.4)
    sheet.line(LEFT, y - 1.9 * MM, RIGHT, y - 1.9 * MM)


def _fitting(words: str, font: str, size: float, room: float) -> float:
    """The size at which these words have room, down to the least that can be read."""
    while size > 6 and pdfmetrics.stringWidth(words, f"sheet-{font}", size) > room:
        size -= 0.5
    return size


def _write(sheet: Canvas, x: float, y: float, words: str, font: str, size: float, ink: Any = INK) -> None:
    sheet.setFont(f"sheet-{font}", size)
    sheet.setFillColor(ink)
    sheet.drawString(x, y, words)


def held_word(tournament: Tournament) -> str:
    """The name of the words for what players hold at the end of this event's game."""
    opened = tournament.opened
    return "held" if opened is not None and opened.game == "lords-of-scotland" else "stones"


def _event(tournament: Tournament) -> str:
    return "Marchwarden" if tournament.opened is None else tournament.opened.name


def _name(tournament: Tournament, number: int | None) -> str:
    return "" if number is None else f"{tournament.name_of(number)} ({number})"


def _opponent(tournament: Tournament, number: int | None, language: str) -> str:
    return say("bye", language) if number is None else _name(tournament, number)


def _score(one: Round, pairing: Pairing) -> str:
    table = pairing.table
    if pairing.b is None:
        return "" if one.bye_points is None else str(one.bye_points)
    points = one.points(table)
    if points is None:
        return ""
    games = f" ({one.wins(table)[0]}–{one.wins(table)[1]})" if one.match.best_of > 1 else ""
    return f"{points[0]} : {points[1]}{games}"
