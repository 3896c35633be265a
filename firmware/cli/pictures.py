"""Pictures from files, for commands: whole or not at all."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.frame import Picture

SUFFIXES = (".jpg", ".jpeg", ".png")


def read_picture(path: Path) -> Picture | None:
    """The picture in a file, blue first; None if it is none, or if its end is missing."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    if not stored or _is_cut_short(stored):
        return None
    picture = cv2.imdecode(np.frombuffer(stored, np.uint8), cv2.IMREAD_COLOR)
    return None if picture is None or picture.size == 0 else np.asarray(picture, np.uint8)


def _is_cut_short(stored: bytes) -> bool:
    """Decoders fill what is missing with grey and say nothing: look for the end of the file oneself."""
    if stored.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in stored[-4096:]
    if stored.startswith(b"\x89PNG"):
        return b"IEND" not in stored[-64:]
    return False
