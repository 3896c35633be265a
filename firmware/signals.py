"""What the station says to the people at the table: a screen, a row of lamps, a sentence. Frozen values, sent whole.

Also the one table of what each lamp pattern means. The player is told by rhythm as well as by colour, so that nobody
has to tell red from green: the first player's lamps blink once, the second's twice; what must be put right flickers;
what cannot be read gives three short flashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine.rules import Mark, Sign
from engine.table import Player
from firmware.ports import Light


class Tone(Enum):
    """How a screen means what it says."""

    CALM = "calm"
    GOOD = "good"
    WARNING = "warning"
    FOUL = "foul"


@dataclass(frozen=True, slots=True)
class Lamp:
    """What one lamp has to say; `side` is the place of the player among the players, None for nobody's and for a lamp
    that stands for a player."""

    sign: Sign = Sign.DARK
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Screen:
    """What a display shows, whatever its size: two lines above all, the rest where there is room."""

    headline: str
    detail: str
    tone: Tone = Tone.CALM
    turn: str = ""
    score: tuple[tuple[str, int], ...] = ()
    lamps: tuple[Lamp, ...] = ()
    brief: str = ""  # how the game stands, for displays that have no room for all of `lines`
    lines: tuple[str, ...] = ()
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Signals:
    """Everything that is shown, from one state."""

    screen: Screen
    lamps: tuple[Lamp, ...]
    notice: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """Lights in turn, each with how long it shines in seconds; one light alone shines steadily."""

    beats: tuple[tuple[Light, float], ...]

    def at(self, time_s: float) -> Light:
        """The light at this moment. All lamps with the same pattern beat together."""
        into = time_s % sum(length for _, length in self.beats)
        for light, length in self.beats:
            if into < length:
                return light
            into -= length
        return self.beats[-1][0]

    def next_change_s(self, time_s: float) -> float:
        """Seconds until the light may change."""
        into = time_s % sum(length for _, length in self.beats)
        for _, length in self.beats:
            if into < length:
                return length - into
            into -= length
        return 0.0


G, R, Y, _ = Light.GREEN, Light.RED, Light.AMBER, Light.OFF

PATTERNS: dict[tuple[Sign, int | None], Pattern] = {
    (Sign.DARK, None): Pattern(((_, 1.0),)),
    (Sign.OFFERED, 0): Pattern(((G, 0.5), (_, 1.0))),
    (Sign.OFFERED, 1): Pattern(((R, 0.25), (_, 0.25), (R, 0.25), (_, 0.75))),
    (Sign.HELD, 0): Pattern(((G, 1.0),)),
    (Sign.HELD, 1): Pattern(((R, 1.25), (_, 0.125), (R, 0.125), (_, 0.125))),
    (Sign.TIE, None): Pattern(((G, 0.75), (R, 0.75))),
    (Sign.PUT_RIGHT, None): Pattern(((R, 0.125), (_, 0.125))),
    (Sign.UNREADABLE, None): Pattern(((Y, 0.125), (_, 0.125)) * 3 + ((_, 0.75),)),
}


def pattern(lamp: Lamp) -> Pattern:
    """How this lamp shines. Signs that concern nobody in particular shine alike for everybody; where each player has a
    lamp, all shine as the first one's."""
    anybody = PATTERNS.get((lamp.sign, None))
    return anybody or PATTERNS[lamp.sign, lamp.side or 0]


def lights(lamps: Sequence[Lamp], count: int, time_s: float) -> tuple[Light, ...]:
    """The light of each of `count` lamps at this moment; lamps with nothing to say are dark."""
    shining = [pattern(lamp).at(time_s) for lamp in lamps[:count]]
    return tuple(shining + [Light.OFF] * (count - len(shining)))


def lamp(mark: Mark, players: Sequence[Player]) -> Lamp:
    """The lamp of one mark of the game."""
    side = players.index(mark.player) if mark.player in players else None
    return Lamp(mark.sign, side)
