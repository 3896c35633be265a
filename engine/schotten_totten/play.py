"""A whole game with hands and decks, for players that are simulated: deal, every legal play, draw.

Knows what the public position hides. Chance comes from outside as a shuffled deck; nothing here is random.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from engine.schotten_totten.cards import (
    CLAN_CARDS,
    COMBAT_MODES,
    STONES,
    TACTIC_CARDS,
    Card,
    ClanCard,
    Player,
    Tactic,
    is_elite,
    is_joker,
)
from engine.schotten_totten.claims import judge_claim, supply_for
from engine.schotten_totten.effects import applied
from engine.schotten_totten.facts import Act, CardLaid, Passed, RusePlayed, StoneClaimed
from engine.schotten_totten.options import Rules, SecondJoker
from engine.schotten_totten.position import Position, opening_position
from engine.schotten_totten.spots import DISCARD, Side, Top


class Deck(Enum):
    """A pile to draw from."""

    CLAN = "clan"
    TACTIC = "tactic"


@dataclass(frozen=True, slots=True)
class Play:
    """A position with what is hidden. Decks are drawn from their end."""

    position: Position
    hand_a: tuple[Card, ...]
    hand_b: tuple[Card, ...]
    clan: tuple[Card, ...]
    tactic: tuple[Card, ...] = ()

    def hand(self, player: Player) -> tuple[Card, ...]:
        return self.hand_a if player is Player.A else self.hand_b

    def plays(self) -> tuple[Act, ...]:
        """Everything that the player whose card is next may play; passing only where no Clan card can be laid."""
        if self.position.victory is not None:
            return ()
        player = self.position.to_play
        acts = tuple(act for card in self.hand(player) for act in _plays_of(self.position, player, card))
        can_lay_clan = any(isinstance(act, CardLaid) and isinstance(act.card, ClanCard) for act in acts)
        return acts if can_lay_clan else (*acts, Passed(player))

    def claims(self, player: Player) -> tuple[StoneClaimed, ...]:
        """The Stones that this player may claim now."""
        position = self.position
        if position.victory is not None or not _may_claim(position, player):
            return ()
        supply = supply_for(player.opponent, position.stones, position.discard, position.rules.proof)
        return tuple(
            StoneClaimed(player, number)
            for number, stone in zip(STONES, position.stones, strict=True)
            if stone.owner is None and stone.is_complete(player) and judge_claim(stone, player, supply).allowed
        )

    def after(self, act: Act) -> Play:
        """The game after a legal act. What was played leaves the hand; drawing is `draw`."""
        played = act.card if isinstance(act, CardLaid) else act.ruse if isinstance(act, RusePlayed) else None
        play = replace(self, position=applied(self.position, act))
        return play if played is None else play._with_hand(act.player, _without(self.hand(act.player), played))

    def decks(self) -> tuple[Deck, ...]:
        """The decks that still have cards."""
        return (*([Deck.CLAN] if self.clan else []), *([Deck.TACTIC] if self.tactic else []))

    def draw(self, player: Player, deck: Deck) -> Play:
        """The player takes the top card of a deck that has one."""
        pile = self.clan if deck is Deck.CLAN else self.tactic
        drawn = self._with_pile(deck, pile[:-1])
        return drawn._with_hand(player, (*self.hand(player), pile[-1]))

    def put_under(self, player: Player, card: Card) -> Play:
        """The Recruiter: a card of the hand goes under its own deck."""
        deck = Deck.CLAN if isinstance(card, ClanCard) else Deck.TACTIC
        pile = self.clan if deck is Deck.CLAN else self.tactic
        play = self._with_pile(deck, (card, *pile))
        return play._with_hand(player, _without(self.hand(player), card))

    def is_short(self, player: Player) -> bool:
        """Whether the player has fewer cards than a hand holds, so that one is drawn."""
        return len(self.hand(player)) < self.position.rules.hand

    def _with_hand(self, player: Player, hand: tuple[Card, ...]) -> Play:
        return replace(self, hand_a=hand) if player is Player.A else replace(self, hand_b=hand)

    def _with_pile(self, deck: Deck, pile: tuple[Card, ...]) -> Play:
        return replace(self, clan=pile) if deck is Deck.CLAN else replace(self, tactic=pile)


def deal(rules: Rules, clan: Sequence[Card] = CLAN_CARDS, tactic: Sequence[Card] = TACTIC_CARDS) -> Play:
    """The opening, dealt from the end of a shuffled Clan deck, one card each in turn (ST-103)."""
    pile = list(clan)
    hands: dict[Player, list[Card]] = {player: [] for player in Player}
    first = rules.first or Player.A
    for _ in range(rules.hand):
        for player in (first, first.opponent):
            hands[player].append(pile.pop())
    position = opening_position(rules)
    return Play(
        position, tuple(hands[Player.A]), tuple(hands[Player.B]), tuple(pile), tuple(tactic) if rules.tactics else ()
    )


def _may_claim(position: Position, player: Player) -> bool:
    if position.rules.expert:
        return (position.turn is player) is not position.has_played
    return position.turn is player and position.has_played


def _plays_of(position: Position, player: Player, card: Card) -> Iterator[Act]:
    """Every way to play this card."""
    if isinstance(card, ClanCard):
        yield from _layings(position, player, card)
    elif _may_play_tactics(position, player):
        if card in COMBAT_MODES:
            unclaimed = (number for number in STONES if position.stone(number).owner is None)
            yield from (CardLaid(player, card, Top(number)) for number in unclaimed)
        elif not is_elite(card):
            yield from _ruses(position, player, card)
        elif not (is_joker(card) and _has_joker(position, player)):
            yield from _layings(position, player, card)


def _layings(position: Position, player: Player, card: Card) -> Iterator[CardLaid]:
    return (CardLaid(player, card, Side(number, player)) for number in _open(position, player))


def _open(position: Position, player: Player) -> list[int]:
    return [number for number in STONES if position.is_open(player, number)]


def _may_play_tactics(position: Position, player: Player) -> bool:
    return position.known(player).tactics_played <= position.known(player.opponent).tactics_played


def _has_joker(position: Position, player: Player) -> bool:
    once = position.rules.second_joker is SecondJoker.NEVER and position.known(player).jokers_played > 0
    return once or any(is_joker(card) for stone in position.stones for card in stone.side(player))


def _ruses(position: Position, player: Player, ruse: Tactic) -> Iterator[RusePlayed]:
    match ruse:
        case Tactic.RECRUITER:
            yield RusePlayed(player, ruse)
        case Tactic.BANSHEE:
            for card, origin in _takeable(position, player.opponent):
                yield RusePlayed(player, ruse, card, origin, DISCARD)
        case Tactic.TRAITOR:
            for card, origin in _takeable(position, player.opponent):
                if isinstance(card, ClanCard):
                    for number in _open(position, player):
                        yield RusePlayed(player, ruse, card, origin, Side(number, player))
        case _:
            for card, origin in _takeable(position, player):
                yield RusePlayed(player, ruse, card, origin, DISCARD)
                for number in _open(position, player):
                    if number != origin.stone:
                        yield RusePlayed(player, ruse, card, origin, Side(number, player))


def _takeable(position: Position, robbed: Player) -> Iterator[tuple[Card, Side]]:
    """Cards of this player beside Stones that nobody has claimed."""
    for number, stone in zip(STONES, position.stones, strict=True):
        if stone.owner is None:
            yield from ((card, Side(number, robbed)) for card in stone.side(robbed))


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    at = hand.index(card)
    return (*hand[:at], *hand[at + 1 :])
