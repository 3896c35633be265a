"""Claims: whether a player could claim a Stone, why, and what would still beat them.

Knows what lies face up, never a hand: the claimant's own cards in hand prove nothing. Knows neither whose turn it is
nor whether the moment to claim has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from engine.schotten_totten.cards import CLAN_CARDS, ELITE_TROOPS, Card, Player, is_joker
from engine.schotten_totten.formations import Formation, Reading
from engine.schotten_totten.stones import Stone
from engine.schotten_totten.strongest import Completion, best_formation, strongest
from engine.schotten_totten.supply import Supply


class Proof(Enum):
    """Which cards may still come to the opponent in a proof."""

    CLAN = "clan"
    TACTICS = "tactics"


class Why(Enum):
    """The reason for which a claim is allowed or refused."""

    STRONGER = "stronger"
    TIE_COMPLETED_FIRST = "tie-completed-first"
    PROOF = "proof"
    ALREADY_CLAIMED = "already-claimed"
    INCOMPLETE = "incomplete"
    WEAKER = "weaker"
    TIE_COMPLETED_SECOND = "tie-completed-second"
    COULD_BE_BEATEN = "could-be-beaten"

    @property
    def allows(self) -> bool:
        return self in (Why.STRONGER, Why.TIE_COMPLETED_FIRST, Why.PROOF)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one claim.

    `theirs` is the opponent's formation if their side is complete, else the best that they could still have had (in
    a proof and in its refusal); None if there is none. `counterexample` is empty unless the claim could be beaten:
    then it holds the cards that make the opponent strongest. The readings say what the wild cards stand for.
    """

    player: Player
    why: Why
    mine: Formation | None = None
    theirs: Formation | None = None
    counterexample: tuple[Card, ...] = ()
    my_readings: tuple[Reading, ...] = ()
    their_readings: tuple[Reading, ...] = ()

    @property
    def allowed(self) -> bool:
        return self.why.allows


def supply_for(player: Player, stones: Sequence[Stone], discard: Iterable[Card], proof: Proof) -> Supply:
    """What may still come to this player's side, given everything that lies face up."""
    own = {card for stone in stones for card in stone.side(player)}
    face_up = own.union(discard, *(stone.side(player.opponent) for stone in stones))
    elite = [card for card in ELITE_TROOPS if card not in face_up] if proof is Proof.TACTICS else []
    # One Joker a side (ST-512): none may follow one that lies there, and of two that could come only one will.
    jokers = [card for card in elite if is_joker(card)]
    spare = jokers if any(map(is_joker, own)) else jokers[1:]
    return Supply.of(
        (card for card in CLAN_CARDS if card not in face_up),
        (card for card in elite if card not in spare),
    )


def judge_claim(stone: Stone, claimant: Player, supply: Supply) -> Finding:
    """Whether the claimant could claim this Stone, were it their moment to claim.

    `supply` is what may still come to the opponent (`supply_for(claimant.opponent, …)`). A tie between two complete
    sides of which nobody knows who was first gives the Stone to neither.
    """
    return _judge(stone, claimant, supply, {player: _standing(stone, player) for player in Player})


def judge_all(
    stones: Sequence[Stone], discard: Iterable[Card] = (), proof: Proof = Proof.CLAN
) -> tuple[tuple[Finding, Finding], ...]:
    """For every Stone what A and what B would find, were it their moment to claim."""
    discard = tuple(discard)
    against_a = supply_for(Player.B, stones, discard, proof)
    against_b = supply_for(Player.A, stones, discard, proof)
    findings = []
    for stone in stones:
        standing = {player: _standing(stone, player) for player in Player}
        findings.append((_judge(stone, Player.A, against_a, standing), _judge(stone, Player.B, against_b, standing)))
    return tuple(findings)


def _standing(stone: Stone, player: Player) -> Completion | None:
    """The player's formation, if their side is complete."""
    return best_formation(stone.side(player), stone.required, sum_only=stone.sum_only)


def _judge(stone: Stone, claimant: Player, supply: Supply, standing: Mapping[Player, Completion | None]) -> Finding:
    mine, theirs = standing[claimant], standing[claimant.opponent]
    if stone.owner is not None:
        return _finding(claimant, Why.ALREADY_CLAIMED, mine, theirs)
    if mine is None:
        return _finding(claimant, Why.INCOMPLETE, mine, theirs)
    if theirs is not None:
        return _finding(claimant, _compare(mine.formation, theirs.formation, stone, claimant), mine, theirs)
    best = strongest(stone.side(claimant.opponent), stone.required, supply, sum_only=stone.sum_only)
    # A tie is not enough for the opponent: the claimant has completed first (ST-309).
    beaten = best is not None and best.formation > mine.formation
    return _finding(claimant, Why.COULD_BE_BEATEN if beaten else Why.PROOF, mine, best)


def _compare(mine: Formation, theirs: Formation, stone: Stone, claimant: Player) -> Why:
    if mine != theirs:
        return Why.STRONGER if mine > theirs else Why.WEAKER
    return Why.TIE_COMPLETED_FIRST if stone.completed_first is claimant else Why.TIE_COMPLETED_SECOND


def _finding(player: Player, why: Why, mine: Completion | None, theirs: Completion | None) -> Finding:
    return Finding(
        player,
        why,
        mine=mine.formation if mine else None,
        theirs=theirs.formation if theirs else None,
        counterexample=theirs.added if theirs and why is Why.COULD_BE_BEATEN else (),
        my_readings=mine.readings if mine else (),
        their_readings=theirs.readings if theirs else (),
    )
