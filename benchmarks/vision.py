"""How well and how fast the eye reads: every flaw of the virtual table, beside the naive way in the same run.

Accuracy is measured by `marchwarden evaluate` itself, on the drawn deck and, where MARCHWARDEN_SCANS names a folder of
scans of a printed one, on that as well. Speed is measured by `benchmarks.vision_speed` in a process of its own, one
thread, in processor time. MARCHWARDEN_BENCH_PHOTOGRAPHS sets how many photographs the longest row
has. Figures only are kept.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from benchmarks.vision_speed import speed_lines
from firmware.printing import deck

RESULTS = Path(__file__).parent / "results"
PHOTOGRAPHS = int(os.environ.get("MARCHWARDEN_BENCH_PHOTOGRAPHS", "40"))
SEED = 101


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table of accuracy: what is rendered, and how."""

    name: str
    options: tuple[str, ...]
    share: float = 1.0  # of the photographs of the longest row

    @property
    def photographs(self) -> int:
        return max(10, round(self.share * PHOTOGRAPHS))


ROWS = (
    Row("normal, 2304×1296", ("--flaws", "normal")),
    Row("normal, 1920×1080", ("--flaws", "normal", "--size", "1920x1080"), 0.12),
    Row("normal, 1280×720", ("--flaws", "normal", "--size", "1280x720"), 0.5),
    Row("normal, another print", ("--flaws", "normal", "--another-print"), 0.25),
    Row("normal, one card in ten face down or foreign", ("--flaws", "normal", "--nameless", "0.1"), 0.25),
    Row("hard, 2304×1296", ("--flaws", "hard", "--mounting", "0", "--mounting", "180"), 0.35),
    Row("hard, camera turned a quarter", ("--flaws", "hard", "--mounting", "90", "--mounting", "270"), 0.15),
)


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        decks = {"drawn": _drawn(work / "drawn")}
        scans = os.environ.get("MARCHWARDEN_SCANS")
        if scans:
            decks["printed"] = Path(scans)
        results: dict[str, Any] = {"machine": platform.machine(), "seed": SEED}
        for name, folder in decks.items():
            _marchwarden("enroll", name, "--from", str(folder), "--decks", str(work))
            results[name] = {row.name: _accuracy(work, name, folder, row) for row in ROWS}
            write(results)
        results["speed"] = _speed(work, "drawn")
        write(results)
    print(describe(results))


def write(results: dict[str, Any]) -> None:
    """Keep the figures, after each deck: a long run that is stopped has still told something."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "vision.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "vision.md").write_text(describe(results), encoding="utf-8")


def _drawn(folder: Path) -> Path:
    folder.mkdir()
    for code in deck.CODES:
        cv2.imwrite(str(folder / f"{code}.png"), deck.draw(code, 6.0))
    return folder


def _accuracy(work: Path, name: str, folder: Path, row: Row) -> dict[str, Any]:
    print(f"{name}: {row.name}", file=sys.stderr)
    artwork = () if name == "drawn" else ("--artwork", str(folder))
    rendered = ("--rendered", str(row.photographs), "--seed", str(SEED), "--json")
    told = _marchwarden("evaluate", "--deck", name, "--decks", str(work), *rendered, *artwork, *row.options)
    figures: dict[str, Any] = json.loads(told)
    return figures


def _speed(work: Path, name: str) -> dict[str, Any]:
    print("speed", file=sys.stderr)
    figures: dict[str, Any] = json.loads(_run("-m", "benchmarks.vision_speed", str(work / f"{name}.deck.npz")))
    return figures


def _marchwarden(*arguments: str) -> str:
    return _run("-m", "firmware", *arguments)


def _run(*arguments: str) -> str:
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def describe(results: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = ["# The eye", "", f"Rendered photographs, seed {results['seed']}.", ""]
    for name in ("drawn", "printed"):
        if name not in results:
            continue
        lines += [f"## The {name} deck", ""]
        lines += ["| flaws | cards | right | wrong | boards exact | tiles right | face down or foreign | read, ms |"]
        lines += ["|---|--:|--:|--:|--:|--:|--:|--:|"]
        lines += [_line(row, figures) for row, figures in results[name].items()]
        lines.append("")
    if "speed" in results:
        lines += speed_lines(results["speed"], "54 templates over the whole frame")
    return "\n".join(lines) + "\n"


def _line(row: str, figures: dict[str, Any]) -> str:
    def percent(share: float | None) -> str:
        return "–" if share is None else f"{100 * share:.2f} %"

    cells = (
        row,
        figures["cards"],
        percent(figures["accuracy"]),
        figures["wrong"],
        percent(figures["boards_exact"]),
        percent(figures["tiles_right"]),
        figures["nameless"] or "–",
        figures["ms_by_stage"].get("read", "–"),
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


if __name__ == "__main__":
    main()
