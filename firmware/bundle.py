"""A bug report as one archive: what the station is, what the doctor says, the last game and the last frames.

Nothing in it is secret and nobody is named unless that was asked for. `marchwarden referee` replays it. Knows files;
knows no device.
"""

from __future__ import annotations

import io
import json
import tarfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.event.facts import NamesAsked, PlayersNamed, decode
from firmware.journal import Entry, Kind
from firmware.last_frames import KeptFrame, kept_in
from firmware.redact import Redactor

FORMAT = 1
ABOUT, JOURNAL, FRAMES, DECK = "about.json", "journal.jsonl", "frames/", "deck.deck.npz"
LARGEST = 200 * 1024 * 1024  # nobody's bug report; somebody's attempt to fill a disk


class BadBundle(Exception):
    """A file that is no bundle, or one that cannot be used."""


@dataclass(frozen=True)
class Contents:
    """What goes into an archive. Texts are redacted on their way in, unless `with_names`."""

    about: Mapping[str, Any]
    entries: tuple[Entry, ...]
    documents: Mapping[str, Any]
    log: str
    frames: tuple[KeptFrame, ...]
    deck: Path | None = None
    with_names: bool = False


def pack(contents: Contents, target: Path) -> None:
    """Writes the archive, whole or not at all; raises OSError."""
    hide = _hider(contents)
    unfinished = target.with_name(f".{target.name}.part")
    try:
        with tarfile.open(unfinished, "w:gz") as archive:
            add_text(archive, ABOUT, json.dumps({"format": FORMAT, **contents.about}, indent=1))
            for name, document in contents.documents.items():
                add_text(archive, f"{name}.json", hide(json.dumps(document, ensure_ascii=False, indent=1)))
            lines = (json.dumps(_kept(entry, contents.with_names), ensure_ascii=False) for entry in contents.entries)
            add_text(archive, JOURNAL, hide("".join(f"{line}\n" for line in lines)))
            add_text(archive, "log.txt", hide(contents.log))
            for frame in contents.frames:
                archive.add(frame.path, FRAMES + frame.path.name, filter=_anonymous)
            if contents.deck is not None:
                archive.add(contents.deck, DECK, filter=_anonymous)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    data = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime = len(data), int(time.time())
    archive.addfile(entry, io.BytesIO(data))


def people_in(entries: Iterable[Entry]) -> set[str]:
    """Everybody whom a journal names: in a game's head, in what an event told of it later, or as the one who did
    something, by an order or not."""
    found = set()
    for entry in entries:
        found.add(entry.who.partition(" (order ")[0])
        found |= {str(value) for key, value in _head_in(entry).items() if key.startswith("player ")}
    return found


def _head_in(entry: Entry) -> Mapping[str, Any]:
    """What an entry says of the head of its game."""
    if entry.kind is Kind.BEGIN:
        return dict(json.loads(entry.line))
    fact = decode(entry.line) if entry.kind is Kind.NOTE else None
    return fact.head if isinstance(fact, PlayersNamed | NamesAsked) else {}


def game_of(entries: Iterable[Entry]) -> str | None:
    """The game that a journal's entries tell of, whatever the profile says by now."""
    heads = [json.loads(entry.line) for entry in entries if entry.kind is Kind.BEGIN]
    return str(heads[-1]["game"]) if heads and "game" in heads[-1] else None


def is_bundle(path: Path) -> bool:
    """Whether a file is an archive of ours."""
    try:
        with tarfile.open(path, "r:gz") as archive:
            return archive.next() is not None and ABOUT in archive.getnames()
    except (tarfile.TarError, OSError, EOFError):
        return False


@dataclass(frozen=True)
class Bundle:
    """An archive laid out in a folder of its own."""

    about: Mapping[str, Any]
    entries: tuple[Entry, ...]
    frames: tuple[KeptFrame, ...]
    deck: Path | None


def unpack(path: Path, folder: Path) -> Bundle:
    """Lays out what belongs to a bundle and nothing else: names are ours, sizes have a limit."""
    try:
        with tarfile.open(path, "r:gz") as archive:
            members = {member.name: member for member in archive.getmembers() if member.isfile()}
            if sum(member.size for member in members.values()) > LARGEST:
                raise BadBundle(f"{path} is larger than any bundle; it is not unpacked")

            def content(name: str) -> bytes:
                file = archive.extractfile(members[name])
                return file.read() if file is not None else b""

            about = json.loads(content(ABOUT))
            if about["format"] != FORMAT:
                raise BadBundle(f"{path} was made by another version")
            entries = tuple(_entry(line) for line in content(JOURNAL).decode().splitlines())
            (folder / "frames").mkdir()
            for name in members:
                if name.startswith(FRAMES) and "/" not in name.removeprefix(FRAMES):
                    (folder / "frames" / Path(name).name).write_bytes(content(name))
            if DECK in members:
                (folder / DECK).write_bytes(content(DECK))
    except (tarfile.TarError, OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BadBundle(f"{path} is no bundle or is damaged ({error})") from None
    frames = kept_in(folder / "frames")
    last = max((frame.game for frame in frames), default=0)
    deck = folder / DECK if (folder / DECK).is_file() else None
    return Bundle(about, entries, tuple(frame for frame in frames if frame.game == last), deck)


def _hider(contents: Contents) -> Callable[[str], str]:
    return Redactor(() if contents.with_names else people_in(contents.entries)).text


def _kept(entry: Entry, with_names: bool) -> dict[str, Any]:
    """An entry as it goes into the archive. Its hash is that of the original, so that the two can be matched."""
    document = entry.document()
    if with_names or entry.kind is not Kind.BEGIN:
        return document
    head = {key: value for key, value in json.loads(entry.line).items() if not key.startswith("player ")}
    return {**document, "line": json.dumps(head, ensure_ascii=False)}


def _entry(line: str) -> Entry:
    document = json.loads(line)
    return Entry(**{**document, "kind": Kind(document["kind"])})


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
