"""The card scanner on cards lying about: several decks, several grounds, and some cards that nobody enrolled.

Every tenth card of a deck is left out of the enrolment and must not be named. MARCHWARDEN_SCANS names a folder of scans
of a printed deck, which is then measured as well; MARCHWARDEN_BENCH_SNAPSHOTS sets how many pictures a deck gets.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np

from firmware.printing import deck as drawn_deck
from firmware.simulation.artwork import SUFFIXES, Artwork
from firmware.simulation.flaws import NORMAL
from firmware.simulation.other_decks import colour_cards, playing_cards
from firmware.simulation.scatter import snapshot
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.scan import Scanner

RESULTS = Path(__file__).parent / "results"
SNAPSHOTS = int(os.environ.get("MARCHWARDEN_BENCH_SNAPSHOTS", "100"))
SEED = 21
WIDTHS_PX = (60, 90, 130, 200, 10_000)


def main() -> None:
    cv2.setNumThreads(1)
    faces = (*drawn_deck.CLAN_CODES, *drawn_deck.TACTIC_CODES)
    decks = {
        "drawn": {code: drawn_deck.draw(code, 6.0) for code in faces},
        "playing cards": playing_cards(),
        "colours and digits": colour_cards(),
    }
    if scans := os.environ.get("MARCHWARDEN_SCANS"):
        decks["printed"] = _scans(Path(scans))
    results: dict[str, Any] = {"snapshots": SNAPSHOTS, "seed": SEED}
    for name, pictures in decks.items():
        results[name] = measure(pictures)
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "scan.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        (RESULTS / "scan.md").write_text(describe(results), encoding="utf-8")
    print(describe(results))


def measure(pictures: dict[str, Picture]) -> dict[str, Any]:
    """Cards there, found and wrongly named, over many pictures; cards that were not enrolled apart."""
    unknown = set(sorted(pictures)[::10])
    enrolment = Enrolment("deck")
    for code, picture in pictures.items():
        if code not in unknown:
            enrolment.take(code, picture)
    scanner = Scanner(enrolment.deck())
    artwork = Artwork(pictures.get)
    there: Counter[int] = Counter()
    found: Counter[int] = Counter()
    strangers = wrong = forced = 0
    spent = []
    for n in range(SNAPSHOTS):
        shot = snapshot(artwork, sorted(pictures), NORMAL, np.random.default_rng([SEED, n]), foreign=0.0)
        start = time.process_time()
        named = [card.code for card in scanner.scan(shot.pixels_bgr)]
        spent.append((time.process_time() - start) * 1000)
        for code, corners in shot.cards.items():
            width = float(np.linalg.norm(np.subtract(corners[1], corners[0])))
            size = next(limit for limit in WIDTHS_PX if width <= limit)
            there[size] += code not in unknown
            found[size] += code in named
        lying = shot.cards.keys() | shot.cut_off
        strange = len(unknown & lying)
        false = sum(code not in lying for code in named)
        strangers += strange
        forced += min(false, strange)
        wrong += max(false - strange, 0)
    return {
        "cards": there.total(),
        "found": found.total(),
        "wrong": wrong,
        "not_enrolled": strangers,
        "forced_onto_a_code": forced,
        "by_width_px": {str(size): [found[size], there[size]] for size in WIDTHS_PX},
        "ms": round(median(spent), 1),
    }


def _scans(folder: Path) -> dict[str, Picture]:
    named = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES}
    cards = {code: path for code, path in named.items() if not code.startswith("stone") and "back" not in code}
    return {code: np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8) for code, path in cards.items()}


def describe(results: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = [
        "# The card scanner",
        "",
        f"{results['snapshots']} rendered pictures a deck, normal flaws, seed {results['seed']}. One card in ten",
        "is not enrolled; a code named that does not lie there is counted as forced where such a card does.",
        "",
        "| deck | cards | found | wrong | not enrolled | forced onto a code | ms a picture |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in results.items():
        if isinstance(row, dict):
            share = f"{100 * row['found'] / max(row['cards'], 1):.1f} %"
            cells = (name, row["cards"], share, row["wrong"], row["not_enrolled"], row["forced_onto_a_code"], row["ms"])
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"
