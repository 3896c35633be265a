"""What judges do at the hub: calls from open to resolved, rulings that reach the table, a spare that takes over."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from firmware.commands import CallJudge, Decide, NewGame, Ordered, Rule, TakeOver
from firmware.event import bench
from firmware.event.boards import board_of, changed_by
from firmware.event.facts import Ground
from firmware.event.roles import Person, Role
from firmware.journal import Kind
from firmware.obey import Refused
from firmware.simulation.deeds import deeds
from firmware.simulation.exchange import Exchange
from tests.firmware.event.scene import ANNA, HENRI, Scene, notes
from tests.firmware.simulated import simulated


def test_a_ruling_from_the_hub_is_an_act_of_the_stations_journal_with_before_and_after(scene: Scene) -> None:
    station = scene.stations["north"].station
    told = station.state.referee.told[-1]
    command = Rule(told.number, False, "Anna", "played out of turn")
    facts = bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", command, Ground.MISREAD, "seen by me")
    scene.act(facts, ANNA)

    [order] = [one for one in scene.hub.state.orders.values() if one.given.ground is Ground.MISREAD]
    assert order.done is not None
    assert order.given.before == f"{told.fact}: counts"
    assert not station.state.referee.told[-1].counts
    entries = [stored.entry for stored in scene.hub.archive.entries("north", order.given.book, order.given.game)]
    before, after = changed_by(entries, order.done, dict(order.given.command))
    assert (before, after) == (f"{told.fact}: counts", f"{told.fact}: does not count")


def test_only_the_head_judge_turns_a_ruling_back_and_both_stay_written(scene: Scene) -> None:
    station = scene.stations["north"].station
    told = station.state.referee.told[-1]
    scene.act(
        bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", Rule(told.number, False, "Anna", "x")), ANNA
    )
    [order] = scene.hub.state.orders.values()
    with pytest.raises(Refused, match="head judge"):
        bench.reverse(scene.hub.state, scene.hub.archive, ANNA, order.number, "no")
    scene.act(bench.reverse(scene.hub.state, scene.hub.archive, HENRI, order.number, "it was in turn"), HENRI)

    assert station.state.referee.told[-1].counts
    assert scene.hub.state.orders[order.number].reversed_by
    acts = [entry.line for entry in scene.stations["north"].journal.entries() if entry.kind is Kind.ACT]
    assert len(acts) == 2
    with pytest.raises(Refused, match="already"):
        bench.reverse(scene.hub.state, scene.hub.archive, HENRI, order.number, "again")


def test_an_entered_result_is_withdrawn_and_the_game_is_open_again(scene: Scene) -> None:
    scene.act(
        bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", Decide(None, "Anna", "time"), Ground.TIME), ANNA
    )
    [game] = scene.hub.state.results()
    assert (game.station, game.winner, game.won_by) == ("north", None, "decision")
    [order] = scene.hub.state.orders.values()
    scene.act(bench.reverse(scene.hub.state, scene.hub.archive, HENRI, order.number, "the clock was wrong"), HENRI)

    assert scene.hub.state.results() == ()
    assert not scene.stations["north"].station.state.is_over


def test_an_order_is_carried_out_once_however_often_it_comes(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "north", exchange=Exchange(Random(3), lost=0.4, doubled=0.6, delayed=0.3))
    scene.stations["north"].play(1, most=8)
    scene.run(60)
    state = scene.hub.state
    from firmware.commands import Undo

    scene.hub.write(bench.order(state, scene.hub.archive, ANNA, "north", Undo("Anna")), "Anna")
    scene.run(30)
    scene.restart("north")
    scene.run(60)

    acts = [entry for entry in scene.stations["north"].journal.entries() if entry.kind is Kind.ACT]
    assert [entry.line for entry in acts] == ["undo"]
    [order] = scene.hub.state.orders.values()
    assert order.done == acts[0].seq
    scene.close()


def test_an_order_for_a_game_that_is_no_longer_on_the_table_is_refused_in_writing(scene: Scene) -> None:
    facts = bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", Decide(None, "Anna", "late"))
    scene.stations["north"].station.take(NewGame())
    scene.act(facts, ANNA)

    [order] = scene.hub.state.orders.values()
    assert "not on the table any more" in order.refused
    assert not scene.stations["north"].station.state.is_over


@pytest.mark.fault("command-malformed")
def test_an_order_nobody_knows_is_refused_in_writing(scene: Scene) -> None:
    from firmware.event.facts import OrderGiven

    record = scene.hub.state.stations["north"]
    scene.act((OrderGiven("north", record.book, 0, {"do": "format-disk"}),), ANNA)
    [order] = scene.hub.state.orders.values()
    assert order.refused == "there is no order 'format-disk'"


def test_orders_wait_for_a_station_that_is_away(scene: Scene) -> None:
    scene.exchange.cut.add("north")
    scene.exchange.drop("north")
    scene.act(bench.order(scene.hub.state, scene.hub.archive, ANNA, "north", Decide(None, "Anna", "time")), ANNA)
    assert scene.hub.state.waiting()
    scene.exchange.cut.clear()
    scene.run(20)
    assert not scene.hub.state.waiting()
    assert scene.stations["north"].station.state.is_over


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.PLAYER])
def test_who_is_no_judge_may_neither_take_a_call_nor_rule(scene: Scene, role: Role) -> None:
    person = Person("Pia", role)
    scene.stations["north"].station.take(CallJudge())
    scene.run(1)
    [call] = scene.hub.state.open_calls()
    with pytest.raises(Refused):
        bench.take_call(scene.hub.state, person, call.id)
    with pytest.raises(Refused):
        bench.order(scene.hub.state, scene.hub.archive, person, "north", Decide(None, "Pia", "I won"))
    with pytest.raises(Refused):
        bench.take_over(scene.hub.state, scene.hub.archive, person, "north", "spare")


@pytest.mark.fault("moved-to-another-table")
def test_a_spare_goes_on_with_the_game_of_a_broken_station(scene: Scene) -> None:
    broken = scene.stations.pop("north")
    scene.exchange.drop("north")
    scene.run(1)
    assert not scene.hub.live["north"].online
    game = scene.hub.state.game_of("north")
    assert game is not None
    scene.act(bench.take_over(scene.hub.state, scene.hub.archive, ANNA, "north", "spare"), ANNA)

    spare = scene.stations["spare"].station
    assert spare.state.referee.position == broken.station.state.referee.position
    assert spare.state.comparing  # nothing is told before the table in view was found equal
    taken = scene.hub.state.games[game.id]
    assert taken.taken_over_by == scene.hub.state.stations["spare"].game
    assert (
        board_of(e.entry for e in scene.hub.archive.entries("spare")).referee.told == broken.station.state.referee.told
    )

    broken.station.take(Decide(None, "Anna", "by mistake"))  # what the broken one still says counts no more
    scene.stations["north"] = broken
    scene.run(10)
    assert scene.hub.state.results() == ()
    assert "this table is refereed by spare now" in " ".join(notes(scene))


def test_no_station_takes_anothers_game_away_unasked(scene: Scene) -> None:
    """Its own journal is a station's to write, and a game's name is no secret: only a judge's order counts."""
    north = scene.stations["north"]
    north.station.take(Decide(None, "Anna", "agreed"))
    scene.run(2)
    [game] = scene.hub.state.results()
    by = (scene.stations["spare"].station.begin, {"rules": "base", "takes over": game.id})
    by[0](by[1])
    by[0](by[1], "Anna (order x.1)")  # there is no such order
    scene.act(bench.order(scene.hub.state, scene.hub.archive, ANNA, "spare", NewGame((("round", "1"),))), ANNA)
    [order] = scene.hub.state.orders
    by[0](by[1], f"Anna (order {order})")  # it asked for something else
    scene.run(3)
    assert scene.hub.state.results() == (game,)


def test_a_spare_that_is_playing_itself_takes_no_table(scene: Scene) -> None:
    scene.stations["spare"].play(4, {"rules": "base", "round": "1"}, most=3)
    scene.run(2)
    scene.act(bench.take_over(scene.hub.state, scene.hub.archive, ANNA, "north", "spare"), ANNA)
    refused = [order.refused for order in scene.hub.state.orders.values() if order.given.station == "spare"]
    assert len(refused) == 1
    assert "is being played" in refused[0]


@pytest.mark.parametrize("same", [True, False], ids=["the same table", "another table"])
def test_a_spare_compares_the_game_with_what_its_camera_sees_before_it_goes_on(tmp_path: Path, same: bool) -> None:
    """The whole way: a game seen by one camera, taken over, and compared with what another camera sees."""
    _, loop, table = simulated(tmp_path)
    for deed in list(deeds("base", 3, None))[:6]:
        table.apply(deed.changes)
        for _ in range(4):
            loop.step()
    broken = loop.station.state
    head = (("game", "schotten-totten"), ("rules", "base"), ("takes over", "north/b/1"))
    lines = tuple(("fact", str(one.fact), "camera") for one in broken.referee.told)
    other = tmp_path / "spare"
    other.mkdir()
    _, spare, seen = simulated(other)
    for deed in list(deeds("base", 3, None))[: 6 if same else 2]:
        seen.apply(deed.changes)

    spare.commands.put(Ordered("e.1", 0, TakeOver(head, lines, "Anna"), "Anna"))
    spare.step()
    assert spare.station.state.referee.position == broken.referee.position
    for _ in range(10):
        spare.step()

    assert spare.station.state.comparing != same
    assert spare.station.state.referee.told == broken.referee.told  # nothing was told that did not happen
    assert any(trouble.name == "check-board" for trouble in spare.station.state.troubles) != same
