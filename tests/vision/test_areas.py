"""Cards that lie anywhere are read as they lie: upright, upside down, sideways, face down, over one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.printing.deck import deck_of
from firmware.simulation.album import Album, Recipe
from firmware.simulation.artwork import Artwork
from firmware.simulation.flaws import PRESETS
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Hand
from firmware.simulation.spread import Spread, lay_spread, random_spread
from tests.vision.bare_table import cloth_with_loose
from tests.vision.spreads import labels, photograph, read, reader, tokens
from vision.evaluate import compare, spread_of
from vision.frame import Picture
from vision.layout import Point
from vision.loose import find_table
from vision.lords_of_scotland import lords_of_scotland, reading
from vision.observation import Why
from vision.plan import FULL
from vision.rectify import solve
from vision.tokens import closer_look, find_tokens


def in_order(spread: Spread) -> dict[str, tuple[str, ...]]:
    return {place: tuple(sorted(cards)) for place, cards in spread.cards.items() if cards}


FIVE = Spread(
    {
        "armyA": ("scott9", "scott6", "cochrane3!"),
        "armyB": ("makgill6", "?", "makgill9!", "forsyth12"),
        "armyC": ("bruce1", "bruce2!"),
        "armyD": ("wemyss1", "wemyss2!", "?", "fergusson11"),
        "armyE": ("scott7!", "macdonnell10"),
        "supporters": ("cockburn8!", "cockburn5!", "scott12!", "cochrane12!", "forsyth1!"),
        "recruit1": ("wemyss9",),
        "recruit2": ("wemyss6",),
        "recruit3": ("?",),
        "recruit4": ("?",),
        "discard": ("makgill11",),
    },
    holder="D",
    tokens={"power-cochrane2": "armyE/scott7"},
)


@pytest.mark.parametrize("flaws", ["none", "normal"])
def test_five_armies_are_read_from_every_side_of_the_table(flaws: str) -> None:
    seen = read(photograph(FIVE, seed=3, flaws=flaws))
    assert labels(seen) == in_order(FIVE)
    assert tokens(seen) == {"initiative": "D", "power-cochrane2": "armyE/scott7"}


@pytest.mark.parametrize("flaws", ["none", "normal"])
def test_of_the_discard_the_card_on_top_is_read(flaws: str) -> None:
    spread = Spread({"discard": ("scott4", "wemyss7", "forsyth2"), "recruit5": ("makgill1",)}, holder="B")
    seen = read(photograph(spread, seed=6, flaws=flaws))
    assert labels(seen) == {"discard": ("forsyth2",), "recruit5": ("makgill1",)}
    assert reading(seen, "photo.png")["discard"] == "forsyth2"


def test_a_card_of_another_game_is_not_named() -> None:
    spread = Spread({"armyA": ("foreign3", "scott4"), "recruit2": ("foreign8",)}, holder="B")
    seen = read(photograph(spread, seed=5))
    assert "scott4" in labels(seen)["armyA"]
    assert {card.code for card in (*seen.cards["armyA"], *seen.cards["recruit2"])} == {"scott4", None}


def test_what_lies_under_a_hand_is_held_and_the_rest_is_read() -> None:
    spread = Spread({"armyA": ("scott4", "scott5", "makgill3"), "armyC": ("wemyss7",)}, holder="C")
    hand = Hand(wrist_mm=(209.0, 640.0), tip_mm=(209.0, 340.0))
    seen = read(photograph(spread, seed=6, flaws="none", hands=(hand,)))
    assert Why.HAND in {card.why for card in seen.cards["armyA"]}
    assert labels(seen)["armyC"] == ("wemyss7",)
    named = {card.code for cards in seen.cards.values() for card in cards} - {None}
    assert named <= {"scott4", "scott5", "makgill3", "wemyss7"}


@pytest.mark.parametrize("flaws", ["none", "normal"])
def test_a_token_whose_marker_cannot_be_read_is_not_said_to_be_missing(flaws: str) -> None:
    spread = Spread(
        {"armyA": ("scott4!", "wemyss3"), "armyB": ("cochrane9",)}, "A", {"power-cochrane1": "armyA/scott4"}
    )
    picture = photograph(spread, seed=4, flaws=flaws)
    corners = np.array(read(picture).tiles["power-cochrane1"].corners_px)
    smudged = cv2.fillConvexPoly(picture.copy(), np.round(corners).astype(np.int32), (90, 120, 100))
    seen = read(np.asarray(smudged, np.uint8))
    powers = {tile.at for code, tile in seen.tiles.items() if code.startswith("power-")}
    assert powers == {None}
    assert seen.tiles["initiative"].at == "A"
    bare = read(photograph(Spread(spread.cards, "A"), seed=4, flaws=flaws))
    assert {tile.at for code, tile in bare.tiles.items() if code.startswith("power-")} == {"missing"}


def test_a_token_too_blurred_for_its_edges_is_known_by_its_picture() -> None:
    picture = photograph(FIVE, seed=3, flaws="none")
    rectifier = solve(picture, lords_of_scotland())
    (left, top), (right, bottom) = _box(read(picture).tiles["power-cochrane2"].corners_px)
    picture[top:bottom, left:right] = cv2.GaussianBlur(picture[top:bottom, left:right], (0, 0), 3.0) // 2
    assert "power-cochrane2" not in find_tokens(picture, rectifier, lords_of_scotland())
    assert tokens(read(picture))["power-cochrane2"] == "armyE/scott7"


def test_no_card_is_taken_for_a_token() -> None:
    layout = lords_of_scotland()
    picture = photograph(replace(FIVE, tokens={}), seed=7)
    table = solve(picture, layout).table(picture, FULL)
    around = [(float(x), float(y)) for x in range(60, 860, 80) for y in range(40, 460, 70)]
    closely = closer_look(table, layout, around)
    assert set(closely.found) <= {"initiative"}
    assert not closely.doubtful_mm


def test_a_token_on_a_card_that_cannot_be_read_is_not_said_to_lie_beside_it() -> None:
    spread = Spread({"armyA": ("scott4!", "wemyss3")}, "A", {"power-cochrane1": "armyA/scott4"})
    picture = photograph(spread, seed=4, flaws="none")
    seen = read(picture)
    assert tokens(seen)["power-cochrane1"] == "armyA/scott4"
    scott = next(card.corners_px for card in seen.cards["armyA"] if card.code == "scott4")
    token = seen.tiles["power-cochrane1"].corners_px
    noise = np.random.default_rng(1).integers(0, 255, (*picture.shape[:2], 3)).astype(np.uint8)
    hidden = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), np.round(scott).astype(np.int32), 1)
    cv2.fillConvexPoly(hidden, np.round(token).astype(np.int32), 0)
    spoilt = np.where(hidden[..., None] > 0, cv2.blur(noise, (9, 9)), picture)
    assert read(np.asarray(spoilt, np.uint8)).tiles["power-cochrane1"].at is None
    picture[hidden > 0] = np.median(picture[1150:1250, 500:900].reshape(-1, 3), axis=0)  # as if it lay on the bare mat
    assert read(picture).tiles["power-cochrane1"].at == "armyA"


@pytest.mark.parametrize("number", [3, 7, 33, 42])
def test_a_card_of_another_game_hides_no_token(number: int) -> None:
    spread = Spread({"armyA": (f"foreign{number}", "scott4"), "armyB": ("wemyss2",)}, holder="B")
    assert tokens(read(photograph(spread, seed=number, flaws="none"))) == {"initiative": "B"}


@pytest.mark.parametrize("bright", [1.35, 1.7])
def test_sun_between_two_shadows_is_no_hand(bright: float) -> None:
    spread = Spread({"armyA": ("scott4",), "armyC": ("wemyss7",), "armyD": ("makgill2",)}, holder="A")
    picture = photograph(spread, seed=4, flaws="none")
    light = np.full(picture.shape[:2], 0.5, np.float32)
    cv2.fillConvexPoly(light, np.array([[1000, 0], [1500, 0], [1380, 520], [1120, 520]], np.int32), 0.5 * bright)
    seen = read(np.asarray(picture * cv2.GaussianBlur(light, (0, 0), 3.0)[..., None], np.uint8))
    assert labels(seen) == in_order(spread)
    assert tokens(seen) == {"initiative": "A"}


@pytest.mark.parametrize("blur_px", [0.1, 5.0])
def test_a_cloth_as_grey_as_the_mat_is_no_light(blur_px: float) -> None:
    picture = photograph(Spread({"armyA": ("scott4",)}, holder="A"), seed=4, flaws="none")
    ground = np.median(picture[60:400, 1100:1400].reshape(-1, 3), axis=0)
    cv2.fillConvexPoly(picture, np.array([[1000, 0], [1500, 0], [1380, 520], [1120, 520]], np.int32), 1.35 * ground)
    picture[:600, 900:1600] = cv2.GaussianBlur(picture[:600, 900:1600], (0, 0), blur_px)
    seen = read(picture)
    assert Why.HAND in {card.why for card in seen.cards["armyC"]}
    assert {tile.at for code, tile in seen.tiles.items() if code.startswith("power-")} == {None}


def gleaming(picture: Picture, at_px: Sequence[float], added: float, wide_px: float) -> Picture:
    """The picture with a lamp mirrored at a point."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    light = added * np.exp(-((x - at_px[0]) ** 2 + (y - at_px[1]) ** 2) / wide_px**2)
    return np.asarray(np.clip(picture + light[..., None], 0, 255), np.uint8)


def test_a_gleam_that_fades_hides_no_token() -> None:
    picture = photograph(Spread({"armyA": ("scott4",)}, holder="A"), seed=4, flaws="none") // 2
    assert tokens(read(gleaming(picture, (1450, 250), 110, 100))) == {"initiative": "A"}


@pytest.mark.parametrize(("code", "added", "wide_px"), [("initiative", 300, 30), ("power-cochrane1", 275, 132)])
def test_a_token_in_a_gleam_that_blinds_the_camera_is_not_said_to_be_away(
    code: str, added: float, wide_px: float
) -> None:
    cards = {"armyA": ("scott4!", "wemyss3"), "armyB": ("cochrane9",)}
    picture = photograph(Spread(cards, "A", {"power-cochrane1": "armyA/scott4"}), seed=9022)
    lies = read(picture).tiles[code]
    seen = read(gleaming(picture, np.mean(lies.corners_px, axis=0), added, wide_px)).tiles[code]
    assert lies.at in ("A", "armyA/scott4")
    assert seen.at is None


def test_a_gap_between_a_card_and_one_of_another_game_is_no_card_face_down() -> None:
    case = Album(Recipe(game="lords-of-scotland", seed=20473, nameless=0.1)).case(7)
    assert labels(read(case.pixels_bgr))["armyB"] == ("fergusson5", "scott12", "unread", "unread")


def test_a_card_in_a_gleam_is_found_although_the_one_below_it_is_likelier_at_first() -> None:
    case = Album(Recipe(game="lords-of-scotland", flaws="hard", seed=7324)).case(3)
    assert {"makgill4!", "wemyss7!"} <= set(labels(read(case.pixels_bgr))["supporters"])


def test_the_sharp_edge_of_a_shadow_is_no_card_and_hides_no_token() -> None:
    spread = Spread({"armyA": ("scott4",), "armyC": ("wemyss7",)}, holder="A")
    picture = photograph(spread, seed=4, flaws="none")
    shade = np.full(picture.shape[:2], 0.5, np.float32)
    cv2.fillConvexPoly(shade, np.array([[0, 700], [2304, 950], [2304, 1296], [0, 1296]], np.int32), 1.0)
    seen = read(np.asarray(picture * cv2.GaussianBlur(shade, (0, 0), 2.0)[..., None], np.uint8))
    assert labels(seen) == in_order(spread)
    assert tokens(seen) == {"initiative": "A"}


def test_cards_of_another_game_are_no_shadows_even_where_the_picture_shows_no_colours() -> None:
    picture = photograph(Spread({"armyA": ("foreign3", "foreign8")}, holder="B"), seed=5, flaws="none")
    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    seen = read(np.asarray(grey, np.uint8))
    assert seen.cards["armyA"]
    assert all(card.code is None for card in seen.cards["armyA"])


def _box(corners_px: tuple[Point, ...]) -> tuple[tuple[int, int], tuple[int, int]]:
    (left, top), (right, bottom) = np.min(corners_px, axis=0), np.max(corners_px, axis=0)
    return (int(left), int(top)), (int(right) + 1, int(bottom) + 1)


def test_only_the_places_that_are_asked_for_are_read() -> None:
    picture = photograph(FIVE, seed=3, flaws="none")
    seen = reader().read(picture, solve(picture, lords_of_scotland()), {"armyB", "recruit1"})
    assert labels(seen) == {place: cards for place, cards in in_order(FIVE).items() if place in ("armyB", "recruit1")}


def test_loose_markers_on_ones_own_cloth_serve_as_well_as_the_mat() -> None:
    layout, rng = lords_of_scotland(), np.random.default_rng(9)
    strewn = {}
    for marker in layout.markers:
        x, y = np.clip(np.array(marker.centre_mm) + rng.uniform(-14, 14, 2), 16, np.array(layout.size_mm) - 16)
        strewn[marker.id] = (float(x), float(y), float(rng.uniform(-12, 12)))
    cloth = cloth_with_loose(strewn, layout)
    table = Photographer(layout, Artwork.drawn(game="lords-of-scotland"), cloth)
    flaws = PRESETS["none"]
    scene = lay_spread(layout, FIVE, flaws.habits, rng)
    photo = table.photograph(scene, flaws.camera((2304, 1296), rng), flaws.light(layout.size_mm, rng), rng)
    rectifier = find_table(photo.pixels_bgr, layout)
    seen = reader().read(photo.pixels_bgr, rectifier)
    assert labels(seen) == in_order(FIVE)
    assert tokens(seen) == {"initiative": "D", "power-cochrane2": "armyE/scott7"}


def test_an_empty_mat_holds_nothing() -> None:
    seen = read(photograph(Spread(holder="A"), seed=8))
    assert labels(seen) == {}
    assert tokens(seen) == {"initiative": "A"}


def test_a_reading_is_told_and_compared_as_a_document() -> None:
    case = Album(Recipe(game="lords-of-scotland", flaws="none", seed=2)).case(0)
    seen = reader().read(case.pixels_bgr, solve(case.pixels_bgr, lords_of_scotland()))
    document = reading(seen, "photo.png")
    assert set(document) == {
        "image", "armies", "recruits", "supporters", "discard", "tokens", "cards", "unreadable", "elapsed_ms",
    }  # fmt: skip
    compared = compare(case.truth, document, spread_of)
    assert (compared.right, compared.wrong, compared.exact) == (compared.cards, 0, True)
    assert spread_of(document).cards == case.truth.cards


@pytest.mark.long
@pytest.mark.parametrize("flaws", ["normal", "hard"])
def test_no_card_is_ever_named_wrongly(flaws: str) -> None:
    album = Album(Recipe(game="lords-of-scotland", flaws=flaws, seed=11, nameless=0.04))
    right = cards = wrong = 0
    for number in range(60):
        case = album.case(number)
        seen = reader().read(case.pixels_bgr, solve(case.pixels_bgr, lords_of_scotland()))
        compared = compare(case.truth, reading(seen, case.name), spread_of)
        cards, right, wrong = cards + compared.cards, right + compared.right, wrong + compared.wrong
    assert wrong == 0
    assert right >= (0.999 if flaws == "normal" else 0.97) * cards


def test_random_spreads_hold_each_card_once() -> None:
    codes = deck_of("lords-of-scotland").cards
    for seed in range(50):
        spread = random_spread(np.random.default_rng(seed), lords_of_scotland(), codes)
        named = [label.strip("!") for cards in spread.cards.values() for label in cards if label != "?"]
        assert len(named) == len(set(named))
