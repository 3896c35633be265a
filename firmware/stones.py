"""Schotten Totten as the station tells it: its places, its words of the moment, its board in characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.record import HEAD_KEYS
from engine.rules import Sign, Summary
from engine.table import Code, Piece, Place, Table
from engine.verdicts import Words
from firmware.games import Refereed
from firmware.interpret import where_it_lay
from firmware.messages import label, line, words
from firmware.signals import Lamp
from vision.observation import Reading

INKS = {"r": 31, "g": 32, "y": 33, "b": 34, "p": 35, "o": 36}
SIGNS = {  # in every language: may be claimed, is claimed …
    Sign.DARK: "·",
    Sign.OFFERED: "?",
    Sign.HELD: "✓",
    Sign.TIE: "=",
    Sign.PUT_RIGHT: "!",
    Sign.UNREADABLE: "…",
}
WIDTH = 9
VARIANTS = {"base": "base", "tactic": "tactics", "expert": "tactics expert"}


class StonePlaces:
    """Fans `3A` keep their name, modes `3M1` lie on `3M`, `D2` in the discard row, and the tile `stone3` at `3border`,
    `3claimedA` or `3claimedB`. A card that lies face down is nobody's: its owner is asked to turn it."""

    def of_card(self, place: str) -> Place:
        if place.startswith("D"):
            return Place("discard")
        return Place(place[:2])

    def of_tile(self, code: str, spot: str) -> Place | None:
        stone = code.removeprefix("stone")
        if spot == "missing":
            return None
        return Place(f"{stone}border" if spot == "border" else f"{stone}claimed{spot}")

    def is_pile(self, place: str) -> bool:
        return False

    def card(self, reading: Reading) -> Piece | None:
        return None if reading.code is None else Piece(Code(reading.code))

    def tile(self, code: str, spot: str) -> Piece:
        return Piece(Code(code))

    def unseen(self, code: str, told: Table, seen: Table) -> tuple[tuple[Place, Piece], ...]:
        return where_it_lay(code, told)

    def lamp(self, place: str) -> int | None:
        digit = place.removeprefix("stone")[:1]
        return int(digit) - 1 if digit.isdigit() else None

    def label(self, place: str, language: str) -> str:
        number = self.lamp(place)
        if number is None:
            return label("discard", language)
        if place[-1] in "AB" and "claimed" not in place:
            return label("side", language, number=number + 1, player=place[-1])
        return label("stone", language, number=number + 1)


def _claimed_by_word(player: str, mark: str) -> str:
    return f"{player} claim {mark.removeprefix('stone')} by word"


def _standing(position: Any, summary: Summary, name_of: Callable[[str | None], str], language: str) -> Words:
    if position.ruse_begun is not None:
        return words("ruse", language, player=name_of(summary.turn))
    points = [points for _, points in summary.score] + [0, 0]
    return words("turn", language, player=name_of(summary.turn), first=points[0], second=points[1])


def _board(table: Table, lamps: tuple[Lamp, ...], language: str) -> list[str]:
    """Nine columns, B above and A below, each fan growing away from its Stone."""
    stones = range(1, 10)

    def column(place: str) -> list[str]:
        return [str(piece.code) for piece in table.at(Place(place))]

    def row(codes: list[str]) -> str:
        return "".join(_coloured(code) for code in codes)

    depth = max(3, *(len(column(f"{n}{side}")) for n in stones for side in "AB"))
    above = [[column(f"{n}B")[k] if k < len(column(f"{n}B")) else "" for n in stones] for k in reversed(range(depth))]
    below = [[column(f"{n}A")[k] if k < len(column(f"{n}A")) else "" for n in stones] for k in range(depth)]
    tiles = {
        n: next((at for at in ("claimedB", "border", "claimedA") if table.at(Place(f"{n}{at}"))), "") for n in stones
    }

    def tile_row(at: str) -> str:
        return row([f"[{n}]" if tiles[n] == at else "" for n in stones])

    modes = row(["+".join(column(f"{n}M")) for n in stones])
    shining = row([SIGNS[lamp.sign] + ("" if lamp.side is None else f" {'AB'[lamp.side % 2]}") for lamp in lamps])
    discard = f"{line('live-discard', language)}: " + " ".join(column("discard"))
    return [
        "B " + tile_row("claimedB"),
        *("  " + row(codes) for codes in above),
        "- " + tile_row("border"),
        "  " + modes,
        *("  " + row(codes) for codes in below),
        "A " + tile_row("claimedA"),
        "o " + shining,
        discard,
    ]


def _coloured(code: str) -> str:
    rest = " " * (WIDTH - len(code))
    ink = INKS.get(code[:1]) if len(code) == 2 and code[1:].isdigit() else None
    return (code if ink is None else f"\x1b[{ink};1m{code}\x1b[0m") + rest


def _may_be_claimed(position: Any, summary: Summary, hidden: frozenset[str], fact: Any) -> frozenset[str]:
    """A Stone that can be claimed may have been, where its tile cannot be seen."""
    return hidden & {mark.name for mark in summary.marks if mark.sign in (Sign.OFFERED, Sign.TIE)}


def schotten_totten() -> Refereed:
    from engine.schotten_totten.game import SchottenTotten
    from engine.schotten_totten.options import KEYS
    from vision.layout import schotten_totten as layout

    return Refereed(
        game=SchottenTotten(),
        layout=layout(),
        places=StonePlaces(),
        variants=VARIANTS,
        head_keys=(*HEAD_KEYS, *KEYS),
        standing=_standing,
        brief=lambda position: "",
        details=lambda position, names: (),
        board=_board,
        example="A g5@3",
        taking_line=_claimed_by_word,
        may_precede=_may_be_claimed,
    )
