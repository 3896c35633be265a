"""`marchwarden referee BUNDLE`: judge the last frames of a bug report again, from where its game stood then."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from firmware.cli import BadInput

if TYPE_CHECKING:
    from firmware.bundle import Bundle
    from firmware.journal import Line
    from firmware.recording import Recording
    from vision.frame import Picture


def of_bundle(path: Path, deck: str | None, decks: Path, language: str) -> Iterator[dict[str, Any]]:
    """Every event that the frames settle; without frames, the game as its journal tells it."""
    from firmware.bundle import BadBundle, unpack

    with tempfile.TemporaryDirectory(prefix="marchwarden-") as folder:
        try:
            bundle = unpack(path, Path(folder))
        except BadBundle as error:
            raise BadInput(str(error)) from None
        if bundle.frames:
            yield from _watched(bundle, deck, decks, language)
        else:
            yield from _told(bundle, language)


def _watched(bundle: Bundle, deck: str | None, decks: Path, language: str) -> Iterator[dict[str, Any]]:
    import cv2

    from engine.rules import BadRecord
    from firmware.decks import find_deck
    from firmware.eye import Manners, eye_of
    from firmware.faults import JournalFault
    from firmware.games import refereed
    from firmware.journal import Kind, Line
    from firmware.ports import Frame
    from firmware.recording import Recording as Watching
    from vision.deck import BadDeck

    name = str(bundle.about["game"])
    chosen = deck or (str(bundle.deck) if bundle.deck is not None else str(bundle.about["deck"]))
    game = refereed(name)
    told = [Line(entry.kind, entry.line, entry.who) for entry in bundle.entries if entry.kind in (Kind.FACT, Kind.ACT)]
    before = told[: bundle.frames[0].entries]
    try:
        eye = eye_of(game, find_deck(chosen, decks, name), Manners(1, stills=True))
        recording = Watching(game, eye, _head(bundle), language, before)
    except BadDeck as error:
        raise BadInput("{error}; --deck names another one, `bundle --with-deck` puts it in", error=error) from None
    except (BadRecord, JournalFault) as error:
        raise BadInput("the bundle's journal makes no sense ({error})", error=error) from None
    try:
        done = bundle.frames[0].entries
        for frame in bundle.frames:
            for entry in told[done : frame.entries]:
                _repeat(recording, entry)
            done = frame.entries
            pixels = cv2.imread(str(frame.path), cv2.IMREAD_COLOR)
            if pixels is None:
                raise BadInput("{name} of the bundle is no picture; make the bundle again", name=frame.path.name)
            shown = Frame(frame.number, cast("Picture", pixels), float(frame.number), frame.path.name)
            yield from recording.watch(shown)
        yield from recording.finish()
    finally:
        recording.close()


def _repeat(recording: Recording, entry: Line) -> None:
    """What people did and told between two frames is done again; what the camera saw is left to the frames."""
    from engine.record import parse_entry
    from engine.referee import Corrected, Decided, Paused, Reopened, Resumed, Ruled, Undone
    from firmware.commands import Command, Correct, Decide, Pause, Reopen, Rule, Tell, Undo
    from firmware.journal import Kind

    command: Command
    match parse_entry(entry.text, recording.station.refereed.game.parse):
        case Undone():
            command = Undo()
        case Paused() | Resumed():
            command = Pause()
        case Ruled(number, stands, by, reason):
            command = Rule(number, stands, by, reason)
        case Decided(winner, by, reason):
            command = Decide(winner, by, reason)
        case Reopened(by, reason):
            command = Reopen(by, reason)
        case Corrected(number, fact, by):
            command = Correct(number, str(fact), by)
        case _ if entry.kind is Kind.FACT and entry.who != "camera":
            command = Tell(entry.text)
        case _:
            return
    recording.station.take(command)


def _told(bundle: Bundle, language: str) -> Iterator[dict[str, Any]]:
    from engine.record import parse_record
    from engine.referee import opening
    from engine.rules import BadRecord
    from firmware.cli.replay import replayed
    from firmware.games import refereed
    from firmware.journal import Kind

    game = refereed(str(bundle.about["game"]))
    head = [f"{key}: {value}" for key, value in _head(bundle).items()]
    lines = [entry.line for entry in bundle.entries if entry.kind in (Kind.FACT, Kind.ACT)]
    if not lines:
        raise BadInput("the bundle holds neither frames nor a game; there is nothing to referee")
    law: Any = game.game
    try:
        record = parse_record("\n".join([*head, "", *lines, ""]), law.parse, game.head_keys)
        start = opening(law, record.head)
        for event, _ in replayed(record, start, language):
            yield {"seq": event["seq"], "frame": event["seq"], **event}
    except BadRecord as error:
        raise BadInput("the bundle's journal makes no sense ({error})", error=error) from None


def _head(bundle: Bundle) -> dict[str, str]:
    """The game's head: the last one that was written counts."""
    from firmware.journal import Kind

    heads = [json.loads(entry.line) for entry in bundle.entries if entry.kind is Kind.BEGIN]
    return {str(key): str(value) for key, value in (heads[-1] if heads else {}).items() if key != "game"}
