"""`marchwarden event`: a hub for many stations. Init makes it, invite and join bring stations in, run keeps it going,
verify proves what it says."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.messages import LANGUAGES

if TYPE_CHECKING:
    from firmware.event.house import House
    from firmware.event.page.front import Front

_folder = click.option("--folder", metavar="DIR", help="Where the event lives [default: the user's own].")
_again = click.option("--again", is_flag=True, help="Also if the name is in use; whoever has it is shut out.")
_as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


class _Group(click.Group):
    """Its commands need a little more than a station does."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as error:
            raise BadInput(
                f"this needs {error.name}, which is not installed: pip install 'marchwarden[event]'"
            ) from error


@click.group("event", cls=_Group)
def command() -> None:
    """An event of many tables: its hub, and how stations join it."""


@command.command("init")
@_folder
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
        made = house.init(_at(folder), tuple(dict.fromkeys(named)), port, certificates=certificates)
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{_at(folder)} cannot be written ({error.strerror}); --folder names another place") from None
    click.echo(f"The event lives in {made.folder}; stations find it at {made.hosts[0]}:{port}.")
    more = "" if folder is None else f" --folder {shlex.quote(str(made.folder))}"
    click.echo(
        f"Next: `marchwarden event run{more}` here, and `marchwarden event invite{more} NAME` for every station."
    )


@command.command("invite")
@click.argument("station")
@_folder
@click.option("--host", metavar="NAME", help="What the station calls this computer [default: the event's first name].")
@click.option("--png", metavar="FILE", help="Write the code as a picture instead.")
@_again
@_as_json
def invite(station: str, folder: str | None, host: str | None, png: str | None, again: bool, as_json: bool) -> None:
    """Let a station in. Its code is shown once."""
    import segno

    from firmware.event import house
    from firmware.event.invitation import invited

    try:
        text = str(invited(_house(folder), station, host, again=again))
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    code = segno.make(text, error="m", micro=False)
    if png is not None:
        try:
            code.save(png, scale=6, kind="png")
        except OSError as error:
            raise BadInput(f"{png} cannot be written ({error.strerror})") from None
        click.echo(f"{png} holds the invitation of {station}: whoever has it is {station}", err=True)
    elif as_json:
        click.echo(json.dumps({"station": station, "invitation": text}))
    else:
        code.terminal(out=sys.stdout, compact=True)
        click.echo(text)
        click.echo(f"`marchwarden event join` on {station} asks for this, by camera, file or keyboard.", err=True)


@command.command("admit")
@click.argument("code")
@click.argument("station")
@_folder
@click.option("--host", metavar="NAME", help="What the station calls this computer [default: the event's first name].")
@_again
def admit(code: str, station: str, folder: str | None, host: str | None, again: bool) -> None:
    """Let in the station whose display shows CODE, under the name STATION. The hub has to run."""
    from firmware.event import door, house
    from firmware.event.invitation import BadInvitation

    where = _house(folder)
    try:
        door.let_in(where, code, station, host, again=again)
    except (BadInvitation, house.BadHouse) as error:
        raise BadInput(str(error)) from None
    click.echo(f"{station} finds its invitation at the door within the next ten minutes.")


@command.command("home-assistant")
@_folder
@_as_json
def home_assistant(folder: str | None, as_json: bool) -> None:
    """Let Home Assistant listen to the stations that announce themselves. What it needs is shown once."""
    from firmware.event import house
    from firmware.event.topics import HOME_ASSISTANT

    where = _house(folder)
    password, signed = house.let_listen(where)
    found = {"broker": where.hosts[0], "port": where.port, "user": HOME_ASSISTANT, "password": password}
    found |= {"authority": str(where.authority)}
    if signed is not None:
        for name, content in (("certificate", signed.certificate_pem), ("key", signed.key_pem)):
            found[name] = str(where.folder / f"{HOME_ASSISTANT}-{name}.pem")
            house.write_secret(Path(str(found[name])), content)
    click.echo(json.dumps(found) if as_json else "\n".join(f"{key:12}{value}" for key, value in found.items()))


@command.command("join")
@click.argument("file", required=False)
@click.option("--camera", "by_camera", is_flag=True, help="Hold the code under the station's camera.")
@click.option("--display", "by_display", is_flag=True, help="Show a code that `marchwarden event admit` lets in.")
@click.option("--hub", default="marchwarden-hub.local", show_default=True, metavar="HOST[:PORT]", help="For --display.")
@click.option("--profile", "profile_name", metavar="NAME", help="The hardware profile with camera and displays.")
def join(file: str | None, by_camera: bool, by_display: bool, hub: str, profile_name: str | None) -> None:
    """Join an event: by a code on the station's --display, or with an invitation from FILE, by --camera or typed in."""
    from firmware.event import joining
    from firmware.event.house import DOOR_OPEN_S
    from firmware.event.invitation import BadInvitation, accept, parse
    from firmware.faults import PartFault

    try:
        if by_camera:
            click.echo("Hold the invitation's code under the camera …", err=True)
            text = joining.seen_by_camera(profile_name)
        elif by_display:
            host, _, port = hub.partition(":")
            click.echo("Have this code let in at the hub, `marchwarden event admit CODE NAME`:", err=True)
            text = joining.at_the_door(host, _port(port), profile_name, _say, DOOR_OPEN_S)
        elif file is not None and file != "-":
            text = joining.in_file(Path(file))
        elif file == "-" or not sys.stdin.isatty():
            text = sys.stdin.read()
        else:
            text = str(click.prompt("The invitation's text", hide_input=True))
        invitation = parse(text)
        written = accept(invitation, folders.overrides())
    except (BadInvitation, PartFault) as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{error.filename} cannot be used ({error.strerror})") from None
    click.echo(f"This station is {invitation.station} of the event at {invitation.host}:{invitation.port}.")
    for path in written:
        click.echo(f"  {path}")
    click.echo("Start the station again, and it takes part.")


@command.command("bring")
@click.argument("file")
@click.argument("station")
@_folder
def bring(file: str, station: str, folder: str | None) -> None:
    """Take in the journal of STATION from FILE: itself, or what `marchwarden journal export` wrote of it."""
    from firmware.event import brought, topics

    where = _house(folder)
    if not topics.is_station(station):
        raise BadInput(f"{station!r} is no name for a station: small letters, digits and hyphens")
    try:
        entries = brought.read(Path(file))
        brought.lay_down(where, station, entries)
    except brought.BadFile as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput(f"{where.folder} cannot be written ({error.strerror})") from None
    click.echo(
        f"{len(entries)} entries of {station}: the hub takes them in at once where it runs, else when it starts."
    )


@command.command("leave")
def leave() -> None:
    """Take no further part: the broker goes out of the station's settings, the journal stays."""
    from firmware.event.invitation import leave as taken_out

    mine = folders.overrides()
    if not taken_out(mine):
        raise BadInput(f"{mine} names no broker: this station takes part in no event")
    click.echo(f"{mine} names no broker any more; start the station again.")


@command.command("run")
@_folder
@click.option("--no-broker", is_flag=True, help="The broker runs already, as a service of its own.")
@click.option("--page-host", default="0.0.0.0", show_default=True, metavar="ADDRESS", help="Where the page is served.")
@click.option("--page-port", type=click.IntRange(0, 65535), default=8720, show_default=True, help="Or the next free.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Of visitors whose own is not spoken.")
def run(folder: str | None, no_broker: bool, page_host: str, page_port: int, lang: str) -> None:
    """The hub with its page, until you stop it; with its broker, unless one is there already."""
    from firmware.clocks import SystemClock
    from firmware.event.running import Running, Wishes, told
    from firmware.faults import JournalFault, PartFault

    house = _house(folder)
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: stopping.append(received))
    try:
        running = Running(house, SystemClock(), Wishes(not no_broker, page_host, page_port, lang), _say)
        click.echo(f"{told(running.hub)}; the broker is at port {house.port}")
        _welcome(running.front, house)
        running.run(lambda: bool(stopping))
    except (JournalFault, PartFault) as fault:
        raise BadInput(str(fault)) from None


@command.command("verify")
@_folder
@click.option("--archive", metavar="FILE", help="The archive alone, wherever it lies.")
@click.option(
    "--journal", "journals", multiple=True, metavar="FILE", help="A station's own journal beside it; repeatable."
)
@_as_json
@click.pass_context
def verify(
    context: click.Context, folder: str | None, archive: str | None, journals: tuple[str, ...], as_json: bool
) -> None:
    """Derive every verdict and result again from the journals and their chains; exit 1 if anything differs."""
    from firmware.event.audit import audit
    from firmware.faults import JournalFault

    path = Path(archive) if archive else _house(folder).archive
    if not path.is_file():
        raise BadInput(f"there is no archive {path}; an event has one after its first `marchwarden event run`")
    _check_is_ours(path)
    try:
        found = audit(path, tuple(map(Path, journals)), lambda line: click.echo(line, err=True))
    except JournalFault as fault:
        raise BadInput(str(fault)) from None
    if as_json:
        click.echo(json.dumps(found.document(), ensure_ascii=False))
    else:
        for line in found.wrong:
            click.echo(line)
        verb = "not as they should be" if found.wrong else "all as they should be"
        click.echo(
            f"{found.entries} entries of {found.journals} journals, {found.games} games with {found.verdicts} verdicts "
            f"and {found.results} results: {verb}"
        )
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
    from firmware.faults import JournalFault, PartFault

    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: stopping.append(received))
    with tempfile.TemporaryDirectory(prefix="marchwarden-event-") as throw_away:
        try:
            plan = Plan(tables, rounds, pace, seed)
            event = Demo(Path(folder or throw_away), plan, port, mosquitto=not no_mosquitto, log=_say)
            click.echo(f"The page is at {event.front.address}")
            for role, code in event.codes.items():
                click.echo(f"  code for the {role}, good for one log-in: {code}")
            click.echo(f"The broker is {event.broker}. Stop with Ctrl-C.")
            try:
                while not stopping:
                    event.step()
            finally:
                event.close()
        except (JournalFault, PartFault) as fault:
            raise BadInput(str(fault)) from None


def _say(line: str) -> None:
    click.echo(line, err=True)


def _welcome(front: Front, house: House) -> None:
    """Where the page is, and the organiser's code: on a terminal, else in a file that only the owner can read."""
    from firmware.event.house import write_secret

    port = front.address.rstrip("/").rpartition(":")[2]
    click.echo(f"The page is at https://{house.hosts[0]}:{port}/ (signed by {house.authority})")
    code = front.services.badges.open_organiser()
    if sys.stdout.isatty():
        click.echo(f"The organiser's code, good for one log-in: {code}")
        return
    path = house.folder / "organiser-code"
    write_secret(path, f"{code}\n".encode())
    click.echo(f"The organiser's code, good for one log-in, is in {path}")


def _port(text: str) -> int:
    if text and not (text.isdigit() and 0 < int(text) < 65536):
        raise BadInput(f"--hub: {text!r} is no port")
    return int(text or 8883)


def _at(folder: str | None) -> Path:
    return Path(folder) if folder else folders.event()


def _house(folder: str | None) -> House:
    from firmware.event import house

    try:
        found = house.opened(_at(folder))
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    _check_is_ours(found.passwords)
    return found


def _check_is_ours(path: Path) -> None:
    """An event is its owner's: the service's, where the hub is one."""
    if not os.access(path, os.R_OK | os.W_OK):
        owner = path.owner()
        raise BadInput(f"{path} is {owner}'s alone; ask as {owner}: sudo -u {owner} marchwarden event …")
