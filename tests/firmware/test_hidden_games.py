"""Whole games at a table where hands lie: they cover what is just being done, stay there while the next player goes on,
come and go elsewhere. Nothing that was legal is told as a foul, and whenever the view is clear the game is as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.referee import tell
from engine.schotten_totten.cards import STONES
from engine.table import Change, Code, Piece, Place
from firmware.clocks import SimulatedClock
from firmware.commands import Tell
from firmware.games import Refereed, refereed
from firmware.journal import Journal
from firmware.simulation.deed import Deed
from firmware.simulation.plays import SIMULATED
from firmware.station import Manner, Sighting, Station
from vision.observation import Observation, Reading, TileReading, Why

AT_ONCE = 2  # so many deeds between two clear looks can be told apart


class Table:
    """A table that is read without a fault but for what hands cover, and the station that watches it."""

    def __init__(self, game: Refereed, folder: Path, rules: str, random: Random) -> None:
        clock = SimulatedClock()
        self.game, self.clock, self.random = game, clock, random
        self.journal = Journal(folder / "journal.db", clock)
        self.station = Station(game, self.journal, clock, Manner("en", random.choice((0.0, 0.3, 3.0))))
        self.station.begin({"rules": rules})
        self.lying = self.station.state.referee.table
        layout = game.layout
        names = [fan.place for fan in layout.fans] + [spot.place for spot in layout.spots]
        names += [region.place for region in layout.regions]
        self.cards = [name for name in names if not game.places.is_pile(name)]
        self.tiles = [tile.code for tile in layout.tiles]
        self.held: set[str] = set()
        self._frame = 0

    def cover(self, changes: tuple[Change, ...]) -> None:
        """Hands lie where this is done."""
        ends = places_of(changes)
        self.held |= {name for name in self.cards if self.game.places.of_card(name) in ends}
        self.held |= {str(change.piece.code) for change in changes} & {*self.tiles}

    def look(self, times: int) -> None:
        """Some hands may go before each look."""
        for _ in range(times):
            if self.random.random() < 0.3:
                self.held = {name for name in sorted(self.held) if self.random.random() < 0.5}
            self.see(self.random.choice((0.1, 0.5, 1.0, 3.0)))

    def clear(self) -> None:
        self.held = set()
        for seconds in (0.5, 4.0):
            self.see(seconds)

    def see(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self._frame += 1
        observation = Observation(self._read_cards(), dict(self._read_tiles()), frozenset(self.held))
        self.station.see(Sighting(self._frame, self.clock.monotonic_s(), observation))

    def _read_cards(self) -> dict[str, tuple[Reading, ...]]:
        """Where several spots are one place to the engine, a card lies on each."""
        spots = Counter(self.game.places.of_card(name) for name in self.cards)
        left = {place: [one for one in self.lying.at(place) if _is_card(one, self.tiles)] for place in spots}
        read = {}
        for name in self.cards:
            pieces = left[place := self.game.places.of_card(name)]
            left[place], mine = (pieces[1:], pieces[:1]) if spots[place] > 1 else ([], pieces)
            read[name] = tuple(_reading(piece) for piece in mine)
        return read

    def _read_tiles(self) -> Iterator[tuple[str, TileReading]]:
        """A token lies on a card: `scott7!cochrane` in the engine's words, `power-cochrane1` at `armyA/scott7` here."""
        for tile in self.game.layout.tiles:
            at = next(iter(self.lying.places_of(Code(tile.code))), None)
            spots = (spot for spot, _ in tile.spots if self.game.places.of_tile(tile.code, spot) == at)
            yield tile.code, TileReading(next(spots, "missing"), None, 1.0, 1.0)
        for number, (place, piece) in enumerate(one for one in self.lying if "!" in one[1].code):
            card, _, clan = piece.code.partition("!")
            yield f"power-{clan}{number}", TileReading(f"{place}/{card}", None, 1.0, 1.0)


def _is_card(piece: Piece, tiles: list[str]) -> bool:
    return piece.code not in tiles and "!" not in piece.code


def _reading(piece: Piece) -> Reading:
    if not piece.face_up:
        return Reading(None, Why.FACE_DOWN)
    return Reading(str(piece.code), None, 1.0, 1.0, sideways=piece.sideways)


def places_of(changes: tuple[Change, ...]) -> set[Place]:
    return {place for change in changes for place in (change.origin, change.target) if place}


class Hands:
    """Players who leave their hands where they were, for a while."""

    def __init__(self, table: Table) -> None:
        self.table, self.random = table, table.random
        self.deeds = 0
        self.is_unsure = False  # whether something was done that nobody's place tells of
        self.touched: set[str] = set()

    def do(self, deed: Deed) -> None:
        ends = places_of(deed.changes)
        pieces = {str(change.piece.code) for change in deed.changes}
        is_anyones = not any(place.endswith(self.table.game.game.players) for place in ends)
        if (
            not deed.changes
            or self.deeds == AT_ONCE
            or (pieces | ends) & self.touched
            or (is_anyones and self.is_unsure)
        ):
            self.clear()
        self.is_unsure |= is_anyones
        if not deed.changes:
            self._say(deed)
            return
        if self.random.random() < 0.6:
            self.table.cover(deed.changes)
        self.table.held |= {*self.random.sample(self.table.cards, self.random.choice((0, 0, 1, 3)))}
        self.table.look(self.random.choice((0, 1, 2)))
        self.table.lying = self.table.lying.after(deed.changes)
        self.table.look(self.random.choice((1, 2, 4)))
        self.deeds += 1
        self.touched |= pieces | ends

    def clear(self) -> None:
        self.table.clear()
        self.deeds, self.is_unsure, self.touched = 0, False, set()

    def _say(self, deed: Deed) -> None:
        """What leaves no trace is said, but for a pass of somebody who has nowhere to lay a card."""
        position = self.table.station.state.referee.position
        is_seen = self.table.game.game.name == "schotten-totten" and not any(
            position.is_open(position.to_play, number) for number in STONES
        )
        if not is_seen:
            assert self.table.station.take(Tell(str(deed.fact))) is None


def watch(folder: Path, name: str, seed: int) -> None:
    game, random = refereed(name), Random(seed)
    variants = [f"{rules} first=A" if name == "schotten-totten" else rules for rules in game.variants.values()]
    rules = variants[seed % len(variants)]
    table = Table(game, folder, rules, random)
    state = table.station.state
    hands, truth = Hands(table), state.start
    for deed in SIMULATED[name].deeds(rules, seed, None):
        hands.do(deed)
        truth = tell(truth, deed.fact, state.start)
        where = f"{name}, seed {seed}, after {deed.fact}"
        told = table.station.state.referee.told
        assert all(one.verdict.legal for one in told), where
        if deed.changes and random.random() < 0.4:
            hands.clear()
            assert table.station.state.referee.position == truth.position, where
    table.journal.close()


GAMES = [("schotten-totten", seed) for seed in range(12)] + [("lords-of-scotland", seed) for seed in range(4)]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_hands_on_the_table_make_no_foul_and_hide_nothing_for_good(tmp_path: Path, name: str, seed: int) -> None:
    watch(tmp_path, name, seed)


@pytest.mark.long
@pytest.mark.parametrize(("name", "games"), [("schotten-totten", 300), ("lords-of-scotland", 60)])
def test_hands_on_the_table_in_many_games(tmp_path: Path, name: str, games: int) -> None:
    for seed in range(100, 100 + games):
        (tmp_path / str(seed)).mkdir()
        watch(tmp_path / str(seed), name, seed)
