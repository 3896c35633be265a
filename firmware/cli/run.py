"""`marchwarden run`: the station. On the simulated profile two computer players play at it."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware import folders
from firmware.cli import BadInput, between
from firmware.games import GAMES
from firmware.messages import LANGUAGES, line

if TYPE_CHECKING:
    from firmware.calibration import Calibration
    from firmware.loop import Eye
    from firmware.web.house import Front
    from firmware.web.login import Login
    from hardware_config.profile import Profile, TableSettings


@click.command("run")
@click.option("--game", type=click.Choice(tuple(GAMES)), help="The game on the table [default: the profile's].")
@click.option("--games", type=click.IntRange(1), help="End after so many simulated games, with a summary.")
@click.option("--variant", metavar="NAME", help="base, tactic, expert; Lords of Scotland: base, bruce, 3 to 5-bruce.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where simulated games start from.")
@click.option("--profile", "profile_name", metavar="NAME", help="A hardware profile [default: the one in force].")
@click.option("--players", default="honest", show_default=True, metavar="honest|cheat:NAME", help="Simulated players.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the station [default: the profile's].")
@click.option("--deck", metavar="DECK", help="The enrolled deck [default: the profile's].")
@click.option("--decks", "decks", metavar="DIR", help="Where decks live (or MARCHWARDEN_DECKS).")
@click.option("--journal", "journal", metavar="FILE", help="The journal [default: the station's own].")
@click.option("--port", type=click.IntRange(0, 65535), help="Of the page [default: the profile's, or the next free].")
@click.option(
    "--pace",
    type=float,
    metavar="SECONDS",
    callback=between(0, 3600),
    help="Between two simulated moves [default: 1.8, with --games 0].",
)
def command(profile_name: str | None, **options: Any) -> None:
    """Referee the table in view, until you stop it or --games are over."""
    from firmware.calibration import BadCalibration, Calibration
    from firmware.clocks import SystemClock
    from firmware.faults import JournalFault, PartFault
    from firmware.journal import Journal
    from firmware.memory import share_one_pool
    from vision.deck import BadDeck

    share_one_pool()
    profile = _profile(profile_name, options)
    _check_simulated(profile, options)
    journal = Path(options["journal"]) if options["journal"] else folders.journal()
    decks = Path(options["decks"]) if options["decks"] else folders.decks()
    try:
        Journal(journal, SystemClock()).close()  # before anything slow: without a journal there is nothing to do
        calibration = Calibration.load(folders.calibration())
        profile = profile if calibration is None else calibration.laid_over(profile)
        if profile.camera.driver == "simulated" and options["games"] is not None:
            _simulate(profile, journal, decks, options)
        elif profile.camera.driver == "simulated":
            _host(profile, journal, decks, options)
        else:
            _referee(profile, journal, decks, calibration)
    except JournalFault as fault:
        _show(profile, fault.trouble)
        raise BadInput(str(fault)) from None
    except (PartFault, BadDeck, BadCalibration) as fault:
        _show(profile, "cannot-start")
        raise BadInput(str(fault)) from None


def _show(profile: Profile, name: str, *, calm: bool = False) -> None:
    """What there is to say before the station runs is shown on its displays: nobody at a table looks at a log."""
    from firmware.drivers import make_display
    from firmware.faults import PartFault
    from firmware.messages import words
    from firmware.messages.told import told
    from firmware.screen import draw
    from firmware.signals import Screen, Tone

    said, tone = words(name, profile.language), Tone.CALM if calm else Tone.WARNING
    for settings in profile.display:
        try:
            display = make_display(settings)
            display.show(draw(Screen(said.headline, said.detail, tone), display.open()))
            display.close()
        except PartFault as fault:
            click.echo(told(str(fault), profile.language), err=True)  # a display that is gone as well


def _profile(name: str | None, options: dict[str, Any]) -> Profile:
    """The profile in force with what the command line says laid over it."""
    from firmware.cli.hardware import loaded

    profile = loaded(name, calibrated=False, chosen_game=options["game"] is None).profile
    table = {key: options[key] for key in ("game", "variant", "deck") if options[key] is not None}
    language = {"language": options["lang"]} if options["lang"] else {}
    page = {"port": options["port"]} if options["port"] is not None else {}
    _check_variant(profile.table.model_copy(update=table))
    update = {"table": profile.table.model_copy(update=table), "page": profile.page.model_copy(update=page), **language}
    return profile.model_copy(update=update)


def _check_simulated(profile: Profile, options: dict[str, Any]) -> None:
    """Who asks for simulated games is not to wait for them at a real table."""
    asked = [f"--{name}" for name in ("games", "pace") if options[name] is not None]
    asked += ["--players"] if options["players"] != "honest" else []
    if asked and profile.camera.driver != "simulated":
        raise BadInput(
            "{options}: the table of the profile {profile} is real and has no simulated players; leave it out, "
            "or say --profile simulated",
            options=", ".join(asked),
            profile=profile.name,
        )


def _check_variant(table: TableSettings) -> None:
    from firmware.games import refereed

    variants = refereed(table.game).variants
    if table.variant not in variants:
        raise BadInput(
            "{game} has no variant {variant}; --variant takes {variants}",
            game=table.game,
            variant=table.variant,
            variants=", ".join(variants),
        )


def _simulate(profile: Profile, journal: Path, decks: Path, options: dict[str, Any]) -> None:
    from firmware.assemble import assemble, make_eye, make_parts
    from firmware.games import refereed
    from firmware.live import LiveView
    from firmware.simulation.demo import Demo
    from firmware.simulation.plays import SIMULATED

    cheats = _cheats(options["players"], profile.table.game)
    games: int | None = options["games"]
    pace_s = options["pace"] or 0.0
    parts = make_parts(profile)
    game = refereed(profile.table.game)
    assembled = assemble(profile, parts, make_eye(profile, game, decks), journal, threads=False)
    station = assembled.loop.station
    station.begin(game.rules(profile.table.variant))
    station.subscribe(LiveView(sys.stderr, language=profile.language, board=game.board))
    camera: Any = parts.camera
    camera.clock = assembled.loop.clock  # how long a foul lies there is told in simulated time
    camera.table = SIMULATED[game.game.name].table(game, camera.habits, options["seed"])
    demo = Demo(assembled.loop, camera.table, assembled.loop.clock, lambda: time.sleep(pace_s))
    started = time.monotonic()
    number = 0
    try:
        while games is None or number < games:
            demo.play(game.rules(profile.table.variant)["rules"], options["seed"] + number, cheats)
            number += 1
    except KeyboardInterrupt:
        click.echo(line("stopped", profile.language), err=True)
    finally:
        assembled.stop()
    _summarise(demo.tally, time.monotonic() - started, profile.language, cheats)


def _host(profile: Profile, journal: Path, decks: Path, options: dict[str, Any]) -> None:
    """A virtual table with its page, for visitors and computer players, until a signal says stop."""
    from firmware.assemble import make_eye, make_parts
    from firmware.cli.serve import keep_open
    from firmware.games import refereed
    from firmware.live import LiveView
    from firmware.simulation.manners import PACES_S, Manners
    from firmware.web.simulated import simulated_front

    pace_s = PACES_S["steady"] if options["pace"] is None else options["pace"]
    manners = Manners(pace_s=pace_s, cheats=_cheats(options["players"], profile.table.game))
    click.echo(line("getting-ready", profile.language), err=True)

    def opened(profile: Profile, eye: Eye, login: Login | None) -> Front:
        parts = make_parts(profile)
        front = simulated_front(
            profile,
            journal,
            parts,
            eye,
            options["seed"],
            manners if login is None else Manners(pace_s=pace_s),  # another game has other cheats
            decks=decks,
            login=login,
        )

        def note() -> str:
            return line("page-note", profile.language, address=front.address, pin=front.pin)

        view = LiveView(sys.stderr, note=note, language=profile.language, board=front.services.refereed.board)
        front.services.desk.station.subscribe(view)
        return front

    eye = make_eye(profile, refereed(profile.table.game), decks)
    keep_open(opened, profile, eye, shows_pin=sys.stderr.isatty(), resume=False)


def _cheats(players: str, game: str) -> str | None:
    from firmware.simulation.plays import SIMULATED

    names = SIMULATED[game].cheats
    kind, _, name = players.partition(":")
    if players == "honest":
        return None
    if kind != "cheat" or name not in names:
        if not names:
            raise BadInput("--players {players}: say honest", players=players)
        cheats = ", ".join(names)
        raise BadInput(
            "--players {players}: say honest or cheat:NAME with one of {cheats}", players=players, cheats=cheats
        )
    return name


def _summarise(tally: Any, seconds: float, language: str, cheats: str | None) -> None:
    counts = {name: getattr(tally, name) for name in ("games", "deeds", "legal", "fouls", "frames")}
    per_frame = round(1000 * seconds / max(1, tally.frames))
    wrong = len(tally.wrong)
    click.echo(line("summary", language, **counts, wrong=wrong, seconds=round(seconds, 1), per_frame=per_frame))
    if cheats is not None and not tally.cheats:
        click.echo(line("no-chance", language, cheat=cheats))
    for difference in tally.wrong:
        click.echo(difference)
    if tally.wrong:
        sys.exit(1)


def _referee(profile: Profile, journal: Path, decks: Path, calibration: Calibration | None) -> None:
    """A real table with its page."""
    from firmware.assemble import make_eye, make_parts
    from firmware.cli.serve import keep_open
    from firmware.games import refereed
    from firmware.keep import SLOW_S
    from firmware.web.house import open_front

    # A small Pi gets ready for half a minute, for minutes at its first start. A display that hangs holds nobody up.
    showing = threading.Thread(target=_show, args=(profile, "starting"), kwargs={"calm": True}, daemon=True)
    showing.start()

    def opened(profile: Profile, eye: Eye, login: Login | None) -> Front:
        return open_front(profile, journal, eye, make_parts(profile), decks=decks, login=login)

    try:
        eye = make_eye(profile, refereed(profile.table.game), decks, calibration=calibration)
    finally:
        showing.join(SLOW_S)
    shows_pin = any(display.driver != "simulated" for display in profile.display)
    keep_open(opened, profile, eye, shows_pin=shows_pin, resume=True)
