"""Times one full table: the naive way, a full read, and a frame in which nothing changed. Prints one JSON document.

Run as `python -m benchmarks.vision_speed DECK.npz` with one thread. The photographs are rendered by another process and
come from files, so that the memory measured is the reader's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from firmware.memory import peak_mb
from vision.areas import AreaReader
from vision.attend import Attention
from vision.deck import Deck
from vision.frame import Picture
from vision.layout import schotten_totten
from vision.read import Reader
from vision.rectify import solve

FRAMES = 6  # of one table, each with other noise
TEMPLATES = 54

_RENDER = """
import sys, cv2, numpy as np
from firmware.simulation.artwork import Artwork
from firmware.simulation.board import random_board
from firmware.simulation.flaws import NORMAL
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import lay
from vision.layout import schotten_totten
layout, rng = schotten_totten(), np.random.default_rng(5)
scene = lay(layout, random_board(rng, layout, 1.0), NORMAL.habits, rng)
camera, light = NORMAL.camera((2304, 1296), rng), NORMAL.light(layout.size_mm, rng)
photographer = Photographer(layout, Artwork.drawn())
for n in range(int(sys.argv[2])):
    cv2.imwrite(f"{sys.argv[1]}/{n}.png", photographer.photograph(scene, camera, light, rng).pixels_bgr)
"""


def main(deck_file: Path) -> None:
    cv2.setNumThreads(1)
    frames = rendered(_RENDER)
    reader = Reader(Deck.load(deck_file), schotten_totten())
    print(json.dumps(timed(frames, reader, lambda frame: naive(frame, reader.deck))))


def rendered(script: str) -> list[Picture]:
    """Frames of one table, rendered by another process."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", script, folder, str(FRAMES)], check=True)
        return [_opened(Path(folder) / f"{n}.png") for n in range(FRAMES)]


def timed(frames: list[Picture], reader: Reader | AreaReader, naive: Callable[[Picture], object]) -> dict[str, Any]:
    """One table in several frames: read whole, looked at while nothing changes, and read the naive way."""
    layout = reader.layout
    attention = Attention(reader, layout)
    rectifier = solve(frames[0], layout)
    rectify_ms = _median_ms(lambda frame: solve(frame, layout), frames)
    full_ms = _median_ms(lambda frame: reader.read(frame, rectifier), frames)
    for _ in range(4):  # the first frames are read until they agree
        attention.read(frames[0], rectifier)
    still_ms = _median_ms(lambda frame: attention.read(frame, rectifier), frames)
    cards = sum(len(readings) for readings in reader.read(frames[0], rectifier).cards.values())
    peak = peak_mb()
    naive_ms = _median_ms(naive, frames[:1])
    height, width = frames[0].shape[:2]
    return {
        "size": f"{width}×{height}",
        "cards": cards,
        "naive_ms": naive_ms,
        "rectify_ms": rectify_ms,
        "full_ms": full_ms,
        "full_ratio": naive_ms / full_ms,
        "still_ms": still_ms,
        "still_ratio": naive_ms / still_ms,
        # Held besides: the frames themselves, which a camera would hand over one by one.
        "peak_memory_mb": peak - sum(frame.nbytes for frame in frames[1:]) / 2**20,
    }


def speed_lines(speed: dict[str, Any], naive: str) -> list[str]:
    """What was timed, as a part of a page; `naive` says what the naive way is."""
    return [
        "## Speed",
        "",
        f"One process, one thread, {speed['size']}, {speed['cards']} cards; processor time.",
        "",
        "| what | ms | times faster than the naive way |",
        "|---|--:|--:|",
        f"| naive: {naive} | {speed['naive_ms']:.0f} | 1 |",
        f"| markers to homography | {speed['rectify_ms']:.1f} | – |",
        f"| every place read again | {speed['full_ms']:.1f} | {speed['full_ratio']:.0f} |",
        f"| a frame in which nothing changed | {speed['still_ms']:.2f} | {speed['still_ratio']:.0f} |",
        "",
        f"Peak memory of the process that reads: {speed['peak_memory_mb']:.0f} MB.",
    ]


def naive(frame: Picture, deck: Deck) -> list[tuple[float, tuple[int, ...]]]:
    """Fifty-four templates over the whole frame, upright, at the size at which cards appear."""
    best = []
    width = round(frame.shape[0] / 513 * 56)
    for code in deck.codes[:TEMPLATES]:
        template = cv2.resize(deck.face(code), (width, round(width * 80 / 56)), interpolation=cv2.INTER_AREA)
        scores = cv2.matchTemplate(frame, template, cv2.TM_CCOEFF_NORMED)
        _, score, _, place = cv2.minMaxLoc(scores)
        best.append((score, tuple(place)))
    return best


def _median_ms(work: Callable[[Picture], object], frames: list[Picture]) -> float:
    spent = []
    for frame in frames:
        start = time.process_time()
        work(frame)
        spent.append((time.process_time() - start) * 1000)
    return median(spent)


def _opened(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
