"""A station with its page, kept open until a signal says stop; another one in its place when another game is chosen."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.messages import line

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.loop import Eye
    from firmware.ports import Frame
    from firmware.state import StationState
    from firmware.web.choosing import Wanted
    from firmware.web.house import Front
    from firmware.web.login import Login
    from hardware_config.profile import Profile


def keep_open(
    opened: Callable[[Profile, Eye, Login | None], Front], profile: Profile, eye: Eye, *, shows_pin: bool, resume: bool
) -> None:
    """A station with its page; when another game is chosen there, another one at the same address."""
    front, head = opened(profile, eye, None), dict[str, str]()
    while True:
        if not head:
            click.echo(line("page-at", profile.language, address=front.address))
        if not shows_pin:
            _keep_pin(front, profile.language, say=not head)
        port = front.port
        wanted = _work(front, profile, resume=resume and not head, head=head)
        if wanted is None:
            break
        page = wanted.profile.page.model_copy(update={"port": port})
        profile, head = wanted.profile.model_copy(update={"page": page}), dict(wanted.head)
        front = opened(profile, wanted.eye, front.services.login)
    _leave_hanging_parts()


def _keep_pin(front: Front, language: str, *, say: bool) -> None:
    """Nobody sees a screen of this station: the PIN is put where its owner alone can read it, and never into a log."""
    from firmware.web.login import PinFile

    front.pin_file = PinFile(folders.pin())
    front.pin_file.keep(front.pin)
    if say:
        click.echo(line("pin-in", language, path=str(front.pin_file.path)))


def _work(front: Front, profile: Profile, *, resume: bool, head: dict[str, str]) -> Wanted | None:
    """Station and page, until a signal says stop or another table is wanted, which is returned; `head` is that of the
    first game. The last frames are kept for a bug report."""
    from firmware.assemble import set_aside
    from firmware.last_frames import LastFrames, mark
    from firmware.memory import let_go_of_files

    stopping = on_signals()
    loop = front.assembled.loop
    courier, journal = front.assembled.courier, front.assembled.journal
    frames = LastFrames(folders.frames(), lambda number: mark(journal.entries(number)))

    def remember(frame: Frame, state: StationState) -> None:
        frames.note(frame, state)
        if courier is not None:
            courier.see(frame, state)

    loop.remember = remember
    front.assembled.start()
    try:
        if not (resume and loop.station.resume()):
            loop.station.begin(head or loop.station.refereed.rules(profile.table.variant))
        front.start()
        loop.supervisor.ready(f"game {loop.station.state.number}, page at {front.address}")
        set_aside()
        let_go_of_files()
        while not stopping and front.wanted is None and loop.step():
            front.tick()
    finally:
        wanted = None if stopping else front.wanted
        if wanted is None:
            loop.supervisor.stopping()
        front.stop()
        front.assembled.stop()
        frames.close()
    return wanted


def _leave_hanging_parts() -> None:
    """A driver that has not come back cannot be ended, and would crash the program on its way out: everything is
    written, so it is left where it is."""
    if any(thread.daemon and thread.is_alive() for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def on_signals() -> list[int]:
    """A list that is empty until the program was asked to stop, by a terminal that was closed as well: lamps that stay
    lit mislead. Who says `nohup` means it."""
    asked: list[int] = []
    closed = () if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (signal.SIGHUP,)
    for number in (signal.SIGTERM, signal.SIGINT, *closed):
        signal.signal(number, lambda received, _: asked.append(received))
    return asked
