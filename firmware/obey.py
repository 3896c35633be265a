"""What a command means in the state at hand: facts to tell, acts to write, a new game, or only words. Pure.

An undo of something that lies on the table is a ruling that it does not count: the card is still there, and has to be
taken back before the table is right again. Knows the engine's acts; knows no device.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.referee import Act, Corrected, Decided, Paused, Reopened, Resumed, Ruled, Undone
from engine.rules import BadRecord, Sign
from firmware.calling import CALLS, asked_head, called, told_of_call
from firmware.commands import (
    PLAYERS,
    Accept,
    Announce,
    CallJudge,
    Command,
    Correct,
    Decide,
    EventTrouble,
    NamePlayers,
    NewGame,
    Ordered,
    Pause,
    Pressed,
    Reopen,
    RoundTime,
    Rule,
    TakeOver,
    Tell,
    Undo,
)
from firmware.event.facts import JudgeCalled, JudgeNotNeeded, NamesAsked, PlayersNamed, Reason, TableTold, encode
from firmware.faults import JournalDamaged
from firmware.games import Refereed
from firmware.gestures import Press
from firmware.ports import Button
from firmware.state import Saying, StationState, saying

ANSWERS = (Button.CLAIM, Button.TURN)  # the first possibility, the second


class Refused(Exception):
    """What was asked cannot be done now; `said` says why in every language, a plain string only as it is."""

    def __init__(self, why: Saying | str) -> None:
        self.said = saying("refused", why=why) if isinstance(why, str) else why
        super().__init__(why if isinstance(why, str) else why.words("en").sentence)


@dataclass(frozen=True)
class Outcome:
    """What a command comes to. `notes` are lines about the station and its judges, not about the game."""

    who: str = PLAYERS
    notes: tuple[str, ...] = ()
    taken_over: TakeOver | None = None
    facts: tuple[Any, ...] = ()
    acts: tuple[Act | Corrected[Any], ...] = ()
    notice: Saying | None = None
    head: tuple[tuple[str, str], ...] | None = None
    compared: bool = False


def obey(state: StationState, command: Command, refereed: Refereed) -> Outcome:
    """What this command comes to; raises Refused, or BadRecord for a line that cannot be understood."""
    match command:
        case Pressed(press):
            return _pressed(state, press, refereed)
        case Tell(line, who):
            return Outcome(who, facts=(_parsed(state, line, refereed),))
        case Undo(who):
            return _undo(state, who)
        case Pause(who):
            act: Act = Resumed() if state.referee.paused else Paused()
            player = state.name_of(state.summary.turn)
            notice = saying("resumed", player=player) if state.referee.paused else saying("paused")
            return Outcome(who, acts=(act,), notice=notice)
        case Rule(number, stands, who, reason):
            _known(state, number)
            if not reason.strip():
                raise Refused(saying("needs-reason"))
            words = saying("ruled-stands" if stands else "ruled-void", by=who, reason=reason)
            return Outcome(who, acts=(Ruled(number, stands, who, reason),), notice=words)
        case Correct(number, line, who):
            _known(state, number)
            fact = _parsed(state, line, refereed)
            return Outcome(who, acts=(Corrected(number, fact, who),), notice=saying("corrected", by=who))
        case Decide(winner, who, reason):
            _sits_here(state, winner)
            return Outcome(who, acts=(Decided(winner, who, reason),), notice=saying("decided", by=who, reason=reason))
        case Accept(who, reason):
            return _accept(state, who, reason)
        case Reopen(who, reason):
            if state.referee.decision is None:
                raise Refused(saying("no-result"))
            return Outcome(who, acts=(Reopened(who, reason),), notice=saying("reopened", by=who, reason=reason))
        case NewGame(head, who, after):
            if after is not None and state.number > after and state.referee.told and not state.is_over:
                return Outcome(who, notes=(encode(NamesAsked(dict(head))),))
            own = refereed.game.name
            if dict(head).get("game", own) != own:
                raise Refused(saying("other-game", game=own))
            return Outcome(who, head=tuple(item for item in head if item[0] != "game"))
        case NamePlayers(head, who, reason):
            notice = saying("players-named", by=who, reason=reason)
            return Outcome(who, notes=(encode(PlayersNamed(dict(head), reason)),), notice=notice)
        case CallJudge(reason, words, who, withdraw):
            return _call_judge(state, reason, words, who, withdraw)
        case Announce(words, who, call, about):
            return _announce(words, who, call, about)
        case TakeOver(_, _, who):
            if state.referee.told and not state.is_over and "round" in dict(state.head):
                raise Refused(saying("game-on", number=state.number))
            return Outcome(who, taken_over=command)
        case Ordered() | RoundTime() | EventTrouble():
            raise Refused(saying("order-within-order"))


def _parsed(state: StationState, line: str, refereed: Refereed) -> Any:
    """The fact of a line, by somebody who plays: a table has seats for more than sit there."""
    fact = refereed.game.parse(line)
    _sits_here(state, fact.player)
    return fact


def _sits_here(state: StationState, player: str | None) -> None:
    players = [str(one) for one, _ in state.summary.score]
    if player is not None and player not in players:
        raise Refused(saying("no-such-player", player=player, players=", ".join(players)))


def _call_judge(state: StationState, reason: Reason, words: str, who: str, withdraw: bool) -> Outcome:
    note = encode(JudgeNotNeeded(reason) if withdraw else JudgeCalled(reason, words))
    is_seen_to = withdraw and bool(called(state.named(CALLS), note, who))  # somebody comes all the same
    notice = None if is_seen_to else saying("judge-not-needed") if withdraw else saying("judge-called")
    return Outcome(who, notes=(note,), notice=notice)


def _announce(words: str, who: str, stage: str, about: str) -> Outcome:
    """A judge's own words, else what became of the call."""
    if words:
        notice = saying("told", by=who, words=words)
    else:
        notice = next(iter(told_of_call(stage, who, about)), saying("call-closed", by=who))
    return Outcome(who, notes=(encode(TableTold(words, stage, about)),), notice=notice)


def _pressed(state: StationState, press: Press, refereed: Refereed) -> Outcome:
    if state.orders and press.button in ANSWERS:  # who played first?
        return Outcome(facts=state.orders[ANSWERS.index(press.button)])
    if state.referee.paused and not state.is_over and press.button in ANSWERS and not press.held:
        raise Refused(saying("paused"))  # nothing is judged until the game goes on
    match press.button, press.held:
        case Button.TURN, True:
            if state.is_over or not state.referee.told or any(one.name == "board-cleared" for one in state.troubles):
                return Outcome(head=())
            raise Refused(saying("not-over"))
        case Button.TURN, False:
            names = asked_head(state.troubles)
            if names is not None:
                return Outcome(notes=(encode(PlayersNamed(names)),))
            if state.is_over:
                return Outcome()  # that it is over, and how the next game begins, is said already
            if state.comparing or any(one.name == "clear-table" for one in state.troubles):
                return Outcome(compared=True)  # the players say that the table is right: judge it as it lies
            ends = [refereed.game.parse(f"{player} end") for player, _ in state.summary.score]
            return Outcome(facts=(_likeliest(state, ends),))
        case Button.CLAIM, _:
            return _claim(state, refereed)
        case Button.UNDO, _:
            return _undo(state, PLAYERS)
        case _:
            return obey(state, Pause(), refereed)


def _claim(state: StationState, refereed: Refereed) -> Outcome:
    """Claims in words whatever can be claimed at this moment; the tiles may follow."""
    position = state.referee.position
    if refereed.taking_line is None:
        raise Refused(saying("no-claims"))
    ready = [mark for mark in state.summary.marks if mark.sign in (Sign.OFFERED, Sign.TIE)]
    claims = [refereed.game.parse(refereed.taking_line(str(mark.player), mark.name)) for mark in ready]
    legal = tuple(claim for claim in claims if refereed.game.judge(position, claim).legal)
    if not legal:
        raise Refused(saying("nothing-to-claim"))
    return Outcome(facts=legal)


def _likeliest(state: StationState, facts: list[Any]) -> Any:
    """A button does not say who pressed it: it was a player who might, before all the one who acted last; when none
    might, the one whose turn it is."""
    game, position = state.referee.game, state.referee.position
    last = next((one.fact.player for one in reversed(state.referee.told) if one.moved and one.fact.player), None)
    legal = [fact for fact in facts if game.judge(position, fact).legal]
    might, last = (legal, last) if legal else (facts, state.summary.turn)
    return next((fact for fact in might if fact.player == last), might[0])


def _undo(state: StationState, who: str) -> Outcome:
    if not any(one.moved for one in state.referee.told):
        raise Refused(saying("nothing-to-undo"))
    return Outcome(who, acts=(Undone(),), notice=saying("undone"))


def _accept(state: StationState, who: str, reason: str) -> Outcome:
    """Everything told that does not count stands from now on, the latest word on each piece."""
    acts = tuple(Ruled(one.number, True, who, reason) for one in state.referee.told if not one.counts)
    if not acts:
        raise Refused(saying("table-is-right"))
    return Outcome(who, acts=acts, notice=saying("irregular", by=who, reason=reason))


def _known(state: StationState, number: int) -> None:
    if not any(one.number == number for one in state.referee.told):
        raise Refused(saying("no-such-entry", number=number))


def why_not(error: Refused | BadRecord | JournalDamaged, refereed: Refereed) -> Saying:
    """Why something was refused, in words of the catalogue."""
    if isinstance(error, Refused):
        return error.said
    if isinstance(error, JournalDamaged):
        return saying("log-damaged")
    found = re.match(r"column (\d+)", str(error))
    return saying("not-understood", column=int(found.group(1)) if found else 1, line=refereed.example)
