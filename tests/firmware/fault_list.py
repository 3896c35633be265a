"""Everything that is known to go wrong at a camera table, each by a name of its own, and the tests that show it.

A test shows a fault when it is marked with its name (`@pytest.mark.fault("camera-bumped")`), or when a scene of a table
in test_faults*.py bears it. What is left to the way of the data is said here: a card that lies the wrong way up is read
as any other, a claim on an unread card waits for a judge.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]

CARDS = (
    "two-cards-in-one-turn", "two-quick-turns", "order-unclear", "out-of-turn", "side-full", "stone-taken",
    "seen-twice", "foreign-card", "wrong-deck", "card-removed", "card-moved", "card-swapped", "card-upside-down",
    "card-face-down", "index-covered", "between-two-stones", "on-the-border", "beside-every-place", "colours-alike",
    "two-minds", "glare",
)  # fmt: skip
RULES = (
    "claim-not-proven", "claim-proven-early", "tie", "claim-on-unread-card", "claim-out-of-time", "claim-without-right",
    "stone-gone", "tactic-limit", "second-joker", "ruse-in-progress", "take-back", "play-after-the-end",
    "collected-after-the-end", "board-cleared",
)  # fmt: skip
CAMERA = (
    "hand-passing", "hand-staying", "object-left", "camera-bumped", "bumped-and-different", "mat-moved",
    "corner-hidden", "mirrored", "upside-down-camera", "too-dark", "flicker", "too-bright", "blurred",
    "camera-unplugged", "camera-frozen", "other-camera", "slow-camera",
)  # fmt: skip
DEVICE = (
    "display-unplugged", "lamps-gone", "button-stuck", "power-cut", "crash-or-hang", "disk-full", "storage-fault",
    "journal-damaged", "low-power", "clock-wrong",
)  # fmt: skip
NET = (
    "link-lost", "broker-down", "message-twice-or-late", "table-number-taken", "station-cloned", "other-version",
    "command-malformed", "publish-forged",
)  # fmt: skip
HUMAN = (
    "wrong-pins", "judge-overrules", "ruling-against-the-rule", "stands-irregular", "players-away", "claims-at-once",
    "other-names", "moved-to-another-table",
)  # fmt: skip
FAULTS = (*CARDS, *RULES, *CAMERA, *DEVICE, *NET, *HUMAN)


def shown() -> dict[str, list[str]]:
    """For every fault that a mark or a scene names, the tests that show it, as `file.py::test_name`."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        scenes = _scenes(tree) if path.name.startswith("test_faults") else ()
        for test, fault in (*_marked(tree), *scenes):
            found.setdefault(fault, []).append(f"{path.name}::{test}")
    return found


def _marked(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                    yield from ((node.name, ast.literal_eval(fault)) for fault in mark.args)


def _scenes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The first word of each row of a table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Scene", "Unreadable", "Verdict"):
            yield "a scene", ast.literal_eval(node.args[0])
