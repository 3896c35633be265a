"""The card scanner on cards lying about: several families of decks, several tables and cameras, one strong flaw at a
time, and cards that nobody enrolled: every seventh of a deck, and cards of another edition.

MARCHWARDEN_SCANS names a folder of scans of a printed deck, which is then measured as well;
MARCHWARDEN_BENCH_SNAPSHOTS sets how many pictures each family gets of each flaw.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import click
import cv2
import numpy as np

from benchmarks.families import FAMILIES, Family
from benchmarks.tabletop import FLAWS, Lying, Photo, photographed
from firmware.printing import deck as drawn_deck
from firmware.simulation.artwork import SUFFIXES
from vision.enrol import Enrolment
from vision.frame import Picture
from vision.scan import Scanned, Scanner

RESULTS = Path(__file__).parent / "results"
SNAPSHOTS = int(os.environ.get("MARCHWARDEN_BENCH_SNAPSHOTS", "2"))
SEED = 35
OPEN = 0.93  # share of a card that must show for it to count as lying open
THERE = 0.3  # how much a card that was named must share with the one that lies there
OTHER = "other edition: "


def main() -> None:
    cv2.setNumThreads(1)
    results: dict[str, Any] = {"pictures_of_each_flaw": SNAPSHOTS, "seed": SEED}
    flaws: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for family in _families():
        results[family.name] = measure(family, flaws, found)
        results["by_flaw"] = {flaw: [found[flaw], flaws[flaw]] for flaw in FLAWS}
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "scan.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        (RESULTS / "scan.md").write_text(describe(results), encoding="utf-8")
    print(describe(results))


def _families() -> list[Family]:
    drawn = Family(
        "drawn",
        (56, 80),
        lambda edition: {
            code: drawn_deck.draw(code, 6.0)
            for code in (() if edition else (*drawn_deck.CLAN_CODES, *drawn_deck.TACTIC_CODES))
        },
    )
    families = [drawn, *FAMILIES]
    if folder := os.environ.get("MARCHWARDEN_SCANS"):
        families.append(Family("printed", (56, 80), lambda edition: {} if edition else _scans(Path(folder))))
    return families


def measure(family: Family, lying: Counter[str], seen: Counter[str]) -> dict[str, Any]:
    """Cards there, found and wrongly named, over many pictures; cards that were not enrolled apart."""
    faces = family.edition(0)
    others = {f"{OTHER}{code}": face for code, face in family.edition(1).items()}
    strange = set(sorted(faces)[::7])
    enrolment = Enrolment("deck", any_size=True)
    for code, face in faces.items():
        if code not in strange:
            enrolment.take(code, face)
    scanner = Scanner(enrolment.deck())
    count: Counter[str] = Counter()
    spent = []
    shots = [(flaw, n) for flaw in FLAWS for n in range(SNAPSHOTS)]
    with click.progressbar(shots, label=family.name, file=sys.stderr) as bar:
        for flaw, n in bar:
            rng = np.random.default_rng([SEED, len(family.name), FLAWS.index(flaw), n])
            photo = _thrown(rng, family, faces, others, flaw)
            start = time.process_time()
            named = scanner.scan(photo.pixels_bgr)
            spent.append((time.process_time() - start) * 1000)
            mine = judged(photo, named, set(scanner.deck.codes))
            count += mine
            lying[flaw] += mine["cards"]
            seen[flaw] += mine["found"]
    kinds = ("cards", "found", "hidden in part", "hidden and found", "not enrolled", "forced", "cousins", "wrong")
    return {kind: count[kind] for kind in kinds} | {"ms": round(median(spent), 1)}


def _thrown(
    rng: np.random.Generator, family: Family, faces: dict[str, Picture], others: dict[str, Picture], flaw: str
) -> Photo:
    """One to six cards of a deck, the last one sometimes of another edition."""
    count = int(rng.choice([1, 3, 4, 5, 6]))
    if flaw in ("overlap", "touching", "cut"):
        count = max(count, 4)
    codes = [str(code) for code in rng.choice(sorted(faces), count, replace=False)]
    if others and rng.random() < 0.35:
        codes[-1] = str(rng.choice(sorted(others)))
    both = {**faces, **others}
    return photographed(rng, both, dict.fromkeys(both, family.size_mm), codes, flaw)


def judged(photo: Photo, named: list[Scanned], enrolled: set[str]) -> Counter[str]:
    """What was found and what was named wrongly. The same card of another edition is a cousin: neither."""
    count: Counter[str] = Counter()
    right: set[int] = set()
    for card in named:
        shares = [_shared(card, lying) for lying in photo.cards]
        place = int(np.argmax(shares))
        code = photo.cards[place].code if shares[place] > THERE else ""
        if code == card.code:
            right.add(place)
        elif code == OTHER + card.code:
            count["cousins"] += 1
        else:
            count["forced" if code and code not in enrolled else "wrong"] += 1
    for n, lying in enumerate(photo.cards):
        if lying.code not in enrolled:
            count["not enrolled"] += 1
        elif lying.shown >= OPEN:
            count += Counter({"cards": 1, "found": int(n in right)})
        else:
            count += Counter({"hidden in part": 1, "hidden and found": int(n in right)})
    return count


def _shared(card: Scanned, lying: Lying) -> float:
    one, other = np.array(card.corners_px, np.float32), lying.corners_px.astype(np.float32)
    both = float(cv2.intersectConvexConvex(one, other)[0])
    return both / (cv2.contourArea(one) + cv2.contourArea(other) - both)


def _scans(folder: Path) -> dict[str, Picture]:
    named = {path.stem: path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES}
    cards = {code: path for code, path in named.items() if not code.startswith("stone") and "back" not in code}
    return {code: np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8) for code, path in cards.items()}


def describe(results: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = [
        "# The card scanner",
        "",
        f"{results['pictures_of_each_flaw']} pictures of each of {len(FLAWS)} flaws for every family of decks, seed",
        f"{results['seed']}; 1280×720 to 2304×1296, cards from 88 pixels wide, eight kinds of tables. One card in",
        "seven is not enrolled, and some belong to another edition: naming such a card is `forced`, unless it is the",
        "very same card of the other edition (`cousins`). Cards of which something hides a part are counted apart.",
        "Processor time.",
        "",
        "| deck | cards | found | wrong | not enrolled | forced | cousins | hidden in part: found | ms a picture |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in results.items():
        if isinstance(row, dict) and "cards" in row:
            share = _percent(row["found"], row["cards"])
            hidden = f"{row['hidden and found']} of {row['hidden in part']}"
            cells = (name, row["cards"], share, row["wrong"], row["not enrolled"], row["forced"], row["cousins"])
            cells_all = (*cells, hidden, row["ms"])
            lines.append("| " + " | ".join(str(cell) for cell in cells_all) + " |")
    lines += ["", "| flaw | cards | found |", "|---|--:|--:|"]
    lines += [f"| {flaw} | {cards} | {_percent(found, cards)} |" for flaw, (found, cards) in results["by_flaw"].items()]
    return "\n".join(lines) + "\n"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.1f} %"
