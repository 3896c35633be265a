"""What the law of Lords of Scotland cites stands in seeds/lords_of_scotland.md, its options in the file beside it."""

from __future__ import annotations

import tomllib

import seeds
from engine.lords_of_scotland.fouls import RULE_OF, Breach
from engine.lords_of_scotland.options import KEYS, Rules, parse_rules

RULES = seeds.rules_of("lords-of-scotland")
IDS = {rule.id for rule in RULES}


def test_every_foul_cites_a_rule_that_exists() -> None:
    assert set(RULE_OF) == set(Breach)
    assert set(RULE_OF.values()) <= IDS


def test_the_french_rules_block_and_turn_cards_in_the_words_of_the_rulebook() -> None:
    said = {rule.id: rule.text for rule in seeds.rules_of("lords-of-scotland", "fr")}
    assert "n'a une force inférieure à la sienne" in said["LS-301"], "n'est plus faible: is weak no more"
    assert "leur force est inférieure ou égale" in said["LS-302"]
    assert "à l'horizontale" in said["LS-106"]
    assert "à l'horizontale" in said["LS-305"]
    assert "jeton Pouvoir" in said["LS-315"]


def test_every_option_is_named_with_its_rule_and_understood() -> None:
    document = tomllib.loads((seeds.FOLDER / "lords_of_scotland.toml").read_text(encoding="utf-8"))
    assert [option["name"] for option in document["option"]] == list(KEYS[1:])
    for option in document["option"]:
        assert option["rule"] in IDS
        assert parse_rules({option["name"]: option["default"]}) == Rules()
        for value in option["values"]:
            parse_rules({"rules": "seats=5", option["name"]: value})
    assert {source for rule in RULES for source in rule.sources} == set(document["sources"])
    assert (seeds.FOLDER / document["deck"]).exists()
