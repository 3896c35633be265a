"""Every play that can be written down, allowed or not."""

from __future__ import annotations

from collections.abc import Iterator

from engine.schotten_totten.cards import RUSES, Player, Tactic
from engine.schotten_totten.facts import Act, CardLaid, RusePlayed
from engine.schotten_totten.play import Play
from engine.schotten_totten.spots import DISCARD, SPOTS, Side


def every_play(play: Play, player: Player) -> Iterator[Act]:
    """Each card of the hand in each place; each ruse with each card that lies on a side and each place for it."""
    lying = [
        (card, Side(number, side))
        for number, stone in enumerate(play.position.stones, start=1)
        for side in Player
        for card in stone.side(side)
    ]
    for card in play.hand(player):
        yield from (CardLaid(player, card, spot) for spot in SPOTS)
        if card not in RUSES:
            continue
        ruse = Tactic(str(card))
        if ruse is Tactic.RECRUITER:
            yield RusePlayed(player, ruse)
            continue
        targets = [DISCARD] if ruse is Tactic.BANSHEE else SPOTS
        yield from (RusePlayed(player, ruse, taken, origin, target) for taken, origin in lying for target in targets)
