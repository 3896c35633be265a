"""What a state looks like: the screen, the lamps and the sentence. Pure, and sent whole.

One thing is said at a time, the gravest first: what makes judging impossible, then what must be put right, then what
cannot be read, then what was just said, then who is to play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.rules import Sign
from engine.table import Change
from engine.verdicts import Words
from firmware.games import Refereed
from firmware.interpret import Unread
from firmware.signals import Lamp, Screen, Signals, Tone, lamp
from firmware.state import Judged, Saying, StationState, saying
from vision.observation import Why

BLIND = (
    "log-damaged",
    "storage-fault",
    "disk-full",
    "journal-busy",
    "camera-hangs",
    "camera-lost",
    "camera-stuck",
    "too-dark",
    "mirrored",
    "no-mat",
    "other-mat",
    "corner-hidden",
    "camera-moved",
    "new-camera",
    "moving",
    "board-cleared",
    "clear-table",
    "check-board",
    "order-unclear",
    "came-unseen",
    "taken-together",
    "recruit-unseen",
    "judges-call",
    "resuming",
)
HINTS = (
    "id-conflict",
    "judge-coming",
    "head-judge-called",
    "judge-called",
    "check-names",
    "table-taken",
    "update-needed",
    "hand",
    "object",
    "too-bright",
    "blurred",
    "flicker",
    "slow-camera",
    "lamps-lost",
    "display-lost",
    "buttons-lost",
    "button-stuck",
    "disk-low",
    "low-power",
    "time-not-set",
    "broker-lost",
    "still-playing",
)

UNREAD: dict[Why, str] = {
    Why.COVERED: "covered",
    Why.FACE_DOWN: "face-down",
    Why.FOREIGN: "foreign",
    Why.ALIKE: "alike",
    Why.OUTSIDE: "half-outside",
    Why.GLARE: "glare",
    Why.CROWDED: "crowded",
    Why.OBJECT: "object",
    Why.DARK: "too-dark",
    Why.BRIGHT: "too-bright",
    Why.COLOURLESS: "colourless",
    Why.BLURRED: "blurred",
    Why.MOVING: "uncertain",
    Why.HAND: "hand",
    Why.OUT_OF_VIEW: "no-mat",
    Why.UNCERTAIN: "uncertain",
}


@dataclass(frozen=True, slots=True)
class Said:
    """Words with how they are meant."""

    words: Words
    tone: Tone


def present(state: StationState, refereed: Refereed, language: str) -> Signals:
    """Everything that is shown of this state in this language."""
    said = _said(state, refereed, language)
    lamps = _lamps(state, refereed)
    summary = state.summary
    turn = "" if state.is_over else state.name_of(summary.turn)
    screen = Screen(
        headline=said.words.headline,
        detail=said.words.detail,
        tone=said.tone,
        turn=turn,
        score=tuple((state.name_of(player), points) for player, points in summary.score),
        lamps=lamps,
        brief=refereed.brief(state.referee.position),
        lines=_lines(state, refereed, language, said.words.headline),
        clock=state.clock,
    )
    return Signals(screen, lamps, said.words.sentence)


def _said(state: StationState, refereed: Refereed, language: str) -> Said:
    blind = _first(state.troubles, BLIND)
    if blind is not None:
        return Said(in_words(blind, refereed, language), Tone.WARNING)
    if state.is_over:
        return _result(state, language)
    if state.referee.paused:
        return Said(saying("paused").words(language), Tone.CALM)
    wrong = state.referee.to_put_right
    if wrong:
        return _to_put_right(state, refereed, wrong, language)
    if state.notice is not None and _is_verdict_of_foul(state.notice):
        return _noticed(state.notice, state, language)
    if state.unread:
        return Said(_unread(state.unread, refereed, language), Tone.WARNING)
    if state.notice is not None:
        return _noticed(state.notice, state, language)
    hint = _first(state.troubles, HINTS)
    if hint is not None:
        return Said(in_words(hint, refereed, language), Tone.WARNING)
    return Said(_turn(state, refereed, language), Tone.CALM)


def in_words(trouble: Saying, refereed: Refereed, language: str) -> Words:
    """The trouble in words, with the place that it is about as people call it."""
    place = dict(trouble.about).get("place")
    if place is None:
        return trouble.words(language)
    return saying(trouble.name, where=refereed.places.label(str(place), language)).words(language)


def _first(troubles: Iterable[Saying], order: tuple[str, ...]) -> Saying | None:
    found = [trouble for trouble in troubles if trouble.name in order]
    return min(found, key=lambda trouble: (order.index(trouble.name), trouble.about), default=None)


def _result(state: StationState, language: str) -> Said:
    decision = state.referee.decision
    winner = decision.winner if decision is not None else state.summary.winner
    over = saying("draw") if winner is None else saying("won", player=state.name_of(winner))
    return Said(over.words(language), Tone.GOOD)


def _to_put_right(state: StationState, refereed: Refereed, wrong: tuple[Change, ...], language: str) -> Said:
    """The foul's own words when it was the last thing that happened, else the first thing to be done."""
    if state.notice is not None and _is_verdict_of_foul(state.notice):
        return _noticed(state.notice, state, language)
    return Said(refereed.game.remedy(wrong[0], language), Tone.FOUL)


def _is_verdict_of_foul(notice: Judged | Saying) -> bool:
    return isinstance(notice, Judged) and not notice.told.counts


def _noticed(notice: Judged | Saying, state: StationState, language: str) -> Said:
    if isinstance(notice, Saying):
        return Said(notice.words(language), Tone.CALM)
    told = notice.told
    words = state.referee.game.words(notice.before, told.fact, told.verdict, language)
    return Said(words, Tone.GOOD if told.counts else Tone.FOUL)


def _unread(unread: tuple[Unread, ...], refereed: Refereed, language: str) -> Words:
    if all(one.why is Why.FOREIGN for one in unread) and len(unread) > 2:
        return saying("wrong-deck").words(language)
    twice = [one for one in unread if one.why is Why.TWICE]
    if twice:
        where = ", ".join(refereed.places.label(one.place, language) for one in twice)
        return saying("seen-twice", where=where).words(language)
    first = unread[0]
    about = {"where": refereed.places.label(first.place, language)}
    return saying(UNREAD.get(first.why, "uncertain"), **about).words(language)


def _turn(state: StationState, refereed: Refereed, language: str) -> Words:
    summary = state.summary
    if state.referee.position == state.start.position:
        return saying("ready", player=state.name_of(summary.turn)).words(language)
    return refereed.standing(state.referee.position, summary, state.name_of, language)


def _lamps(state: StationState, refereed: Refereed) -> tuple[Lamp, ...]:
    players = refereed.game.players
    lamps = [lamp(mark, players) for mark in state.summary.marks]
    for one in state.unread:
        _set(lamps, refereed.places.lamp(one.place), Sign.UNREADABLE)
    for change in state.referee.to_put_right:
        for place in (change.origin, change.target):
            if place is not None:
                _set(lamps, refereed.places.lamp(place), Sign.PUT_RIGHT)
    return tuple(lamps)


def _set(lamps: list[Lamp], number: int | None, sign: Sign) -> None:
    if number is not None and number < len(lamps):
        lamps[number] = Lamp(sign)


def _lines(state: StationState, refereed: Refereed, language: str, headline: str) -> tuple[str, ...]:
    """What a larger display has room for besides the headline: everything to put right, what else is wrong with the
    station, how the game stands."""
    wrong = tuple(refereed.game.remedy(change, language).sentence for change in state.referee.to_put_right)
    troubles = sorted(state.troubles, key=lambda trouble: trouble.name)
    hints = [in_words(trouble, refereed, language).headline for trouble in troubles]
    return (
        wrong
        + tuple(hint for hint in hints if hint != headline)
        + refereed.details(state.referee.position, state.name_of)
    )
