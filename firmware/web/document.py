"""A snapshot as the page reads it: one document a language, all that is shown and nothing that must be kept.

Pure but for the course of the game, which is remembered from one snapshot to the next.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass, field
from typing import Any

from engine.referee import Told
from firmware.games import Refereed
from firmware.ledger import Snapshot
from firmware.messages import words
from firmware.ports import Canvas
from firmware.present import UNREAD, in_words, present
from firmware.screen import draw
from firmware.signals import Lamp, pattern
from firmware.state import Judged, StationState
from firmware.web.course import Course
from firmware.web.look import drawn, look_of

LAST = 12  # verdicts that the table view shows; the history has all of them


@dataclass
class Describer:
    """Describes snapshots of one station. `canvas` is the display that is mirrored."""

    refereed: Refereed
    canvas: Canvas = field(default_factory=lambda: Canvas(128, 64))
    course: Course = field(default_factory=Course)

    def describe(self, snapshot: Snapshot, language: str) -> dict[str, Any]:
        """Everything about one snapshot, in one language."""
        state, signals = snapshot.state, snapshot.signals
        summary, referee = state.summary, state.referee
        judged = self.course.of(state.start, referee)
        decision = referee.decision
        look = look_of(self.refereed.game.name)
        return {
            "number": snapshot.number,
            "frame": state.frame,
            "game": state.number,
            "name": self.refereed.game.name,
            "rules": dict(state.head).get("rules", "base"),
            "players": {str(player): state.name_of(player) for player, _ in summary.score},
            "turn": None if state.is_over else summary.turn,
            "score": {str(player): points for player, points in summary.score},
            "over": state.is_over,
            "winner": summary.winner if decision is None else decision.winner,
            "paused": referee.paused,
            "comparing": state.comparing,
            "tone": signals.screen.tone.value,
            "headline": signals.screen.headline,
            "said": self._said(snapshot, language),
            "display": picture(signals.screen, self.canvas),
            "lamps": [lamp_document(lamp) for lamp in signals.lamps],
            "pieces": [piece.document() for piece in drawn(self.refereed, referee.table, referee.position)],
            "claims": [] if state.is_over else look.claims(referee.position, language),
            "notes": [] if state.is_over else look.notes(referee.position, state.name_of, language),
            "put_right": [
                {
                    "code": str(change.piece.code),
                    "from": change.origin,
                    "to": change.target,
                    "words": self.refereed.game.remedy(change, language).sentence,
                }
                for change in referee.to_put_right
            ],
            "unread": [
                words(
                    UNREAD.get(one.why, "uncertain"), language, where=self.refereed.places.label(one.place, language)
                ).sentence
                for one in state.unread
            ],
            "troubles": sorted(in_words(trouble, self.refereed, language).sentence for trouble in state.troubles),
            "verdicts": [self.verdict(one, language) for one in reversed(judged[-LAST:])],
        }

    def _said(self, snapshot: Snapshot, language: str) -> str:
        """The sentence of the moment, in the reader's own language."""
        return present(snapshot.state, self.refereed, language).notice

    def verdict(self, judged: Judged, language: str) -> dict[str, Any]:
        """One fact and what was said of it."""
        told: Told[Any] = judged.told
        said = self.refereed.game.words(judged.before, told.fact, told.verdict, language)
        ruling = told.ruling
        return {
            "number": told.number,
            "line": str(told.fact),
            "player": told.fact.player,
            "legal": told.verdict.legal,
            "counts": told.counts,
            "headline": said.headline,
            "sentence": said.sentence,
            "rules": sorted({foul.rule for foul in told.verdict.fouls}),
            "counterexample": list(look_of(self.refereed.game.name).counterexample(told.verdict)),
            "ruling": None if ruling is None else {"stands": ruling.stands, "by": ruling.by, "reason": ruling.reason},
        }


def lamp_document(lamp: Lamp) -> dict[str, Any]:
    """What a lamp says and how it shines: lights in turn, each with its length in seconds."""
    beats = [[light.value, length_s] for light, length_s in pattern(lamp).beats]
    return {"sign": lamp.sign.value, "side": lamp.side, "beats": beats}


def picture(screen: Any, canvas: Canvas) -> dict[str, Any]:
    """The display as it is, pixel by pixel."""
    file = io.BytesIO()
    draw(screen, canvas).save(file, "PNG")
    return {"width": canvas.width, "height": canvas.height, "png": base64.b64encode(file.getvalue()).decode()}


def board_at(refereed: Refereed, state: StationState) -> list[dict[str, Any]]:
    """The pieces of a state alone, for stepping through a game."""
    return [piece.document() for piece in drawn(refereed, state.referee.table, state.referee.position)]
