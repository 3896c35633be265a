"""`marchwarden enroll` without a folder: the station's own camera takes the cards one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware.cli import BadInput
from firmware.messages import LANGUAGES

if TYPE_CHECKING:
    from firmware.enrolment import Shelf

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


def photographed(
    target: Path, *, codes: str | None, profile: str | None, lang: str | None, quiet: bool = False
) -> Shelf:
    """A shelf with the picture of every card; ends the command when it was stopped before that.

    What was taken before a break is on the shelf already, unless it is asked for by name.
    """
    from firmware.cli.hardware import loaded
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.enrolment import CardByCard, Shelf
    from firmware.games import refereed

    settings = loaded(profile).profile
    parts = parts_of(settings)
    try:
        shelf = Shelf(target.parent / f".{target.name.split('.')[0]}-cards")
    except OSError as error:
        raise BadInput(f"{target.parent} cannot be written ({error.strerror}); --decks names another folder") from None
    wanted = _codes(codes, settings.table.game, settings.table.variant)
    for code in wanted if codes else ():
        shelf.take_back(code)
    cards = CardByCard(wanted, refereed(settings.table.game).layout, shelf)
    if not cards.is_over:
        with on_workbench(parts, lang or settings.language, quiet=quiet) as bench:
            bench.guide(cards, parts.camera)
    if not cards.is_over or cards.is_stopped:
        click.echo(f"{len(shelf.codes())} cards are kept; the same command goes on from there.", err=True)
        click.get_current_context().exit(1)
    return shelf


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
