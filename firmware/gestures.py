"""What the edges of buttons mean: a press, a hold, or a button that is stuck. Pure; time comes with the edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from firmware.ports import Button, Edge

HOLD_S = 2.0
STUCK_S = 30.0


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed, or held for `HOLD_S` or longer."""

    button: Button
    held: bool = False


@dataclass(frozen=True, slots=True)
class Fingers:
    """Which buttons are down, and since when."""

    down_s: Mapping[Button, float] = field(default_factory=lambda: MappingProxyType({}))

    def after(self, edges: Iterable[Edge]) -> tuple[Fingers, tuple[Press, ...]]:
        """The fingers after these edges, and the presses that they ended. A stuck button that comes up says nothing."""
        down = dict(self.down_s)
        presses = []
        for edge in edges:
            if edge.down:
                down.setdefault(edge.button, edge.at_s)
            elif edge.button in down:
                length_s = edge.at_s - down.pop(edge.button)
                if length_s < STUCK_S:
                    presses.append(Press(edge.button, length_s >= HOLD_S))
        return Fingers(MappingProxyType(down)), tuple(presses)

    def stuck(self, now_s: float) -> tuple[Button, ...]:
        """Buttons that have been down for too long to mean anything."""
        return tuple(button for button, since_s in self.down_s.items() if now_s - since_s >= STUCK_S)
