"""A deck as its owner enrolled it: every face at one scale, what looks alike, and one file that can be copied.

Knows pictures and codes; knows no game. How faces are prepared from scans is in `enrol`, how they are compared with
a photograph in `match`.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import cast

import cv2
import numpy as np

from vision.frame import Picture
from vision.layout import Size

FACE_PX_PER_MM = 3.0
SUFFIX = ".deck.npz"
_FORMAT = 1
_NAME = re.compile(r"[\w][\w. -]*")
# What a changed byte leads to, in the archive, in the head of an array or in what is told of the faces.
_NO_DECK = (
    zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, tokenize.TokenError, SyntaxError,
    ValueError, KeyError, TypeError,
)  # fmt: skip


class BadDeck(Exception):
    """A deck that cannot be used: not there, damaged, or of another version."""


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """Faces by code, backs and tiles. `alike` numbers the families of faces that share their drawing."""

    name: str
    card_mm: Size
    codes: tuple[str, ...]
    faces_bgr: Picture  # one after another, upright, FACE_PX_PER_MM fine
    alike: tuple[int, ...]
    tiles_bgr: Mapping[str, Picture]
    tile_mm: Size = (64.0, 36.5)

    @property
    def backs(self) -> frozenset[str]:
        """Codes of faces that are no faces: what a card shows when it lies face down."""
        return frozenset(code for code in self.codes if is_back(code))

    def face(self, code: str) -> Picture:
        """One card's face."""
        return cast(Picture, self.faces_bgr[self.codes.index(code)])

    def save(self, folder: Path) -> Path:
        """Write the deck into a folder of decks, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        target = path_of(self.name, folder)
        about = {
            "format": _FORMAT,
            "name": self.name,
            "card_mm": self.card_mm,
            "tile_mm": self.tile_mm,
            "codes": self.codes,
            "alike": self.alike,
        }
        arrays = {f"tile/{code}": image for code, image in self.tiles_bgr.items()}
        arrays["faces"] = self.faces_bgr
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        handle, unfinished = tempfile.mkstemp(dir=folder, prefix=f".{self.name}-", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            Path(unfinished).chmod(0o664)  # the station may run as another user than the one who enrols
            Path(unfinished).replace(target)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise
        return target

    @classmethod
    def load(cls, path: Path) -> Deck:
        """Read a deck file."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                about = json.loads(bytes(stored["about"]))
                if about["format"] != _FORMAT:
                    raise BadDeck(f"{path} was made by another version: enrol the deck again")
                tiles = {name[5:]: stored[name] for name in stored.files if name.startswith("tile/")}
                return cls(
                    name=about["name"],
                    card_mm=tuple(about["card_mm"]),
                    codes=tuple(about["codes"]),
                    faces_bgr=stored["faces"],
                    alike=tuple(about["alike"]),
                    tiles_bgr=MappingProxyType(tiles),
                    tile_mm=tuple(about["tile_mm"]),
                )
        except FileNotFoundError:
            raise BadDeck(f"no deck at {path}: enrol it with `marchwarden enroll`") from None
        except OSError as fault:
            raise BadDeck(
                f"{path} is no deck file or is damaged ({fault.strerror or fault}): enrol the deck again"
            ) from None
        except _NO_DECK:
            raise BadDeck(f"{path} is no deck file or is damaged: enrol the deck again") from None


def is_back(code: str) -> bool:
    """`back` and `tactic-back` are what a card shows face down."""
    return code == "back" or code.endswith("-back")


def path_of(name: str, folder: Path) -> Path:
    """The file of a deck in a folder of decks."""
    if not _NAME.fullmatch(name):
        raise BadDeck(f"{name!r} is no name for a deck: use letters, digits, - and _")
    return folder / f"{name}{SUFFIX}"


def enrolled(folder: Path) -> tuple[str, ...]:
    """The names of all decks in a folder."""
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}")))


def resized(image: Picture, size: tuple[int, int]) -> Picture:
    """The image at another size, averaged when it shrinks."""
    shrinks = size[0] < image.shape[1]
    way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return cast(Picture, cv2.resize(image, size, interpolation=way))
