"""How acts with recruits look from above: one is turned, taken, replaced."""

from __future__ import annotations

from collections.abc import Iterator

from engine.lords_of_scotland.course import enforce, pass_turn
from engine.lords_of_scotland.facts import Dealt, Engaged, Fact, Recruited, Turned
from engine.lords_of_scotland.places import SLOTS, army_of, recruit_at
from engine.lords_of_scotland.position import Stage
from engine.lords_of_scotland.scene import Scene
from engine.table import UNKNOWN, Code


def recruits_refilled(scene: Scene) -> Iterator[Fact]:
    """A recruit's place that was empty is filled; the one that is to be turned next may have been turned already."""
    for slot in SLOTS:
        place = recruit_at(slot)
        if not scene.told.at(place):
            new = [code for code in scene.come_to(place) if scene.is_new(code)]
            if new and _is_turned_next(scene, slot):
                yield Dealt(UNKNOWN, place)
            yield from (Dealt(code, place) for code in new)


def _is_turned_next(scene: Scene, slot: int) -> bool:
    """The recruit that lies face down here once it is replaced is the one that begins the next turn, and whoever acts
    before that has done so."""
    now = enforce(scene.position, Dealt(UNKNOWN, recruit_at(slot)))
    while now.is_turn_over:
        now = pass_turn(now)
        if now.on_turn != now.initiative and any(map(scene.is_new, scene.come_to(army_of(now.on_turn)))):
            now = enforce(now, Engaged(now.on_turn, UNKNOWN))
    return slot not in scene.position.uncovered and now.must_turn and now.next_recruit == slot


def recruit_turned_when_due(scene: Scene) -> Iterator[Fact]:
    """A recruit shows its face. One that is only gone may be in the hand that turns it: it is not told to be taken."""
    if scene.now.must_turn:
        yield from (Turned(scene.now.on_turn, slot, code) for slot, code in faces_changed(scene))


def recruit_turned_or_replaced(scene: Scene) -> Iterator[Fact]:
    """A recruit shows its face although none is due to be turned: in a turn not yet used it was taken and replaced."""
    replaced = scene.now.stage is Stage.FIGHTING and not scene.now.acted
    for slot, code in faces_changed(scene):
        yield Recruited(scene.now.on_turn, slot, UNKNOWN) if replaced else Turned(scene.now.initiative, slot, code)


def faces_changed(scene: Scene) -> Iterator[tuple[int, Code]]:
    """The recruits that lie face up where one lay face down."""
    for slot in SLOTS:
        place = recruit_at(slot)
        if UNKNOWN in scene.gone_from(place):
            yield from ((slot, code) for code in scene.come_to(place) if code != UNKNOWN and scene.is_new(code))


def recruit_taken(scene: Scene) -> Iterator[Fact]:
    """A recruit is gone from its place; those first that were replaced."""
    if scene.now.stage is not Stage.FIGHTING:
        return
    for slot in sorted(SLOTS, key=lambda slot: not scene.come_to(recruit_at(slot))):
        turned = [code for code in scene.come_to(recruit_at(slot)) if code != UNKNOWN]
        for code in scene.gone_from(recruit_at(slot)):
            if scene.has_left(code) and not (code == UNKNOWN and turned):
                yield Recruited(scene.now.on_turn, slot, code)
