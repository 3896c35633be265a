"""`marchwarden event`: a hub for many stations. Init makes it, invite and join bring stations in, run keeps it going,
verify proves what it says."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.cli import BadInput, event_stations
from firmware.cli.event_folder import check_is_ours, folder_option, house_in, json_option, place
from firmware.cli.speech import language, said, say
from firmware.messages import LANGUAGES
from firmware.messages.told import told

if TYPE_CHECKING:
    from firmware.event.house import House
    from firmware.event.page.front import Front


NEXT = "Next: `marchwarden event run{more}` here, and `marchwarden event invite{more} NAME` for every station."
PROGRESS = "{entries} entries of {stations} stations, {games} games over; the broker is at port {port}"
COUNTED = ("entries", "journals", "games", "verdicts", "results", "entered", "papers")
COUNTS = (
    "{entries} entries of {journals} journals, {games} games with {verdicts} verdicts and {results} results, "
    "{entered} results of rounds, {papers} papers: {verdict}"
)


class _Group(click.Group):
    """Its commands need a little more than a station does."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise BadInput(
                "this needs {module}, which is not installed: pip install 'marchwarden[event]'", module=error.name
            ) from error


@click.group("event", cls=_Group)
def command() -> None:
    """An event of many tables: its hub, and how stations join it."""


for _command in (
    event_stations.invite,
    event_stations.admit,
    event_stations.home_assistant,
    event_stations.join,
    event_stations.bring,
    event_stations.leave,
):
    command.add_command(_command)


@command.command("init")
@folder_option
@click.option("--host", "hosts", multiple=True, metavar="NAME", help="What stations call this computer; repeatable.")
@click.option("--port", type=click.IntRange(1, 65535), default=8883, show_default=True, help="Of the broker.")
@click.option("--certificates", is_flag=True, help="Stations show a certificate instead of a password.")
def init(folder: str | None, hosts: tuple[str, ...], port: int, certificates: bool) -> None:
    """Make a new event: its authority, its passwords, and a configuration for mosquitto."""
    from firmware.event import house
    from firmware.web.announce import house_addresses

    name = socket.gethostname().split(".")[0].lower()
    named = hosts or ("marchwarden-hub.local", f"{name}.local", name, *house_addresses())
    try:
        made = house.init(place(folder), tuple(dict.fromkeys(named)), port, certificates=certificates)
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(
            "{folder} cannot be written ({why}); --folder names another place", folder=place(folder), why=error.strerror
        ) from None
    where = f"{made.hosts[0]}:{port}"
    say("The event lives in {folder}; stations find it at {where}.", folder=made.folder, where=where)
    more = "" if folder is None else f" --folder {shlex.quote(str(made.folder))}"
    say(NEXT, more=more)


@command.command("run")
@folder_option
@click.option("--no-broker", is_flag=True, help="The broker runs already, as a service of its own.")
@click.option("--page-host", default="0.0.0.0", show_default=True, metavar="ADDRESS", help="Where the page is served.")
@click.option("--page-port", type=click.IntRange(0, 65535), default=8720, show_default=True, help="Or the next free.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Of visitors whose own is not spoken.")
def run(folder: str | None, no_broker: bool, page_host: str, page_port: int, lang: str | None) -> None:
    """The hub with its page, until you stop it; with its broker, unless one is there already."""
    from firmware.clocks import SystemClock
    from firmware.event.running import Running, Wishes
    from firmware.faults import JournalFault, PartFault

    house = house_in(folder)
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: stopping.append(received))
    try:
        running = Running(house, SystemClock(), Wishes(not no_broker, page_host, page_port, lang or language()), _say)
        state = running.hub.state
        entries, stations, games = state.arrival, len(state.stations), len(state.results())
        say(PROGRESS, entries=entries, stations=stations, games=games, port=house.port)
        _welcome(running.front, house)
        running.run(lambda: bool(stopping))
    except (JournalFault, PartFault) as fault:
        raise BadInput(str(fault)) from None


@command.command("verify")
@folder_option
@click.option("--archive", metavar="FILE", help="The archive alone, wherever it lies.")
@click.option(
    "--journal", "journals", multiple=True, metavar="FILE", help="A station's own journal beside it; repeatable."
)
@click.option(
    "--paper", "papers", multiple=True, metavar="FILE", help="A list or paper taken away from its page; repeatable."
)
@json_option
@click.pass_context
def verify(
    context: click.Context,
    folder: str | None,
    archive: str | None,
    journals: tuple[str, ...],
    papers: tuple[str, ...],
    as_json: bool,
) -> None:
    """Derive every verdict and result again from the journals and their chains; exit 1 if anything differs."""
    from firmware.event.audit import audit
    from firmware.faults import JournalFault

    path = Path(archive) if archive else house_in(folder).archive
    if not path.is_file():
        raise BadInput(
            "there is no archive {path}; an event has one after its first `marchwarden event run`", path=path
        )
    check_is_ours(path)
    try:
        found = audit(path, tuple(map(Path, journals)), tuple(map(Path, papers)), _say)
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    if as_json:
        click.echo(json.dumps(found.document(), ensure_ascii=False))
    else:
        for line in found.wrong:
            click.echo(told(line, language()))
        counts = {name: getattr(found, name) for name in COUNTED}
        say(COUNTS, **counts, verdict=said("not as they should be") if found.wrong else said("all as they should be"))
    context.exit(1 if found.wrong else 0)


@command.command("demo")
@click.option("--tables", type=click.IntRange(1, 500), default=8, show_default=True, help="How many play.")
@click.option("--rounds", type=click.IntRange(1, 20), default=4, show_default=True, help="Then it is over.")
@click.option("--pace", type=click.FloatRange(0.02, 60), default=1.5, show_default=True, help="Seconds between moves.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8720, show_default=True, help="Of the page.")
@click.option("--folder", metavar="DIR", help="Keep the event there [default: thrown away at the end].")
@click.option("--no-mosquitto", is_flag=True, help="Use the broker in memory even where mosquitto is installed.")
def demo(tables: int, rounds: int, pace: float, seed: int, port: int, folder: str | None, no_mosquitto: bool) -> None:
    """A simulated event to look at: a hub with its page, and tables at which computer players play."""
    import tempfile

    from firmware.event.demo import Demo, Plan
    from firmware.event.house import BadHouse
    from firmware.faults import JournalFault, PartFault

    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: stopping.append(received))
    with tempfile.TemporaryDirectory(prefix="marchwarden-event-") as throw_away:
        try:
            plan = Plan(tables, rounds, pace, seed)
            event = Demo(_made_new(folder or throw_away), plan, port, mosquitto=not no_mosquitto, log=_say)
            say("The page is at {address}", address=event.front.address)
            for role, code in event.codes.items():
                say("  code for the {role}, good for one log-in: {code}", role=said(role), code=code)
            say("The broker is {broker}. Stop with Ctrl-C.", broker=said(event.broker))
            try:
                while not stopping:
                    event.step()
            finally:
                event.close()
        except (BadHouse, JournalFault, PartFault) as fault:
            raise BadInput(str(fault)) from None


def _made_new(folder: str) -> Path:
    """The folder of an event that is to begin."""
    from firmware.event.house import BadHouse

    if (Path(folder) / "event.db").exists():
        raise BadHouse(f"there is an event in {folder} already; --folder names another place")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True, mode=0o750)
    except OSError as error:
        raise BadInput(
            "{folder} cannot be written ({why}); --folder names another place", folder=folder, why=error.strerror
        ) from None
    return Path(folder)


def _say(line: str) -> None:
    click.echo(line, err=True)


def _welcome(front: Front, house: House) -> None:
    """Where the page is, and the organiser's code: on a terminal, else in a file that only the owner can read."""
    from firmware.event.house import write_secret

    port = front.address.rstrip("/").rpartition(":")[2]
    address = f"https://{house.hosts[0]}:{port}/"
    say("The page is at {address} (signed by {authority})", address=address, authority=house.authority)
    code = front.services.badges.open_organiser()
    if sys.stdout.isatty():
        say("The organiser's code, good for one log-in: {code}", code=code)
        return
    path = house.folder / "organiser-code"
    write_secret(path, f"{code}\n".encode())
    say("The organiser's code, good for one log-in, is in {path}", path=path)
