"""Every rule is shown by a test, every test shows a rule that exists, every foul cites one."""

from __future__ import annotations

import re
import tomllib

import pytest

import seeds
from engine.schotten_totten.fouls import RULE_OF, Breach
from engine.schotten_totten.options import KEYS, Rules, parse_rules
from tests.seeds.shown import rewritten, shown_by

GAMES = [game for game in seeds.GAMES if seeds.document(game).exists()]


def ids(game: str) -> set[str]:
    return {rule.id for rule in seeds.rules_of(game)}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_a_number_of_its_own_a_text_and_a_source(game: str) -> None:
    rules = seeds.rules_of(game)
    assert len({rule.id for rule in rules}) == len(rules) > 40
    for rule in rules:
        assert rule.text, rule.id
        assert rule.sources, rule.id


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_shown_by_a_test(game: str) -> None:
    assert ids(game) - set(shown_by()) == set()


@pytest.mark.parametrize("language", [language for language in seeds.LANGUAGES if language != "en"])
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_said_in_every_language_with_the_same_numbers_and_options(game: str, language: str) -> None:
    pairs = list(zip(seeds.rules_of(game), seeds.rules_of(game, language), strict=True))
    for rule, said in pairs:
        assert (said.id, said.sources, said.shown_by) == (rule.id, rule.sources, rule.shown_by)
        assert said.text != rule.text, rule.id
        assert re.findall(r"`[^`]+`|[A-Z]{2}-\d+", said.text) == re.findall(r"`[^`]+`|[A-Z]{2}-\d+", rule.text), rule.id
    chapters = [dict.fromkeys(one.chapter for one in rules) for rules in zip(*pairs, strict=True)]
    assert len(chapters[0]) == len(chapters[1])


def test_every_test_shows_a_rule_that_exists() -> None:
    assert set(shown_by()) - {rule for game in GAMES for rule in ids(game)} == set()


@pytest.mark.parametrize("game", GAMES)
def test_the_document_names_the_tests_that_show_each_rule(game: str) -> None:
    text = seeds.document(game).read_text(encoding="utf-8")
    assert rewritten(text, shown_by()) == text, "python -m tests.seeds.shown writes the names anew"


def test_every_foul_cites_a_rule_that_exists() -> None:
    assert set(RULE_OF) == set(Breach)
    assert set(RULE_OF.values()) <= ids("schotten-totten")


def test_every_option_is_named_with_its_rule_and_understood() -> None:
    document = tomllib.loads((seeds.FOLDER / "schotten_totten.toml").read_text(encoding="utf-8"))
    options = document["option"]
    assert [option["name"] for option in options] == list(KEYS[2:])
    for option in options:
        assert option["rule"] in ids("schotten-totten")
        assert parse_rules({option["name"]: option["default"]}) == Rules()
        for value in option["values"]:
            parse_rules({option["name"]: value})
    assert {source for rule in seeds.rules_of("schotten-totten") for source in rule.sources} == set(document["sources"])
