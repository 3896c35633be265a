"""Which event a command is about: the folder that holds it, and whether whoever asks may open it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.cli import BadInput

if TYPE_CHECKING:
    from firmware.event.house import House

folder_option = click.option("--folder", metavar="DIR", help="Where the event lives [default: the user's own].")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


def place(folder: str | None) -> Path:
    """The folder that is meant."""
    return Path(folder) if folder else folders.event()


def house_in(folder: str | None) -> House:
    """The event there; raises BadInput."""
    from firmware.event import house

    try:
        found = house.opened(place(folder))
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    check_is_ours(found.passwords)
    return found


def check_is_ours(path: Path) -> None:
    """An event is its owner's: the service's, where the hub is one."""
    if not os.access(path, os.R_OK | os.W_OK):
        owner = path.owner()
        raise BadInput(
            "{path} is {owner}'s alone; ask as {owner}: sudo -u {owner} marchwarden event …", path=path, owner=owner
        )
