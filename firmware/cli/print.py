"""`marchwarden print`: the mat, loose markers, the deck, Stones and tokens, as PDF at true scale or as PNG."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from firmware.cli import BadInput, between
from firmware.cli.table import layout_of
from firmware.printing import deck, mat, raster, sheets
from firmware.printing.papers import PAPERS
from firmware.printing.pdf import to_pdf
from firmware.printing.shapes import Drawing, Size
from vision.layout import Marker
from vision.markers import MODULES

MAT_PX_PER_MM = (1.0, 16.0)
CARD_PX_PER_MM = (1.0, 48.0)
MARKER_MM = (10.0, 120.0)


@click.group(name="print")
def command() -> None:
    """Print the table: mat, markers, deck, Stones or tokens. PDFs are at true scale: print them at 100 %."""


def _paper_option(default: str) -> Callable[[Any], Any]:
    return click.option(
        "--paper", default=default, show_default=True, metavar="PAPER", callback=_paper, help=f"{', '.join(PAPERS)}."
    )


def _paper(_context: click.Context, _option: click.Parameter, name: str) -> Size:
    if name.lower() not in PAPERS:
        raise BadInput("there is no paper “{name}”; --paper takes {papers}.", name=name, papers=", ".join(PAPERS))
    return PAPERS[name.lower()]


def _px_per_mm_option(default: float, limits: tuple[float, float]) -> Callable[[Any], Any]:
    return click.option(
        "--px-per-mm",
        type=float,
        default=default,
        show_default=True,
        metavar="N",
        callback=between(*limits),
        help="Pixels a millimetre in PNG files.",
    )


_pdf_option = click.option("--pdf", type=click.Path(path_type=Path), metavar="FILE", help="Write a PDF at true scale.")
_game_option = click.option("--game", default="schotten-totten", show_default=True, metavar="GAME", help="Which game.")
_png_dir_option = click.option(
    "--png-dir", type=click.Path(path_type=Path), metavar="FOLDER", help="Write one PNG each into this folder."
)


@command.command(name="mat")
@_pdf_option
@click.option("--png", type=click.Path(path_type=Path), metavar="FILE", help="Write the mat as one picture.")
@_px_per_mm_option(8.0, MAT_PX_PER_MM)
@_paper_option("a4")
@_game_option
def print_mat(pdf: Path | None, png: Path | None, px_per_mm: float, paper: Size, game: str) -> None:
    """The mat: one sheet of A1, or tiles to join.

    Tiles come with crop marks, an overlap, their row and column, and a first sheet that shows how they go together.
    """
    layout = layout_of(game)
    _one_of({"--pdf FILE": pdf, "--png FILE": png})
    if png is not None:
        _write(png, raster.to_png(mat.draw(layout, px_per_mm), px_per_mm))
    if pdf is not None:
        _write_pdf(pdf, sheets.mat_sheets(layout, paper), "Marchwarden: the mat")


@command.command(name="markers")
@_pdf_option
@_png_dir_option
@click.option(
    "--size", type=float, metavar="MM", callback=between(*MARKER_MM), help="Side of a marker; the mat's unless given."
)
@_px_per_mm_option(12.0, CARD_PX_PER_MM)
@_paper_option("a4")
@_game_option
def print_markers(
    pdf: Path | None, png_dir: Path | None, size: float | None, px_per_mm: float, paper: Size, game: str
) -> None:
    """Loose markers to lay around one's own cloth, each with its number and size beside it."""
    layout = layout_of(game)
    _one_of({"--pdf FILE": pdf, "--png-dir FOLDER": png_dir})
    if png_dir is not None:
        drawings = {}
        for marker in layout.markers:
            side = (size or marker.size_mm) * (MODULES + 2) / MODULES
            shape = mat.marker_shape(Marker(marker.id, (side / 2, side / 2), size or marker.size_mm))
            drawings[f"marker{marker.id}"] = Drawing((side, side), (shape,))
        _write_folder(png_dir, drawings, px_per_mm)
    if pdf is not None:
        _write_pdf(pdf, sheets.marker_sheets(layout, paper, size), "Marchwarden: markers")


@command.command(name="deck")
@_pdf_option
@_png_dir_option
@click.option("--backs", is_flag=True, help="Follow each sheet by its backs, for printing on both sides (long edge).")
@_px_per_mm_option(12.0, CARD_PX_PER_MM)
@_paper_option("a4")
@_game_option
def print_deck(pdf: Path | None, png_dir: Path | None, backs: bool, px_per_mm: float, paper: Size, game: str) -> None:
    """The deck of a game, to print and cut: 54 Clan and 10 Tactic cards, or the 98 cards of Lords of Scotland.

    With --png-dir, pictures of all that an eye must know, backs and Stones included, in a folder that `marchwarden
    enroll` takes.
    """
    layout_of(game)
    drawn = deck.deck_of(game)
    _one_of({"--pdf FILE": pdf, "--png-dir FOLDER": png_dir})
    if png_dir is not None:
        _write_folder(png_dir, {code: drawn.drawing(code) for code in drawn.enrolled}, px_per_mm)
    if pdf is not None:
        _write_pdf(pdf, sheets.card_sheets(drawn, drawn.cards, paper, backs=backs), "Marchwarden: the deck")


@command.command(name="stones")
@_pdf_option
@_png_dir_option
@_px_per_mm_option(12.0, CARD_PX_PER_MM)
@_paper_option("a4")
def print_stones(pdf: Path | None, png_dir: Path | None, px_per_mm: float, paper: Size) -> None:
    """The nine Stones of Schotten Totten, to print, glue on board and cut."""
    _tiles("schotten-totten", "Stones", pdf, png_dir, px_per_mm, paper)


@command.command(name="tokens")
@_pdf_option
@_png_dir_option
@_px_per_mm_option(12.0, CARD_PX_PER_MM)
@_paper_option("a4")
def print_tokens(pdf: Path | None, png_dir: Path | None, px_per_mm: float, paper: Size) -> None:
    """The initiative and the nine power tokens of Lords of Scotland, to print, glue on board and cut."""
    _tiles("lords-of-scotland", "tokens", pdf, png_dir, px_per_mm, paper)


def _tiles(game: str, what: str, pdf: Path | None, png_dir: Path | None, px_per_mm: float, paper: Size) -> None:
    drawn = deck.deck_of(game)
    _one_of({"--pdf FILE": pdf, "--png-dir FOLDER": png_dir})
    if png_dir is not None:
        _write_folder(png_dir, {code: drawn.drawing(code) for code in drawn.tiles}, px_per_mm)
    if pdf is not None:
        _write_pdf(pdf, sheets.card_sheets(drawn, drawn.tiles, paper), f"Marchwarden: {what}")


def _one_of(outputs: dict[str, Path | None]) -> None:
    if all(path is None for path in outputs.values()):
        raise BadInput("nothing was asked for; say where to write with {options}.", options=" or ".join(outputs))


def _write_pdf(file: Path, pages: Sequence[Drawing], title: str) -> None:
    _write(file, to_pdf(pages, title))


def _write_folder(folder: Path, drawings: dict[str, Drawing], px_per_mm: float) -> None:
    if not folder.parent.is_dir():
        raise BadInput(
            "the folder {folder} does not exist; make it first or choose another for --png-dir.", folder=folder.parent
        )
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(
            "{folder} cannot be made a folder ({why}); choose another for --png-dir.", folder=folder, why=error.strerror
        ) from error
    with click.progressbar(drawings.items(), label=str(folder), file=sys.stderr) as bar:
        for name, drawing in bar:
            _write(folder / f"{name}.png", raster.to_png(raster.to_pixels(drawing, px_per_mm), px_per_mm))


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise BadInput(
            "{file} cannot be written ({why}); choose another file or folder.", file=file, why=error.strerror
        ) from error
