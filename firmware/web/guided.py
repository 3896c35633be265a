"""Work at the camera that a person is led through on the page: calibrating it, enrolling a deck card by card.

While it lasts, frames go to the work and nothing is judged; the game goes on afterwards. The work itself knows what to
say (`calibrating`, `enrolment`); here it is started, shown and finished, in the station's thread.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from engine.verdicts import Words
from firmware import folders
from firmware.calibrating import Calibrating, SelfSetting
from firmware.calibration import BadCalibration, Calibration
from firmware.enrolment import CardByCard, Shelf
from firmware.gestures import Press
from firmware.ports import Button, Camera, Frame
from firmware.printing.deck import CLAN_CODES, STONE_CODES, TACTIC_CODES, deck_of
from firmware.state import Saying, saying
from firmware.web.noticeboard import Noticeboard
from hardware_config.profile import Profile
from vision.enrol import Enrolment, Pair, confusions, twins
from vision.layout import Layout
from vision.rectify import NoTable, Rectifier

WAIT_S = 600.0
MOST_ALIKE = 3  # pairs of cards that are shown when a deck is enrolled
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Work(Protocol):
    """What a person is led through, frame by frame."""

    is_over: bool

    def look(self, frame: Frame, presses: tuple[Press, ...]) -> Saying: ...


@dataclass(frozen=True, slots=True)
class Guide:
    """How far it is, for the page. `outcome` is a name of the page's words once it is over."""

    kind: str
    said: Saying | None
    outcome: str | None = None
    alike: tuple[tuple[str, str], ...] = ()  # of an enrolled deck, what is most easily confused

    def document(self, language: str) -> dict[str, Any]:
        about = dict(self.said.about) if self.said is not None else {}
        sentence = None if self.said is None else self.said.words(language).sentence
        return {"kind": self.kind, "sentence": sentence, "outcome": self.outcome, "alike": self.alike} | {
            name: about[name] for name in ("card", "number", "count") if name in about
        }


def asked_for(board: Noticeboard) -> Saying | None:
    """What whoever enrols a deck is asked for at the moment."""
    notice = board.newest("guide")
    match None if notice is None else notice.content:
        case Guide(kind="enrol", said=said, outcome=None):
            return said
    return None


def deck_codes(game: str, variant: str) -> tuple[str, ...]:
    """Every card of a variant's deck, in an order that is easy to sort by hand."""
    if game != "schotten-totten":
        return deck_of(game).enrolled
    tactics = () if variant == "base" else (*TACTIC_CODES, "tactic-back")
    return (*CLAN_CODES, "back", *tactics, *STONE_CODES)


class Guided:
    """One work at a time. `show` puts words on the displays; None gives them back to the game. `adopt` is told of every
    calibration that is kept: it counts from the next frame on."""

    def __init__(
        self,
        profile: Profile,
        layout: Layout,
        camera: Camera,
        decks: Path,
        board: Noticeboard,
        show: Callable[[Words | None], None],
        adopt: Callable[[Calibration], None] = lambda kept: None,
    ) -> None:
        self._profile = profile
        self._adopt = adopt
        self._layout = layout
        self._camera = camera
        self._decks = decks
        self._board = board
        self._show = show
        self._work: Calibrating | CardByCard | None = None
        self._finish: Callable[[], str] = lambda: ""
        self._kind = ""
        self._said: Saying | None = None
        self._presses: list[Press] = []

    @property
    def is_on(self) -> bool:
        return self._work is not None

    def begin(self, kind: str, name: str, variant: str) -> str | None:
        """Begins one kind of work; says why not, if it cannot be done."""
        if self._work is not None:
            return "busy"
        if kind == "calibrate":
            automatic = self._camera if isinstance(self._camera, SelfSetting) else None
            before = self._kept()
            self._lock(dict.fromkeys(before.locked) if before is not None else {})
            measuring = Calibrating(self._layout, automatic, wait_s=WAIT_S)
            self._work, self._finish = measuring, lambda: self._calibrated(measuring, before)
        else:
            if NAME.fullmatch(name) is None:
                return "deck-name"
            cards = CardByCard(
                deck_codes(self._layout.game, variant), self._layout, Shelf(self._decks / f".{name}-cards")
            )
            self._work, self._finish = cards, lambda: self._photographed(cards, name)
        self._kind, self._said, self._presses = kind, None, []
        return None

    def press(self, button: Button) -> None:
        """TURN takes what lies there, UNDO the one before again, PAUSE stops."""
        self._presses.append(Press(button))

    def look(self, frame: Frame) -> None:
        work = self._work
        if work is None:
            return
        presses, self._presses = tuple(self._presses), []
        said = work.look(frame, presses)
        stopped = any(press.button is Button.PAUSE for press in presses)
        if said != self._said:
            self._said = said
            self._show(said.words(self._profile.language))
            self._board.pin("guide", Guide(self._kind, said))
        if work.is_over or stopped:
            self._work = None
            self._show(None)
            self._board.pin("guide", Guide(self._kind, said, self._finish()))

    def show_corners(self, corners: tuple[tuple[float, float], ...]) -> str | None:
        """Where the markers fail, a person shows the mat's corners, in shares of the picture; none takes them back."""
        camera = self._profile.camera
        size = getattr(camera, "size", (0, 0))
        try:
            if corners:
                shown = Rectifier.from_corners([(x * 1600, y * 900) for x, y in corners], self._layout, (1600, 900))
                if shown.is_mirrored:
                    return "corners"
        except NoTable:
            return "corners"
        kept = self._kept() or Calibration(_now(), camera.driver, size, 0.0, 0.0, 0.0, (0.0, 0.0))
        return None if self._keep(replace(kept, at=_now(), corners=corners)) else "not-saved"

    def _kept(self) -> Calibration | None:
        """What was kept of this camera before."""
        try:
            kept = Calibration.load(folders.calibration())
        except BadCalibration:
            return None
        return kept if kept is not None and kept.fits(self._profile) else None

    def _keep(self, kept: Calibration) -> bool:
        try:
            kept.save(folders.calibration())
        except OSError:
            return False
        self._adopt(kept)
        return True

    def _lock(self, settings: Mapping[str, Any]) -> None:
        if isinstance(self._camera, SelfSetting) and settings:
            self._camera.lock(settings)

    def _calibrated(self, work: Calibrating, before: Calibration | None) -> str:
        measured = work.result
        if measured is None:
            self._lock(before.locked if before is not None else {})
            return "stopped"
        self._lock(work.locked)
        kept = Calibration(
            at=_now(),
            driver=self._profile.camera.driver,
            size=getattr(self._profile.camera, "size", (0, 0)),
            px_per_mm=measured.px_per_mm,
            error_mm=measured.error_mm,
            blur_px=measured.blur_px,
            lens=measured.lens,
            locked=work.locked,
        )
        return "calibrated" if self._keep(kept) else "not-saved"

    def _photographed(self, cards: CardByCard, name: str) -> str:
        """A deck of many cards takes a while to prepare: that is done beside the station's thread."""
        if cards.is_stopped or not cards.is_over:
            return "stopped"
        threading.Thread(target=self._make_deck, args=(name,), name="enrol", daemon=True).start()
        return "making-deck"

    def _make_deck(self, name: str) -> None:
        shelf = Shelf(self._decks / f".{name}-cards")
        enrolment = Enrolment(name)
        for code in sorted(shelf.codes()):
            picture = cv2.imread(str(shelf.folder / f"{code}.png"), cv2.IMREAD_COLOR)
            if picture is not None:
                enrolment.take(code, np.asarray(picture, np.uint8))
        deck = enrolment.deck()
        pairs = confusions(deck)
        if same := twins(pairs):
            self._board.pin("guide", Guide("enrol", None, "twins", _names(same)))
            return
        deck.save(self._decks)
        shelf.clear()
        self._board.pin("guide", Guide("enrol", saying("enrolled", count=len(deck.codes)), "enrolled", _names(pairs)))


def _names(pairs: tuple[Pair, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((pair.one, pair.other) for pair in pairs[:MOST_ALIKE])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
