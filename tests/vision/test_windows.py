from __future__ import annotations

import numpy as np

from vision.windows import windows

SIZE = (800.0, 400.0)


def square(x: float, y: float) -> np.ndarray:
    return np.array([[x, y], [x + 50, y], [x + 50, y + 50], [x, y + 50]])


def test_places_far_apart_are_looked_at_apart() -> None:
    found = windows({"1A": square(100, 100), "9B": square(600, 200)}, 40.0, SIZE)
    assert found == {(60, 60, 190, 190): frozenset({"1A"}), (560, 160, 690, 290): frozenset({"9B"})}


def test_a_place_between_two_others_joins_them() -> None:
    places = {"1A": square(100, 100), "3A": square(300, 100), "2A": square(200, 100)}
    assert windows(places, 40.0, SIZE) == {(60, 60, 390, 190): frozenset(places)}


def test_a_window_ends_with_the_table() -> None:
    assert list(windows({"1A": square(0, 380)}, 40.0, SIZE)) == [(0, 340, 90, 400)]
