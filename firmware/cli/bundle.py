"""`marchwarden bundle`: a bug report as one archive, with nothing secret in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.cli.speech import answered
from firmware.messages import LANGUAGES, line

if TYPE_CHECKING:
    from firmware.bundle import Contents
    from firmware.journal import Entry

LOG = ("journalctl", "--unit", "marchwarden", "--lines", "2000", "--no-pager", "--no-hostname")


@click.command("bundle")
@click.argument("target", required=False, metavar="[FILE]", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--with-names", is_flag=True, help="Leave the names of players and judges in.")
@click.option("--with-deck", is_flag=True, help="Put the enrolled deck in, so that others can replay it.")
@click.option("--without-frames", is_flag=True, help="Leave the last pictures of the table out.")
@click.option("--profile", "name", metavar="NAME", help="A hardware profile [default: the one in force].")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the station's, or your system's; --json: en]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def command(
    target: Path | None,
    with_names: bool,
    with_deck: bool,
    without_frames: bool,
    name: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Write FILE, a diagnostic archive: profile, doctor's report, last game, last frames, log."""
    from firmware.bundle import pack

    target = target or Path(f"marchwarden-{datetime.now(UTC):%Y%m%d-%H%M%S}.tar.gz")
    if not target.name:
        raise BadInput("a bundle needs the name of a file, such as report.tar.gz")
    contents = _contents(name, with_names=with_names, with_deck=with_deck, with_frames=not without_frames)
    try:
        pack(contents, target)
    except OSError as error:
        raise BadInput(
            "{target} cannot be written ({why}); name another file", target=target, why=error.strerror
        ) from None
    found = {"file": str(target), "frames": len(contents.frames), "entries": len(contents.entries)}
    words = line(
        "bundled",
        answered(lang, as_json=as_json),
        target=str(target),
        frames=len(contents.frames),
        entries=len(contents.entries),
    )
    click.echo(json.dumps(found) if as_json else words)


def _contents(name: str | None, *, with_names: bool, with_deck: bool, with_frames: bool) -> Contents:
    from firmware.bundle import Contents, game_of
    from firmware.cli.doctor import site_of
    from firmware.doctor.examine import examine
    from firmware.last_frames import kept_in, mark
    from hardware_config.load import leaves
    from vision.deck import path_of

    site = site_of(name)
    profile = site.profile
    report = [finding.document(check, "en") for check, finding in examine(site)]
    entries = _last_game(site.journal)
    table = profile.table if profile is not None else None
    deck = path_of(table.deck, site.decks) if with_deck and table is not None else None
    if deck is not None and not deck.is_file():
        raise BadInput("there is no deck {deck} to put in; leave --with-deck out", deck=deck)
    game = game_of(entries) or (table.game if table is not None else "schotten-totten")
    about = {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": metadata.version("marchwarden"),
        "game": game,
        "deck": table.deck if table is not None and table.game == game else "drawn",
        "names": with_names,
    }
    documents: dict[str, Any] = {"doctor": report, "profile": leaves(profile) if profile is not None else site.mistakes}
    kept = kept_in(folders.frames()) if with_frames else []
    frames = tuple(frame for frame in kept if frame.mark == mark(entries))
    log = site.probe.output(LOG) or ""
    return Contents(about, entries, documents, log, frames, deck, with_names)


def _last_game(journal: Path) -> tuple[Entry, ...]:
    """The entries of the last game in which something happened: after a trouble a new one is soon begun. A journal that
    cannot be read is the doctor's to report."""
    from firmware.faults import JournalFault
    from firmware.journal import Kind, Reader

    try:
        reader = Reader(journal)
        try:
            everything = tuple(reader.entries())
        finally:
            reader.close()
    except JournalFault:
        return ()
    played = [entry.game for entry in everything if entry.kind in (Kind.FACT, Kind.ACT)]
    last = max(played or [entry.game for entry in everything], default=0)
    return tuple(entry for entry in everything if entry.game == last)
