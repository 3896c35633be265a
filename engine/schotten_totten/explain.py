"""Which facts explain what is seen: legal turns where there are any, else the nearest fouls.

Readings of cards are given and certain; legality only tells in which order turns were taken, and what a card that
moved has to do with a ruse beside the decks. Once the facts are told, nothing is left unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from engine.schotten_totten.cards import STONES, Player
from engine.schotten_totten.differences import find_differences
from engine.schotten_totten.effects import applied
from engine.schotten_totten.facts import Act, CardLaid, CardsLaid, Fact, Passed, StoneClaimed
from engine.schotten_totten.happenings import Happening, happening
from engine.schotten_totten.legality import judge
from engine.schotten_totten.position import Position
from engine.table import Table

PLAYS_AT_ONCE = 2  # two quick turns between two settled pictures are followed, more are not
CLAIMS_AT_ONCE = 4


def explain(position: Position, told: Table, seen: Table) -> tuple[Fact, ...]:
    """The facts that lead from the table told of to the one that is seen; `told` after them equals `seen`."""
    found = find_differences(position, told, seen)
    if found.righted:
        # Something was put right: what still lies there may be the move after all (one of two cards was taken back).
        whole = happening(position, found.whole, found.whole)
        turns = _legal_turns(position, whole)
        if turns is not None and not whole.irregular:
            return (*found.righted, *turns)
    new = happening(position, found.new, found.whole)
    turns = _legal_turns(position, new)
    if turns is None:
        turns = _nearest_fouls(position, new)
    return (*found.righted, *turns, *new.irregular)


def _legal_turns(position: Position, done: Happening) -> tuple[Fact, ...] | None:
    """The way in which all of it was legal; None if there is none."""
    turns = _one_way(position, done)
    if turns is None and _must_have_passed(position, done):
        passed = Passed(position.to_play)
        later = _one_way(applied(position, passed), done)
        return None if later is None else (passed, *later)
    return turns


def _one_way(position: Position, done: Happening) -> tuple[Fact, ...] | None:
    """An order in which all of it is legal, in as few turns as can be. Where two of them do not end the same, only the
    natural one will do."""
    if len(done.plays) > PLAYS_AT_ONCE or len(done.claims) > CLAIMS_AT_ONCE:
        return None
    ways = list(_sequences(position, done.plays, done.claims))
    fewest = min((_turns(facts) for _, facts in ways), default=0)
    ways = [(ending, facts) for ending, facts in ways if _turns(facts) == fewest]
    if len({ending for ending, _ in ways}) == 1:
        return ways[0][1]
    natural = _in_order_of_turns(position, done)
    return natural if any(facts == natural for _, facts in ways) else None


def _turns(facts: tuple[Fact, ...]) -> int:
    return sum(1 for _ in groupby(facts, key=lambda fact: fact.player))


def _must_have_passed(position: Position, done: Happening) -> bool:
    """Passing cannot be seen. But a player who has nowhere to lay a Clan card, and has laid nothing, has passed when
    the game goes on (ST-209)."""
    player = position.to_play
    certain = [choices[0] for choices in done.plays if len(choices) == 1]
    if not (done.plays or done.claims) or any(play.player is player for play in certain):
        return False
    return judge(position, Passed(player)).legal and not any(position.is_open(player, number) for number in STONES)


def _sequences(
    position: Position, plays: tuple[tuple[Act, ...], ...], claims: tuple[StoneClaimed, ...]
) -> Iterator[tuple[Position, tuple[Fact, ...]]]:
    """Every order in which each of these acts is legal, with the position that it ends in."""
    if not plays and not claims:
        yield position, ()
    for at, choices in enumerate(plays):
        for play in choices:
            if judge(position, play).legal:
                rest = (*plays[:at], *plays[at + 1 :])
                for ending, facts in _sequences(applied(position, play), rest, claims):
                    yield ending, (play, *facts)
    for at, claim in enumerate(claims):
        if judge(position, claim).legal:
            others = (*claims[:at], *claims[at + 1 :])
            for ending, facts in _sequences(applied(position, claim), plays, others):
                yield ending, (claim, *facts)


def _nearest_fouls(position: Position, done: Happening) -> tuple[Fact, ...]:
    """All of it in the order that turns take, so that each foul is laid at the right door."""
    if all(choices[0].player is not position.to_play for choices in done.plays) and _must_have_passed(position, done):
        passed = Passed(position.to_play)
        return (passed, *_in_order_of_turns(applied(position, passed), done))
    return _in_order_of_turns(position, done)


def _in_order_of_turns(position: Position, done: Happening) -> tuple[Fact, ...]:
    """Plays and claims as they follow each other. Of two cards that a player laid at once neither is the move."""
    plays = [choices[0] for choices in done.plays]
    by_player = {player: _played_by(player, plays) for player in Player}
    claims = {player: [claim for claim in done.claims if claim.player is player] for player in Player}
    first, then = position.turn, position.turn.opponent
    if position.rules.expert:
        if position.has_played:
            first, then = then, first
        return (*claims[first], *by_player[first], *claims[then], *by_player[then])
    if position.has_played:
        return (*claims[first], *by_player[then], *claims[then], *by_player[first])
    return (*by_player[first], *claims[first], *by_player[then], *claims[then])


def _played_by(player: Player, plays: list[Act]) -> list[Fact]:
    mine = [play for play in plays if play.player is player]
    laid = [play for play in mine if isinstance(play, CardLaid)]
    if len(laid) < 2:
        return list(mine)
    at_once = CardsLaid(player, tuple((play.card, play.spot) for play in laid))
    return [at_once, *(play for play in mine if not isinstance(play, CardLaid))]
