"""A gleam has no edge; what was read beside it may have as many as it likes."""

from __future__ import annotations

import numpy as np

from vision.cover import CELL_MM, Mask
from vision.frame import Picture
from vision.gleam import fades
from vision.plan import FULL

CELLS = 50
GLEAM_MM = (100.0, 100.0)
CARD = (slice(20, 34), slice(31, 45))  # cells: it begins where the gleam has nearly faded


def table_with_a_gleam_beside_a_card() -> tuple[Picture, Mask]:
    """The table, and the cells that the gleam lights."""
    side = round(CELLS * CELL_MM * FULL)
    y, x = (np.mgrid[:side, :side] + 0.5) / FULL
    light = 90 * np.exp(-((x - GLEAM_MM[0]) ** 2 + (y - GLEAM_MM[1]) ** 2) / 25.0**2)
    table = np.repeat((90 + light)[..., None], 3, axis=2)
    scale = round(CELL_MM * FULL)
    rows, columns = (slice(part.start * scale, part.stop * scale) for part in CARD)
    table[rows, columns] = 60
    lit = light[scale // 2 :: scale, scale // 2 :: scale] > 25
    lit[CARD] = False
    return np.asarray(table, np.uint8), lit.astype(np.uint8)


def test_the_edge_of_a_card_that_was_read_does_not_keep_a_gleam_from_fading() -> None:
    table, lit = table_with_a_gleam_beside_a_card()
    read = np.zeros((CELLS, CELLS), np.uint8)
    assert not fades(lit > 0, table, read), "the edge of something that nobody has read"
    read[CARD] = 1
    read[:, CARD[1].start - 1] = 1  # with its rim
    assert fades(lit > 0, table, read)
