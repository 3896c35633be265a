"""The evaluation as a page to look at: the figures, and every error with its picture.

Writes plain HTML and PNG files into one folder. Knows outcomes; measures nothing itself.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.evaluation import Outcome
from firmware.pictures import write_picture
from vision.deck import Deck
from vision.evaluate import Mistake, group

Pixels = NDArray[np.uint8]

MOST = 400  # errors with a picture; a page with more tells nothing more
FACE_PX = (84, 120)

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Marchwarden: evaluation</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
pre {{ background: #f4f4f0; padding: 1rem; overflow-x: auto; }}
figure {{ display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top; }}
img {{ max-width: 28rem; border: 1px solid #bbb; }}
figcaption {{ max-width: 28rem; }}
.wrong {{ color: #a00; font-weight: bold; }}
</style>
<h1>Evaluation</h1>
<pre>{figures}</pre>
<h2>{count} errors</h2>
{errors}
</html>
"""


class Report:
    """Gathers errors as they come, and writes the page at the end."""

    def __init__(self, folder: Path, deck: Deck) -> None:
        self._folder = folder
        self._deck = deck
        self._errors: list[str] = []
        self._count = 0
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, outcome: Outcome) -> None:
        """Keep a picture of each mistake of one photograph."""
        for mistake in outcome.comparison.mistakes:
            self._count += 1
            if self._count <= MOST:
                self._errors.append(self._error(outcome, mistake))

    def finish(self, figures: Mapping[str, Any]) -> Path:
        """Write the page."""
        page = self._folder / "index.html"
        words = html.escape(json.dumps(figures, indent=2))
        page.write_text(_PAGE.format(figures=words, count=self._count, errors="\n".join(self._errors)), "utf-8")
        return page

    def _error(self, outcome: Outcome, mistake: Mistake) -> str:
        name = f"{self._count:04d}.png"
        picture = _crop(outcome, mistake)
        faces = [self._face(code) for code in (mistake.true, mistake.named)]
        write_picture(self._folder / name, _beside(picture, [face for face in faces if face is not None]))
        said = f"named {mistake.named}" if mistake.named is not None else f"unread: {mistake.why}"
        css = ' class="wrong"' if mistake.named is not None else ""
        words = html.escape(f"{outcome.case.name}, {mistake.place}: {mistake.true or 'nothing'} lies there, {said}")
        return f'<figure><img src="{name}" alt="{words}"><figcaption{css}>{words}</figcaption></figure>'

    def _face(self, code: str | None) -> Pixels | None:
        if code is None or code not in self._deck.codes:
            return None
        return np.asarray(cv2.resize(self._deck.face(code), FACE_PX, interpolation=cv2.INTER_AREA), np.uint8)


def _crop(outcome: Outcome, mistake: Mistake) -> Pixels:
    """The part of the photograph where the mistake lies; all of it, made small, when that is not known."""
    pixels = outcome.case.pixels_bgr
    tile = mistake.place.removeprefix("tile stone")
    corners = [
        point
        for where, points in outcome.case.corners_px.items()
        if group(where) == mistake.place or where == f"tile{tile}"
        for point in points
    ]
    if not corners:
        scale = 640 / pixels.shape[1]
        return np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    around = np.array(corners)
    left, top = np.maximum(around.min(axis=0).astype(int) - 12, 0)
    right, bottom = around.max(axis=0).astype(int) + 12
    return np.ascontiguousarray(pixels[top:bottom, left:right])


def _beside(picture: Pixels, faces: list[Pixels]) -> Pixels:
    height = max([picture.shape[0], *(face.shape[0] for face in faces)])
    padded = [
        np.asarray(
            cv2.copyMakeBorder(each, 0, height - each.shape[0], 0, 6, cv2.BORDER_CONSTANT, value=(255, 255, 255)),
            np.uint8,
        )
        for each in (picture, *faces)
    ]
    return np.hstack(padded)
