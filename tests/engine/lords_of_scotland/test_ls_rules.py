"""The rules in seeds/lords_of_scotland.md: each shown by tests, and every foul and test citing one that exists."""

from __future__ import annotations

import ast
from pathlib import Path

from engine.lords_of_scotland.fouls import RULE_OF
from seeds import rules_of

HERE = Path(__file__).parent


def marked() -> dict[str, set[str]]:
    """The tests that say which rule they show, by rule, such as `test_ls_powers.py::test_a_power_is_used_once`."""
    shown: dict[str, set[str]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
                    for argument in decorator.args:
                        shown.setdefault(ast.literal_eval(argument), set()).add(f"{path.name}::{node.name}")
    return shown


def test_every_rule_names_the_tests_that_show_it() -> None:
    assert {rule.id: set(rule.shown_by) for rule in rules_of("lords-of-scotland")} == marked()


def test_every_foul_cites_a_rule_that_exists() -> None:
    assert set(RULE_OF.values()) <= {rule.id for rule in rules_of("lords-of-scotland")}


def test_every_rule_has_a_text_and_a_source() -> None:
    rules = rules_of("lords-of-scotland")
    assert len({rule.id for rule in rules}) == len(rules) > 40
    for rule in rules:
        assert rule.text, rule.id
        assert set(rule.sources) <= {"004", "rulings"}
        assert rule.sources, rule.id
