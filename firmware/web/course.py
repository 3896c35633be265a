"""The facts of a game, each with the position in which it was judged, found again from the journal's fold.

Goes on from where it was when a game only grew, so that a long game costs no more at its end than at its beginning.
"""

from __future__ import annotations

from typing import Any

from engine.referee import Told
from firmware.state import Judged, Referee


class Course:
    """One game's course so far; begins anew when what was told has changed."""

    def __init__(self) -> None:
        self._start: Referee | None = None
        self._judged: list[Judged] = []
        self._position: Any = None

    def of(self, start: Referee, referee: Referee) -> tuple[Judged, ...]:
        """Every fact that was told, in order."""
        known = tuple(one.told for one in self._judged)
        if start != self._start or referee.told[: len(known)] != known:
            self._start, self._judged, self._position = start, [], start.position
        for told in referee.told[len(self._judged) :]:
            self._judged.append(Judged(told, self._position))
            self._position = _after(start, self._position, told)
        return tuple(self._judged)


def _after(start: Referee, position: Any, told: Told[Any]) -> Any:
    if told.ruling is None:
        return start.game.after(position, told.fact)
    return start.game.enforce(position, told.fact) if told.ruling.stands else position
