"""`marchwarden rules`: the numbered rules that verdicts cite."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from firmware.cli import BadInput
from firmware.cli.speech import answered
from firmware.messages import LANGUAGES, line
from seeds import GAMES, Rule, rules_of


@click.command("rules")
@click.argument("identifier", metavar="[ID]", required=False)
@click.option("--game", type=click.Choice(GAMES), help="Only the rules of this game.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the station's, or your system's; --json: en]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(identifier: str | None, game: str | None, lang: str | None, as_json: bool) -> None:
    """Show every rule, or the one with this ID (such as ST-205), with its source and the tests that show it."""
    lang = answered(lang, as_json=as_json)
    rules = [rule for name in ([game] if game else GAMES) for rule in rules_of(name, lang)]
    if identifier is not None:
        found = [rule for rule in rules if rule.id == identifier.upper()]
        if not found:
            raise BadInput("there is no rule {identifier!r}; `marchwarden rules` lists them all", identifier=identifier)
        click.echo(json.dumps(asdict(found[0]), ensure_ascii=False) if as_json else _whole(found[0], lang))
    elif as_json:
        click.echo(json.dumps([asdict(rule) for rule in rules], ensure_ascii=False))
    else:
        click.echo("\n".join(_listed(rules)))


def _whole(rule: Rule, language: str) -> str:
    sources = line("rule-source", language, sources=", ".join(rule.sources))
    shown = "\n".join(f"  {test}" for test in rule.shown_by)
    return f"{rule.id} {rule.title}\n\n{rule.text}\n\n{sources}\n{line('rule-shown', language)}\n{shown}"


def _listed(rules: list[Rule]) -> list[str]:
    lines: list[str] = []
    chapter = None
    for rule in rules:
        if rule.chapter != chapter:
            chapter = rule.chapter
            lines += ["", chapter] if lines else [chapter]
        lines.append(f"  {rule.id}  {rule.title}")
    return lines
