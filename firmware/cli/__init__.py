"""The command line. Each command lives in its own module and is imported only when it is called, so that the
start-up on a small Pi pays for nothing it does not use."""

from __future__ import annotations

import errno
import importlib
import io
import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NoReturn

import click

from firmware.cli.speech import language_of, language_option, of_usage, spoken, with_language

# The eye multiplies many small matrices: several threads only wait for one another, for seconds on a busy machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What OpenCV and FFmpeg warn of, a camera that is not there or half a video, is said in our own words.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # the file that stdout goes to cannot grow
COMMANDS: dict[str, str] = {
    # name of the command: module that holds it as `command`
    "bundle": "firmware.cli.bundle",
    "calibrate": "firmware.cli.calibrate",
    "doctor": "firmware.cli.doctor",
    "test": "firmware.cli.test",
    "event": "firmware.cli.event",
    "enroll": "firmware.cli.enroll",
    "evaluate": "firmware.cli.evaluate",
    "scan": "firmware.cli.scan",
    "read": "firmware.cli.read",
    "adjudicate": "firmware.cli.adjudicate",
    "hardware": "firmware.cli.hardware",
    "journal": "firmware.cli.journal",
    "print": "firmware.cli.print",
    "referee": "firmware.cli.referee",
    "replay": "firmware.cli.replay",
    "rules": "firmware.cli.rules",
    "run": "firmware.cli.run",
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
        return with_language(command)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs a command. Whatever is wrong with the call is one sentence, not click's three lines."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(error.exit_code)
        except click.ClickException as error:
            _tell(error, args)
            sys.exit(error.exit_code)
        except click.Abort:
            sys.exit(130)
        except BrokenPipeError:  # the reader of our output had enough
            _write_nowhere()
            sys.exit(1)
        except OSError as error:
            fault = _refused(error)
            if fault is None:
                raise
            _tell(fault, args)
            if error.errno in NO_ROOM:
                _write_nowhere()
            sys.exit(fault.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def _refused(error: OSError) -> BadInput | None:
    """What the system did not let us do, if it is for whoever called to mend."""
    if error.filename is not None:
        sentence = "{path} cannot be used ({why}); give another file or folder"
        return BadInput(sentence, path=error.filename, why=error.strerror)
    if error.errno in NO_ROOM:
        return BadInput("no room is left for what is printed ({why}); print it elsewhere", why=error.strerror)
    return None


def _tell(error: click.ClickException, args: Sequence[str] | None) -> None:
    click.echo(f"marchwarden: {_one_sentence(error, sys.argv[1:] if args is None else args)}", err=True)


def _write_nowhere() -> None:
    """What is still waiting to be written is dropped, or Python would complain of it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _one_sentence(error: click.ClickException, arguments: Sequence[str]) -> str:
    language = language_of(arguments)
    if isinstance(error, BadInput):
        said = error.said(language)
    else:
        said = of_usage(error, language) if isinstance(error, click.UsageError) else error.format_message()
    return " ".join(said.split())


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="marchwarden")
def marchwarden() -> None:
    """Marchwarden, the referee of the card table."""


marchwarden.params.append(language_option())


class BadInput(click.ClickException):
    """Bad input or usage: exit code 2 and one sentence that says what, where and what to do.

    The sentence is English with blanks, and `about` fills them in; `speech` has it in the other languages.
    """

    exit_code = 2

    def __init__(self, sentence: str, **about: object) -> None:
        self._sentence, self._about = sentence, about
        super().__init__(self.said("en"))

    def said(self, language: str) -> str:
        return spoken(self._sentence, language, self._about)


class SeveralBadInputs(BadInput):
    """One after the other."""

    def __init__(self, faults: Sequence[BadInput]) -> None:
        self._faults = faults
        super().__init__(" ".join(fault.message for fault in faults))

    def said(self, language: str) -> str:
        return " ".join(fault.said(language) for fault in self._faults)


def standard_input() -> BinaryIO:
    """What is sent to the command; raises BadInput where whoever called has closed it."""
    if sys.stdin is None:
        raise BadInput("standard input is closed; send something to it, or name a file")
    return sys.stdin.buffer


def between(low: float, high: float) -> Callable[[click.Context, click.Parameter, float | None], float | None]:
    """A callback of an option that takes a number from `low` to `high`; no such thing as nan or infinity."""

    def check(_context: click.Context, option: click.Parameter, value: float | None) -> float | None:
        if value is not None and not (math.isfinite(value) and low <= value <= high):
            raise BadInput(
                "{option} {value:g} is out of range; give a number from {low:g} to {high:g}.",
                option=option.opts[0],
                value=value,
                low=low,
                high=high,
            )
        return value

    return check


def main() -> NoReturn:
    if isinstance(sys.stdout, io.TextIOWrapper):  # the name of a file may be no text, and is printed all the same
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(marchwarden(prog_name="marchwarden"))
