"""How stations come into an event and leave it: by an invitation, by the code on their display, by a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from firmware import folders
from firmware.cli import BadInput
from firmware.cli.event_folder import folder_option, house_in, json_option
from firmware.cli.speech import said, say

_again = click.option("--again", is_flag=True, help="Also if the name is in use; whoever has it is shut out.")


@click.command("invite")
@click.argument("station")
@folder_option
@click.option("--host", metavar="NAME", help="What the station calls this computer [default: the event's first name].")
@click.option("--png", metavar="FILE", help="Write the code as a picture instead.")
@_again
@json_option
def invite(station: str, folder: str | None, host: str | None, png: str | None, again: bool, as_json: bool) -> None:
    """Let a station in. Its code is shown once."""
    import segno

    from firmware.event import house
    from firmware.event.invitation import invited

    if png is not None:
        _must_be_writable(Path(png))  # before the name is used up
    try:
        text = str(invited(house_in(folder), station, host, again=again))
    except house.BadHouse as error:
        raise BadInput(str(error)) from None
    code = segno.make(text, error="m", micro=False)
    if png is not None:
        code.save(png, scale=6, kind="png")
        say("{png} holds the invitation of {station}: whoever has it is {station}", err=True, png=png, station=station)
    elif as_json:
        click.echo(json.dumps({"station": station, "invitation": text}))
    else:
        code.terminal(out=sys.stdout, compact=True)
        click.echo(text)
        asks = "`marchwarden event join` on {station} asks for this, by camera, file or keyboard."
        say(asks, err=True, station=station)


def _must_be_writable(path: Path) -> None:
    is_new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise BadInput("{path} cannot be written ({why})", path=path, why=error.strerror) from None
    if is_new:
        path.unlink()


@click.command("admit")
@click.argument("code")
@click.argument("station")
@folder_option
@click.option("--host", metavar="NAME", help="What the station calls this computer [default: the event's first name].")
@_again
def admit(code: str, station: str, folder: str | None, host: str | None, again: bool) -> None:
    """Let in the station whose display shows CODE, under the name STATION. The hub has to run."""
    from firmware.event import door, house
    from firmware.event.invitation import BadInvitation

    where = house_in(folder)
    try:
        door.let_in(where, code, station, host, again=again)
    except (BadInvitation, house.BadHouse) as error:
        raise BadInput(str(error)) from None
    say("{station} finds its invitation at the door within the next ten minutes.", station=station)


@click.command("join")
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
            say("Hold the invitation's code under the camera …", err=True)
            text = joining.seen_by_camera(profile_name)
        elif by_display:
            host, _, port = hub.partition(":")
            say("Have this code let in at the hub, `marchwarden event admit CODE NAME`:", err=True)
            text = joining.at_the_door(host, _port(port), profile_name, _say, DOOR_OPEN_S)
        elif file is not None and file != "-":
            text = joining.in_file(Path(file))
        elif file == "-" or not sys.stdin.isatty():
            text = sys.stdin.read()
        else:
            text = str(click.prompt(said("The invitation's text"), hide_input=True))
        invitation = parse(text)
        written = accept(invitation, folders.overrides())
    except (BadInvitation, PartFault) as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput("{path} cannot be used ({why})", path=error.filename, why=error.strerror) from None
    where = f"{invitation.host}:{invitation.port}"
    say("This station is {station} of the event at {where}.", station=invitation.station, where=where)
    for path in written:
        click.echo(f"  {path}")
    say("Start the station again, and it takes part.")


@click.command("leave")
def leave() -> None:
    """Take no further part: the broker goes out of the station's settings, the journal stays."""
    from firmware.event.invitation import leave as taken_out

    mine = folders.overrides()
    if not taken_out(mine):
        raise BadInput("{path} names no broker: this station takes part in no event", path=mine)
    say("{path} names no broker any more; start the station again.", path=mine)


@click.command("bring")
@click.argument("file")
@click.argument("station")
@folder_option
def bring(file: str, station: str, folder: str | None) -> None:
    """Take in the journal of STATION from FILE: itself, or what `marchwarden journal export` wrote of it."""
    from firmware.event import brought, topics

    where = house_in(folder)
    if not topics.is_station(station):
        raise BadInput("{station!r} is no name for a station: small letters, digits and hyphens", station=station)
    try:
        entries = brought.read(Path(file))
        brought.lay_down(where, station, entries)
    except brought.BadFile as error:
        raise BadInput(str(error)) from None
    except OSError as error:
        raise BadInput("{path} cannot be written ({why})", path=where.folder, why=error.strerror) from None
    taken_in = "{count} entries of {station}: the hub takes them in at once where it runs, else when it starts."
    say(taken_in, count=len(entries), station=station)


@click.command("home-assistant")
@folder_option
@json_option
def home_assistant(folder: str | None, as_json: bool) -> None:
    """Let Home Assistant listen to the stations that announce themselves. What it needs is shown once."""
    from firmware.event import house
    from firmware.event.topics import HOME_ASSISTANT

    where = house_in(folder)
    password, signed = house.let_listen(where)
    found = {"broker": where.hosts[0], "port": where.port, "user": HOME_ASSISTANT, "password": password}
    found |= {"authority": str(where.authority)}
    if signed is not None:
        for name, content in (("certificate", signed.certificate_pem), ("key", signed.key_pem)):
            found[name] = str(where.folder / f"{HOME_ASSISTANT}-{name}.pem")
            house.write_secret(Path(str(found[name])), content)
    click.echo(json.dumps(found) if as_json else "\n".join(f"{key:12}{value}" for key, value in found.items()))


def _port(text: str) -> int:
    if text and not (text.isdigit() and 0 < int(text) < 65536):
        raise BadInput("--hub: {port!r} is no port", port=text)
    return int(text or 8883)


def _say(line: str) -> None:
    click.echo(line, err=True)
