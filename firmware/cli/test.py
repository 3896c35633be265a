"""`marchwarden test`: shows one part working, with the profile in force."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.cli import BadInput, between
from firmware.messages import LANGUAGES, line
from firmware.messages.told import told

if TYPE_CHECKING:
    from firmware.workbench import Workbench
    from hardware_config.profile import Profile


def _named(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every part's test has."""
    language = click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the profile's]")
    profile = click.option("--profile", "name", metavar="NAME", help="A hardware profile [default: the one in force].")
    return profile(language(command))


@click.group("test")
def command() -> None:
    """Show a part working: camera, display, lamps, buttons."""


def _profile(name: str | None, lang: str | None) -> Profile:
    from firmware.cli.hardware import loaded

    profile = loaded(name).profile
    return profile if lang is None else profile.model_copy(update={"language": lang})


@command.command("camera")
@_named
@click.option("--to", "folder", default="camera-test", show_default=True, help="The folder for the pictures.")
@click.option("--count", type=click.IntRange(1, 100), default=3, show_default=True, help="How many pictures.")
def camera(name: str | None, lang: str | None, folder: str, count: int) -> None:
    """Save pictures, and say what they are like."""
    import cv2

    from firmware.calibrating import measure
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.games import refereed
    from firmware.signals import Screen
    from firmware.workbench import frames

    profile = _profile(name, lang)
    parts = parts_of(profile)
    target = _folder(folder)
    layout = refereed(profile.table.game).layout
    with on_workbench(parts, profile.language) as bench:
        for frame in itertools.islice(frames(parts.camera), count):
            height, width = frame.pixels_bgr.shape[:2]
            path = target / f"{frame.number:03d}.jpg"
            _save(path, cv2.imencode(".jpg", frame.pixels_bgr)[1].tobytes())
            measured, troubles = measure(frame.pixels_bgr, layout)
            seen = f"{measured.px_per_mm:.1f} px/mm" if measured is not None else "–"
            bench.show(Screen(f"{width}×{height}", f"{frame.number}/{count}  {seen}"))
            words = "; ".join(trouble.words(profile.language).sentence for trouble in troubles)
            click.echo(f"{path}: {width}×{height}, {seen}" + (f"; {words}" if words else ""))


@command.command("display")
@_named
@click.option(
    "--seconds", type=float, callback=between(0, 3600), default=5.0, show_default=True, help="How long it is shown."
)
@click.pass_context
def display(context: click.Context, name: str | None, lang: str | None, seconds: float) -> None:
    """Draw a border round the outermost pixels, with their numbers in the corners. Exit 1 when one is silent."""
    from firmware.cli.parts import parts_of
    from firmware.faults import PartFault
    from firmware.screen import border
    from hardware_config.settings import LumaDisplay

    profile = _profile(name, lang)
    silent = 0
    for number, (one, settings) in enumerate(zip(parts_of(profile).displays, profile.display, strict=True)):
        label = settings.options.display if isinstance(settings, LumaDisplay) else settings.driver
        try:
            canvas = one.open()
            one.show(border(canvas, label))
            size = f"{label}, {canvas.width}×{canvas.height}"
            click.echo(line("display", profile.language, number=number, words=size), err=True)
            time.sleep(seconds)
            one.close()
        except PartFault as fault:
            click.echo(
                line("display", profile.language, number=number, words=told(str(fault), profile.language)), err=True
            )
            silent += 1
    if silent < len(profile.display):
        click.echo(line("display-edge", profile.language), err=True)
    context.exit(1 if silent else 0)


@command.command("lamps")
@_named
@click.option(
    "--pace", "pace_s", type=float, callback=between(0, 3600), default=0.4, show_default=True, help="Seconds a lamp."
)
@click.option(
    "--seconds", type=float, callback=between(0, 3600), default=3.0, show_default=True, help="Seconds a pattern."
)
def lamps(name: str | None, lang: str | None, pace_s: float, seconds: float) -> None:
    """Light each lamp in each colour, then all of them in each pattern, by name."""
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.trial import colours, patterns

    profile = _profile(name, lang)
    parts = parts_of(profile)
    with on_workbench(parts, profile.language) as bench:
        count = parts.lamps.open()
        if count == 0:
            click.echo(line("no-lamps", profile.language), err=True)
        try:
            for said in colours(parts.lamps, count, pace_s, profile.language):
                _tell(bench, said)
            for said in patterns(parts.lamps, count, seconds, profile.language):
                _tell(bench, said)
        finally:
            parts.lamps.close()


@command.command("buttons")
@_named
@click.option(
    "--seconds", type=float, callback=between(0, 3600), default=30.0, show_default=True, help="How long to wait."
)
@click.pass_context
def buttons(context: click.Context, name: str | None, lang: str | None, seconds: float) -> None:
    """Echo what is pressed, until the pause button is held or the time is over. Exit 1 when nothing was."""
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.messages import label
    from firmware.ports import Button
    from firmware.signals import Screen
    from firmware.state import saying

    profile = _profile(name, lang)
    parts = parts_of(profile)
    end_s, pressed = time.monotonic() + seconds, 0
    with on_workbench(parts, profile.language) as bench:
        bench.say(saying("press-button"))
        while time.monotonic() < end_s:
            for press in bench.presses():
                pressed += 1
                how = "held" if press.held else "pressed"
                click.echo(f"{press.button.value} {label(how, profile.language)}")
                bench.show(Screen(press.button.value.upper(), label(how, profile.language)))
                if press.button is Button.PAUSE and press.held:
                    return
            time.sleep(0.02)
    if not pressed:
        click.echo(line("nothing-pressed", profile.language), err=True)
        context.exit(1)


def _tell(bench: Workbench, said: tuple[str, str]) -> None:
    from firmware.signals import Screen

    click.echo(": ".join(said))
    bench.show(Screen(*said))


def _save(path: Path, picture: bytes) -> None:
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise BadInput(
            "{path} cannot be written ({why}); name another folder with --to", path=path, why=error.strerror
        ) from None


def _folder(name: str) -> Path:
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            "{name} cannot be made ({why}); name another folder with --to", name=name, why=error.strerror
        ) from None
    return path
