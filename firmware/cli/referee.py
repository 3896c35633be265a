"""`marchwarden referee`: judge a recording, event by event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from firmware import folders
from firmware.bundle import is_bundle
from firmware.cli import BadInput
from firmware.cli.endings import FOUL, ending
from firmware.cli.referee_bundle import of_bundle
from firmware.cli.speech import answered, said
from firmware.games import GAMES
from firmware.messages import LANGUAGES

STILLS, FILM = 1, 3  # frames that must agree, unless it is said


@click.command("referee")
@click.argument("source", metavar="SOURCE")
@click.option("--deck", "deck_name", metavar="DECK", help="The enrolled deck that is played with (drawn: our own).")
@click.option("--decks", "decks", metavar="DIR", help="Where decks live (or MARCHWARDEN_DECKS).")
@click.option("--json", "as_json", is_flag=True, help="One JSON document a line for each event.")
@click.option("--settle", "settle", type=click.IntRange(1, 100), help="How many agreeing frames make a reading count.")
@click.option("--game", "game", type=click.Choice(tuple(GAMES)), default="schotten-totten", show_default=True)
@click.option(
    "--rules", "rules", help="As in a record's head, such as expert or seats=3 bruce [default: tactics, seats=2]."
)
@click.option("--first", type=click.Choice(list("ABCDE")), help="Who begins; else whoever lays the first card, or A.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the station's, or your system's; --json: en]")
def command(
    source: str,
    deck_name: str | None,
    decks: str | None,
    as_json: bool,
    settle: int | None,
    game: str,
    rules: str | None,
    first: str | None,
    lang: str | None,
) -> None:
    """Referee SOURCE: a folder of images in name order, a video file, a game record or a bundle."""
    lang, path = answered(lang, as_json=as_json), Path(source)
    if not path.exists():
        raise BadInput(
            "there is no folder or file {source}; give a folder of images, a video or a game record", source=source
        )
    if path.is_file() and _is_text(path):
        events = _of_record(path, lang)
    elif path.is_file() and is_bundle(path):
        events = of_bundle(path, deck_name, Path(decks) if decks else folders.decks(), lang)
    else:
        head = head_of(game, rules, first)
        folder = Path(decks) if decks else folders.decks()
        events = _of_pictures(path, deck_name, folder, game, head, settle, lang)
    for event in events:
        click.echo(json.dumps(event, ensure_ascii=False) if as_json else _spoken(event, lang))


def head_of(game: str, rules: str | None, first: str | None) -> dict[str, str]:
    """The head of a recording's record; how many play is two unless it is said, as in any record."""
    if game == "schotten-totten":
        return {"rules": rules or "tactics"} | ({"first": first} if first else {})
    return {"rules": f"seats=2 {rules or ''}".strip()} | ({"initiative": first} if first else {})


def _is_text(path: Path) -> bool:
    """Whether a file is a record: text all through its beginning."""
    try:
        start = path.read_bytes()[:4096]
    except OSError as error:
        raise BadInput(
            "{path} cannot be read ({why}); give a folder, a video or a game record", path=path, why=error.strerror
        ) from None
    if not start:
        raise BadInput("{path} is empty; give a folder of images, a video or a game record", path=path)
    return b"\0" not in start and _decodes(start)


def _decodes(start: bytes) -> bool:
    try:
        start[: len(start) - 3].decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def _of_record(path: Path, language: str) -> Iterator[dict[str, Any]]:
    """A record, judged as `replay` does; a line of it stands for a frame."""
    from engine.record import check_acts
    from engine.referee import opening
    from engine.rules import BadRecord
    from firmware.cli.replay import replayed, understood

    try:
        game, record = understood(path.read_text(encoding="utf-8-sig"))
        check_acts(record, game.players)
        start = opening(game, record.head)
    except (BadRecord, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: {error}") from None
    line = 0
    for event, _ in replayed(record, start, language):
        line += event["event"] != "end"
        yield {"seq": event["seq"], "frame": record.lines[line - 1], **event}


def _of_pictures(
    path: Path, deck: str | None, decks: Path, name: str, head: dict[str, str], settle: int | None, language: str
) -> Iterator[dict[str, Any]]:
    from engine.rules import BadRecord
    from firmware.decks import find_deck
    from firmware.drivers.camera_folder import RecordedCamera
    from firmware.eye import Manners, eye_of
    from firmware.faults import NoMoreFrames, PartFault
    from firmware.games import refereed
    from firmware.recording import Recording
    from vision.deck import BadDeck

    if deck is None:
        raise BadInput("say with --deck which deck is played with; `marchwarden enroll` makes one, drawn is our own")
    game = refereed(name)
    frames = settle or (STILLS if path.is_dir() else FILM)
    camera = RecordedCamera(path)
    try:
        camera.open()
        eye = eye_of(game, find_deck(deck, decks, name), Manners(frames, stills=True))
        recording = Recording(game, eye, head, language)
    except (PartFault, BadDeck, BadRecord) as error:
        raise BadInput(str(error)) from None
    try:
        while not recording.is_over:
            yield from recording.watch(camera.read())
    except NoMoreFrames:
        if not recording.has_seen:
            raise BadInput(
                "{path}: no picture shows the mat, {frames} in a row alike; show the whole mat",
                path=path,
                frames=frames,
            ) from None
        yield from recording.finish()
    except PartFault as fault:
        raise BadInput(str(fault)) from None
    finally:
        camera.close()
        recording.close()


def _spoken(event: dict[str, Any], language: str) -> str:
    if event["event"] == "end":
        words = ending(event["winner"], event["by"], language)
    else:
        fouls = ", ".join(foul["rule"] for foul in event.get("fouls", ()))
        verdict = "" if event.get("legal", True) else f"  {FOUL[language]} {fouls}"
        words = f"{event.get('words') or event.get('line', '')}{verdict}"
    return said("{seq:>4}  frame {frame:>5}  {words}", seq=event["seq"], frame=event["frame"], words=words)
