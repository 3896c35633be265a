"""`marchwarden hardware`: which parts this station has, where each setting came from, and how to wire them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware import folders
from firmware.calibration import BadCalibration, Calibration
from firmware.chosen_table import ChosenTable
from firmware.cli import BadInput
from firmware.cli.speech import language, language_of
from firmware.messages import line
from firmware.messages.told import told
from hardware_config.load import BadProfile, Loaded, chosen, leaves, load, shipped
from hardware_config.profile import Profile
from hardware_config.settings import LumaDisplay

DEFAULT = "simulated"


def loaded(name: str | None, *, calibrated: bool = True, chosen_game: bool = True) -> Loaded:
    """The profile asked for, or the one in force here, with the user's own settings, the calibration and the game that
    was chosen on the page laid over."""
    mine, kept = folders.overrides(), folders.calibration()
    try:
        found = load(name or chosen(mine, DEFAULT), mine)
        saved = Calibration.load(kept) if calibrated else None
        if saved is not None:
            found = _over(found, saved.laid_over(found.profile), str(kept))
    except BadProfile as error:
        raise BadInput("{mistakes}", mistakes=error.mistakes) from None
    except BadCalibration as error:
        raise BadInput(str(error)) from None
    if "language" not in found.profile.model_fields_set:
        found = _over(found, found.profile.model_copy(update={"language": language_of(())}), "the system's language")
    table = ChosenTable.load(folders.chosen_table()) if chosen_game else None
    return found if table is None else _over(found, table.laid_over(found.profile), str(folders.chosen_table()))


def _over(found: Loaded, profile: Profile, source: str) -> Loaded:
    """What was loaded, with something laid over it that came from `source`."""
    before, after = leaves(found.profile), leaves(profile)
    return Loaded(profile, {**found.origins, **{key: source for key in after if after[key] != before.get(key)}})


_profile = click.option(
    "--profile", "name", metavar="NAME", help="A shipped profile or a .toml file; else what is in force."
)


@click.group("hardware")
def command() -> None:
    """Hardware profiles: list, show, check, wiring; how high a camera hangs."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def list_profiles(as_json: bool) -> None:
    """The profiles that come with the program."""
    if as_json:
        click.echo(json.dumps(shipped(), ensure_ascii=False))
        return
    for name, description in shipped().items():
        click.echo(f"{name:<14} {description}")


@command.command("show")
@_profile
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def show(name: str | None, as_json: bool) -> None:
    """Every setting in force, and where it came from."""
    found = loaded(name)
    settings = leaves(found.profile)
    if as_json:
        document = {key: {"value": value, "from": found.origin(key)} for key, value in settings.items()}
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    for key, value in settings.items():
        click.echo(f"{key:<28} {json.dumps(value, ensure_ascii=False):<34} {found.origin(key)}")


@command.command("check")
@_profile
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def check(context: click.Context, name: str | None, as_json: bool) -> None:
    """Every mistake of a profile; exit 1 if it has any."""
    mine = folders.overrides()
    try:
        mistakes = _strange_displays(load(name or chosen(mine, DEFAULT), mine))
    except BadProfile as error:
        mistakes = error.mistakes
    if as_json:
        click.echo(json.dumps({"good": not mistakes, "mistakes": mistakes}, ensure_ascii=False))
    else:
        found = [told(mistake, language()) for mistake in mistakes]
        click.echo("\n".join(found) if found else line("no-mistake", language()))
    context.exit(1 if mistakes else 0)


def _strange_displays(found: Loaded) -> list[str]:
    """Displays whose name luma does not know: only luma can tell, and it grows."""
    from firmware.drivers.display_luma import stranger

    mistakes = []
    for part, settings in found.profile.parts():
        if isinstance(settings, LumaDisplay) and (unknown := stranger(settings)):
            place = f"{part}.options.display"
            mistakes.append(f"{found.origin(place)}: {place}: {unknown}")
    return mistakes


@command.command("wiring")
@_profile
@click.option("--svg", metavar="FILE", help="Write the drawing there instead of the text.")
def wiring(name: str | None, svg: str | None) -> None:
    """How the parts are wired to the header."""
    from firmware.printing.svg import to_svg
    from firmware.wiring import as_drawing, as_text

    profile = loaded(name).profile
    if svg is None:
        click.echo(as_text(profile))
        return
    try:
        Path(svg).write_text(to_svg(as_drawing(profile)), encoding="utf-8")
    except OSError as error:
        raise BadInput("{svg} cannot be written ({why}); name another file", svg=svg, why=error.strerror) from None


@command.command("height")
@click.option("--game", metavar="GAME", help="Whose mat; else that of the profile in force.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document for each camera.")
def height(game: str | None, as_json: bool) -> None:
    """How high each camera must hang to see the whole mat, and how finely it then sees it."""
    from firmware.cli.table import table_of
    from firmware.optics import EYEPIECES, mounting

    layout = table_of(game or loaded(None).profile.table.game).layout()
    for found in (mounting(eyepiece, layout) for eyepiece in EYEPIECES):
        width, rows = found.eyepiece.size_px
        camera, tall, fine = found.eyepiece.name, round(found.height_mm), round(found.px_per_mm, 2)
        document = {"camera": camera, "height_mm": tall, "px_per_mm": fine, "size": [width, rows]}
        click.echo(
            json.dumps(document) if as_json else f"{camera:<26} {tall:>5} mm  {fine:.2f} px/mm at {width}×{rows}"
        )
