"""`marchwarden journal`: look at what was kept, check that it is whole, take it out."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.cli.endings import ending
from firmware.cli.speech import language, said, say
from firmware.faults import JournalDamaged, JournalFault
from firmware.journal import Entry, Kind, Reader, is_open, set_aside
from firmware.messages.told import told


def _reader(path: str | None) -> Reader:
    source = Path(path) if path else folders.journal()
    if not source.exists():
        raise BadInput("there is no journal {source}; --journal names another file", source=source)
    try:
        return Reader(source)
    except JournalFault as fault:
        raise BadInput("{fault}; --journal names another file", fault=fault) from None


_where = click.option("--journal", "path", metavar="FILE", help="The journal; the station's own if left out.")


@click.group("journal")
def command() -> None:
    """Look at the journal of games, check it, export it."""


@command.command("list")
@_where
@click.option("--json", "as_json", is_flag=True, help="One JSON document for each game.")
def list_games(path: str | None, as_json: bool) -> None:
    """The games that were played, with their results."""
    games: dict[int, list[Entry]] = {}
    reader = _reader(path)
    try:
        for entry in reader.entries():
            games.setdefault(entry.game, []).append(entry)
        documents = [_game(number, entries, reader.path) for number, entries in sorted(games.items()) if number]
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    for document in documents:
        click.echo(json.dumps(document, ensure_ascii=False) if as_json else _line(document))


@command.command("verify")
@_where
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def verify(context: click.Context, path: str | None, as_json: bool) -> None:
    """Follow the chain from the first entry to the last; exit 1 at an entry that was changed."""
    reader = _reader(path)
    try:
        head = reader.verify()
        count = sum(1 for _ in reader.entries())
    except JournalDamaged as fault:
        why = told(str(fault), language())
        click.echo(json.dumps({"whole": False, "why": str(fault)}, ensure_ascii=False) if as_json else why)
        context.exit(1)
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    if as_json:
        click.echo(json.dumps({"whole": True, "entries": count, "head": head}))
    else:
        say(
            "{path}: {count} entries, all as they were written; the last one is {head}",
            path=reader.path,
            count=count,
            head=head,
        )


@command.command("export")
@_where
@click.option("--game", type=int, help="Only the game of this number.")
@click.option("--record", "as_record", is_flag=True, help="As a game record instead of JSON lines; needs --game.")
def export(path: str | None, game: int | None, as_record: bool) -> None:
    """Every entry as one JSON document a line, or one game as a record."""
    if as_record and game is None:
        raise BadInput("a record is of one game: say which with --game N")
    reader = _reader(path)
    try:
        entries = list(reader.entries(game))
        lines = _record(entries, reader.path) if as_record else _documents(entries)
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    if game is not None and not entries:
        raise BadInput("there is no game {game}; `marchwarden journal list` shows them", game=game)
    for line in lines:
        click.echo(line)


@command.command("aside")
@_where
def aside(path: str | None) -> None:
    """Move a damaged journal out of the way, whole, so that a new one can begin."""
    source = Path(path) if path else folders.journal()
    if not source.is_file():
        raise BadInput("there is no journal {source}; --journal names another file", source=source)
    try:
        kept = set_aside(source)
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    say("{source} is kept as {kept}; the next game begins a new journal", source=source, kept=kept)


def _game(number: int, entries: list[Entry], path: Path) -> dict[str, object]:
    ends = [] if is_open(entries) else _said(entries, Kind.END, path)
    heads = _said(entries, Kind.BEGIN, path)
    facts = sum(entry.kind is Kind.FACT for entry in entries)
    result = {"winner": None, "by": None} | (ends[-1] if ends else {})
    return {"game": number, "began": entries[0].at, "head": heads[-1] if heads else {}, "facts": facts, **result}


def _line(game: dict[str, object]) -> str:
    result = ending(game["winner"], game["by"], language()) if game["by"] else said("not over")
    number, facts = int(str(game["game"])), int(str(game["facts"]))
    return said(
        "game {number:>4}  {began}  {facts:>3} facts  {result}",
        number=number,
        began=game["began"],
        facts=facts,
        result=result,
    )


def _said(entries: list[Entry], kind: Kind, path: Path) -> list[dict[str, object]]:
    """What the entries of this kind hold: a table each, unless somebody changed it."""
    found = []
    for entry in (entry for entry in entries if entry.kind is kind):
        try:
            document = json.loads(entry.line)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise JournalDamaged(f"{path}: entry {entry.seq} is not what was written; it is kept as it is")
        found.append(document)
    return found


def _documents(entries: list[Entry]) -> list[str]:
    return [json.dumps(entry.document(), ensure_ascii=False) for entry in entries]


def _record(entries: list[Entry], path: Path) -> list[str]:
    heads = _said(entries, Kind.BEGIN, path)
    head = [f"{key}: {value}" for key, value in (heads[-1] if heads else {}).items()]
    return [*head, "", *(entry.line for entry in entries if entry.kind in (Kind.FACT, Kind.ACT))]
