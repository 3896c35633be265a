"""The parts of a profile for commands that set a station up: made, put on a workbench, and given back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.doctor.stores import is_running
from firmware.faults import PartFault
from firmware.messages import line
from firmware.messages.told import told

if TYPE_CHECKING:
    from firmware.assemble import Parts
    from firmware.workbench import Workbench
    from hardware_config.profile import Profile


def parts_of(profile: Profile) -> Parts:
    """The drivers that the profile names; one that cannot be loaded is bad input."""
    from firmware.assemble import make_parts

    try:
        return make_parts(profile)
    except PartFault as fault:
        raise BadInput(str(fault)) from None


@contextmanager
def on_workbench(parts: Parts, language: str, *, quiet: bool = False) -> Iterator[Workbench]:
    """The displays and buttons in use. What goes wrong with a part while it lasts is one sentence and a no.

    `quiet` keeps displays that draw in the terminal out of a document on stdout.
    """
    from firmware.clocks import SystemClock
    from firmware.drivers.buttons_keyboard import Driver as KeyboardButtons
    from firmware.drivers.display_terminal import Driver as TerminalDisplay
    from firmware.signals import Screen, Tone
    from firmware.state import saying
    from firmware.workbench import Workbench

    displays = tuple(one for one in parts.displays if not (quiet and isinstance(one, TerminalDisplay)))
    keys = [line("keys", language)] if isinstance(parts.buttons, KeyboardButtons) else []

    def tell(sentence: str) -> None:
        click.echo("\n".join([sentence, *keys]), err=True)

    bench = Workbench(displays, parts.buttons, SystemClock(), language, tell)
    try:
        yield bench
    except PartFault as fault:
        said = saying(f"{fault.part}-lost", why=str(fault)).words(language)
        bench.show(Screen(said.headline, said.detail, Tone.WARNING))
        held = is_running(folders.journal())
        hint = line("parts-held", language) if held else ""
        click.echo(f"marchwarden: {told(str(fault), language)}{hint}", err=True)
        click.get_current_context().exit(1)
    finally:
        bench.close()
