"""`marchwarden adjudicate`: for every Stone of a position, who could claim it and why; of a skirmish, the ranking."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from engine.lords_of_scotland.document import GAME as SKIRMISH
from engine.lords_of_scotland.fields import show
from engine.schotten_totten.claim_words import claim_words
from engine.schotten_totten.claims import Finding, judge_all
from engine.schotten_totten.document import GAME, BadDocument, Document, claim_to_json, parse_document
from engine.schotten_totten.score import victory
from engine.schotten_totten.vocabulary import LANGUAGES
from firmware.cli import BadInput, adjudicate_skirmish, standard_input
from firmware.cli.speech import answered
from firmware.games import GAMES


@click.command("adjudicate")
@click.argument("positions", metavar="POSITION.json…", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line for each position.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the station's, or your system's; --json: en]")
def command(positions: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Say for every Stone whether A or B could claim it, and why; of a skirmish, which army stands where.

    Each POSITION.json is one JSON document; - reads standard input, one document a line. Every position is answered
    as soon as it is read; the first bad one ends the run.
    """
    lang = answered(lang, as_json=as_json)
    if not positions:
        raise BadInput("no position was given; name a JSON file, or - for standard input")
    for where, text in _texts(positions):
        if _game(where, text) == SKIRMISH:
            click.echo(adjudicate_skirmish.answer(where, text, as_json, lang))
            continue
        try:
            document = parse_document(text)
        except BadDocument as error:
            raise BadInput(f"{where}: {error}") from None
        click.echo(_as_json(document, lang) if as_json else _as_text(where, document, lang))


def _game(where: str, text: bytes) -> str:
    """The game that a document names; one that names none is told by its armies. What is no document says so itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return GAME
    if not isinstance(value, dict):
        return GAME
    game = value.get("game", SKIRMISH if "armies" in value and "stones" not in value else GAME)
    if not isinstance(game, str) or game not in GAMES:
        raise BadInput(
            "{where}: game is {game}; expected {games}", where=where, game=show(game), games=" / ".join(GAMES)
        )
    return game


def _texts(positions: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Each document with the name of where it comes from."""
    for name in positions:
        if name == "-":
            for number, line in enumerate(standard_input(), start=1):
                if line.strip():
                    yield f"standard input (one document a line), line {number}", line
        else:
            yield click.format_filename(name), _read(name)


def _read(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        shown = click.format_filename(name)
        raise BadInput(
            "cannot read {shown}: {why}; expected a file with a JSON document", shown=shown, why=error.strerror
        ) from None
    except ValueError:
        raise BadInput(
            "{name!r} cannot be the name of a file; expected a file with a JSON document", name=name
        ) from None


def _as_json(document: Document, lang: str) -> str:
    claims = [
        claim_to_json(number, finding, claim_words(number, finding, lang).sentence)
        for number, pair in enumerate(_findings(document), start=1)
        for finding in pair
    ]
    won = victory(document.stones)
    return json.dumps({"claims": claims, "winner": won and won.winner})


def _as_text(where: str, document: Document, lang: str) -> str:
    lines = [f"{where}:"]
    for number, pair in enumerate(_findings(document), start=1):
        # A claimed Stone says the same to both.
        lines += dict.fromkeys(f"  {claim_words(number, finding, lang).sentence}" for finding in pair)
    won = victory(document.stones)
    if won is not None:
        lines.append(f"  {_HAS_WON[lang].format(player=won.winner)}")
    return "\n".join(lines)


def _findings(document: Document) -> tuple[tuple[Finding, Finding], ...]:
    return judge_all(document.stones, document.discard, document.rules.proof)


_HAS_WON = {"en": "{player} has won.", "fr": "{player} a gagné.", "es": "Ganó {player}."}
