"""`marchwarden enroll`: make a deck from a folder of scans or photographs, and say what is wrong with them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from engine.lords_of_scotland.cards import default_deck
from engine.schotten_totten.cards import CLAN_CARDS, STONES, TACTIC_CARDS
from firmware.cli import BadInput
from firmware.cli.decks import decks_folder, decks_option
from firmware.cli.enroll_camera import BadScans, camera_options, photographed
from firmware.cli.speech import said
from firmware.pictures import SUFFIXES, is_hidden, read_picture, write_picture
from vision.deck import BadDeck, Deck, is_back, path_of
from vision.enrol import Enrolment, Pair, confusions, twins

_CLAN = tuple(str(card) for card in CLAN_CARDS)
_TACTIC = tuple(str(card) for card in TACTIC_CARDS)
_STONES = tuple(f"stone{stone}" for stone in STONES)
_LORDS = default_deck().codes
_BRUCE = tuple(code for code in _LORDS if code.startswith("bruce"))


@dataclass(slots=True)
class Report:
    """What enrolment found: `faults` make the deck unusable, `notes` only want to be known."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    alike: tuple[Pair, ...] = ()

    def as_document(self, deck: Deck, file: Path) -> dict[str, Any]:
        return {
            "deck": deck.name,
            "file": str(file),
            "cards": [code for code in deck.codes if code not in deck.backs],
            "backs": sorted(deck.backs),
            "stones": sorted(deck.tiles_bgr),
            "notes": self.notes,
            "alike": [{"one": p.one, "other": p.other, "distance": round(p.distance, 2)} for p in self.alike],
        }


@click.command(name="enroll")
@click.argument("deck")
@click.option(
    "--from",
    "scans",
    type=click.Path(path_type=Path),
    help="A folder of scans or photographs, each named by its card's code: r1.jpg, joker1.png, stone1.jpg, back.jpg; "
    "scott1.jpg for Lords of Scotland. "
    "Without it the station's camera takes the cards one by one.",
)
@camera_options
@decks_option
@click.option("--partial", is_flag=True, help="Enrol the deck although scans are missing.")
@click.option(
    "--report", "pictures", type=click.Path(path_type=Path), help="A folder for pictures of likely confusions."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
def command(
    deck: str,
    scans: Path | None,
    folder: Path | None,
    partial: bool,
    pictures: Path | None,
    as_json: bool,
    **camera: str | None,
) -> None:
    """Make a deck named DECK from a folder of scans, or card by card in front of the camera."""
    target = _target(deck, decks_folder(folder))

    def make(taken: Path, mended: Deck | None = None) -> tuple[Deck, Report]:
        made, report = _made(taken, deck, partial=partial, quiet=as_json, mended=mended)
        try:
            made.save(target.parent)
        except OSError as error:
            raise BadInput(
                "{target} cannot be written ({why}); --decks names another folder.", target=target, why=error.strerror
            ) from None
        return made, report

    made, report = photographed(target, make, quiet=as_json, **camera) if scans is None else make(scans)
    if pictures is not None:
        _draw_pairs(made, report.alike, pictures)
    click.echo(json.dumps(report.as_document(made, target)) if as_json else _words(made, target, report))


def _made(scans: Path, name: str, *, partial: bool, quiet: bool, mended: Deck | None = None) -> tuple[Deck, Report]:
    """The deck of a folder's pictures; those that are not there are taken from the deck that they mend."""
    enrolment, report = taken_from(scans, name, quiet=quiet, mended=mended)
    codes = set(enrolment.faces) | set(enrolment.tiles)
    missing, notes = missing_from(codes)
    report.notes += notes
    if missing and partial:
        report.notes.append(f"enrolled without {_listed(missing)}")
    elif missing:
        report.faults.append(f"missing {_listed(missing)} (add them, or enrol without by --partial)")
    if not enrolment.faces:
        report.faults.append("no card can be used")
        raise BadInput("{scans}: {faults}.", scans=scans, faults=report.faults)
    made = enrolment.deck()
    report.alike = confusions(made)
    same = twins(report.alike)
    report.faults += [f"{pair.one} and {pair.other} show the same card: scan them again" for pair in same]
    if report.faults:
        only_twins = same if len(same) == len(report.faults) else ()
        raise BadScans(scans, report.faults, only_twins)
    return made, report


def taken_from(scans: Path, name: str, quiet: bool = False, mended: Deck | None = None) -> tuple[Enrolment, Report]:
    """Every picture of a folder taken in, on top of the deck that they mend; and what was wrong with some."""
    if not scans.is_dir():
        raise BadInput(
            "{scans} is no folder: --from takes a folder of pictures named by code, such as r1.jpg.", scans=scans
        )
    files = sorted(path for path in scans.iterdir() if path.suffix.lower() in SUFFIXES and not is_hidden(path))
    if not files:
        raise BadInput(
            "{scans} holds no pictures: put scans there, named by code, such as r1.jpg or r1.png.", scans=scans
        )
    codes = {path.stem.lower() for path in files}
    # Codes of our games are written small, whatever a scanner made of them; another deck's are its owner's.
    refereed = any(len(codes & set(game)) >= len(game) // 3 for game in (_CLAN, _LORDS))
    report = Report()
    if mended is None:  # the mats of our games have places for cards of one size; other decks are only scanned
        enrolment = Enrolment(name, any_size=not refereed)
    else:
        faces = {code: mended.face(code) for code in mended.codes}
        enrolment = Enrolment(name, mended.card_mm, mended.tile_mm, faces=faces, tiles=dict(mended.tiles_bgr))
    seen: dict[str, Path] = {}
    with click.progressbar(files, label="Enrolling", file=sys.stderr, hidden=quiet) as bar:
        for path in bar:
            small = path.stem.lower()
            code = small if refereed or is_back(small) else path.stem
            if code in seen:
                report.faults.append(f"{seen[code].name} and {path.name} are both {code}: keep one")
                continue
            seen[code] = path
            picture = read_picture(path)
            fault = "cannot be read as a picture" if picture is None else enrolment.take(code, picture)
            if fault is not None:
                report.faults.append(f"{path.name}: {fault}")
    return enrolment, report


def missing_from(codes: set[str]) -> tuple[list[str], list[str]]:
    """The scans that a deck of a game that is refereed lacks, and what it does without. Other decks lack nothing.

    A base-game deck of Schotten Totten has no Tactic cards at all, and Stones need no pictures; half a set is a
    mistake. Lords of Scotland is played without the two Bruce at first, but never without backs.
    """
    if len(codes & set(_LORDS)) >= len(_LORDS) // 3:
        lacking = [code for code in (*_LORDS, "back") if code not in codes]
        bruce = [code for code in lacking if code.startswith("bruce")]
        if len(bruce) < len(_BRUCE):
            return lacking, []
        return [code for code in lacking if code not in bruce], ["no Bruce among the scans: the deck does without them"]
    if len(codes & set(_CLAN)) < len(_CLAN) // 3:
        return [], []
    missing = [code for code in _CLAN if code not in codes]
    notes = []
    for what, wanted in (("Tactic cards", _TACTIC), ("Stones", _STONES)):
        lacking = [code for code in wanted if code not in codes]
        if len(lacking) == len(wanted):
            notes.append(f"no {what} among the scans: the deck does without them")
        else:
            missing += lacking
    if "back" not in codes:
        notes.append("no back.jpg: cards that lie face down are reported as unknown")
    return missing, notes


def _target(deck: str, folder: Path) -> Path:
    try:
        return path_of(deck, folder)
    except BadDeck as fault:
        raise BadInput(str(fault)) from None


def _draw_pairs(deck: Deck, pairs: tuple[Pair, ...], folder: Path) -> None:
    """Each likely confusion side by side, with what sets the two apart."""
    folder.mkdir(parents=True, exist_ok=True)
    for n, pair in enumerate(pairs, 1):
        one, other = deck.face(pair.one), deck.face(pair.other)
        apart = np.minimum(255, 3 * cv2.absdiff(one, other).astype(np.int32)).astype(np.uint8)
        write_picture(folder / f"{n:02d}-{pair.one}-{pair.other}.png", np.hstack([one, other, apart]))


def _words(deck: Deck, target: Path, report: Report) -> str:
    named = len(deck.codes) - len(deck.backs)
    counts = {"cards": named, "backs": len(deck.backs), "tiles": len(deck.tiles_bgr)}
    enrolled = "{name}: {cards} cards, {backs} backs, {tiles} tiles enrolled in {target}"
    lines = [said(enrolled, name=deck.name, target=target, **counts)]
    lines += [said("note: {note}", note=note) for note in report.notes]
    if report.alike:
        pairs = ", ".join(f"{pair.one}–{pair.other}" for pair in report.alike[:6])
        lines.append(said("most alike: {pairs}", pairs=pairs))
    return "\n".join(lines)


def _listed(codes: list[str]) -> str:
    return f"{len(codes)} scans: " + ", ".join(codes) if len(codes) > 1 else f"the scan of {codes[0]}"
