"""Players and tables as lists that a spreadsheet wrote: CSV with a line of headings.

Every mistake is named with its line and column, all of them at once. Knows text; knows no file and no tournament.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from firmware.event.rounds.facts import PlayerEntered, TableSet
from firmware.event.words import say

LONGEST_NAME = 60
LARGEST_NUMBER = 99_999
LARGEST_LIST = 1_000_000  # characters: more is no list of players
SEPARATORS = ",;\t"
STATION = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
FORMULA = "=+-@"  # what a spreadsheet would compute rather than show

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong with a list, and where: `why` is the name of its words, `about` what they are about."""

    line: int
    column: str
    why: str
    about: tuple[tuple[str, str | int], ...] = ()


def mistake(line: int, column: str, why: str, /, **about: str | int) -> Mistake:
    return Mistake(line, column, why, tuple(sorted(about.items())))


class BadList(ValueError):
    """A list with mistakes, every one of them named."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__(*self.mistakes)


class _Wrong(ValueError):
    """What is wrong with one cell."""

    def __init__(self, why: str, /, **about: str | int) -> None:
        super().__init__(why)
        self.why, self.about = why, about

    def at(self, line: int, column: str) -> Mistake:
        return mistake(line, column, self.why, **self.about)


def read_players(text: str, taken: Mapping[int, str] | None = None) -> tuple[PlayerEntered, ...]:
    """Players from columns `name` and, if there are any, `number` and `club`. Who has no number gets the next free one;
    `taken` are the numbers and names of those who are in already."""
    known = dict(taken or {})
    names = {name.casefold() for name in known.values()}
    read: list[tuple[int, str, str]] = []

    def row(line: int, cells: Mapping[str, str]) -> Iterator[Mistake]:
        number, name = 0, cells.get("name", "")
        try:
            if cells.get("number"):
                number = _number(cells["number"])
                if number in known:
                    raise _Wrong("number-taken", number=number, name=known[number])
        except _Wrong as wrong:
            yield wrong.at(line, "number")
        try:
            name = _name(name)
            if name.casefold() in names:
                raise _Wrong("name-twice", name=name)
            names.add(name.casefold())
        except _Wrong as wrong:
            yield wrong.at(line, "name")
        try:
            read.append((number, name, _name(cells["club"]) if cells.get("club") else ""))
        except _Wrong as wrong:
            yield wrong.at(line, "club")
        if number:
            known.setdefault(number, name)

    _read(text, ("name",), ("number", "club"), row)
    free = (number for number in range(1, LARGEST_NUMBER) if number not in known)
    return tuple(PlayerEntered(number or next(free), name, club) for number, name, club in read)


def read_tables(text: str) -> tuple[TableSet, ...]:
    """Tables from the column `table` and, where a station referees, its name in the column `station`."""
    tables: dict[int, str | None] = {}
    lines: dict[str, int] = {}

    def row(line: int, cells: Mapping[str, str]) -> Iterator[Mistake]:
        station = cells.get("station") or None
        try:
            number = _number(cells.get("table", ""))
            if number in tables:
                raise _Wrong("table-twice", number=number)
            tables[number] = station
        except _Wrong as wrong:
            yield wrong.at(line, "table")
        if station is not None and STATION.fullmatch(station) is None:
            yield mistake(line, "station", "bad-station", found=station)
        elif station is not None and lines.setdefault(station, line) != line:
            yield mistake(line, "station", "station-twice", found=station, other=lines[station])

    _read(text, ("table",), ("station",), row)
    return tuple(TableSet(number, station) for number, station in sorted(tables.items()))


def _read(
    text: str,
    needed: tuple[str, ...],
    optional: tuple[str, ...],
    row: Callable[[int, Mapping[str, str]], Iterator[Mistake]],
) -> None:
    """Hands each line's cells to `row`; raises BadList with everything that was wrong."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    if len(text) > LARGEST_LIST or not first.strip():
        raise BadList(
            [mistake(1, "", "too-long" if text.strip() else "no-headings", known=", ".join(needed + optional))]
        )
    separator = max(SEPARATORS, key=first.count)
    mistakes: list[Mistake] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        headings = [heading.strip().casefold() for heading in next(reader)]
        mistakes += _headings(headings, needed, optional)
        rows = 0
        for cells in reader if not mistakes else ():
            if not any(cell.strip() for cell in cells):
                continue
            rows += 1
            if len(cells) > len(headings):
                wide = mistake(
                    reader.line_num, "", "too-wide", cells=len(cells), columns=len(headings), separator=separator
                )
                mistakes.append(wide)
                continue
            mistakes += row(reader.line_num, dict(zip(headings, (cell.strip() for cell in cells), strict=False)))
        if not mistakes and not rows:
            mistakes.append(mistake(2, "", "empty-list"))
    except csv.Error as error:
        mistakes.append(mistake(reader.line_num, "", "no-csv", error=str(error)))
    if mistakes:
        raise BadList(mistakes)


def _headings(headings: list[str], needed: tuple[str, ...], optional: tuple[str, ...]) -> Iterator[Mistake]:
    known = ", ".join(needed + optional)
    for heading in needed:
        if heading not in headings:
            yield mistake(1, heading, "no-column", known=known)
    for n, heading in enumerate(headings):
        if heading not in needed + optional:
            yield mistake(1, heading or str(n + 1), "unknown-column", known=known)
        elif heading in headings[:n]:
            yield mistake(1, heading, "column-twice")


def _number(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and 1 <= int(cell) <= LARGEST_NUMBER):
        raise _Wrong("no-number", found=cell, most=LARGEST_NUMBER)
    return int(cell)


def _name(cell: str) -> str:
    name = " ".join("".join(sign if sign.isprintable() else " " for sign in cell).split())
    if not name:
        raise _Wrong("no-name")
    if len(name) > LONGEST_NAME:
        raise _Wrong("long-name", found=f"{name[:20]}…", length=len(name), most=LONGEST_NAME)
    if name[0] in FORMULA:
        raise _Wrong("formula", found=name, sign=name[0])
    return name


def words_of(wrong: Mistake, language: str) -> str:
    """The mistake as a sentence that says where and what was expected."""
    words = say(f"mistake_{wrong.why}", language, **dict(wrong.about))
    where = "where_column" if wrong.column else "where_line"
    return say(where, language, words=words, line=wrong.line, column=wrong.column)
