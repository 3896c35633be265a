"""Measure the reader: photographs with their truth in, figures out.

Cases come from a folder with truth or from the virtual table. Knows how photographs are read and timed; what counts as
right is for `vision.evaluate`.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware.memory import peak_mb
from firmware.pictures import SUFFIXES, read_picture
from firmware.simulation.album import Case
from firmware.tables import TABLES, GameTable, TableReader, table_in
from vision.evaluate import Comparison, Tally, compare
from vision.observation import Observation, TileReading
from vision.rectify import NoTable


class BadFolder(Exception):
    """A folder that holds no photographs with truth."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case as it was read."""

    case: Case
    document: Mapping[str, Any]
    comparison: Comparison
    stages_ms: Mapping[str, float]


@dataclass(slots=True)
class Measurement:
    """The figures of a run."""

    tally: Tally = field(default_factory=Tally)
    stages_ms: dict[str, list[float]] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    def add(self, outcome: Outcome) -> None:
        """Count one more photograph."""
        self.tally.add(outcome.comparison)
        for stage, spent in outcome.stages_ms.items():
            self.stages_ms.setdefault(stage, []).append(spent)

    def as_document(self) -> dict[str, Any]:
        """The figures, with the time of each stage and the most memory that this process ever held."""
        stages = {stage: round(statistics.median(spent), 2) for stage, spent in self.stages_ms.items()}
        took = time.perf_counter() - self.started
        return self.tally.as_document() | {
            "ms_by_stage": stages,
            "peak_memory_mb": round(peak_mb(), 1),
            "took_s": round(took, 1),
        }


def measure(reader: TableReader, case: Case) -> Outcome:
    """Read one case as `marchwarden read` would, from the markers on. Stages are told in processor time, so that what
    else the machine does is left out."""
    table = TABLES[reader.layout.game]
    start = time.process_time()
    try:
        rectifier = table_in(case.pixels_bgr, reader.layout)
    except NoTable as fault:
        document = _nothing_read(table, case, str(fault))
        return Outcome(case, document, compare(case.truth, document, table.told), {})
    solved = time.process_time()
    observation = reader.read(case.pixels_bgr, rectifier)
    read = time.process_time()
    document = table.reading(observation, case.name)
    stages = {"rectify": (solved - start) * 1000, "read": (read - solved) * 1000}
    return Outcome(case, document, compare(case.truth, document, table.told), stages)


def _nothing_read(table: GameTable, case: Case, why: str) -> dict[str, Any]:
    layout = table.layout()
    tiles = {tile.code: TileReading(None) for tile in layout.tiles}
    places = [(place, codes) for place, codes in case.truth.cards.items()]
    unread = [{"where": f"{place}{n}", "why": why} for place, codes in places for n, _ in enumerate(codes, 1)]
    return table.reading(Observation({}, tiles), case.name) | {"unreadable": unread}


def folder_cases(folder: Path, told_by: GameTable = TABLES["schotten-totten"]) -> tuple[int, Iterator[Case]]:
    """How many photographs with truth a folder holds, and each of them.

    The truth of `f.jpg` stands in `f.json` or `f.jpg.json`, or in `truth.json`: a list of documents with `image`, a
    document by name, or a document a line.
    """
    if not folder.is_dir():
        raise BadFolder(f"{folder} is no folder: name one that holds photographs and their truth.")
    told = _told(folder / "truth.json")
    pairs = []
    for image in sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES):
        beside = next((path for path in (image.with_suffix(".json"), Path(f"{image}.json")) if path.exists()), None)
        document = told.get(image.name) if beside is None else _parsed(beside)
        if document is not None:
            pairs.append((image, document))
    if not pairs:
        raise BadFolder(f"{folder} holds no photograph with its truth: put truth.json or <image>.json beside them.")
    return len(pairs), (_case(image, document, told_by) for image, document in pairs)


def _case(image: Path, document: Any, table: GameTable) -> Case:
    pixels = read_picture(image)
    if pixels is None:
        raise BadFolder(f"{image} is no picture, or only part of one: take it out or replace it.")
    try:
        truth = table.told(document)
    except ValueError as fault:
        raise BadFolder(f"the truth of {image} is {fault}.") from None
    return Case(image.name, pixels, truth, {})


def _told(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    documents = _parsed(path)
    if isinstance(documents, list):
        return {str(each.get("image")): each for each in documents if isinstance(each, dict)}
    if isinstance(documents, dict) and "image" in documents:
        return {str(documents.get("image")): documents}
    return documents if isinstance(documents, dict) else {}


def _parsed(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadFolder(f"{path} cannot be read: {fault}.") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError as fault:
        raise BadFolder(f"{path} is no JSON (line {fault.lineno}): write a document as `read --json` does.") from None
