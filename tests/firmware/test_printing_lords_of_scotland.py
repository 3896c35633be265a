"""The drawn deck, tokens and mat of Lords of Scotland: complete, distinct, legible, told apart by every eye."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from firmware.cli import marchwarden
from firmware.printing import mat
from firmware.printing.deck import deck_of
from firmware.printing.heraldry import PAPER
from firmware.printing.lords_of_scotland.clans import CLANS
from firmware.printing.raster import bgr
from tests.firmware.test_printing_deck import SIGHTS, lab, likeness, most_alike
from vision.lords_of_scotland import SEATS, lords_of_scotland
from vision.markers import find
from vision.places import Area, areas

DECK = deck_of("lords-of-scotland")


def seen(code: str, px_per_mm: float = 2.0) -> np.ndarray:
    """The card a little blurred, as a camera has it."""
    return np.asarray(cv2.GaussianBlur(DECK.draw(code, px_per_mm), (0, 0), 0.8), np.uint8)


def test_the_deck_has_98_cards_ten_tokens_and_a_back() -> None:
    assert len(DECK.cards) == 98
    assert len(DECK.tiles) == 10
    assert len(set(DECK.codes)) == 98 + 10 + 1
    assert set(DECK.enrolled) == {*DECK.cards, "back"}


def test_no_two_cards_look_alike_whole() -> None:
    worst = most_alike({code: seen(code, 1.0) for code in DECK.enrolled})
    assert worst[0] < 0.98, worst


@pytest.mark.parametrize("clan", [clan for clan in CLANS if clan != "bruce"])
def test_six_and_nine_differ_either_way_up(clan: str) -> None:
    six, nine = (seen(f"{clan}{strength}")[:30, :24] for strength in (6, 9))
    assert likeness(six, nine) < 0.9
    assert likeness(six, np.ascontiguousarray(nine[::-1, ::-1])) < 0.9


def test_badges_alone_tell_the_clans_apart() -> None:
    """In grey, and only the boss of the targe."""
    boss = {clan: _grey(f"{clan}1" if clan != "bruce" else "bruce1")[56:104, 32:80] for clan in CLANS}
    worst = most_alike(boss)
    assert worst[0] < 0.85, worst


def _grey(code: str) -> np.ndarray:
    return np.asarray(cv2.cvtColor(seen(code), cv2.COLOR_BGR2GRAY))


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_clans_colours_stay_apart_for_every_kind_of_eye(sight: str) -> None:
    colours = {clan: drawn.cloth.colour for clan, drawn in CLANS.items()} | {"paper": PAPER}
    seen_as = lab(list(colours.values()), SIGHTS[sight])
    names = list(colours)
    apart = min(
        (float(np.linalg.norm(seen_as[a] - seen_as[b])), names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
    )
    assert apart[0] > 12, apart


def test_every_token_shows_its_own_marker() -> None:
    for token in lords_of_scotland().tokens:
        picture = cv2.copyMakeBorder(
            DECK.draw(token.code, 3.0), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=bgr("#0f6cb0")
        )
        found = find(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), frozenset(range(50)))
        assert set(found) == {token.marker}, token


def test_places_lie_within_the_mat_and_hide_neither_one_another_nor_a_marker() -> None:
    layout = lords_of_scotland()
    width, height = layout.size_mm
    anywhere = {token.code for token in layout.tokens} - {tile.code for tile in layout.tiles}
    places = {
        f"{name} {n}": area
        for name, parts in areas(layout).items()
        if name not in anywhere
        for n, area in enumerate(parts)
    }
    unread = [heap for heap in layout.heaps if heap.place not in areas(layout)]
    places |= {heap.place: Area(heap.centre_mm, layout.card_mm) for heap in unread}
    places |= {f"marker {marker.id}": Area(marker.centre_mm, (32.0, 32.0)) for marker in layout.markers}
    boxes = {name: (area.outline_mm()[0], area.outline_mm()[2]) for name, area in places.items()}
    for name, (low, high) in boxes.items():
        assert (low >= 0).all(), name
        assert (high <= (width, height)).all(), name
    for one, other in combinations(boxes, 2):
        (low, high), (low2, high2) = boxes[one], boxes[other]
        assert (np.minimum(high, high2) <= np.maximum(low, low2) + 1e-6).any(), (one, other)


def test_seats_go_clockwise_round_the_table() -> None:
    layout = lords_of_scotland()
    middle = np.array(layout.size_mm) / 2
    at = {region.place[-1]: np.array(region.middle_mm) - middle for region in layout.regions}
    # Clockwise as seen from above, from the lower edge: the angle grows where y points down.
    angles = np.unwrap([float(np.arctan2(*at[seat][::-1])) for seat in SEATS])
    assert (np.diff(angles) > 0).all()
    assert angles[-1] - angles[0] < 2 * np.pi


def test_the_mat_is_quiet_between_its_markers() -> None:
    drawn = mat.draw(lords_of_scotland(), 2.0).astype(int)
    inner = drawn[:, 68:-68]
    assert np.abs(inner - np.array(bgr(mat.GROUND))).max() < 70


def test_mat_deck_and_tokens_are_printed(tmp_path: Path) -> None:
    for asked in (
        ["mat", "--game", "lords-of-scotland", "--pdf", "mat.pdf", "--paper", "a1"],
        ["tokens", "--pdf", "tokens.pdf"],
        ["tokens", "--png-dir", "tokens"],
    ):
        *words, name = asked if not asked[-1].startswith("a") else (*asked[:-2], "")
        target = tmp_path / (name or "mat.pdf")
        words = [word for word in words if word != "mat.pdf"] + [str(target)]
        words += asked[-2:] if asked[-2] == "--paper" else []
        result = CliRunner().invoke(marchwarden, ["print", *words])
        assert result.exit_code == 0, result.output
        assert target.exists()
    assert len(list((tmp_path / "tokens").iterdir())) == 10
