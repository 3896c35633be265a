"""`marchwarden evaluate`: how well the eye reads, on photographs with truth or on rendered ones."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import cv2

from firmware.cli import BadInput
from firmware.cli.decks import decks_option, load_deck
from firmware.cli.table import table_of
from firmware.evaluation import BadFolder, Measurement, folder_cases, measure
from firmware.report import Report
from firmware.simulation.album import Case, Recipe, rendered
from firmware.simulation.flaws import PRESETS


@click.command(name="evaluate")
@click.argument("photographs", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path))
@click.option("--deck", required=True, help="The enrolled deck to read with.")
@decks_option
@click.option("--game", default="schotten-totten", show_default=True, metavar="GAME", help="Whose table.")
@click.option("--rendered", "count", type=click.IntRange(1), help="Render this many photographs instead of a FOLDER.")
@click.option("--flaws", type=click.Choice(list(PRESETS)), default="normal", show_default=True, help="How hard.")
@click.option("--size", default="2304x1296", show_default=True, metavar="WxH", help="Size of rendered photographs.")
@click.option("--artwork", type=click.Path(path_type=Path), help="Folder of scans to render [default: the drawn deck].")
@click.option("--another-print", is_flag=True, help="Render the cards as another press would print them.")
@click.option("--nameless", type=click.FloatRange(0, 1), default=0.0, help="Share of cards face down or foreign.")
@click.option("--mounting", type=click.Choice(["0", "90", "180", "270"]), multiple=True, help="How the camera hangs.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed, other photographs.")
@click.option("--report", type=click.Path(path_type=Path), help="Write a page with a picture of every error here.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def command(
    photographs: Path | None,
    deck: str,
    folder: Path | None,
    game: str,
    report: Path | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Count right, wrong and unread cards on a FOLDER of photographs with truth, or on rendered ones."""
    cv2.setNumThreads(1)
    table = table_of(game)
    reader = table.reader(load_deck(deck, folder, game), table.layout())
    measurement = Measurement()
    page = None if report is None else Report(report, reader.deck)
    try:
        total, cases = _cases(photographs, game, **asked)
        with click.progressbar(cases, total, label="Reading", file=sys.stderr, hidden=as_json) as bar:
            for case in bar:
                outcome = measure(reader, case)
                measurement.add(outcome)
                if page is not None:
                    page.add(outcome)
    except BadFolder as fault:
        raise BadInput(str(fault)) from None
    figures = measurement.as_document()
    if page is not None:
        page.finish(figures)
    click.echo(json.dumps(figures) if as_json else _words(figures))


def _cases(
    photographs: Path | None,
    game: str,
    count: int | None,
    flaws: str,
    size: str,
    artwork: Path | None,
    another_print: bool,
    nameless: float,
    mounting: tuple[str, ...],
    seed: int,
) -> tuple[int, Iterator[Case]]:
    if (photographs is None) == (count is None):
        raise BadInput("name either a FOLDER of photographs with truth or --rendered N, not both and not neither.")
    if photographs is not None:
        return folder_cases(photographs, table_of(game))
    found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", size)
    if found is None:
        raise BadInput("--size {size!r} is no size: give width and height in pixels, such as 2304x1296.", size=size)
    if artwork is not None and not artwork.is_dir():
        raise BadInput("--artwork {artwork} is no folder: name a folder of scans such as r1.jpg.", artwork=artwork)
    recipe = Recipe(
        flaws=flaws,
        size_px=(int(found[1]), int(found[2])),
        artwork=artwork,
        seed=seed,
        nameless=nameless,
        another_print=another_print,
        mountings=tuple(int(turn) for turn in mounting),
        game=game,
    )
    return count or 0, rendered(recipe, count or 0)


def _words(figures: dict[str, Any]) -> str:
    """The figures as a person would read them."""

    def percent(share: float | None) -> str:
        return "–" if share is None else f"{100 * share:.2f} %"

    lines = [
        f"{figures['photographs']} photographs, {figures['cards']} cards: {percent(figures['accuracy'])} right, "
        f"{figures['wrong']} wrong, {sum(figures['unread'].values())} unread",
        f"boards exact {percent(figures['boards_exact'])}, tiles right {percent(figures['tiles_right'])} "
        f"({figures['tiles_wrong']} wrong)",
    ]
    if figures["nameless"]:
        lines.append(f"cards face down or foreign, never to be named: {figures['nameless']}")
    lines += [f"  unread {times} × {why}" for why, times in figures["unread"].items()]
    lines += [f"  {each['true']} was named {each['named']} × {each['times']}" for each in figures["confusions"]]
    stages = ", ".join(f"{stage} {spent:.1f} ms" for stage, spent in figures["ms_by_stage"].items())
    lines.append(f"{stages or 'nothing was read'}; peak memory {figures['peak_memory_mb']:.0f} MB")
    return "\n".join(lines)
