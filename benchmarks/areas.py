"""How well and how fast cards that lie anywhere are read: the table of Lords of Scotland, beside the naive way.

Photographs are rendered one by one from a seed that nothing was tuned on and read in this process, one thread, in
processor time. MARCHWARDEN_BENCH_PHOTOGRAPHS sets how many the longest row has. Figures only are kept.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from firmware.decks import drawn_deck
from firmware.simulation.album import Album, Recipe
from vision.areas import AreaReader
from vision.deck import Deck
from vision.evaluate import compare, spread_of
from vision.frame import Picture
from vision.lords_of_scotland import lords_of_scotland, reading
from vision.rectify import solve
from vision.remembered import MISSING

RESULTS = Path(__file__).parent / "results"
PHOTOGRAPHS = int(os.environ.get("MARCHWARDEN_BENCH_PHOTOGRAPHS", "40"))
SEED = 8642
GAME = "lords-of-scotland"
FULL, SMALL = (2304, 1296), (1280, 720)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what is rendered, and how."""

    name: str
    recipe: Recipe
    share: float = 1.0  # of the photographs of the longest row

    @property
    def photographs(self) -> int:
        return max(10, round(self.share * PHOTOGRAPHS))


ROWS = (
    Row("normal, 2304×1296", Recipe(flaws="normal", size_px=FULL, seed=SEED, game=GAME)),
    Row("normal, 1280×720", Recipe(flaws="normal", size_px=SMALL, seed=SEED + 1, game=GAME), 0.5),
    Row(
        "normal, one card in ten of another game",
        Recipe(flaws="normal", size_px=FULL, seed=SEED + 2, game=GAME, nameless=0.1),
        0.25,
    ),
    Row("hard, 2304×1296", Recipe(flaws="hard", size_px=FULL, seed=SEED + 3, game=GAME), 0.5),
)


def main() -> None:
    cv2.setNumThreads(1)
    layout = lords_of_scotland()
    reader = AreaReader(drawn_deck(GAME), layout)
    results: dict[str, Any] = {"machine": platform.machine(), "seed": SEED}
    results["rows"] = {}
    for row in ROWS:
        results["rows"][row.name] = measured(reader, row)
        write(results)
    frame = Album(ROWS[0].recipe).case(0).pixels_bgr
    results["naive_ms"] = naive_ms(frame, reader.deck)
    write(results)
    print(describe(results))


def measured(reader: AreaReader, row: Row) -> dict[str, Any]:
    """Every photograph of a row, read and compared with what it shows."""
    album = Album(row.recipe)
    names = ("cards", "right", "wrong", "tiles", "tiles_right", "exact")
    more = ("tiles_wrong", "lying", "lying_right")
    total = dict.fromkeys((*names, *more), 0) | {"photographs": row.photographs}
    spent_ms = []
    for number in range(row.photographs):
        print(f"\r{row.name}: {number + 1} of {row.photographs}", end="", file=sys.stderr, flush=True)
        case = album.case(number)
        rectifier = solve(case.pixels_bgr, reader.layout)
        started = time.process_time()
        seen = reader.read(case.pixels_bgr, rectifier)
        spent_ms.append((time.process_time() - started) * 1000)
        compared = compare(case.truth, reading(seen, case.name), spread_of)
        for name in names:
            total[name] += int(getattr(compared, name))
        mistaken = {one.place: one.named for one in compared.mistakes if one.place.startswith("tile")}
        total["tiles_wrong"] += sum(named is not None for named in mistaken.values())
        asked = [code for code, at in case.truth.tiles.items() if at != MISSING and code not in case.truth.excused]
        total["lying"] += len(asked)
        total["lying_right"] += sum(f"tile {code}" not in mistaken for code in asked)
    print(file=sys.stderr)
    return total | {"read_ms": round(median(spent_ms), 1)}


def naive_ms(frame: Picture, deck: Deck) -> float:
    """All templates of the deck over the whole frame, upright and sideways, at the size at which cards appear."""
    width = round(frame.shape[1] / lords_of_scotland().size_mm[0] * deck.card_mm[0])
    started = time.process_time()
    for code in deck.codes:
        template = cv2.resize(deck.face(code), (width, round(width * 80 / 56)), interpolation=cv2.INTER_AREA)
        for turned in (template, cv2.rotate(template, cv2.ROTATE_90_CLOCKWISE)):
            cv2.minMaxLoc(cv2.matchTemplate(frame, turned, cv2.TM_CCOEFF_NORMED))
    return (time.process_time() - started) * 1000


def write(results: dict[str, Any]) -> None:
    """Keep the figures after each row: a long run that is stopped has still told something."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "areas.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "areas.md").write_text(describe(results), encoding="utf-8")


def describe(results: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = ["# Cards that lie anywhere: Lords of Scotland", ""]
    lines += [f"Rendered photographs, seeds from {results['seed']} on.", ""]
    lines += [
        "| flaws | cards | right | wrong | tables exact | tokens that lie there, right | the others, told to be away |"
    ]
    lines[-1] += " tokens wrong | read, ms |"
    lines += ["|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name, row in results["rows"].items():
        share = 100 * row["right"] / max(row["cards"], 1)
        lying = f"{row['lying_right']} of {row['lying']}"
        others, told = row["tiles"] - row["lying"], row["tiles_right"] - row["lying_right"]
        away = f"{100 * told / max(others, 1):.2f} % of {others}"
        exact = f"{row['exact']} of {row['photographs']}"
        cells = (name, row["cards"], f"{share:.2f} %", row["wrong"], exact, lying, away, row["tiles_wrong"])
        lines.append("| " + " | ".join(str(cell) for cell in (*cells, row["read_ms"])) + " |")
    if "naive_ms" in results:
        first = next(iter(results["rows"].values()))
        ratio = results["naive_ms"] / first["read_ms"]
        naive = f"98 templates, upright and sideways, over the whole frame: {results['naive_ms']:.0f} ms"
        lines += ["", f"The naive way ({naive}) takes {ratio:.0f} times as long as a look at the whole table."]
    lines += [
        "",
        "Processor time, one thread. A token that is not seen is told to be away only where nothing could hide it: not",
        "while a hand or a thing that is no card, or a gleam that looks like one, lies over a place.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
