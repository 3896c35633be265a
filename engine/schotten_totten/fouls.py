"""Every way of breaking the rules, by name, with the rule of seeds/schotten_totten.md that it breaks."""

from __future__ import annotations

from enum import Enum

from engine.schotten_totten.claims import Why
from engine.verdicts import Foul


class Breach(Enum):
    """A kind of foul. The value is its name in verdicts and words."""

    OUT_OF_TURN = "out-of-turn"
    SECOND_CARD = "second-card"
    CARDS_AT_ONCE = "cards-at-once"
    FACE_DOWN = "face-down"
    OPPONENTS_SIDE = "opponents-side"
    NOT_BESIDE_THE_STONE = "not-beside-the-stone"
    SIDE_FULL = "side-full"
    STONE_CLAIMED = "stone-claimed"
    CARD_MOVED = "card-moved"
    CARD_REMOVED = "card-removed"
    CARD_SWAPPED = "card-swapped"
    DUPLICATE = "duplicate"
    MUST_PLAY = "must-play"
    CLAIM_TOO_EARLY = "claim-too-early"
    CLAIM_TOO_LATE = "claim-too-late"
    EXPERT_CLAIM_TOO_EARLY = "expert-claim-too-early"
    EXPERT_CLAIM_TOO_LATE = "expert-claim-too-late"
    CLAIM_INCOMPLETE = "claim-incomplete"
    CLAIM_WEAKER = "claim-weaker"
    CLAIM_TIE_SECOND = "claim-tie-second"
    CLAIM_COULD_BE_BEATEN = "claim-could-be-beaten"
    ALREADY_CLAIMED = "already-claimed"
    STONE_GIVEN_BACK = "stone-given-back"
    STONE_MISPLACED = "stone-misplaced"
    STONE_MISSING = "stone-missing"
    GAME_OVER = "game-over"
    NO_TACTICS = "no-tactics"
    TACTIC_LIMIT = "tactic-limit"
    SECOND_JOKER = "second-joker"
    MODE_MISPLACED = "mode-misplaced"
    MODE_ON_CLAIMED = "mode-on-claimed"
    MODE_STAYS = "mode-stays"
    DISCARDED = "discarded"
    RUSE_MISPLACED = "ruse-misplaced"
    RUSE_UNFINISHED = "ruse-unfinished"
    STRATEGIST_CARD = "strategist-card"
    STRATEGIST_TARGET = "strategist-target"
    BANSHEE_CARD = "banshee-card"
    TRAITOR_CARD = "traitor-card"
    TRAITOR_TACTIC = "traitor-tactic"
    TRAITOR_TARGET = "traitor-target"
    RUSE_FROM_CLAIMED = "ruse-from-claimed"
    RUSE_ONTO_CLAIMED = "ruse-onto-claimed"
    RUSE_ONTO_FULL = "ruse-onto-full"


RULE_OF: dict[Breach, str] = {
    Breach.OUT_OF_TURN: "ST-201",
    Breach.SECOND_CARD: "ST-202",
    Breach.CARDS_AT_ONCE: "ST-202",
    Breach.FACE_DOWN: "ST-203",
    Breach.OPPONENTS_SIDE: "ST-204",
    Breach.NOT_BESIDE_THE_STONE: "ST-204",
    Breach.SIDE_FULL: "ST-205",
    Breach.STONE_CLAIMED: "ST-206",
    Breach.CARD_MOVED: "ST-207",
    Breach.CARD_REMOVED: "ST-207",
    Breach.CARD_SWAPPED: "ST-207",
    Breach.DUPLICATE: "ST-102",
    Breach.MUST_PLAY: "ST-209",
    Breach.CLAIM_TOO_EARLY: "ST-301",
    Breach.CLAIM_TOO_LATE: "ST-301",
    Breach.EXPERT_CLAIM_TOO_EARLY: "ST-601",
    Breach.EXPERT_CLAIM_TOO_LATE: "ST-601",
    Breach.CLAIM_INCOMPLETE: "ST-302",
    Breach.CLAIM_WEAKER: "ST-303",
    Breach.CLAIM_TIE_SECOND: "ST-306",
    Breach.CLAIM_COULD_BE_BEATEN: "ST-307",
    Breach.ALREADY_CLAIMED: "ST-310",
    Breach.STONE_GIVEN_BACK: "ST-310",
    Breach.STONE_MISPLACED: "ST-311",
    Breach.STONE_MISSING: "ST-311",
    Breach.GAME_OVER: "ST-403",
    Breach.NO_TACTICS: "ST-501",
    Breach.TACTIC_LIMIT: "ST-503",
    Breach.SECOND_JOKER: "ST-512",
    Breach.MODE_MISPLACED: "ST-520",
    Breach.MODE_ON_CLAIMED: "ST-520",
    Breach.MODE_STAYS: "ST-520",
    Breach.DISCARDED: "ST-535",
    Breach.RUSE_MISPLACED: "ST-530",
    Breach.RUSE_UNFINISHED: "ST-530",
    Breach.STRATEGIST_CARD: "ST-532",
    Breach.STRATEGIST_TARGET: "ST-532",
    Breach.BANSHEE_CARD: "ST-533",
    Breach.TRAITOR_CARD: "ST-534",
    Breach.TRAITOR_TACTIC: "ST-534",
    Breach.TRAITOR_TARGET: "ST-534",
    Breach.RUSE_FROM_CLAIMED: "ST-536",
    Breach.RUSE_ONTO_CLAIMED: "ST-536",
    Breach.RUSE_ONTO_FULL: "ST-537",
}

REFUSED: dict[Why, Breach] = {
    Why.ALREADY_CLAIMED: Breach.ALREADY_CLAIMED,
    Why.INCOMPLETE: Breach.CLAIM_INCOMPLETE,
    Why.WEAKER: Breach.CLAIM_WEAKER,
    Why.TIE_COMPLETED_SECOND: Breach.CLAIM_TIE_SECOND,
    Why.COULD_BE_BEATEN: Breach.CLAIM_COULD_BE_BEATEN,
}


def foul(breach: Breach, **about: object) -> Foul:
    """A foul of this kind; what it is about is kept as text for the words."""
    return Foul(RULE_OF[breach], breach.value, tuple((name, str(value)) for name, value in about.items()))
