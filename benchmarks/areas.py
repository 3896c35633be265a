"""How well and how fast cards that lie anywhere are read: the table of Lords of Scotland, beside the naive way.

Photographs are rendered one by one from a seed that nothing was tuned on and read in this process, one thread, in
processor time; `benchmarks.areas_speed` times one table beside the naive way, in a process of its own.
MARCHWARDEN_BENCH_PHOTOGRAPHS sets how many photographs the longest row has. Figures only are kept.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2

from benchmarks.vision_speed import speed_lines
from firmware.decks import drawn_deck
from firmware.simulation.album import Album, Case, Recipe
from vision.areas import AreaReader
from vision.evaluate import compare, spread_of
from vision.lords_of_scotland import lords_of_scotland, reading
from vision.rectify import solve
from vision.remembered import MISSING

RESULTS = Path(__file__).parent / "results"
PHOTOGRAPHS = int(os.environ.get("MARCHWARDEN_BENCH_PHOTOGRAPHS", "40"))
SEED = 31181
GAME = "lords-of-scotland"
FULL, SMALL = (2304, 1296), (1280, 720)
COMPARED = ("cards", "right", "wrong", "tiles", "tiles_right", "exact")
COUNTED = (*COMPARED, "tiles_wrong", "lying", "lying_right", "nameless", "photographs")


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
        0.5,
    ),
    Row("hard, 2304×1296", Recipe(flaws="hard", size_px=FULL, seed=SEED + 3, game=GAME), 0.5),
    Row(
        "normal, another print",
        Recipe(flaws="normal", size_px=FULL, seed=SEED + 4, game=GAME, another_print=True),
        0.5,
    ),
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
    results["speed"] = speed()
    write(results)
    print(describe(results))


def measured(reader: AreaReader, row: Row) -> dict[str, Any]:
    """Every photograph of a row, read and compared with what it shows."""
    album = Album(row.recipe)
    total: Counter[str] = Counter()
    spent_ms = []
    for number in range(row.photographs):
        print(f"\r{row.name}: {number + 1} of {row.photographs}", end="", file=sys.stderr, flush=True)
        figures, ms = looked_at(reader, album.case(number))
        total += figures
        spent_ms.append(ms)
    print(file=sys.stderr)
    return {name: total[name] for name in COUNTED} | {"read_ms": round(median(spent_ms), 1)}


def looked_at(reader: AreaReader, case: Case) -> tuple[Counter[str], float]:
    """What was right and wrong in one photograph, and how long the look took."""
    rectifier = solve(case.pixels_bgr, reader.layout)
    started = time.process_time()
    seen = reader.read(case.pixels_bgr, rectifier)
    spent_ms = (time.process_time() - started) * 1000
    compared = compare(case.truth, reading(seen, case.name), spread_of)
    mistaken = {one.place: one.named for one in compared.mistakes if one.place.startswith("tile")}
    lying = [code for code, at in case.truth.tiles.items() if at != MISSING and code not in case.truth.excused]
    figures = {name: int(getattr(compared, name)) for name in COMPARED}
    figures["tiles_wrong"] = sum(named is not None for named in mistaken.values())
    figures["lying"] = len(lying)
    figures["lying_right"] = sum(f"tile {code}" not in mistaken for code in lying)
    return Counter(figures | {"nameless": case.truth.nameless, "photographs": 1}), spent_ms


def speed() -> dict[str, Any]:
    """One table read in a process of its own, so that the memory measured is the reader's."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.areas_speed"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def write(results: dict[str, Any]) -> None:
    """Keep the figures after each row: a long run that is stopped has still told something."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "areas.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "areas.md").write_text(describe(results), encoding="utf-8")


def describe(results: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = ["# Cards that lie anywhere: Lords of Scotland", ""]
    lines += [f"Rendered photographs, seeds from {results['seed']} on.", ""]
    heads = ["flaws", "cards", "right", "wrong", "foreign", "tables exact"]
    heads += ["tokens that lie there, right", "the others, told to be away", "tokens wrong", "read, ms"]
    lines += [f"| {' | '.join(heads)} |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    for name, row in results["rows"].items():
        share = 100 * row["right"] / max(row["cards"], 1)
        lying = f"{row['lying_right']} of {row['lying']}"
        others, told = row["tiles"] - row["lying"], row["tiles_right"] - row["lying_right"]
        away = f"{100 * told / max(others, 1):.2f} % of {others}"
        exact = f"{row['exact']} of {row['photographs']}"
        cells = (name, row["cards"], f"{share:.2f} %", row["wrong"], row["nameless"] or "–", exact, lying, away)
        lines.append("| " + " | ".join(str(cell) for cell in (*cells, row["tiles_wrong"], row["read_ms"])) + " |")
    lines += [
        "",
        "Processor time, one thread. A token that is not seen is told to be away only where nothing could hide it: not",
        "while a hand or a thing that is no card, or a gleam that looks like one, lies over a place.",
    ]
    if "speed" in results:
        lines += ["", *speed_lines(results["speed"], "98 templates, upright and sideways, over the whole frame")]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
