"""Where things are drawn on the page's board, and what a game has to say there: claims, proofs, counterexamples.

Like `firmware.games` this is a place where a game's own nouns appear: one `Look` a game. Knows millimetres on the mat;
knows no pixel and no browser.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.lords_of_scotland.course import at_rest
from engine.lords_of_scotland.position import Position as LordsPosition
from engine.lords_of_scotland.position import Stage
from engine.lords_of_scotland.skirmish import armies, next_taker
from engine.schotten_totten.cards import STONES, Player
from engine.schotten_totten.claim_words import claim_words
from engine.schotten_totten.claims import Finding, judge_all
from engine.schotten_totten.document import claim_to_json
from engine.schotten_totten.position import Position
from engine.table import Piece, Place, Table
from engine.verdicts import Verdict
from firmware.games import Refereed
from firmware.lords import strength
from firmware.messages import label
from firmware.side_by_side import side_by_side
from vision.layout import Point


@dataclass(frozen=True, slots=True)
class Drawn:
    """A piece as the board shows it: centre and turn on the mat. `is_wrong` marks what does not count there."""

    code: str
    place: str
    centre_mm: Point
    turn_deg: float
    is_wrong: bool = False
    token: str = ""  # what a token shows that is named after the card it lies on

    def document(self) -> dict[str, Any]:
        x, y = self.centre_mm
        shown = {"shown": self.token} if self.token else {}
        place = {"code": self.code, "place": self.place, "x": x, "y": y, "turn": self.turn_deg, "wrong": self.is_wrong}
        return place | shown


@dataclass(frozen=True, slots=True)
class Look:
    """How one game looks on the page."""

    order: Callable[[Any], dict[Place, tuple[str, ...]]]  # the codes of a place in the order in which they were laid
    claims: Callable[[Any, str], list[dict[str, Any]]]  # what could be claimed, for a position and a language
    counterexample: Callable[[Verdict], tuple[str, ...]]
    # How it stands, a line each, for a position, what players are called, and a language.
    notes: Callable[[Any, Callable[[str | None], str], str], list[str]] = lambda position, name_of, language: []


def drawn(refereed: Refereed, table: Table, position: Any) -> tuple[Drawn, ...]:
    """Every piece that lies on the table, the lowest first; those that do not count as they lie are marked."""
    game, layout = refereed.game, refereed.layout
    right = set(game.table(position))
    order = look_of(game.name).order(position)
    rests = resting_places(refereed)
    found: list[Drawn] = []
    for place, pieces in table.contents:
        spots = rests[place]
        cards = [piece for piece in pieces if "!" not in piece.code]
        ranked = sorted(cards, key=lambda piece: _rank(order.get(place, ()), str(piece.code)))
        for n, piece in enumerate(ranked):
            (x, y), turn = spots(str(piece.code), n)
            turn += 90.0 if piece.sideways else 0.0
            found.append(Drawn(_face(piece), str(place), (x, y), turn, (place, piece) not in right))
        found += [
            _token(piece, str(place), found, (place, piece) not in right) for piece in pieces if "!" in piece.code
        ]
    tiles = {tile.code for tile in layout.tiles}
    return tuple(sorted(found, key=lambda one: one.code in tiles or bool(one.token)))


def _token(piece: Piece, place: str, cards: list[Drawn], is_wrong: bool) -> Drawn:
    """A token on the card that it is named after."""
    card, _, clan = str(piece.code).partition("!")
    below = next((one for one in cards if one.code == card and one.place == place), None)
    centre, turn = (below.centre_mm, below.turn_deg) if below else ((0.0, 0.0), 0.0)
    return Drawn(str(piece.code), place, centre, turn, is_wrong, f"power-{clan}1")


def resting_places(refereed: Refereed) -> dict[Place, Callable[[str, int], tuple[Point, float]]]:
    """For every place of the engine, where its n-th piece rests and how it is turned."""
    layout, places = refereed.layout, refereed.places
    spots: dict[Place, list[tuple[Point, float]]] = defaultdict(list)
    rests: dict[Place, Callable[[str, int], tuple[Point, float]]] = {}
    for fan in layout.fans:
        (x, y), (dx, dy) = fan.first_mm, fan.step_mm
        rests[places.of_card(fan.place)] = _fanned(x, y, dx, dy, fan.rotation)
    for region in layout.regions:
        spots[places.of_card(region.place)] = [(at, region.rotation) for at in side_by_side(region)]
    for spot in layout.spots:
        spots[places.of_card(spot.place)].append((spot.centre_mm, spot.rotation))
    for tile in layout.tiles:
        for name, centre in tile.spots:
            place = places.of_tile(tile.code, name)
            if place is not None:
                spots[place].append((centre, 0.0))
    return rests | {place: _spotted(found) for place, found in spots.items()}


def _fanned(x: float, y: float, dx: float, dy: float, turn: float) -> Callable[[str, int], tuple[Point, float]]:
    return lambda _code, n: ((x + n * dx, y + n * dy), turn)


def _spotted(found: list[tuple[Point, float]]) -> Callable[[str, int], tuple[Point, float]]:
    return lambda _code, n: found[min(n, len(found) - 1)]


def _rank(order: tuple[str, ...], code: str) -> int:
    """What counts lies below what does not: it was there first."""
    return order.index(code) if code in order else len(order)


def _face(piece: Piece) -> str:
    return str(piece.code) if piece.face_up else "back"


def layout_document(refereed: Refereed) -> dict[str, Any]:
    """The mat's places as the board's script needs them; `where` tells the middle of each of the engine's places."""
    layout = refereed.layout
    width, height = layout.card_mm
    where = {str(place): list(rest("", 0)[0]) for place, rest in resting_places(refereed).items()}

    def zone(place: str, centres: Iterable[Point], turn: float) -> dict[str, Any]:
        across, along = (height, width) if turn % 180 else (width, height)
        xs, ys = zip(*centres, strict=True)
        left, top = min(xs) - across / 2, min(ys) - along / 2
        box = [left, top, max(xs) + across / 2 - left, max(ys) + along / 2 - top]
        return {"place": place, "box": box, "x": xs[0], "y": ys[0], "turn": turn}

    fans = [
        zone(
            fan.place,
            [(fan.first_mm[0] + n * fan.step_mm[0], fan.first_mm[1] + n * fan.step_mm[1]) for n in range(fan.capacity)],
            fan.rotation,
        )
        for fan in layout.fans
    ]
    spots = [zone(spot.place, [spot.centre_mm], spot.rotation) for spot in layout.spots]
    regions = [
        {
            "place": region.place,
            "box": [
                region.middle_mm[0] - region.size_mm[0] / 2,
                region.middle_mm[1] - region.size_mm[1] / 2,
                *region.size_mm,
            ],
            "x": region.middle_mm[0],
            "y": region.middle_mm[1],
            "turn": region.rotation,
        }
        for region in layout.regions
    ]
    lamps = [at for _, at in layout.tiles[0].spots] if layout.regions else [t.spots[0][1] for t in layout.tiles]
    tile_w, tile_h = layout.tile_mm
    tiles = [
        {"place": f"{tile.code}:{name}", "box": [x - tile_w / 2, y - tile_h / 2, tile_w, tile_h], "x": x, "y": y}
        for tile in layout.tiles
        for name, (x, y) in tile.spots
    ]
    return {
        "game": layout.game,
        "size": list(layout.size_mm),
        "card": list(layout.card_mm),
        "tile": list(layout.tile_mm),
        "places": fans + spots + regions,
        "tiles": tiles,
        "tile_codes": [tile.code for tile in layout.tiles],
        "seats": [str(player) for player in refereed.game.players],
        "where": where,
        "lamps": [list(at) for at in lamps],
    }


def _stones_in_order(position: Position) -> dict[Place, tuple[str, ...]]:
    laid: dict[Place, tuple[str, ...]] = {Place("discard"): tuple(str(card) for card in position.discard)}
    for number, stone in zip(STONES, position.stones, strict=True):
        for player in Player:
            laid[Place(f"{number}{player}")] = tuple(str(card) for card in stone.side(player))
        laid[Place(f"{number}M")] = tuple(str(mode) for mode in stone.modes)
    return laid


def _stone_claims(position: Position, language: str) -> list[dict[str, Any]]:
    """Every claim that is allowed, or that only cards still to come stand against."""
    pairs = judge_all(position.stones, position.discard, position.rules.proof)
    return [
        claim_to_json(number, finding, claim_words(number, finding, language).sentence)
        for number, pair in zip(STONES, pairs, strict=True)
        for finding in pair
        if finding.allowed or finding.counterexample
    ]


def _beaten_by(verdict: Verdict) -> tuple[str, ...]:
    finding = verdict.finding
    return tuple(str(card) for card in finding.counterexample) if isinstance(finding, Finding) else ()


def _armies(position: LordsPosition, name_of: Callable[[str | None], str], language: str) -> list[str]:
    """Each army as it stands, and who takes a supporter next: as it stands while the fight goes on, and nobody knows
    once it is over but allies lie face down."""
    stands = [(army.player, strength(army), position.points(army.player)) for army in armies(position)]
    lines = [label("army-stands", language, player=name_of(who), strength=s, points=p) for who, s, p in stands]
    position = at_rest(position)
    taker = next_taker(position)
    if position.stage is Stage.FIGHTING and taker is not None:
        lines.append(label("would-take", language, player=name_of(taker)))
    elif position.stage is Stage.SHARING and taker is not None and not position.hidden:
        lines.append(label("takes-next", language, player=name_of(taker)))
    return lines


LOOKS: dict[str, Look] = {
    "schotten-totten": Look(_stones_in_order, _stone_claims, _beaten_by),
    "lords-of-scotland": Look(lambda position: {}, lambda position, language: [], lambda verdict: (), _armies),
}
PLAIN = Look(order=lambda position: {}, claims=lambda position, language: [], counterexample=lambda verdict: ())


def look_of(game: str) -> Look:
    """How a game looks; one that has nothing of its own to show is drawn from its layout alone."""
    return LOOKS.get(game, PLAIN)
