"""The display list and its back ends: what is drawn in millimetres comes out the same everywhere."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from firmware.printing import deck, raster, svg
from firmware.printing.shapes import (
    Anchor,
    Drawing,
    Text,
    after,
    circle,
    combined,
    mirrored,
    path,
    placed,
    rect,
)

SVG = "{http://www.w3.org/2000/svg}"


def ink_mm2(drawing: Drawing, px_per_mm: float = 8.0) -> float:
    """How much of the sheet is black, in square millimetres."""
    pixels = raster.to_pixels(drawing, px_per_mm)
    return float((255 - pixels[:, :, 0].astype(float)).sum() / 255 / px_per_mm**2)


def test_areas_come_out_in_true_size() -> None:
    black = "#000000"
    assert ink_mm2(Drawing((40, 30), (rect(5, 5, 20, 10, fill=black),))) == pytest.approx(200, rel=0.01)
    assert ink_mm2(Drawing((40, 30), (circle(20, 15, 10, fill=black),))) == pytest.approx(314.16, rel=0.01)


def test_a_path_within_a_path_is_a_hole() -> None:
    ring = combined([circle(20, 15, 10, fill="#000000"), circle(20, 15, 5)])
    assert ink_mm2(Drawing((40, 30), (ring,))) == pytest.approx(314.16 - 78.54, rel=0.02)


def test_a_clip_cuts_off_what_lies_outside() -> None:
    clipped = placed([rect(0, 0, 40, 30, fill="#000000")], clip=rect(10, 10, 5, 5))
    assert ink_mm2(Drawing((40, 30), (clipped,))) == pytest.approx(25, rel=0.03)


def test_half_opaque_ink_covers_half() -> None:
    assert ink_mm2(Drawing((40, 30), (rect(0, 0, 40, 30, fill="#000000", opacity=0.5),))) == pytest.approx(
        600, rel=0.01
    )


def test_turning_goes_clockwise_and_scaling_comes_first() -> None:
    moved = placed([], (10, 20), turn=90, scale=2)
    x, y = 3.0, 0.0
    a, b, c, d, e, f = moved.matrix
    assert (a * x + c * y + e, b * x + d * y + f) == pytest.approx((10.0, 26.0))
    twice = after(moved.matrix, mirrored([]).matrix)
    assert twice[:4] == pytest.approx((-a, -b, c, d))


def test_a_large_sheet_painted_in_bands_has_no_seams() -> None:
    whole = raster.to_pixels(Drawing((20, 900), (rect(2, 2, 16, 896, fill="#336699"),)), 4.0)
    inside = whole[10:-10, 12:-12].reshape(-1, 3)
    assert np.unique(inside, axis=0).tolist() == [[0x99, 0x66, 0x33]]


def test_words_start_end_or_are_centred_where_they_say() -> None:
    expected: dict[Anchor, tuple[float, float]] = {"start": (50, 80), "middle": (35, 65), "end": (20, 50)}
    for anchor, (low, high) in expected.items():
        drawing = Drawing((100, 20), (Text((50, 12), "MMMM", 8, anchor=anchor),))
        columns = np.flatnonzero((raster.to_pixels(drawing, 4.0)[:, :, 0] < 128).any(axis=0)) / 4
        assert low <= columns.min() <= columns.max() <= high, anchor


def test_svg_is_well_formed_at_true_scale_and_escapes_words() -> None:
    drawing = Drawing((60, 40), (Text((1, 5), "3.3 V & <GND>", 3, font="bold"), placed([rect(0, 0, 5, 5)], (7, 8))))
    root = ElementTree.fromstring(svg.to_svg(drawing))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("60mm", "40mm", "0 0 60 40")
    text = root.find(f"{SVG}text")
    assert text is not None
    assert text.text == "3.3 V & <GND>"


def test_every_clip_of_a_card_has_an_id_of_its_own() -> None:
    for code in ("r6", "shield", "stone3"):
        root = ElementTree.fromstring(svg.to_svg(deck.drawing(code)))
        ids = [element.get("id") for element in root.iter(f"{SVG}clipPath")]
        used = [str(element.get("clip-path")) for element in root.iter() if element.get("clip-path")]
        assert len(ids) == len(set(ids))
        assert sorted(used) == sorted(f"url(#{name})" for name in ids)


def test_a_path_reads_the_commands_that_it_writes() -> None:
    steps = path("M0 1 L2 -3 4 5 C1 1 2 2 3.5 .5 Z").steps
    assert steps == (("M", (0, 1)), ("L", (2, -3)), ("L", (4, 5)), ("C", (1, 1, 2, 2, 3.5, 0.5)), ("Z", ()))
