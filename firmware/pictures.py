"""Pictures from files and into them: whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Picture

SUFFIXES = (".jpg", ".jpeg", ".png")
# What begins a part of a JPEG file or ends the picture: no 0xFF of its pixels, nor where these may be taken up again.
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")


def is_hidden(path: Path) -> bool:
    """Whether a file of a folder of pictures is none of them: half-written, or what another system keeps beside one."""
    return path.name.startswith(".")


def read_picture(path: Path) -> Picture | None:
    """The picture in a file, blue first; None if it is none, if its end is missing, or if no memory would hold it."""
    try:
        stored = path.read_bytes()
    except OSError:
        return None
    if not stored or _is_cut_short(stored):
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(stored, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # more pixels than OpenCV takes
        return None
    if picture is None or picture.size == 0:
        return None
    return _on_paper(stored, np.asarray(picture, np.uint8))


def why_none(path: Path) -> str:
    """What keeps a file from being a picture."""
    try:
        with path.open("rb"):
            return "is no picture, or only part of one"
    except FileNotFoundError:
        return "does not exist"
    except IsADirectoryError:
        return "is no picture, or only part of one"
    except OSError:
        return "cannot be read"


def write_picture(path: Path, picture_bgr: Picture) -> None:
    """Keep a picture, as the ending of its name says; raises OSError. OpenCV does not say why it could not write, and
    ends the program at a name that is no text."""
    path.write_bytes(cv2.imencode(path.suffix.lower(), picture_bgr)[1].tobytes())


def _on_paper(stored: bytes, picture: Picture) -> Picture:
    """The picture with white where it is transparent, as the corners of a card often are; decoders show black there."""
    if not stored.startswith(b"\x89PNG") or stored[25:26] not in (b"\x04", b"\x06"):
        return picture
    whole = cv2.imdecode(np.frombuffer(stored, np.uint8), cv2.IMREAD_UNCHANGED)
    if whole is None or whole.ndim != 3 or whole.shape[2] != 4:
        return picture
    shown = whole[..., 3:].astype(np.float32) / np.float32(65535 if whole.dtype == np.uint16 else 255)
    return np.asarray(np.round(picture * shown + 255 * (1 - shown)), np.uint8)


def _is_cut_short(stored: bytes) -> bool:
    """Decoders fill what is missing with grey and say nothing: look for the end of the file oneself."""
    if stored.startswith(b"\xff\xd8"):
        return not _has_an_end(stored)
    if stored.startswith(b"\x89PNG"):
        return b"IEND" not in stored[-64:]
    return False


def _has_an_end(jpeg: bytes) -> bool:
    """Whether the end of the picture itself is there: a thumbnail inside has an end of its own, and telephones put
    a film or a second picture after it."""
    at = 2
    while marker := _MARKER.search(jpeg, at):
        at = marker.end()
        if marker[0] == b"\xff\xd9":
            return True
        at += int.from_bytes(jpeg[at : at + 2])
    return False
