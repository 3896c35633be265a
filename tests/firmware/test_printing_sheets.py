"""Printed sheets, looked at through another program's eyes (pdfium): page sizes, true scale, order of the backs."""

from __future__ import annotations

import re

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest

from firmware.printing import deck, sheets
from firmware.printing.papers import MARGIN_MM, PAPERS
from firmware.printing.pdf import POINTS_PER_MM, to_pdf
from firmware.printing.shapes import Drawing, Size
from tests.firmware.test_printing_mat import markers_seen_mm
from vision.layout import schotten_totten

LAYOUT = schotten_totten()


def page_sizes_mm(pdf: bytes) -> list[Size]:
    document = pypdfium2.PdfDocument(pdf)
    return [(width / POINTS_PER_MM, height / POINTS_PER_MM) for width, height in (page.get_size() for page in document)]


def page_picture(pdf: bytes, page: int, px_per_mm: float) -> npt.NDArray[np.uint8]:
    bitmap = pypdfium2.PdfDocument(pdf)[page].render(scale=px_per_mm / POINTS_PER_MM, rev_byteorder=False)
    return np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])


def markers_on_page_mm(pdf: bytes, page: int) -> dict[int, npt.NDArray[np.float64]]:
    """The corners of the markers on a page, in millimetres of the paper."""
    picture = page_picture(pdf, page, 4.0)
    # pdfium rounds the page up to whole pixels and stretches it to fill them.
    stretch = np.array(picture.shape[1::-1]) / 4.0 / np.array(page_sizes_mm(pdf)[page])
    return {marker: corners / stretch for marker, corners in markers_seen_mm(picture, 4.0).items()}


def page_words(pdf: bytes, page: int) -> str:
    return str(pypdfium2.PdfDocument(pdf)[page].get_textpage().get_text_range())


@pytest.mark.parametrize("paper", PAPERS)
def test_every_page_of_the_mat_is_as_large_as_its_paper(paper: str) -> None:
    sizes = page_sizes_mm(to_pdf(sheets.mat_sheets(LAYOUT, PAPERS[paper]), "mat"))
    for size in sizes:
        assert sorted(size) == pytest.approx(sorted(PAPERS[paper]), abs=0.05)


def test_the_mat_is_one_sheet_of_a1_and_eight_of_a4_or_letter() -> None:
    assert len(sheets.mat_sheets(LAYOUT, PAPERS["a1"])) == 1
    for paper in ("a4", "letter"):
        assert len(sheets.mat_sheets(LAYOUT, PAPERS[paper])) == 1 + 8, "the first explains how to join the others"


def test_on_a1_markers_are_where_the_geometry_says_at_true_scale() -> None:
    pages = sheets.mat_sheets(LAYOUT, PAPERS["a1"])
    seen = markers_on_page_mm(to_pdf(pages, "mat"), 0)
    left, top = ((paper - mat) / 2 for paper, mat in zip(pages[0].size_mm, LAYOUT.size_mm, strict=True))
    assert len(seen) == len(LAYOUT.markers)
    for marker in LAYOUT.markers:
        centre = seen[marker.id].mean(axis=0)
        assert centre == pytest.approx((marker.centre_mm[0] + left, marker.centre_mm[1] + top), abs=0.2)
        sides = np.linalg.norm(seen[marker.id] - np.roll(seen[marker.id], 1, axis=0), axis=1)
        assert sides == pytest.approx(marker.size_mm, abs=0.3)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_tiles_joined_by_their_pace_put_every_marker_in_its_place(paper: str) -> None:
    plan = sheets.tiling(LAYOUT.size_mm, PAPERS[paper])
    pdf = to_pdf(sheets.mat_sheets(LAYOUT, PAPERS[paper]), "mat")
    joined: dict[int, npt.NDArray[np.float64]] = {}
    for row in range(plan.rows):
        for column in (0, plan.columns - 1):
            page = 1 + row * plan.columns + column
            seen = markers_on_page_mm(pdf, page)
            margin = np.array([(p - t) / 2 for p, t in zip(plan.paper, plan.tile, strict=True)])
            pace = np.array([column * plan.pace[0], row * plan.pace[1]])
            joined |= {marker: corners.mean(axis=0) - margin + pace for marker, corners in seen.items()}
    assert {marker.id for marker in LAYOUT.markers} == set(joined), "a seam cuts through a marker"
    for marker in LAYOUT.markers:
        assert joined[marker.id] == pytest.approx(marker.centre_mm, abs=0.2)


@pytest.mark.parametrize("paper", PAPERS)
def test_tiles_fit_between_the_margins_and_cover_the_mat(paper: str) -> None:
    plan = sheets.tiling(LAYOUT.size_mm, PAPERS[paper])
    counts = (plan.columns, plan.rows)
    for count, tile, pace, sheet, whole in zip(counts, plan.tile, plan.pace, plan.paper, LAYOUT.size_mm, strict=True):
        assert tile <= sheet - 2 * MARGIN_MM + 1e-9
        assert (count - 1) * pace + tile == pytest.approx(whole)


def test_each_tile_names_its_row_and_column_and_has_a_ruler() -> None:
    pdf = to_pdf(sheets.mat_sheets(LAYOUT, PAPERS["a4"]), "mat")
    names = [re.findall(r"\b[AB][1-4]\b", page_words(pdf, page)) for page in range(1, 9)]
    assert names == [["A1"], ["A2"], ["A3"], ["A4"], ["B1"], ["B2"], ["B3"], ["B4"]]
    assert "100 mm" in page_words(pdf, 5)
    for words in ("Print at 100 %", "Imprimer à 100 %", "Imprimir al 100 %"):
        assert words in page_words(pdf, 0)


def test_the_ruler_measures_a_hundred_millimetres() -> None:
    px_per_mm = 6.0
    page = page_picture(to_pdf(sheets.marker_sheets(LAYOUT, PAPERS["letter"]), "markers"), 0, px_per_mm)
    foot = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)[-round(8 * px_per_mm) :]
    longest = 0
    for row in foot < 160:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        longest = max(longest, *(edges[1::2] - edges[::2]), 0)
    assert longest / px_per_mm == pytest.approx(100, abs=0.5)


def test_a_printed_card_is_the_drawn_card_at_true_scale() -> None:
    px_per_mm = 4.0
    page = page_picture(
        to_pdf(sheets.card_sheets(deck.deck_of("schotten-totten"), deck.CLAN_CODES, PAPERS["a4"]), "deck"), 0, px_per_mm
    )
    left, top = (210 - 3 * 56) / 2, (297 - 3 * 80) / 2
    drawn = {code: deck.draw(code, px_per_mm) for code in deck.CLAN_CODES[:9]}
    for n, code in enumerate(drawn):
        x, y = round((left + n % 3 * 56) * px_per_mm), round((top + n // 3 * 80) * px_per_mm)
        printed = page[y : y + 320, x : x + 224].astype(int)
        differences = {other: np.abs(printed - drawn[other]).mean() for other in drawn}
        assert min(differences, key=differences.__getitem__) == code
        assert differences[code] < 8


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_reverse_of_a_sheet_has_each_cards_own_back_behind_it(paper: str) -> None:
    codes = (*deck.CLAN_CODES[-2:], *deck.TACTIC_CODES[:3])
    pdf = to_pdf(sheets.card_sheets(deck.deck_of("schotten-totten"), codes, PAPERS[paper], backs=True), "deck")
    px_per_mm = 2.0
    _front, reverse = (page_picture(pdf, page, px_per_mm) for page in (0, 1))
    through_the_paper = reverse[:, ::-1]
    left, top = (PAPERS[paper][0] - 3 * 56) / 2, (PAPERS[paper][1] - 3 * 80) / 2
    for n, code in enumerate(codes):
        x, y = round((left + n % 3 * 56) * px_per_mm), round((top + n // 3 * 80) * px_per_mm)
        behind = through_the_paper[y : y + 160, x : x + 112, :][:, ::-1].astype(int)
        likeness = {back: np.abs(behind - deck.draw(back, px_per_mm)).mean() for back in deck.BACK_CODES}
        assert min(likeness, key=likeness.__getitem__) == deck.back_of(code), code
    x, y = round((left + 2 * 56) * px_per_mm), round((top + 80) * px_per_mm)
    assert through_the_paper[y + 10 : y + 150, x + 10 : x + 100].min() == 255, "a back where there is no card"


def test_loose_markers_have_their_true_size_and_tell_it() -> None:
    pdf = to_pdf(sheets.marker_sheets(LAYOUT, PAPERS["a4"], 40.0), "markers")
    seen: dict[int, npt.NDArray[np.float64]] = {}
    words = ""
    for page in range(len(page_sizes_mm(pdf))):
        seen |= markers_on_page_mm(pdf, page)
        words += page_words(pdf, page)
    assert set(seen) == {marker.id for marker in LAYOUT.markers}
    for marker, corners in seen.items():
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert sides == pytest.approx(40.0, abs=0.3)
        assert re.search(rf"id {marker}\D+40 mm", words)


def test_a_pdf_is_the_same_bytes_every_time() -> None:
    pages = [Drawing((50.0, 50.0), deck.drawing("stone1").items)]
    assert to_pdf(pages, "again") == to_pdf(pages, "again")
