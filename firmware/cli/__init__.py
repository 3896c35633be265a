"""The command line. Each command lives in its own module and is imported only when it is called, so that the
start-up on a small Pi pays for nothing it does not use."""

from __future__ import annotations

import importlib
import sys
from typing import NoReturn

import click

COMMANDS: dict[str, str] = {
    # name of the command: module that holds it as `command`
    "adjudicate": "firmware.cli.adjudicate",
    "print": "firmware.cli.print",
    "table": "firmware.cli.table",
}


class LazyGroup(click.Group):
    """A click group that knows its commands by name and imports them on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = importlib.import_module(module).command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marchwarden")
def marchwarden() -> None:
    """Marchwarden, the referee of the card table."""


class BadInput(click.ClickException):
    """Bad input or usage: exit code 2 and one sentence that says what, where and what to do."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        click.echo(f"marchwarden: {self.format_message()}", err=True)


def main() -> NoReturn:
    sys.exit(marchwarden())
