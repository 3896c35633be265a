"""A fact as the event of a stream, in plain names and codes for other programs to read."""

from __future__ import annotations

from typing import assert_never

from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Effect, Exchange, Swap
from engine.lords_of_scotland.facts import (
    Cleared,
    Dealt,
    Engaged,
    Fact,
    InitiativeGiven,
    Passed,
    PutRight,
    Recruited,
    Revealed,
    Shifted,
    Straightened,
    Taken,
    Together,
    Turned,
    TurnEnded,
    Used,
)
from engine.lords_of_scotland.powers import Prospect
from engine.verdicts import Verdict

Event = dict[str, object]


def event_of(fact: Fact, verdict: Verdict) -> Event:
    """What happened; who did it comes first where that is known. Whether it was legal is not part of it."""
    about = _about(fact)
    if isinstance(verdict.finding, Prospect):
        about["powers"] = [clan.value for clan in verdict.finding.powers]
        about["blocked_by"] = verdict.finding.blocked_by
    return about if fact.player is None else {"player": fact.player, **about}


def _about(fact: Fact) -> Event:
    match fact:
        case Turned(_, slot, code):
            return {"event": "turn-recruit", "card": code, "slot": slot}
        case Recruited(_, slot, code):
            return {"event": "recruit", "card": code, "slot": slot}
        case Engaged(_, code):
            return {"event": "engage", "card": code}
        case Passed():
            return {"event": "pass"}
        case TurnEnded():
            return {"event": "turn-end"}
        case Used(_, code, effect, copying):
            return {"event": "power", "card": code, "copying": copying and copying.value, **_effect(effect)}
        case Revealed(_, code):
            return {"event": "reveal", "card": code}
        case Taken(_, code):
            return {"event": "take-supporter", "card": code}
        case Straightened(_, lying):
            return {"event": "straighten", "card": lying.code}
        case Cleared(place, lying):
            return {"event": "discard", "card": lying.code, "from": place}
        case Dealt(code, place):
            return {"event": "deal", "card": code, "to": place}
        case Together(acts):
            each = [_about(act) for act in acts]
            return {**each[0], "cards": each}
        case InitiativeGiven(giver, receiver):
            return {"event": "initiative", "from": giver, "to": receiver}
        case Shifted(change):
            return {"event": "moved", "card": change.piece.code, "from": change.origin, "to": change.target}
        case PutRight(change):
            return {"event": "put-right", "card": change.piece.code, "from": change.origin, "to": change.target}
        case _:
            assert_never(fact)


def _effect(effect: Effect) -> Event:
    power = effect.clan.value
    match effect:
        case Exchange(supporter):
            return {"power": power, "takes": supporter}
        case Swap(opponent, ally):
            return {"power": power, "takes": str(ally), "of": opponent}
        case Discard(owner, ally):
            return {"power": power, "discards": str(ally), "of": owner}
        case Draw() | Again() | Activate():
            return {"power": power}
        case _:
            assert_never(effect)
