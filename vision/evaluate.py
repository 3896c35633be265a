"""Compare readings with the truth, and count.

A card is right when its code was named in the place where it lies, wrong when a code was named that does not lie
there, and unread otherwise. Knows documents as `marchwarden read --json` writes them; knows no pixel and no rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Codes = tuple[str, ...]
NOT_SEEN = "not seen"


@dataclass(frozen=True, slots=True)
class Truth:
    """What lies on a table: codes by place (`3A`, `3B`, `3M`, `D`), where each tile lies, and the places of cards
    that nobody could be asked to read (`3A2` under a hand): they count only when they are named wrongly.

    `either_order` are fans laid towards their Stone: the order of laying runs against the order of lying."""

    cards: Mapping[str, Codes]
    tiles: Mapping[str, str]
    excused: frozenset[str] = frozenset()
    either_order: frozenset[str] = frozenset()
    nameless: int = 0


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that was not read as it lies: `named` is None when it was left unread."""

    place: str
    true: str | None
    named: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One photograph's reading beside its truth."""

    image: str
    cards: int
    right: int
    mistakes: tuple[Mistake, ...]
    tiles: int
    tiles_right: int
    tiles_unread: int
    exact: bool
    nameless: int = 0
    elapsed_ms: float = 0.0

    @property
    def wrong(self) -> int:
        return sum(mistake.named is not None for mistake in self.mistakes if not mistake.place.startswith("tile"))


@dataclass(slots=True)
class Tally:
    """The sum over many photographs."""

    photographs: int = 0
    cards: int = 0
    right: int = 0
    wrong: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    nameless: int = 0
    tiles: int = 0
    tiles_right: int = 0
    tiles_unread: int = 0
    exact: int = 0
    elapsed_ms: list[float] = field(default_factory=list)

    def add(self, comparison: Comparison) -> None:
        """Count one more photograph."""
        self.photographs += 1
        self.cards += comparison.cards
        self.right += comparison.right
        self.wrong += comparison.wrong
        self.nameless += comparison.nameless
        self.tiles += comparison.tiles
        self.tiles_right += comparison.tiles_right
        self.tiles_unread += comparison.tiles_unread
        self.exact += comparison.exact
        self.elapsed_ms.append(comparison.elapsed_ms)
        for mistake in comparison.mistakes:
            if mistake.place.startswith("tile"):
                continue
            if mistake.named is None:
                self.unread[mistake.why] += 1
            else:
                self.confusions[mistake.true or "(nothing)", mistake.named] += 1

    def as_document(self) -> dict[str, Any]:
        """The figures, for `--json` and for the results kept with the project."""
        times = sorted(self.elapsed_ms)
        return {
            "photographs": self.photographs,
            "cards": self.cards,
            "right": self.right,
            "wrong": self.wrong,
            "unread": dict(self.unread.most_common()),
            "accuracy": _share(self.right, self.cards),
            "nameless": self.nameless,
            "boards_exact": _share(self.exact, self.photographs),
            "tiles": self.tiles,
            "tiles_right": _share(self.tiles_right, self.tiles),
            "tiles_wrong": self.tiles - self.tiles_right - self.tiles_unread,
            "confusions": [
                {"true": true, "named": named, "times": times} for (true, named), times in self.confusions.most_common()
            ],
            "ms": {
                "median": round(times[len(times) // 2], 1) if times else None,
                "p95": round(times[int(len(times) * 0.95)], 1) if times else None,
                "worst": round(times[-1], 1) if times else None,
            },
        }


def truth_of(document: Mapping[str, Any]) -> Truth:
    """The truth as a document in the form of `marchwarden read --json` tells it. Raises ValueError if it is none."""
    try:
        cards: dict[str, Codes] = {"D": tuple(document.get("discard", ()))}
        tiles = {}
        for stone in document["stones"]:
            number = int(stone["stone"])
            cards[f"{number}A"] = tuple(stone["A"])
            cards[f"{number}B"] = tuple(stone["B"])
            cards[f"{number}M"] = tuple(stone.get("modes", ()))
            if stone.get("tile"):
                tiles[f"stone{number}"] = str(stone["tile"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not a reading with 'stones' and 'discard' ({error!r})") from error
    return Truth(cards, tiles)


def spread_of(document: Mapping[str, Any]) -> Truth:
    """The truth of a table on which cards lie anywhere, as a document with `cards` and `tokens` tells it: `code!` lies
    sideways, and no order is told. Raises ValueError if it is none."""
    try:
        cards: dict[str, Codes] = {}
        for card in document["cards"]:
            label = str(card["code"]) + ("!" if card.get("sideways") else "")
            cards[str(card["where"])] = tuple(sorted((*cards.get(str(card["where"]), ()), label)))
        tiles = {str(code): str(at) for code, at in document["tokens"].items() if at is not None}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a reading with 'cards' and 'tokens' ({error!r})") from error
    return Truth(cards, tiles)


Told = Callable[[Mapping[str, Any]], Truth]


def compare(truth: Truth, document: Mapping[str, Any], told: Told = truth_of) -> Comparison:
    """One reading beside the truth; `told` says what a document tells."""
    read = told(document)
    reasons = _reasons(document.get("unreadable", ()))
    mistakes: list[Mistake] = []
    counted = right = 0
    exact = True
    for place in sorted(truth.cards.keys() | read.cards.keys()):
        lying, named = truth.cards.get(place, ()), read.cards.get(place, ())
        asked = [code for n, code in enumerate(lying, 1) if _where(place, n) not in truth.excused]
        counted += len(asked)
        missed = list((Counter(asked) - Counter(named)).elements())
        right += len(asked) - len(missed)
        false = list((Counter(named) - Counter(lying)).elements())
        mistakes += _pair(place, missed, false, reasons.get(place, []))
        if len(asked) == len(lying):
            orders = (lying, lying[::-1]) if place in truth.either_order else (lying,)
            exact &= named in orders
        else:
            exact &= set(asked) <= set(named) <= set(lying)
    tiles = {code: state for code, state in truth.tiles.items() if code not in truth.excused}
    tiles_right = sum(read.tiles.get(code) == state for code, state in tiles.items())
    for code, state in tiles.items():
        if read.tiles.get(code) != state:
            mistakes.append(Mistake(f"tile {code}", state, read.tiles.get(code), "; ".join(reasons.get(code, []))))
    return Comparison(
        image=str(document.get("image", "")),
        cards=counted,
        right=right,
        mistakes=tuple(mistakes),
        tiles=len(tiles),
        tiles_right=tiles_right,
        tiles_unread=sum(code not in read.tiles for code in tiles),
        exact=exact and tiles_right == len(tiles),
        nameless=truth.nameless,
        elapsed_ms=float(document.get("elapsed_ms", 0.0)),
    )


def group(where: str) -> str:
    """The place that a card's own place belongs to: `3A2` to `3A`, `3M1` to `3M`, `D4` to `D`."""
    found = re.fullmatch(r"(\d+[ABM]|D)\d+", where)
    return found[1] if found else where


def _where(place: str, n: int) -> str:
    return f"{place}{n}"


def _reasons(unreadable: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for entry in unreadable:
        reasons.setdefault(group(str(entry["where"])), []).append(str(entry["why"]))
    return reasons


def _pair(place: str, missed: list[str], false: list[str], reasons: list[str]) -> list[Mistake]:
    """Set each falsely named code beside a missed one of the same place; the rest of the missed went unread."""
    pairs = [Mistake(place, true, named) for true, named in zip(missed, false, strict=False)]
    pairs += [Mistake(place, None, named) for named in false[len(missed) :]]
    left = missed[len(false) :]
    known = reasons + [NOT_SEEN] * len(left)
    return pairs + [Mistake(place, true, None, why) for true, why in zip(left, known, strict=False)]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None
