"""A fact as the event of a stream, in plain names and codes for other programs to read."""

from __future__ import annotations

from typing import assert_never

from engine.schotten_totten.claims import Finding
from engine.schotten_totten.facts import (
    CardLaid,
    CardsLaid,
    Fact,
    HiddenCardLaid,
    Passed,
    RusePlayed,
    StoneClaimed,
    TurnEnded,
)
from engine.schotten_totten.irregularities import (
    CardAppeared,
    CardMoved,
    CardPutRight,
    CardRemoved,
    CardSwapped,
    CardTurned,
    StoneMoved,
    StonePutRight,
)
from engine.schotten_totten.spots import Discard, Hidden, Spot
from engine.verdicts import Verdict

Event = dict[str, object]


def event_of(fact: Fact, verdict: Verdict) -> Event:
    """What happened; who did it comes first where that is known. Whether it was legal is not part of it."""
    about = _about(fact)
    if isinstance(verdict.finding, Finding):
        about["why"] = verdict.finding.why.value
        if verdict.finding.counterexample:
            about["counterexample"] = [str(card) for card in verdict.finding.counterexample]
    return about if fact.player is None else {"player": str(fact.player), **about}


def _about(fact: Fact) -> Event:
    match fact:
        case CardLaid(_, card, spot):
            return {"event": "play", "card": str(card), **_at(spot)}
        case CardsLaid(_, cards):
            each = [{"card": str(card), **_at(spot)} for card, spot in cards]
            return {"event": "play", **each[0], "cards": each}
        case HiddenCardLaid(_, spot):
            return {"event": "play", "card": str(Hidden.CARD), **_at(spot)}
        case RusePlayed(_, ruse, taken, left, back):
            moved = {"takes": None if taken is None else str(taken), "from": _or_off(left), "to": _or_off(back)}
            return {"event": "play", "card": str(ruse), "stone": None, **moved}
        case StoneClaimed(_, stone, _):
            return {"event": "claim", "stone": stone}
        case Passed():
            return {"event": "pass"}
        case TurnEnded():
            return {"event": "turn-end"}
        case CardRemoved(gone, spot):
            return {"event": "removed", "card": str(gone), **_at(spot)}
        case CardMoved(lying, origin, target):
            return {"event": "moved", "card": str(lying), **_at(target), "from": str(origin), "to": str(target)}
        case CardSwapped(spot, gone_card, card):
            return {"event": "swapped", "card": str(card), **_at(spot), "gone": str(gone_card)}
        case CardTurned(card, spot):
            return {"event": "turned", "card": str(card), **_at(spot)}
        case CardAppeared(lying, spot):
            return {"event": "appeared", "card": str(lying), **_at(spot)}
        case StoneMoved(stone, tile, onto):
            return {"event": "stone-moved", "stone": stone, "from": str(tile), "to": str(onto)}
        case CardPutRight(lying, left, back):
            return {"event": "put-right", "card": str(lying), "from": _or_off(left), "to": _or_off(back)}
        case StonePutRight(stone, tile, onto):
            return {"event": "put-right", "stone": stone, "from": str(tile), "to": str(onto)}
        case _:
            assert_never(fact)


def _at(spot: Spot) -> Event:
    return {"stone": None if isinstance(spot, Discard) else spot.stone, "where": str(spot)}


def _or_off(spot: Spot | None) -> str | None:
    return None if spot is None else str(spot)
