"""Named ways to cheat at Lords of Scotland, as things that are done on the table.

Each offers facts that break one rule and no other, in a position that gives the chance; the law itself says which, so
that a cheat is what it is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from engine.lords_of_scotland.cards import LASTING, clan_of
from engine.lords_of_scotland.course import enforce
from engine.lords_of_scotland.effects import Activate
from engine.lords_of_scotland.explain import explain
from engine.lords_of_scotland.facts import Engaged, Fact, InitiativeGiven, Revealed, Turned, Used
from engine.lords_of_scotland.fouls import Breach
from engine.lords_of_scotland.hands import FullGame, Step
from engine.lords_of_scotland.legality import judge
from engine.lords_of_scotland.position import Stage


@dataclass(frozen=True, slots=True)
class Trick:
    """A step that breaks one rule."""

    step: Step
    breach: Breach


def _out_of_turn(game: FullGame) -> Iterator[Fact]:
    """A player engages although it is somebody else's turn, which is not over yet."""
    position = game.position
    if position.is_turn_over or position.must_turn:
        return
    for player, hand in game.hands:
        if player != position.on_turn:
            yield from (Engaged(player, code) for code in hand)


def _second_action(game: FullGame) -> Iterator[Fact]:
    """A player engages one more ally after the turn's own."""
    yield from (Engaged(game.position.on_turn, code) for code in game.hand(game.position.on_turn))


def _recruit_not_turned(game: FullGame) -> Iterator[Fact]:
    """The holder of the initiative plays without turning a recruit."""
    yield from (Engaged(game.position.initiative, code) for code in game.hand(game.position.initiative))


def _blocked(game: FullGame) -> Iterator[Fact]:
    """A power that a weaker ally blocks is activated all the same."""
    position = game.position
    laid = position.laid
    clan = clan_of(laid) if laid is not None else None
    if laid is not None and clan is not None and clan in LASTING:
        yield Used(position.on_turn, laid, Activate(clan))


def _turned_early(game: FullGame) -> Iterator[Fact]:
    """A recruit is turned when none is due."""
    below = dict(game.below)
    slot = game.position.next_recruit
    if slot is not None and slot in below and not game.position.must_turn and game.position.acted:
        yield Turned(game.position.initiative, slot, below[slot])


def _peeked(game: FullGame) -> Iterator[Fact]:
    """An ally that lies face down is turned up before the fight is over."""
    yield from (Revealed(player, code) for player, code in game.face_down)


def _initiative(game: FullGame) -> Iterator[Fact]:
    """The initiative is handed on in the middle of a skirmish."""
    position = game.position
    others = [player for player in position.players if player != position.initiative]
    yield from (InitiativeGiven(position.initiative, player) for player in others)


CHEATS: dict[str, tuple[Callable[[FullGame], Iterator[Fact]], tuple[Breach, ...]]] = {
    "out-of-turn": (_out_of_turn, (Breach.OUT_OF_TURN,)),
    "second-action": (_second_action, (Breach.SECOND_ACTION,)),
    "recruit-not-turned": (_recruit_not_turned, (Breach.RECRUIT_NOT_TURNED,)),
    "blocked-power": (_blocked, (Breach.BLOCKED, Breach.BLOCKED_BY_KIN)),
    "turned-early": (_turned_early, (Breach.TURNED_OUT_OF_TIME,)),
    "peeked": (_peeked, (Breach.REVEALED_EARLY,)),
    "initiative-taken": (_initiative, (Breach.INITIATIVE,)),
}


def cheat(name: str, game: FullGame, random: Random) -> Trick | None:
    """A foul of this name, if the position offers one that a look at the table tells for what it is."""
    if game.position.stage is not Stage.FIGHTING:
        return None
    offers, breaches = CHEATS[name]
    tricks = []
    for fact in offers(game):
        kinds = [foul.kind for foul in judge(game.position, fact).fouls]
        told = _told(game, fact)
        if len(kinds) == 1 and kinds[0] in {breach.value for breach in breaches} and told == kinds:
            tricks.append(Trick(Step(fact), Breach(kinds[0])))
    return random.choice(tricks) if tricks else None


def _told(game: FullGame, fact: Fact) -> list[str]:
    """The fouls that a referee who only looks would name."""
    position = game.position
    table = position.table()
    kinds = []
    for seen in explain(position, table, table.after(fact.changes())):
        fouls = judge(position, seen).fouls
        kinds += [foul.kind for foul in fouls]
        position = position if fouls else enforce(position, seen)
    return kinds
