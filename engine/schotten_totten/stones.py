"""One Stone of the border and what lies beside it, as a frozen value.

Knows how many cards the Stone asks for. Knows neither the order of play nor whether a card was laid by right.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.schotten_totten.cards import Card, Player, Tactic


@dataclass(frozen=True, slots=True)
class Stone:
    """A Stone with both sides in the order in which their cards were laid.

    `completed_first` is the player whose side was the first to be complete, None while nobody's is or when it is
    not known.
    """

    a: tuple[Card, ...] = ()
    b: tuple[Card, ...] = ()
    owner: Player | None = None
    modes: tuple[Tactic, ...] = ()
    completed_first: Player | None = None

    def side(self, player: Player) -> tuple[Card, ...]:
        return self.a if player is Player.A else self.b

    @property
    def required(self) -> int:
        """How many cards complete a side: three, four in a Mud Fight."""
        return 4 if Tactic.MUD_FIGHT in self.modes else 3

    @property
    def sum_only(self) -> bool:
        """Whether Blind-Man's Bluff lies here, so that formations do not count."""
        return Tactic.BLIND_MANS_BLUFF in self.modes

    def is_complete(self, player: Player) -> bool:
        return len(self.side(player)) >= self.required
