"""Phrases in English, with the terms of the English rulebook."""

from __future__ import annotations

from engine.schotten_totten.phrases import Phrase

FOULS: dict[str, Phrase] = {
    "out-of-turn": ("NOT YOUR TURN: {player}", "{turn} is to play", "It is not {player}'s turn: {turn} is to play."),
    "second-card": (
        "2ND CARD BY {player}",
        "Take it back",
        "{player} has already played this turn; only one card may be played a turn.",
    ),
    "cards-at-once": (
        "2 CARDS THIS TURN",
        "Take one back",
        "{player} laid several cards at once ({cards}): none counts until all but one are taken back.",
    ),
    "face-down": ("CARD FACE DOWN", "Turn it over: {place}", "The card at {place} lies face down; cards lie face up."),
    "opponents-side": (
        "WRONG SIDE, STONE {stone}",
        "Play on your own side",
        "{player} laid a card on the opponent's side of Stone {stone}.",
    ),
    "not-beside-the-stone": (
        "NOT ON THE STONE: {stone}",
        "Lay it beside it",
        "Only combat modes lie on a Stone; this card belongs beside Stone {stone}.",
    ),
    "side-full": (
        "STONE {stone} IS FULL",
        "{limit} cards per side",
        "{player}'s side of Stone {stone} already has its {limit} cards.",
    ),
    "stone-claimed": ("STONE {stone} IS TAKEN", "Play elsewhere", "Stone {stone} is already claimed."),
    "card-moved": (
        "{CARD} WAS MOVED|A CARD WAS MOVED",
        "Back to {place}",
        "The {card} may not be moved; it belongs at {place}.",
    ),
    "card-removed": (
        "{CARD} IS MISSING|A CARD IS MISSING",
        "Put back at {place}",
        "The {card} is missing; it belongs at {place}.",
    ),
    "card-swapped": (
        "CHANGED AT {place}",
        "Was {card}|Put the first back",
        "At {place} the {card} was changed for the {come}; a card once laid stays.",
    ),
    "duplicate": (
        "{CARD} SEEN TWICE|ONE CARD SEEN TWICE",
        "Check both cards",
        "The {card} exists once and already lies at {place}.",
    ),
    "must-play": (
        "{player} MUST PLAY",
        "A Clan card fits",
        "{player} may not pass: a Clan card is certainly in hand and can be laid.",
    ),
    "claim-too-early": (
        "CLAIM TOO EARLY",
        "Play a card first",
        "{player} may claim Stone {stone} only after playing a card.",
    ),
    "claim-too-late": (
        "CLAIM TOO LATE",
        "Next turn please",
        "{player} may claim Stone {stone} only in their own turn, after playing and before the opponent plays.",
    ),
    "expert-claim-too-early": (
        "CLAIM TOO EARLY",
        "Wait for your turn",
        "{player} may claim Stone {stone} only at the start of their own turn.",
    ),
    "expert-claim-too-late": (
        "CLAIM TOO LATE",
        "Claim before playing",
        "{player} has already played: experts claim at the start of their turn, so Stone {stone} must wait.",
    ),
    "claim-incomplete": (
        "NOT YET: STONE {stone}",
        "Your side has a gap",
        "{player} may not claim Stone {stone}: their own side is not complete.",
    ),
    "claim-weaker": (
        "NO CLAIM: STONE {stone}",
        "Yours is weaker",
        "{player} may not claim Stone {stone}: the opponent's combination is stronger.",
    ),
    "claim-tie-second": (
        "NO CLAIM: STONE {stone}",
        "Tie, you were second",
        "{player} may not claim Stone {stone}: a tie goes to whoever completed first.",
    ),
    "claim-could-be-beaten": (
        "NOT PROVEN: STONE {stone}",
        "Could still be beaten",
        "{player} may not claim Stone {stone} yet: {cards} would beat it.",
    ),
    "already-claimed": ("STONE {stone} IS TAKEN", "It stays claimed", "Stone {stone} is already claimed."),
    "stone-given-back": (
        "STONE {stone} IS {player}'S",
        "Put it back there",
        "Stone {stone} belongs to {player}; a claimed Stone is not given back.",
    ),
    "stone-misplaced": (
        "PUT STONE {stone} BACK",
        "It was not claimed",
        "Stone {stone} was taken to {player}'s side without a claim.",
    ),
    "stone-missing": ("STONE {stone} IS GONE", "Put it back", "The tile of Stone {stone} is missing."),
    "game-over": ("GAME OVER: {player} WON", "Nothing more counts", "The game is over: {player} has won."),
    "no-tactics": (
        "NO TACTIC CARDS HERE",
        "Take card back",
        "The {card} may not be played: this game is played without Tactic cards.",
    ),
    "tactic-limit": (
        "TACTIC LIMIT: {player}",
        "Take card back",
        "Tactic cards played: {player} {mine}, the opponent {theirs}; one more than the opponent is the limit.",
    ),
    "second-joker": ("2ND JOKER: {player}", "Take card back", "{player} may have only one Joker on their side."),
    "mode-misplaced": (
        "COMBAT MODE",
        "Lay it on the Stone",
        "The {card} is a combat mode and is played on a Stone, not on a side.",
    ),
    "mode-on-claimed": (
        "STONE {stone} IS TAKEN",
        "No mode there",
        "The {card} may not be laid on Stone {stone}: it is already claimed.",
    ),
    "mode-stays": (
        "COMBAT MODES STAY",
        "Put it back: {stone}",
        "The {card} is a combat mode: it stays on Stone {stone}, no ruse takes it.",
    ),
    "discarded": (
        "NOT A DISCARD",
        "Take card back",
        "Only ruses, and the cards that ruses discard, lie beside the decks.",
    ),
    "ruse-misplaced": (
        "THIS IS A RUSE",
        "Lay it by the deck",
        "The {card} is a ruse: carry it out and lay it beside the decks.",
    ),
    "ruse-unfinished": (
        "FINISH THE RUSE",
        "Move the card first",
        "{player} has shown the {ruse} and must first do what it says, or take it back.",
    ),
    "strategist-card": (
        "STRATEGIST: NOT THAT",
        "Only a card of yours",
        "The Strategist moves a card of one's own side; the {card} at {place} is none of {player}'s.",
    ),
    "strategist-target": (
        "STRATEGIST: NOT THERE",
        "Another Stone, yours",
        "The Strategist moves the {card} to one's own side of another Stone, or discards it; not to {place}.",
    ),
    "banshee-card": (
        "BANSHEE: NOT THAT ONE",
        "Opponent's card only",
        "The Banshee takes a card of the opponent's side; the {card} at {place} is none.",
    ),
    "traitor-card": (
        "TRAITOR: NOT THAT ONE",
        "Opponent's card only",
        "The Traitor takes a Clan card of the opponent's side; the {card} at {place} is none.",
    ),
    "traitor-tactic": (
        "TRAITOR: NO TACTICS",
        "Clan cards only",
        "The Traitor takes Clan cards only, never the {card}.",
    ),
    "traitor-target": (
        "TRAITOR: NOT THERE",
        "To your own side",
        "The Traitor brings the {card} to one's own side of a Stone; not to {place}.",
    ),
    "ruse-from-claimed": (
        "STONE {stone} IS TAKEN",
        "Its cards stay",
        "The {ruse} may not take a card from Stone {stone}: it is already claimed.",
    ),
    "ruse-onto-claimed": (
        "STONE {stone} IS TAKEN",
        "Choose another Stone",
        "The {ruse} may not bring a card to Stone {stone}: it is already claimed.",
    ),
    "ruse-onto-full": (
        "STONE {stone} IS FULL",
        "{limit} cards per side",
        "The {ruse} may not bring a card to Stone {stone}: that side already has its {limit} cards.",
    ),
}

ACTS: dict[str, Phrase] = {
    "laid": ("{player}: STONE {stone}", "{card}", "{player} lays the {card} at Stone {stone}."),
    "mode": ("STONE {stone}: MODE", "{card}", "{player} lays the {card} on Stone {stone}."),
    "ruse": ("RUSE BY {player}", "{ruse}", "{player} plays the {ruse}."),
    "ruse-moved": (
        "RUSE BY {player}",
        "{ruse}",
        "{player} plays the {ruse}: the {card} goes from {origin} to {target}.",
    ),
    "ruse-shown": ("RUSE: MOVE THE CARD", "{ruse}", "{player} shows the {ruse} and now does what it says."),
    "claim-stronger": ("CLAIM OK: STONE {stone}", "Stronger", ""),
    "claim-tie-completed-first": ("TIE: {player} WAS FIRST", "Claim OK: Stone {stone}", ""),
    "claim-proof": ("CLAIM OK: STONE {stone}", "Cannot be beaten", ""),
    "passed": ("{player} PASSES", "No card played", "{player} passes."),
    "ended": ("TURN OVER: {player}", "{turn} is to play", "{player}'s turn is over; {turn} is to play."),
    "righted": ("THANK YOU", "All right again", "That was put right."),
    "ignored": ("GAME OVER", "Collect the cards", "The game is over; the cards may be collected."),
    "won-three": ("{player} HAS WON", "3 adjacent Stones", "{player} wins with three adjacent Stones."),
    "won-five": ("{player} HAS WON", "5 Stones", "{player} wins with five Stones."),
}

REMEDIES: dict[str, Phrase] = {
    "lay": ("PUT BACK AT {place}", "{card}", "Put the {card} back at {place}."),
    "take": ("TAKE BACK: {place}", "{card}", "Take the {card} back from {place}."),
    "move": ("BACK TO {place}", "{card}", "Move the {card} from {origin} back to {place}."),
    "tile-border": ("PUT STONE {stone} BACK", "On the border", "Put Stone {stone} back on the border."),
    "tile-side": ("STONE {stone} IS {player}'S", "Move it to its side", "Move Stone {stone} to {player}'s side."),
}

HIDDEN = "hidden card"
DISCARD = "discard"
