"""Work at the camera that a person is led through on the page: calibrating it, enrolling a deck card by card.

While it lasts, frames go to the work and nothing is judged; the game goes on afterwards. The work itself knows what to
say (`calibrating`, `enrolment`); here it is started, shown and finished, in the station's thread.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from engine.verdicts import Words
from firmware import folders
from firmware.calibrating import Calibrating, SelfSetting
from firmware.calibration import Calibration
from firmware.enrolment import CardByCard, Shelf
from firmware.gestures import Press
from firmware.ports import Button, Camera, Frame
from firmware.printing.deck import CLAN_CODES, STONE_CODES, TACTIC_CODES
from firmware.state import Saying, saying
from firmware.web.noticeboard import Noticeboard
from hardware_config.profile import Profile
from vision.enrol import Enrolment, confusions, twins
from vision.layout import Layout

WAIT_S = 600.0
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

    def document(self, language: str) -> dict[str, Any]:
        about = dict(self.said.about) if self.said is not None else {}
        sentence = None if self.said is None else self.said.words(language).sentence
        return {"kind": self.kind, "sentence": sentence, "outcome": self.outcome} | {
            name: about[name] for name in ("card", "number", "count") if name in about
        }


def deck_codes(variant: str) -> tuple[str, ...]:
    """Every card of a variant's deck, in an order that is easy to sort by hand."""
    tactics = () if variant == "base" else (*TACTIC_CODES, "tactic-back")
    return (*CLAN_CODES, "back", *tactics, *STONE_CODES)


class Guided:
    """One work at a time. `show` puts words on the displays; None gives them back to the game."""

    def __init__(self, profile: Profile, layout: Layout, camera: Camera, decks: Path, board: Noticeboard,
                 show: Callable[[Words | None], None]) -> None:  # fmt: skip
        self._profile = profile
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
            measuring = Calibrating(self._layout, automatic, wait_s=WAIT_S)
            self._work, self._finish = measuring, lambda: self._calibrated(measuring)
        else:
            if NAME.fullmatch(name) is None:
                return "deck-name"
            cards = CardByCard(deck_codes(variant), self._layout, Shelf(self._decks / f".{name}-cards"))
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

    def _calibrated(self, work: Calibrating) -> str:
        measured = work.result
        if measured is None:
            return "stopped"
        kept = Calibration(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            driver=self._profile.camera.driver,
            size=getattr(self._profile.camera, "size", (0, 0)),
            px_per_mm=measured.px_per_mm,
            error_mm=measured.error_mm,
            blur_px=measured.blur_px,
            lens=measured.lens,
            locked=work.locked,
        )
        try:
            kept.save(folders.calibration())
        except OSError:
            return "not-saved"
        return "calibrated"

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
        if twins(confusions(deck)):
            self._board.pin("guide", Guide("enrol", None, "twins"))
            return
        deck.save(self._decks)
        shelf.clear()
        self._board.pin("guide", Guide("enrol", saying("enrolled", count=len(deck.codes)), "enrolled"))
