"""How what is done between two skirmishes looks from above: supporters taken, cards put away, new ones laid out.

Looks at the position only to tell apart acts that look alike (a supporter that is gone was taken or discarded), never
to find an act allowed.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.lords_of_scotland.facts import Cleared, Dealt, Fact, InitiativeGiven, Straightened, Taken
from engine.lords_of_scotland.places import INITIATIVE, SLOTS, SUPPORTERS, Lying, army_of, face, recruit_at, seat_of
from engine.lords_of_scotland.position import Stage
from engine.lords_of_scotland.scene import Scene
from engine.lords_of_scotland.skirmish import next_taker
from engine.table import UNKNOWN, Piece


def supporters_set_out(scene: Scene) -> Iterator[Fact]:
    """After a skirmish supporters that are left are put away, then new ones dealt."""
    if scene.now.stage is Stage.SETTING_OUT:
        left = [code for code in scene.gone_from(SUPPORTERS) if scene.has_left(code)]
        if scene.now.fresh:  # of one strength, as the last one to come shows
            yield from supporters_dealt(scene)
        yield from (Cleared(SUPPORTERS, Lying(code)) for code in left)
        yield from supporters_dealt(scene)


def supporters_taken(scene: Scene) -> Iterator[Fact]:
    taker = next_taker(scene.now) if scene.now.stage is Stage.SHARING else None
    if taker is not None:
        yield from (Taken(taker, code) for code in scene.gone_from(SUPPORTERS) if scene.has_left(code))


def supporters_dealt(scene: Scene) -> Iterator[Fact]:
    """Those first that cannot come from a deck made anew."""
    new = [code for code in scene.come_to(SUPPORTERS) if code != UNKNOWN and scene.is_new(code)]
    yield from (Dealt(code, SUPPORTERS) for code in sorted(new, key=lambda code: code in scene.position.discard))


def put_away(scene: Scene) -> Iterator[Fact]:
    """Recruits discarded, allies straightened, the initiative handed over."""
    for slot in SLOTS:
        place = recruit_at(slot)
        yield from (Cleared(place, Lying(code)) for code in scene.gone_from(place) if scene.has_left(code))
    players = scene.position.players
    for player in players:
        army = army_of(player)
        for code in scene.come_to(army):
            if face(code, sideways=True) in scene.told.at(army) and face(code) in scene.seen.at(army):
                yield Straightened(player, scene.lying(scene.told, army, code))
    for giver, receiver in ((giver, receiver) for giver in players for receiver in players):
        if (seat_of(giver), Piece(INITIATIVE)) in scene.gone and (seat_of(receiver), Piece(INITIATIVE)) in scene.come:
            yield InitiativeGiven(giver, receiver)
