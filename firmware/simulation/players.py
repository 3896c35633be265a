"""Computer players of Schotten Totten, honest ones: what they do, fact by fact, with all that they alone can know.

Knows hands and decks; knows no table, camera or clock. Chance comes from the generator that is handed in, so that a
seed tells the whole game. Those who cheat are in `cheats`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from engine.schotten_totten.cards import CLAN_CARDS, TACTIC_CARDS, Card, ClanCard, Player, Tactic
from engine.schotten_totten.facts import Act, CardLaid, Passed, RusePlayed, StoneClaimed
from engine.schotten_totten.options import Rules
from engine.schotten_totten.play import Deck, Play, deal
from engine.schotten_totten.spots import Side


@dataclass(frozen=True, slots=True)
class Step:
    """A fact, with the game before and after it."""

    before: Play
    fact: Act
    after: Play


@dataclass(frozen=True, slots=True)
class Mind:
    """How a player decides: which play to make, and whether to claim a Stone that can be claimed."""

    name: str
    choose: Callable[[Play, tuple[Act, ...], Random], Act]
    claims: float  # how likely it is that a claim is made as soon as it can be


def _any(play: Play, acts: tuple[Act, ...], random: Random) -> Act:
    return random.choice(acts)


def _promising(play: Play, acts: tuple[Act, ...], random: Random) -> Act:
    """The play that makes the most of the Stone it goes to; Tactic cards come at random."""
    laid = [act for act in acts if isinstance(act, CardLaid) and isinstance(act.card, ClanCard)]
    others = [act for act in acts if not isinstance(act, CardLaid) or not isinstance(act.card, ClanCard)]
    if not laid or (others and random.random() < 0.15):
        return random.choice(others or acts)
    return max(laid, key=lambda act: (_promise(play, act), random.random()))


def _promise(play: Play, act: CardLaid) -> float:
    if not isinstance(act.spot, Side) or not isinstance(act.card, ClanCard):
        return 0.0
    card = act.card
    side = [other for other in play.position.stone(act.spot.stone).side(act.player) if isinstance(other, ClanCard)]
    if not side:
        return 4.0 + card.strength / 9
    same_colour = all(other.colour is card.colour for other in side)
    same_strength = all(other.strength == card.strength for other in side)
    near = all(0 < abs(other.strength - card.strength) <= 2 for other in side)
    return 9.0 * (same_colour and near) + 7.0 * same_strength + 3.0 * same_colour + 2.0 * near + card.strength / 9


RANDOM = Mind("random", _any, 0.6)
SENSIBLE = Mind("sensible", _promising, 1.0)


def shuffled(rules: Rules, random: Random) -> Play:
    """A fresh deal."""
    clan: list[Card] = list(CLAN_CARDS)
    tactic: list[Card] = list(TACTIC_CARDS)
    random.shuffle(clan)
    random.shuffle(tactic)
    return deal(rules, clan, tactic)


def play_game(rules: Rules, random: Random, a: Mind = SENSIBLE, b: Mind = SENSIBLE) -> Iterator[Step]:
    """A game from the deal to its end, fact by fact: somebody wins, or nobody can do anything any more (ST-407)."""
    play = shuffled(rules, random)
    stuck = 0
    while play.position.victory is None and stuck < len(Player):
        player = play.position.to_play
        must_pass = play.plays() == (Passed(player),)
        stuck = stuck + 1 if must_pass else 0
        played = False
        for step in take_turn(play, a if player is Player.A else b, random):
            if isinstance(step.fact, StoneClaimed):
                stuck = 0
            played = played or isinstance(step.fact, CardLaid | RusePlayed)
            yield step
            play = step.after
        if played:
            play = drawn(play, player, random)


def take_turn(play: Play, mind: Mind, random: Random) -> Iterator[Step]:
    """One turn: claims and a card, in the order that the rules ask for. Drawing is `drawn`."""
    player = play.position.to_play
    acts = play.plays()
    # Whoever has nothing left to play has no reason to wait with a claim.
    keenness = 1.0 if acts == (Passed(player),) else mind.claims
    if play.position.rules.expert:
        for step in _claim(play, player, keenness, random):
            yield step
            play = step.after
        acts = play.plays()
    if not acts:
        return
    act = mind.choose(play, acts, random)
    after = play.after(act)
    if isinstance(act, RusePlayed) and act.ruse is Tactic.RECRUITER:
        after = _recruit(after, player, random)
    yield Step(play, act, after)
    if not play.position.rules.expert:
        yield from _claim(after, player, keenness, random)


def drawn(play: Play, player: Player, random: Random) -> Play:
    """The hand refilled by one card, from either deck; for a turn in which a card was played (ST-208)."""
    decks = play.decks()
    if not play.is_short(player) or not decks or play.position.victory is not None:
        return play
    return play.draw(player, random.choices(decks, [3 if deck is Deck.CLAN else 1 for deck in decks])[0])


def _claim(play: Play, player: Player, keenness: float, random: Random) -> Iterator[Step]:
    declined: set[int] = set()
    while True:
        open_claims = [claim for claim in play.claims(player) if claim.stone not in declined]
        if not open_claims:
            return
        claim = random.choice(open_claims)
        if random.random() >= keenness:
            declined.add(claim.stone)
            continue
        after = play.after(claim)
        yield Step(play, claim, after)
        play = after


def _recruit(play: Play, player: Player, random: Random) -> Play:
    """Three cards from either deck, then two of the hand under theirs."""
    for _ in range(3):
        if decks := play.decks():
            play = play.draw(player, random.choice(decks))
    for card in random.sample(play.hand(player), min(2, len(play.hand(player)))):
        play = play.put_under(player, card)
    return play
