"""Which tests show which rule, read from the tests themselves.

`python -m tests.seeds.shown` writes it into the documents under seeds/; a test fails while they disagree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import seeds

TESTS = Path(__file__).parents[1]


def shown_by() -> dict[str, list[str]]:
    """For every rule that a test is marked with, the tests, as `file.py::test_name`."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for test, rule in _marks(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(rule, []).append(f"{path.name}::{test}")
    return {rule: sorted(tests) for rule, tests in found.items()}


def _marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    yield from ((node.name, ast.literal_eval(rule)) for rule in mark.args)


def rewritten(text: str, shown: dict[str, list[str]]) -> str:
    """A document with the tests of each rule as they are now."""

    def closing(match: re.Match[str]) -> str:
        tests = shown.get(match["id"], [])
        return match["head"] + "Shown by:\n" + ",\n".join(f"`{test}`" for test in tests) + "\n"

    pattern = r"(?P<head>^### (?P<id>[A-Z]{2}-\d+) .*?\nSource: [^\n]*\n)Shown by:.*?(?=\n\n|\Z)\n?"
    return re.sub(pattern, closing, text, flags=re.MULTILINE | re.DOTALL)


def main() -> None:
    for game in seeds.GAMES:
        path = seeds.document(game)
        path.write_text(rewritten(path.read_text(encoding="utf-8"), shown_by()), encoding="utf-8")


if __name__ == "__main__":
    main()
