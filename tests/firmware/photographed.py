"""A whole simulated station in tests: players, virtual table, photographs, eye, loop; and evidence when it errs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2

from firmware.assemble import Assembled, Parts, assemble, make_eye
from firmware.drivers import make_buttons, make_display, make_lamps
from firmware.drivers.camera_simulated import Driver
from firmware.games import refereed
from firmware.ledger import Snapshot
from firmware.loop import Eye
from firmware.ports import Frame
from firmware.simulation.deed import Deed
from firmware.simulation.demo import FRAME_S, Demo
from firmware.simulation.plays import SIMULATED
from firmware.simulation.scene import Hand
from firmware.station import Sighting
from hardware_config.profile import PatienceSettings, Profile, TableSettings
from hardware_config.settings import SimulatedCamera

SIZE = (1600, 900)
PATIENCE_S = FRAME_S / 2  # a foul is named at the second frame that shows the same settled table
DISTURBED_EVERY = 5  # deeds: a hand, another light and a bump come in the first fifteen of any game


class CountingEye:
    """Counts for how many frames what is settled has been the same, and keeps the last picture."""

    def __init__(self, eye: Eye) -> None:
        self._eye = eye
        self._shown: object = None
        self.frames = 0
        self.last: Frame | None = None

    def look(self, frame: Frame) -> Sighting:
        sighting = self._eye.look(frame)
        self.last = frame
        self.frames = self.frames + 1 if sighting.observation is self._shown else 1
        self._shown = sighting.observation
        return sighting


class PhotographedTable:
    """A station with its camera, and players who play at it. `late` are fouls that were named too late."""

    def __init__(
        self, folder: Path, decks: Path, seed: int, *, game: str = "schotten-totten", disturbed: bool = False
    ) -> None:
        patience = PatienceSettings(settle_frames=2, put_right_s=PATIENCE_S)
        profile = Profile(name="test", table=TableSettings(game=game), patience=patience)
        judged = refereed(game)
        self.camera = Driver(SimulatedCamera(size=SIZE), seed=seed)
        table: Any = SIMULATED[game].table(judged, self.camera.habits, seed)
        self.table = self.camera.table = table
        parts = Parts(
            self.camera,
            tuple(make_display(one) for one in profile.display),
            make_lamps(profile.lamps),
            make_buttons(profile.buttons),
        )
        self._eye = CountingEye(make_eye(profile, judged, decks))
        self.assembled: Assembled = assemble(profile, parts, self._eye, folder / "journal.db", threads=False)
        self.loop = self.assembled.loop
        self.camera.clock = self.loop.clock  # how long something lies there is told in simulated time
        self.loop.station.begin(judged.rules("base"))
        self.loop.station.subscribe(self._time_fouls)
        self._folder = folder
        self._random = Random(seed)
        self._deeds = 0
        self._disturbed = disturbed
        self.disturbances: set[str] = set()
        self.late: list[str] = []
        self.demo = Demo(self.loop, self.table, self.loop.clock, self._after)

    def play(self, rules: str, seed: int) -> None:
        """A whole game, or as much of it as is judged right."""
        self.disturbances.clear()
        self.demo.play(rules, seed)
        missing = {"hand", "light", "bump"} - self.disturbances
        assert not (self._disturbed and missing), f"the game was too short for {missing}"

    def follow(self, rules: str, done: Iterable[Deed], where: str) -> None:
        self.demo.follow(rules, done, where)

    def _time_fouls(self, snapshot: Snapshot) -> None:
        """A foul that is seen must be named within two settled frames."""
        for event in snapshot.events:
            is_seen = bool(event.told.fact.changes())
            if is_seen and not event.told.verdict.legal and self._eye.frames > 2:
                self.late.append(f"{event.told.fact} was named after {self._eye.frames} settled frames")

    def _after(self) -> None:
        self._keep_evidence()
        self._deeds += 1
        if self._disturbed and self._deeds % DISTURBED_EVERY == 0:
            self._disturb(("hand", "light", "bump")[self._deeds // DISTURBED_EVERY % 3])

    def _disturb(self, how: str) -> None:
        """A hand, another light or a bump: nothing may be told because of it."""
        told = len(self.loop.station.state.referee.told)
        self.disturbances.add(how)
        random, table = self._random, self.table
        match how:
            case "hand":
                width, height = table.layout.size_mm
                x = random.uniform(0.1, 0.85) * width
                table.hands = (Hand((x, height + 40.0), (x + 20.0, random.uniform(0.3, 0.65) * height)),)
                self._frames(4)
                table.hands = ()
            case "light":
                self.camera.light = replace(self.camera.light, kelvin=random.uniform(3000.0, 7000.0))
            case "bump":
                leans = self.camera.mounting.pose.tilt_deg
                self.camera.bump(random.uniform(0.3, 1.0) * (-1 if leans > 4.0 else 1))
        self._frames(4)
        if len(self.loop.station.state.referee.told) != told:
            self.demo.tally.wrong.append(f"something was told because of a {how}")
            self._keep_evidence()

    def _frames(self, count: int) -> None:
        for _ in range(count):
            self.loop.step()
            self.loop.clock.sleep(FRAME_S)

    def _keep_evidence(self) -> None:
        """The photograph of each deed that was judged otherwise than it was done, and what lay there."""
        if self.demo.tally.wrong and self._eye.last is not None:
            name = f"wrong-{len(self.demo.tally.wrong)}"
            if not (self._folder / f"{name}.png").exists():
                cv2.imwrite(str(self._folder / f"{name}.png"), self._eye.last.pixels_bgr)
                (self._folder / f"{name}.txt").write_text(f"{self.demo.tally.wrong[-1]}\n{self.table.scene()}\n")
