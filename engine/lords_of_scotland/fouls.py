"""Every way of breaking the rules, by name, with the rule of seeds/lords_of_scotland.md that it breaks."""

from __future__ import annotations

from enum import Enum

from engine.verdicts import Foul


class Breach(Enum):
    """A kind of foul. The value is its name in verdicts and words."""

    CARD_TWICE = "card-twice"
    NO_BRUCE = "no-bruce"
    RECRUIT_FACE_UP = "recruit-face-up"
    RECRUIT_TOO_MANY = "recruit-too-many"
    SUPPORTER_FACE_DOWN = "supporter-face-down"
    SUPPORTER_TOO_MANY = "supporter-too-many"
    WAS_DISCARDED = "was-discarded"
    MOVED = "moved"
    NO_SKIRMISH = "no-skirmish"
    OUT_OF_TURN = "out-of-turn"
    NOT_FACE_DOWN = "not-face-down"
    NOT_LEFTMOST = "not-leftmost"
    RECRUIT_NOT_TURNED = "recruit-not-turned"
    TURNED_BY_OTHER = "turned-by-other"
    TURNED_OUT_OF_TIME = "turned-out-of-time"
    PASSED = "passed"
    SECOND_ACTION = "second-action"
    TURN_NOT_OVER = "turn-not-over"
    NO_SUCH_RECRUIT = "no-such-recruit"
    NOT_REPLACED = "not-replaced"
    WRONG_FACE = "wrong-face"
    ELEVENTH_CARD = "eleventh-card"
    EMPTY_HAND = "empty-hand"
    NOTHING_FACE_DOWN = "nothing-face-down"
    REVEALED_EARLY = "revealed-early"
    BLOCKED = "blocked"
    BLOCKED_BY_KIN = "blocked-by-kin"
    NO_SUCH_ALLY = "no-such-ally"
    NOT_JUST_ENGAGED = "not-just-engaged"
    FACE_DOWN_POWER = "face-down-power"
    LIES_OTHERWISE = "lies-otherwise"
    SIDEWAYS = "sideways"
    WRONG_POWER = "wrong-power"
    NOT_A_SUPPORTER = "not-a-supporter"
    OWN_ALLY = "own-ally"
    SWAP_TARGET = "swap-target"
    NOTHING_TO_DRAW = "nothing-to-draw"
    ALLY_OWED = "ally-owed"
    NO_CARD_IN_HAND = "no-card-in-hand"
    NOTHING_TO_COPY = "nothing-to-copy"
    WRONG_COPY = "wrong-copy"
    DISCARD_TARGET = "discard-target"
    DISCARDS_ITSELF = "discards-itself"
    REACTIVATED = "reactivated"
    NOT_REVEALED = "not-revealed"
    NO_SUCH_SUPPORTER = "no-such-supporter"
    OUT_OF_ORDER = "out-of-order"
    TAKEN_EARLY = "taken-early"
    NO_ALLY = "no-ally"
    SECOND_SUPPORTER = "second-supporter"
    CLEARED_EARLY = "cleared-early"
    NOT_DUE = "not-due"
    NOT_THERE = "not-there"
    SUPPORTERS_LEFT = "supporters-left"
    STAYS = "stays"
    STRAIGHTENED = "straightened"
    INITIATIVE = "initiative"
    GAME_OVER = "game-over"


RULE_OF: dict[Breach, str] = {
    Breach.CARD_TWICE: "LS-101",
    Breach.NO_BRUCE: "LS-103",
    Breach.RECRUIT_FACE_UP: "LS-105",
    Breach.RECRUIT_TOO_MANY: "LS-105",
    Breach.SUPPORTER_FACE_DOWN: "LS-106",
    Breach.SUPPORTER_TOO_MANY: "LS-106",
    Breach.WAS_DISCARDED: "LS-109",
    Breach.MOVED: "LS-110",
    Breach.NO_SKIRMISH: "LS-201",
    Breach.OUT_OF_TURN: "LS-201",
    Breach.NOT_FACE_DOWN: "LS-202",
    Breach.NOT_LEFTMOST: "LS-202",
    Breach.RECRUIT_NOT_TURNED: "LS-202",
    Breach.TURNED_BY_OTHER: "LS-202",
    Breach.TURNED_OUT_OF_TIME: "LS-202",
    Breach.PASSED: "LS-203",
    Breach.SECOND_ACTION: "LS-203",
    Breach.TURN_NOT_OVER: "LS-203",
    Breach.NO_SUCH_RECRUIT: "LS-204",
    Breach.NOT_REPLACED: "LS-204",
    Breach.WRONG_FACE: "LS-205",
    Breach.ELEVENTH_CARD: "LS-206",
    Breach.EMPTY_HAND: "LS-207",
    Breach.NOTHING_FACE_DOWN: "LS-208",
    Breach.REVEALED_EARLY: "LS-208",
    Breach.BLOCKED: "LS-301",
    Breach.BLOCKED_BY_KIN: "LS-302",
    Breach.NO_SUCH_ALLY: "LS-303",
    Breach.NOT_JUST_ENGAGED: "LS-303",
    Breach.FACE_DOWN_POWER: "LS-304",
    Breach.LIES_OTHERWISE: "LS-305",
    Breach.SIDEWAYS: "LS-305",
    Breach.WRONG_POWER: "LS-307",
    Breach.NOT_A_SUPPORTER: "LS-310",
    Breach.OWN_ALLY: "LS-311",
    Breach.SWAP_TARGET: "LS-311",
    Breach.NOTHING_TO_DRAW: "LS-312",
    Breach.ALLY_OWED: "LS-313",
    Breach.NO_CARD_IN_HAND: "LS-313",
    Breach.NOTHING_TO_COPY: "LS-314",
    Breach.WRONG_COPY: "LS-314",
    Breach.DISCARD_TARGET: "LS-316",
    Breach.DISCARDS_ITSELF: "LS-316",
    Breach.REACTIVATED: "LS-319",
    Breach.NOT_REVEALED: "LS-401",
    Breach.NO_SUCH_SUPPORTER: "LS-406",
    Breach.OUT_OF_ORDER: "LS-406",
    Breach.TAKEN_EARLY: "LS-406",
    Breach.NO_ALLY: "LS-407",
    Breach.SECOND_SUPPORTER: "LS-408",
    Breach.CLEARED_EARLY: "LS-410",
    Breach.NOT_DUE: "LS-410",
    Breach.NOT_THERE: "LS-410",
    Breach.SUPPORTERS_LEFT: "LS-410",
    Breach.STAYS: "LS-411",
    Breach.STRAIGHTENED: "LS-411",
    Breach.INITIATIVE: "LS-412",
    Breach.GAME_OVER: "LS-503",
}


def foul(breach: Breach, **about: object) -> Foul:
    """A foul of this kind; what it is about is kept as text for the words."""
    return Foul(RULE_OF[breach], breach.value, tuple((name, str(value)) for name, value in about.items()))
