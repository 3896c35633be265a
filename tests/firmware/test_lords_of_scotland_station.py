"""Lords of Scotland at the station: from labels to facts, played on the virtual table, refereed from pictures."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random

import cv2
import pytest
from click.testing import CliRunner

from engine.lords_of_scotland.hands import take
from engine.table import UNKNOWN, Piece, Place, Player, Table
from firmware.assemble import assemble, make_eye, make_parts
from firmware.cli import marchwarden
from firmware.clocks import SimulatedClock
from firmware.commands import Correct, Decide, Tell
from firmware.drivers.camera_simulated import Driver
from firmware.games import refereed
from firmware.interpret import Seen, interpret
from firmware.journal import Journal
from firmware.lords import ArmyPlaces
from firmware.simulation.demo import Demo
from firmware.simulation.flaws import PRESETS
from firmware.simulation.lords_cheats import CHEATS
from firmware.simulation.lords_players import lords_deeds, next_step
from firmware.simulation.lords_room import LordsRoom
from firmware.simulation.open_table import OpenTable
from firmware.simulation.plays import SIMULATED
from firmware.station import Manner, Station
from firmware.web.look import drawn, layout_document, look_of
from hardware_config.profile import PatienceSettings, Profile, TableSettings
from hardware_config.settings import SimulatedCamera
from tests.vision.spreads import deck
from vision.observation import Observation, Reading, TileReading, Why

GAME = refereed("lords-of-scotland")
DOWN = Piece(UNKNOWN, face_up=False)


def seen(cards: dict[str, tuple[Reading, ...]], told: Table, **tiles: TileReading) -> Seen:
    places = [region.place for region in GAME.layout.regions] + [spot.place for spot in GAME.layout.spots]
    whole: dict[str, tuple[Reading, ...]] = dict.fromkeys(places, ())
    return interpret(Observation(whole | cards, tiles), told, ArmyPlaces(), {})


def test_labels_become_pieces_that_lie_upright_sideways_and_face_down() -> None:
    back = Reading(None, Why.FACE_DOWN)
    cards = {
        "armyA": (Reading("scott7", sideways=True), back, back),
        "recruit2": (back,),
        "supporters": (Reading("makgill3", sideways=True),),
    }
    tiles = {"initiative": TileReading("B"), "power-cochrane2": TileReading("armyA/scott7")}
    told = interpret(Observation(cards, tiles), Table(), ArmyPlaces(), {})
    assert told.is_whole
    assert told.table == Table.of(
        {
            Place("armyA"): [Piece("scott7", sideways=True), Piece("scott7!cochrane"), DOWN, DOWN],  # type: ignore[arg-type]
            Place("recruit2"): [DOWN],
            Place("supporters"): [Piece("makgill3", sideways=True)],  # type: ignore[arg-type]
            Place("initiativeB"): [Piece("initiative")],  # type: ignore[arg-type]
        }
    )


def test_while_a_hand_is_over_one_army_nothing_is_said_to_be_gone() -> None:
    told = Table.of({Place("armyA"): [DOWN, DOWN], Place("armyB"): [DOWN], Place("recruit1"): [DOWN]})
    hand = (Reading(None, Why.HAND),)
    assert seen({"armyA": hand}, told).table == told


def test_an_army_that_is_held_keeps_all_of_its_cards_face_down_however_many_still_show() -> None:
    told = Table.of({Place("armyA"): [DOWN, DOWN, DOWN], Place("armyB"): [DOWN]})
    back = Reading(None, Why.FACE_DOWN)
    for showing in range(4):
        observation = Observation({"armyA": (back,) * showing, "armyB": (back,)}, {}, held=frozenset({"armyA"}))
        held = interpret(observation, told, ArmyPlaces(), {})
        assert (held.table, held.fresh) == (told, frozenset())


def test_while_a_hand_is_elsewhere_no_card_face_down_is_said_to_be_gone_but_turned_ones_are_turned() -> None:
    told = Table.of({Place("armyA"): [DOWN, DOWN, Piece("scott4")], Place("armyB"): [DOWN]})  # type: ignore[arg-type]
    hand, scott, wemyss = (Reading(None, Why.HAND),), Reading("scott4"), Reading("wemyss3")
    assert seen({"armyA": (scott,), "armyB": hand}, told).table == told
    turned = seen({"armyA": (scott, wemyss), "armyB": hand}, told).table
    assert turned.at(Place("armyA")) == (DOWN, Piece("scott4"), Piece("wemyss3"))  # type: ignore[arg-type]


TOKEN = Table.of({Place("armyA"): [Piece("scott4", sideways=True), Piece("scott4!cochrane")], Place("armyB"): [DOWN]})  # type: ignore[arg-type]
SCOTT = Reading("scott4", sideways=True)


def test_a_token_that_cannot_be_seen_stays_on_its_card_wherever_that_goes() -> None:
    back = (Reading(None, Why.FACE_DOWN),)
    hidden = {f"power-cochrane{n}": TileReading(None, Why.COVERED) for n in (1, 2, 3)}
    still = seen({"armyA": (SCOTT,), "armyB": back}, TOKEN, **hidden)
    assert still.table == TOKEN
    assert {one.place for one in still.unread} == set(hidden)
    swapped = seen({"armyB": (SCOTT,), "armyA": back}, TOKEN, **hidden)
    assert swapped.table.at(Place("armyB")) == (Piece("scott4", sideways=True), Piece("scott4!cochrane"))  # type: ignore[arg-type]
    assert seen({"armyB": back}, TOKEN, **hidden).table == Table.of({Place("armyB"): [DOWN]})


def test_a_token_that_is_surely_not_there_is_gone_and_one_that_never_was_is_nobodys_trouble() -> None:
    back = (Reading(None, Why.FACE_DOWN),)
    gone = seen({"armyA": (SCOTT,), "armyB": back}, TOKEN, **{"power-cochrane1": TileReading("missing")})
    assert gone.table.at(Place("armyA")) == (Piece("scott4", sideways=True),)  # type: ignore[arg-type]
    never = seen({"armyB": back}, Table(), **{"power-bruce1": TileReading(None, Why.COVERED)})
    assert never.is_whole
    assert never.table == Table.of({Place("armyB"): [DOWN]})


def test_a_card_face_down_that_is_gone_is_gone() -> None:
    told = Table.of({Place("armyA"): [DOWN, DOWN], Place("recruit1"): [DOWN]})
    one_less = seen({"armyA": (Reading(None, Why.FACE_DOWN),)}, told)
    assert one_less.table == Table.of({Place("armyA"): [DOWN]})


def test_a_card_that_cannot_be_named_is_the_one_that_is_known_to_lie_there() -> None:
    told = Table.of({Place("armyA"): [DOWN, Piece("scott4")]})  # type: ignore[arg-type]
    doubtful = seen({"armyA": (Reading(None, Why.FACE_DOWN), Reading(None, Why.ALIKE))}, told)
    assert doubtful.table == told


def test_a_card_that_shows_on_the_discard_has_left_the_army_that_a_hand_still_covers() -> None:
    told = Table.of({Place("armyA"): [Piece("scott4"), Piece("wemyss3")], Place("armyB"): [DOWN]})  # type: ignore[arg-type]
    hand, back = (Reading(None, Why.HAND),), (Reading(None, Why.FACE_DOWN),)
    left = seen({"armyA": hand, "armyB": back, "discard": (Reading("scott4"),)}, told)
    assert left.table == Table.of({Place("armyA"): [Piece("wemyss3")], Place("armyB"): [DOWN]})  # type: ignore[arg-type]
    assert left.held == {"armyA"}


def test_a_card_that_shows_on_the_discard_is_not_the_one_that_cannot_be_named() -> None:
    told = Table.of({Place("armyA"): [Piece("scott4")]})  # type: ignore[arg-type]
    other = seen({"armyA": (Reading(None, Why.ALIKE),), "discard": (Reading("scott4"),)}, told)
    assert other.fresh == {Place("armyA")}
    assert other.table == Table()


def test_a_card_that_is_seen_in_its_place_lies_there_whatever_the_discard_showed() -> None:
    """The deck was made anew from the discard, and that place has not settled yet."""
    told = Table.of({Place("armyA"): [Piece("scott4")]})  # type: ignore[arg-type]
    both = {"armyA": (Reading("scott4"), Reading(None, Why.ALIKE)), "discard": (Reading("scott4"),)}
    assert seen(both, told).table == told


def test_a_discard_that_cannot_be_read_or_lies_face_down_is_nobodys_trouble() -> None:
    told = Table.of({Place("armyA"): [Piece("scott4")]})  # type: ignore[arg-type]
    for why in (Why.FACE_DOWN, Why.FOREIGN, Why.HAND):
        plain = seen({"armyA": (Reading("scott4"),), "discard": (Reading(None, why),)}, told)
        assert plain.is_whole
        assert plain.table == told


def test_a_visitor_lays_a_card_on_the_discard_and_takes_it_back() -> None:
    table = OpenTable(GAME.layout, GAME.places, PRESETS["normal"].habits, seed=1)
    room = LordsRoom(table, Driver(SimulatedCamera(driver="simulated")), "seats=2", seed=5)
    first, second, *_ = room.hands["A"]
    room.put(first, 708.0, 244.0, crooked=False)
    room.put(second, 710.0, 240.0, crooked=True)
    assert [str(card) for card in room.discard] == [first, second]
    assert [piece["code"] for piece in room.document()["pieces"] if piece["place"] is None] == [second]
    assert {item.name for item in table.scene().items} >= {first, second}
    room.take(second, "B")
    assert [str(card) for card in room.discard] == [first]
    assert second in room.hands["B"]


@pytest.mark.parametrize("rules", ["seats=2", "seats=3 bruce", "seats=4", "seats=5 bruce"])
def test_what_computer_players_do_lies_on_the_table_as_it_should(rules: str) -> None:
    table = OpenTable(GAME.layout, GAME.places, PRESETS["normal"].habits, seed=1)
    room = LordsRoom(table, Driver(SimulatedCamera(driver="simulated")), rules, seed=5)
    game = room.as_game(GAME.game.opening({"rules": rules}))
    random = Random(2)
    for _ in range(150):
        step = next_step(game, random)
        if step is None:
            break
        assert GAME.game.judge(game.position, step.fact).legal, step.fact
        room.do(step)
        position = take(game, step).position
        assert as_table(table) == GAME.game.table(position), step.fact
        game = room.as_game(position)
        assert len(set(game.all_cards())) == len(game.all_cards())


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_breaks_the_one_rule_it_is_named_after_and_is_put_right(name: str) -> None:
    """In a game of three; told by whoever only looks at the table."""
    game = GAME.game
    for seed in range(30):
        position = game.opening({"rules": "seats=3"})
        told = game.table(position)
        named = False
        for deed in islice(lords_deeds("seats=3", seed, name), 300):
            seen = told.after(deed.changes)
            fouls = []
            for fact in game.explain(position, told, seen) if deed.changes else (deed.fact,):
                fouls += [foul.kind for foul in game.judge(position, fact).fouls]
                position = game.after(position, fact)
            assert fouls == ([] if deed.breach is None else [deed.breach.value]), (seed, str(deed.fact))
            told = seen
            named = named or deed.breach is not None
        if named:
            return
    pytest.fail(f"no game gave the chance for {name}")


def as_table(table: OpenTable) -> Table:
    """What lies there, in the engine's words."""
    places: dict[Place, list[Piece]] = {}
    for one in table.lying:
        assert one.place is not None
        rotation = {region.place: region.rotation for region in table.layout.regions}.get(one.place)
        sideways = rotation is not None and round((one.turn_deg - rotation) / 90) % 2 == 1 and not one.token
        piece = Piece(one.code, sideways=sideways) if one.face_up else DOWN  # type: ignore[arg-type]
        places.setdefault(one.place, []).append(piece)
    return Table.of(places)


def profile(**camera: object) -> Profile:
    settings = SimulatedCamera(driver="simulated", **camera)  # type: ignore[arg-type]
    table = TableSettings(game="lords-of-scotland", variant="3")
    return Profile(name="simulated", camera=settings, table=table, patience=PatienceSettings(settle_frames=2))


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    path = deck().save(folder)
    path.rename(folder / path.name.replace("drawn", "drawn-lords-of-scotland"))
    return folder


def test_a_skirmish_begins_under_the_camera_and_every_deed_is_judged_as_it_was_done(
    decks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = profile(flaws="none")
    parts = make_parts(chosen)
    camera = parts.camera
    assert isinstance(camera, Driver)
    table = SIMULATED["lords-of-scotland"].table(GAME, camera.habits, 1)
    camera.table = table  # type: ignore[assignment]
    assembled = assemble(chosen, parts, make_eye(chosen, GAME, decks), tmp_path / "journal.db", threads=False)
    camera.clock = assembled.loop.clock  # a card face down counts once it has lain for a while, however fast this runs
    assembled.loop.station.begin(GAME.rules("3"))
    few = {"lords-of-scotland": _short(12)}
    monkeypatch.setattr("firmware.simulation.demo.SIMULATED", few)
    demo = Demo(assembled.loop, table, assembled.loop.clock)
    demo.play(GAME.rules("3")["rules"], seed=1)
    assembled.stop()
    assert demo.tally.wrong == []
    assert (demo.tally.deeds, demo.tally.legal) == (12, 12)


def _short(count: int) -> object:
    from dataclasses import replace

    whole = SIMULATED["lords-of-scotland"]
    return replace(whole, deeds=lambda rules, seed, cheats: islice(whole.deeds(rules, seed, cheats), count))


def test_a_folder_of_pictures_is_refereed(decks: Path, tmp_path: Path) -> None:
    camera = Driver(SimulatedCamera(driver="simulated", flaws="none"))
    table = OpenTable(GAME.layout, GAME.places, camera.habits, seed=3)
    camera.table = table  # type: ignore[assignment]
    lines = []
    for n, deed in enumerate(islice(lords_deeds("seats=2", 7), 10)):
        table.apply(deed.changes)
        lines.append(str(deed.fact))
        if n >= 6:  # what was laid out before is seen in the first picture at once
            cv2.imwrite(str(tmp_path / f"{n:03d}.png"), camera.read().pixels_bgr)
    result = CliRunner().invoke(
        marchwarden,
        ["referee", str(tmp_path), "--deck", "drawn", "--decks", str(decks), "--game", "lords-of-scotland", "--json"],
    )
    assert result.exit_code == 0, result.stderr
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event for event in events if not event["legal"]] == []
    told = [(event["event"], event["card"]) for event in events]
    assert told[:7] == [("deal", "?")] * 5 + [
        ("deal", code) for code in sorted(line.split()[1][:-11] for line in lines[5:7])
    ]
    assert [name for name, _ in told[7:]] == ["turn-recruit", "recruit", "deal"]


def test_an_unknown_variant_is_one_sentence_with_those_there_are() -> None:
    result = CliRunner().invoke(marchwarden, ["run", "--game", "lords-of-scotland", "--variant", "tactic"])
    assert result.exit_code == 2
    assert "lords-of-scotland has no variant tactic; --variant takes base, bruce, 3" in result.stderr


def test_the_page_draws_every_piece_and_tells_how_the_armies_stand() -> None:
    game = refereed("lords-of-scotland").game
    position = game.opening({"rules": "seats=3"})
    for deed in islice(lords_deeds("seats=3", 11), 40):
        position = game.after(position, deed.fact)
    pieces = drawn(GAME, game.table(position), position)
    assert len(pieces) == len(game.table(position))
    width, height = GAME.layout.size_mm
    assert all(0 < piece.centre_mm[0] < width and 0 < piece.centre_mm[1] < height for piece in pieces)
    notes = look_of("lords-of-scotland").notes(position, str, "en")
    assert [note[:2] for note in notes[:3]] == ["A:", "B:", "C:"]
    document = layout_document(GAME)
    assert document["seats"] == list("ABCDE")
    assert set(document["where"]) >= {str(place) for place, _ in game.table(position)}


def test_nobody_acts_or_wins_at_a_seat_where_nobody_sits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", SimulatedClock())
    station = Station(GAME, journal, SimulatedClock(), Manner("en", 0.0))
    station.begin(GAME.rules("base"))
    station.take(Tell("deal ?@recruit1"))
    for command in (
        Tell("E scott4"),
        Tell("C end"),
        Correct(1, "E scott4", "Anna"),
        Decide(Player("E"), "Anna", "tired"),
    ):
        refused = station.take(command)
        assert refused is not None
        assert refused.words("en").sentence.endswith("there are A, B.")
    assert station.state.referee.decision is None
    assert [str(one.fact) for one in station.state.referee.told] == ["deal ?@recruit1"]
    journal.close()


def test_a_line_that_cannot_be_read_is_told_how_a_line_of_this_game_is_written(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db", SimulatedClock())
    station = Station(GAME, journal, SimulatedClock(), Manner("en", 0.0))
    station.begin(GAME.rules("base"))
    refused = station.take(Tell("A g5@3"))
    assert refused is not None
    assert refused.words("en").sentence.endswith("A line of the record looks like this: A scott7.")
    assert str(GAME.game.parse(GAME.example)) == GAME.example
    journal.close()


def test_the_record_of_a_game_with_five_named_players_is_replayed(tmp_path: Path) -> None:
    names = {f"player {seat}": name for seat, name in zip("ABCDE", ("Ann", "Bob", "Cat", "Dan", "Eve"), strict=True)}
    journal = Journal(tmp_path / "journal.db", SimulatedClock())
    station = Station(GAME, journal, SimulatedClock(), Manner("en", 0.0))
    station.begin(GAME.rules("5") | names)
    station.take(Tell("deal ?@recruit1"))
    journal.close()
    export = ["journal", "export", "--journal", str(tmp_path / "journal.db"), "--game", "1", "--record"]
    record = CliRunner().invoke(marchwarden, export).stdout
    assert "player E: Eve" in record
    done = CliRunner().invoke(marchwarden, ["replay", "-", "--strict"], input=record)
    assert done.exit_code == 0, done.output
