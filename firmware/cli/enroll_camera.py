"""`marchwarden enroll` without a folder: the station's own camera takes the cards one by one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware.cli import BadInput
from firmware.messages import LANGUAGES
from vision.deck import BadDeck, Deck
from vision.enrol import Pair

if TYPE_CHECKING:
    from firmware.enrolment import Shelf

T = TypeVar("T")

_options = (
    click.option("--codes", metavar="LIST", help="Which cards to take again or only, such as r1,r2,joker1 (camera)."),
    click.option("--profile", metavar="NAME", help="A hardware profile [default: the one in force] (camera)."),
    click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the profile's] (camera)"),
)


def camera_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that only the camera needs."""
    for option in reversed(_options):
        command = option(command)
    return command


class BadScans(BadInput):
    """Pictures of which no deck can be made. `twins` are pairs that show the same card, if nothing else is wrong."""

    def __init__(self, scans: Path, faults: list[str], twins: tuple[Pair, ...] = ()) -> None:
        super().__init__("{scans}: {faults}.", scans=scans, faults=faults)
        self.twins = twins


def photographed(
    target: Path,
    make: Callable[[Path, Deck | None], T],
    *,
    codes: str | None,
    profile: str | None,
    lang: str | None,
    quiet: bool = False,
) -> T:
    """What `make` makes of the pictures of every card; ends the command when it was stopped before that.

    What was taken before a break is on the shelf already, unless it is asked for by name; cards asked for by name mend
    the deck that there is. Cards that show the same are asked for again, since whoever lays them sees the display only.
    """
    from firmware.cli.hardware import loaded
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.enrolment import CardByCard
    from firmware.games import refereed
    from firmware.state import saying
    from firmware.workbench import frames

    settings = loaded(profile).profile
    parts, layout = parts_of(settings), refereed(settings.table.game).layout
    shelf = _shelf(target)
    wanted = _codes(codes, settings.table.game, settings.table.variant)
    for code in wanted if codes else ():
        shelf.take_back(code)
    mended = _mended(target) if codes else None
    cards = CardByCard(wanted, layout, shelf)
    language = lang or settings.language
    with on_workbench(parts, language, quiet=quiet) as bench, closing(frames(parts.camera)) as pictures:
        while cards.is_over or (bench.guide(cards, pictures) and not cards.is_stopped):
            try:
                made = make(shelf.folder, mended)
            except BadScans as fault:
                twins = {one: other for pair in fault.twins for one, other in _both(pair) if one in shelf.codes()}
                if not twins:
                    bench.say(saying("not-enrolled"))
                    raise
                for code in twins:
                    shelf.take_back(code)
                cards = CardByCard(wanted, layout, shelf, twins)
            else:
                bench.say(saying("enrolled", count=len(shelf.codes())))
                shelf.clear()
                return made
        bench.say(saying("enrolment-stopped", number=len(shelf.codes()), count=len(wanted)))
    raise click.exceptions.Exit(1)


def _shelf(target: Path) -> Shelf:
    """Where the pictures of a deck are kept until it is made."""
    from firmware.enrolment import Shelf

    try:
        return Shelf(target.parent / f".{target.name.split('.')[0]}-cards")
    except OSError as error:
        raise BadInput(
            "{folder} cannot be written ({why}); --decks names another folder", folder=target.parent, why=error.strerror
        ) from None


def _mended(target: Path) -> Deck | None:
    """The deck that there is already."""
    try:
        return Deck.load(target) if target.is_file() else None
    except BadDeck as fault:
        raise BadInput(str(fault)) from None


def _both(pair: Pair) -> tuple[tuple[str, str], tuple[str, str]]:
    return (pair.one, pair.other), (pair.other, pair.one)


def _codes(said: str | None, game: str, variant: str) -> tuple[str, ...]:
    """What was asked for, else every card of the variant in an order that is easy to sort by hand."""
    from engine.schotten_totten.cards import CLAN_CARDS, STONES, TACTIC_CARDS
    from firmware.printing.deck import deck_of

    if said is not None:
        codes = tuple(code.strip().lower() for code in said.split(",") if code.strip())
        if not codes:
            raise BadInput("--codes names no card; say it like r1,r2,joker1")
        return codes
    if game != "schotten-totten":
        return deck_of(game).enrolled
    tactics = [] if variant == "base" else [*(str(card) for card in TACTIC_CARDS), "tactic-back"]
    return (*(str(card) for card in CLAN_CARDS), "back", *tactics, *(f"stone{stone}" for stone in STONES))
