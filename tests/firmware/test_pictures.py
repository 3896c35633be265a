"""Pictures from files: whole or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.pictures import read_picture
from vision.frame import Picture

PICTURE: Picture = np.random.default_rng(3).integers(0, 255, (120, 160, 3), np.uint8)


def jpeg(*options: int) -> bytes:
    return cv2.imencode(".jpg", PICTURE, list(options))[1].tobytes()


@pytest.mark.parametrize(
    "options",
    [(), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 2), (cv2.IMWRITE_JPEG_OPTIMIZE, 1)],
)
def test_a_jpeg_is_read_whole_and_not_without_its_end(tmp_path: Path, options: tuple[int, ...]) -> None:
    path = tmp_path / "photo.jpg"
    stored = jpeg(*options)
    path.write_bytes(stored)
    assert read_picture(path) is not None
    for missing in (2, 100, len(stored) // 2, len(stored) - 30):
        path.write_bytes(stored[:-missing])
        assert read_picture(path) is None


def test_what_a_telephone_puts_behind_a_picture_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(jpeg() + b"ftyp" + bytes(20_000))
    read = read_picture(path)
    assert read is not None
    assert read.shape == PICTURE.shape


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    small = cv2.imencode(".jpg", PICTURE[:8, :8])[1].tobytes()
    inside = b"\xff\xe1" + (len(small) + 2).to_bytes(2) + small
    stored = jpeg()
    path.write_bytes(stored[:2] + inside + stored[2:])
    assert read_picture(path) is not None
    path.write_bytes((stored[:2] + inside + stored[2:])[: len(inside) + 3000])
    assert read_picture(path) is None
