"""`marchwarden replay`: judge a game record, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from engine.record import HEAD_KEYS, Record, check_acts, entry_line, parse_record, read_head
from engine.referee import (
    Act,
    Corrected,
    Decided,
    Paused,
    RefereeState,
    Reopened,
    Resumed,
    Ruled,
    Told,
    Undone,
    opening,
    tell,
)
from engine.rules import BadRecord
from engine.verdicts import Verdict
from firmware.cli import BadInput, standard_input
from firmware.cli.endings import FOUL, ending
from firmware.cli.speech import answered

LANGUAGES = ("en", "fr", "es")
LARGEST_BYTES = 10_000_000

State = RefereeState[Any, Any]


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line for each event.")
@click.option("--strict", is_flag=True, help="Exit with 1 if the record contains a foul.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the station's, or your system's; --json: en]")
def command(file: str, as_json: bool, strict: bool, lang: str | None) -> None:
    """Judge every line of a game record; - reads standard input."""
    lang = answered(lang, as_json=as_json)
    try:
        text = _read(file)
        game, record = understood(text)
        check_acts(record, game.players)
        start = opening(game, record.head)
    except BadRecord as error:
        raise BadInput(f"{file}: {error}") from None
    fouls = 0
    for event, line in replayed(record, start, lang):
        fouls += len(event.get("fouls", ()))
        click.echo(json.dumps(event, ensure_ascii=False) if as_json else _spoken(event, line, lang))
    if strict and fouls:
        raise SystemExit(1)


def _read(file: str) -> str:
    try:
        raw = standard_input().read(LARGEST_BYTES + 1) if file == "-" else _file(file)
    except OSError as error:
        raise BadRecord(f"cannot be read ({error.strerror}); expected a game record") from None
    if len(raw) > LARGEST_BYTES:
        raise BadRecord(f"is larger than {LARGEST_BYTES} bytes; expected a game record")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRecord(f"byte {error.start + 1}: expected text in UTF-8, found something else") from None


def _file(name: str) -> bytes:
    try:
        with Path(name).open("rb") as stream:
            return stream.read(LARGEST_BYTES + 1)
    except ValueError:
        raise BadRecord("this cannot be the name of a file; expected a game record") from None


def understood(text: str) -> tuple[Any, Record[Any]]:
    """The game that the record's head names, and the record in its terms."""
    name = read_head(text).get("game", "schotten-totten").lower()
    if name == "lords-of-scotland":
        from engine.lords_of_scotland.game import game_for
        from engine.lords_of_scotland.options import KEYS as LORDS_KEYS
        from firmware.card_list import lords_of_scotland_deck

        known = (*HEAD_KEYS, *LORDS_KEYS)
        game: Any = game_for(read_head(text, known), lords_of_scotland_deck())
        return game, parse_record(text, game.parse, known)
    if name == "schotten-totten":
        from engine.schotten_totten.game import SchottenTotten
        from engine.schotten_totten.options import KEYS

        game = SchottenTotten()
        return game, parse_record(text, game.parse, (*HEAD_KEYS, *KEYS))
    raise BadRecord(f"game: expected schotten-totten or lords-of-scotland, found {name!r}")


def replayed(record: Record[Any], start: State, language: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Every event of the record as it is judged, with its line; `end` follows the event that ends the game."""
    state, seq = start, 0
    for entry in record.entries:
        before = state
        state = tell(state, entry, start)
        seq += 1
        yield {"seq": seq, **_event(before, state, entry, language)}, entry_line(entry)
        if _ending(state) not in (None, _ending(before)):
            seq += 1
            yield {"seq": seq, "event": "end", **(_ending(state) or {})}, ""


def _event(before: State, state: State, entry: Any, language: str) -> dict[str, Any]:
    match entry:
        case Undone() | Paused() | Resumed() | Ruled() | Decided() | Reopened() | Corrected():
            return {"event": _NAMES[type(entry)], "line": entry_line(entry)}
        case _:
            return judged(before, state.told[-1], language)


_NAMES: Mapping[type[Act | Corrected[Any]], str] = {
    Undone: "undo",
    Paused: "pause",
    Resumed: "resume",
    Ruled: "ruling",
    Decided: "result",
    Reopened: "reopened",
    Corrected: "correction",
}


def judged(before: State, told: Told[Any], language: str) -> dict[str, Any]:
    """A fact with its verdict, as the event of a stream."""
    fouls = [
        {"rule": foul.rule, "words": _sentence(before, told, Verdict((foul,), told.verdict.finding), language)}
        for foul in told.verdict.fouls
    ]
    return {
        **before.game.event(told.fact, told.verdict),
        "legal": told.verdict.legal,
        "fouls": fouls,
        "words": _sentence(before, told, told.verdict, language),
    }


def _sentence(before: State, told: Told[Any], verdict: Verdict, language: str) -> str:
    sentence: str = before.game.words(before.position, told.fact, verdict, language).sentence
    return sentence


def _ending(state: State) -> dict[str, Any] | None:
    """Who has won and by what; a result entered by hand comes before what was played."""
    if state.decision is not None:
        return {"winner": state.decision.winner, "by": "decision"}
    summary = state.game.summary(state.position)
    return None if summary.winner is None else {"winner": summary.winner, "by": summary.won_by}


_ENDS = {"en": "end", "fr": "fin", "es": "fin"}


def _spoken(event: dict[str, Any], line: str, language: str) -> str:
    if event["event"] == "end":
        return f"{event['seq']:4}  {_ENDS[language]}: {ending(event['winner'], event['by'], language)}"
    head = f"{event['seq']:4}  {line:<28}"
    if event.get("legal", True):
        return f"{head} {event.get('words', '')}".rstrip()
    fouls = (f"        {foul['rule']}: {foul['words']}" for foul in event["fouls"])
    return "\n".join([f"{head} {FOUL[language]}", *fouls])
