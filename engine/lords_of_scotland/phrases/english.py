"""Lords of Scotland in English. Short lines may hold alternatives, split by |: the first that fits is shown."""

from __future__ import annotations

PLACES = {
    "recruit": "recruit {0}",
    "supporters": "among the supporters",
    "army": "in {0}'s army",
    "won": "on {0}'s pile of supporters",
    "discard": "on the discard",
    "initiative": "before {0}",
}

POWERS = {
    "cockburn": "exchange it for a supporter",
    "fergusson": "swap it for an opponent's ally",
    "forsyth": "draw a card",
    "makgill": "engage another ally",
    "wemyss": "discard another ally",
    "bruce": "any clan at the end of the skirmish",
    "cochrane": "two supporters at the end of the skirmish",
    "macdonnell": "stays one skirmish more",
}

FACE_DOWN = "a card face down"
HIDDEN = "face down"
INITIATIVE = "the initiative token"
POWER_TOKEN = "the {clan} power token"
TOKEN = "token"
FOUL = "{player}: not allowed"
FOUL_OF_NOBODY = "not allowed"

# kind of foul: short line, sentence
FOULS = {
    "card-twice": ("{card} twice", "{card} already lies {place}: each card exists once."),
    "no-bruce": ("played without Bruce", "{card}: this game is played without the Bruce clan."),
    "recruit-face-up": ("face down, please", "Recruits are laid out face down: recruit {slot} must be turned over."),
    "recruit-too-many": ("no recruit is missing", "Recruit {slot} is in its place already: no card is dealt there."),
    "supporter-face-down": ("supporters face up", "Supporters are laid out face up."),
    "supporter-too-many": ("supporter too many", "There are supporters enough: {card} is one too many."),
    "was-discarded": ("{card} is out", "{card} is on the discard and cannot come back before the deck is made anew."),
    "moved": ("{card} moved", "No rule lets anybody move {card}; put it right ({place})."),
    "no-skirmish": ("no skirmish now", "No skirmish is being fought at this moment."),
    "out-of-turn": ("it is {turn}'s turn", "It is {turn}'s turn, not {player}'s."),
    "not-face-down": ("recruit {slot} is face up", "Recruit {slot} does not lie face down: there is nothing to turn."),
    "not-leftmost": (
        "turn recruit {expected}",
        "The first recruit from the left must be turned: recruit {expected}, not {slot}.",
    ),
    "recruit-not-turned": (
        "turn a recruit first",
        "{player} holds the initiative and must turn a recruit before acting.",
    ),
    "turned-by-other": (
        "{holder} turns recruits",
        "Only {holder}, who holds the initiative, turns recruits; not {player}.",
    ),
    "turned-out-of-time": (
        "no recruit to turn",
        "No recruit is turned at this moment: recruit {slot} stays as it lies.",
    ),
    "passed": ("recruit or engage", "{player} must recruit or engage an ally: passing is not possible."),
    "second-action": ("already acted", "{player} has already acted this turn: recruit or engage, once."),
    "turn-not-over": ("turn is not over", "The turn is not over: {turn} has still to act."),
    "no-such-recruit": ("not recruit {slot}", "{card} does not lie as recruit {slot}: it cannot be taken there."),
    "not-replaced": ("replace recruit {slot}", "Recruit {slot} was taken and must first be replaced from the deck."),
    "wrong-face": (
        "recruit {slot}: {face}",
        "The card that replaces recruit {slot} must lie {face}, as the one taken did.",
    ),
    "eleventh-card": ("ten cards in hand", "{player} holds ten cards already and cannot recruit."),
    "empty-hand": ("no card in hand", "{player} has no card in hand to engage."),
    "nothing-face-down": ("nothing face down", "{player} has no ally face down to turn."),
    "revealed-early": ("not before the end", "{player}'s ally stays face down until the skirmish ends."),
    "blocked": (
        "blocked by {by}|blocked {by}",
        "The power of {card} is blocked by {by}, a weaker ally that lies face up.",
    ),
    "blocked-by-kin": (
        "blocked by {by}|blocked {by}",
        "The power of {card} is blocked by {by}, an ally of its clan that is not stronger.",
    ),
    "no-such-ally": ("{card}: no ally|{card}: none", "{card} is not one of {player}'s allies."),
    "not-just-engaged": ("only when engaged", "The power of {card} can be used only at the moment it is engaged."),
    "face-down-power": ("face down: no power", "A card face down has no power: {player} cannot use it."),
    "lies-otherwise": (
        "{card} lies wrong|{card}: how?",
        "{card} does not lie so in {player}'s army: look whether it is upright or sideways.",
    ),
    "sideways": ("{card} upright", "{card} lies sideways without an activated power; set it upright."),
    "wrong-power": ("not this power", "{card} does not have the power of clan {clan}."),
    "not-a-supporter": ("{card}: no", "{card} is not a supporter: Cockburn is exchanged for a supporter."),
    "own-ally": ("an opponent's ally", "{card} is one's own ally: Fergusson is swapped for an opponent's."),
    "swap-target": ("{card}: no ally|{card}: none", "{player} has no such ally ({card}) to be swapped for Fergusson."),
    "nothing-to-draw": ("no card to draw", "Deck and discard are empty: there is no card to draw."),
    "ally-owed": ("engage another ally", "{player} has used Makgill and must engage another ally, not recruit."),
    "no-card-in-hand": ("no card in hand", "{player} has no card in hand to engage with Makgill."),
    "nothing-to-copy": ("no {clan} to copy", "No other face-up ally of clan {clan} is there for {card} to copy."),
    "wrong-copy": (
        "Scott copies another",
        "{card} must copy the power that is used: that of clan {clan} does not fit.",
    ),
    "discard-target": ("{card}: no ally|{card}: none", "{player} has no such ally ({card}) for Wemyss to discard."),
    "discards-itself": ("another ally", "{card} discards another ally, never itself."),
    "reactivated": (
        "not a second time",
        "{card} has stayed from the last skirmish or is active: its power is not used again.",
    ),
    "not-revealed": (
        "{player}: turn allies",
        "{player} still has allies face down: they are turned before supporters are taken.",
    ),
    "no-such-supporter": ("no such supporter", "{card} is not among the supporters."),
    "out-of-order": ("{turn} takes first", "{player} may not take a supporter yet: it is {turn}'s to take."),
    "taken-early": ("skirmish not over", "{player} may not take a supporter before the skirmish is over."),
    "no-ally": ("no ally, none to take", "{player} has no ally in the skirmish and takes no supporter."),
    "second-supporter": (
        "has taken already",
        "{player} has taken already: one supporter each, two with an active Cochrane.",
    ),
    "cleared-early": ("not yet discarded", "{card} is not discarded before all supporters are taken."),
    "not-due": ("{card} stays", "{card} belongs to the new skirmish ({place}) and is not discarded."),
    "not-there": ("{card} is not there|no {card}", "{card} does not lie there ({place}): it cannot be discarded."),
    "supporters-left": (
        "old supporters first",
        "Supporters that are left must be discarded before new ones are dealt.",
    ),
    "stays": ("{card} stays", "{card} stays one skirmish more and is not discarded."),
    "straightened": (
        "{card} sideways|not yet {card}",
        "{card} stays sideways until the skirmish is over and shared out.",
    ),
    "initiative": ("it belongs to {holder}", "The initiative token belongs to {holder}, not to {player}."),
    "game-over": ("the game is over", "The game is over: nothing counts any more."),
}

FACES = {"up": "face up", "down": "face down"}

# act: headline, short line, sentence
ACTS = {
    "turned": (
        "{player} turns {slot}",
        "turn {turn} of 5",
        "{player} turns recruit {slot}: {card}. Turn {turn} of 5 begins.",
    ),
    "recruited": ("{player} recruits {slot}", "{card}", "{player} recruits from place {slot}: {card}."),
    "engaged-down": ("{player}: face down", "no power", "{player} engages an ally face down; it has no power."),
    "engaged-usable": ("{player}: {card}", "may be used", "{player} engages {card}. Its power may be used: {power}."),
    "engaged-blocked": (
        "{player}: {card}",
        "blocked by {by}|blocked {by}",
        "{player} engages {card}. Its power is blocked by {by}.",
    ),
    "engaged-idle": (
        "{player}: {card}",
        "nothing to use it on",
        "{player} engages {card}. There is nothing that its power could be used on.",
    ),
    "passed": ("{player} passes", "nothing possible", "{player} can neither recruit nor engage and passes."),
    "ended": ("{player}: turn over", "{next}", "{player}'s turn is over."),
    "recruited-unseen": (
        "{player} recruits",
        "unseen, face down",
        "{player} says that the turn is over: nothing was seen, so a recruit was taken face down.",
    ),
    "exchange": ("{card}", "for {target}", "{player} exchanges {card} for the supporter {target}."),
    "swap": ("{card}", "for {target}", "{player} swaps {card} for {target}, an ally of {owner}."),
    "draw": ("{card}", "a card drawn", "{player} uses {card} and draws a card."),
    "again": ("{card}", "another ally", "{player} uses {card} and engages another ally."),
    "discard": (
        "{card}",
        "discards {target}|out: {target}",
        "{player} uses {card}: {target}, an ally of {owner}, is discarded.",
    ),
    "activate": ("{card}", "activated", "{player} activates {card}: {power}."),
    "token-to-come": (
        "{card}",
        "lay the power token",
        "{player} lays {card} sideways: the power token tells whose power it copies.",
    ),
    "revealed": ("{player}: {card}", "{next}", "{player} turns an ally face up: {card}."),
    "taken": (
        "{player} wins {card}|{card}",
        "points: {points}",
        "{player} takes the supporter {card}; points: {points}.",
    ),
    "straightened": ("{card}", "stays", "{card} is set upright and stays for the next skirmish."),
    "cleared": ("{card}", "discarded", "{card} is discarded."),
    "dealt": ("{card}", "from the deck", "{card} comes from the deck ({place})."),
    "dealt-together": ("{count} cards", "from the deck", "{count} cards come from the deck."),
    "cleared-together": ("{count} cards", "discarded", "{count} cards are discarded."),
    "initiative": (
        "initiative: {player}",
        "begins the skirmish",
        "{player} has the initiative and begins the next skirmish.",
    ),
    "put-right": ("put right", "{card}", "{card} lies right again."),
}

NEXT = {
    "turn": "{player}'s turn",
    "turn-recruit": "{player} turns a recruit",
    "replace": "replace recruit {slot}",
    "reveal": "turn all allies",
    "take": "{player} takes next",
    "set-out": "set out the cards",
    "over": "{player} has won",
}

STANDINGS = {
    "stronger": "{place}. {player} with {worth}: stronger than the next army.",
    "tie-rank": "{place}. {player} with {worth}: level with the next army, with the higher rank: {rank}.",
    "last": "{place}. {player} with {worth}.",
    "no-ally": "{player} has no ally and takes no supporter.",
    "doubled": " (doubled)",
    "hidden": " and {hidden} face down",
    "two": " Takes two supporters.",
    "none": " No supporter is left for it.",
    "waits": "This is not final: allies face down do not count until they are turned.",
}

REMEDIES = {
    "take": ("put right", "away with {card}|off: {card}", "Take {card} away ({place})."),
    "lay": ("put right", "lay {card}", "Lay {card} back ({place})."),
    "move": ("put right", "move {card}", "Move {card} back ({place})."),
    "upright": ("put right", "upright {card}", "Set {card} upright ({place})."),
    "sideways": ("put right", "{card} sideways|turn {card}", "Lay {card} sideways ({place})."),
    "initiative": ("put right", "initiative to {player}", "Give the initiative token to {player}."),
}
