"""What a referee says of a fact, in English, French and Spanish: two short lines for a display, a sentence for a page.

Knows how to speak, not how to judge: every word comes from a verdict or a position.
"""

from __future__ import annotations

import re
from typing import Protocol

from engine.lords_of_scotland.cards import LASTING, Clan, Deck
from engine.lords_of_scotland.course import at_rest, enforce, moment
from engine.lords_of_scotland.effects import Activate, Again, Discard, Draw, Exchange, Swap
from engine.lords_of_scotland.facts import (
    Cleared,
    Dealt,
    Engaged,
    Fact,
    InitiativeGiven,
    Passed,
    PutRight,
    Recruited,
    Revealed,
    Shifted,
    Straightened,
    Taken,
    Together,
    Turned,
    TurnEnded,
    Used,
)
from engine.lords_of_scotland.phrases import english, french, spanish
from engine.lords_of_scotland.places import INITIATIVE
from engine.lords_of_scotland.position import Position, Stage
from engine.lords_of_scotland.powers import Prospect
from engine.lords_of_scotland.skirmish import Standing, next_taker, winner
from engine.table import UNKNOWN, Change, Code, Player
from engine.verdicts import Foul, Verdict, Words

WIDTH = 21  # characters in a line of the small display


class Language(Protocol):
    """What every language file holds."""

    PLACES: dict[str, str]
    POWERS: dict[str, str]
    FACE_DOWN: str
    HIDDEN: str
    INITIATIVE: str
    POWER_TOKEN: str
    TOKEN: str
    FOUL: str
    FOUL_OF_NOBODY: str
    FOULS: dict[str, tuple[str, str]]
    FACES: dict[str, str]
    ACTS: dict[str, tuple[str, str, str]]
    NEXT: dict[str, str]
    STANDINGS: dict[str, str]
    REMEDIES: dict[str, tuple[str, str, str]]


LANGUAGES: dict[str, Language] = {"en": english, "fr": french, "es": spanish}


def words(position: Position, fact: Fact, verdict: Verdict, language: str) -> Words:
    """The verdict on a fact; `position` is the one in which it happened."""
    tongue = LANGUAGES[language]
    if verdict.fouls:
        return _foul_words(position.deck, fact.player, verdict, tongue)
    act, about = _act(position, fact, verdict, tongue)
    headline, detail, sentence = tongue.ACTS[act]
    short = _shortened(about, tongue)
    return Words(fit(headline, short), fit(detail, short), _sentence(sentence, about))


def remedy_words(deck: Deck, change: Change, language: str) -> Words:
    """What has to be done with one piece so that it lies right."""
    tongue, piece = LANGUAGES[language], change.piece
    place = change.target or change.origin or ""
    if piece.code == INITIATIVE:
        remedy = "initiative"
    elif change.origin == change.target:
        remedy = "sideways" if piece.sideways else "upright"
    else:
        remedy = "take" if change.target is None else "lay" if change.origin is None else "move"
    headline, detail, sentence = tongue.REMEDIES[remedy]
    about = {"card": card_name(deck, piece.code, tongue), "place": _place(place, tongue), "player": place[-1:]}
    return Words(headline, fit(detail, _shortened(about, tongue)), _sentence(sentence, about))


def standing_words(standings: tuple[Standing, ...], language: str) -> list[str]:
    """Of each army its place in the skirmish and why, and where it takes more or less than one supporter."""
    is_shared = any(standing.takes for standing in standings)  # else nobody told of supporters
    return [_standing(standing, is_shared, language) for standing in standings]


def _standing(standing: Standing, is_shared: bool, language: str) -> str:
    phrases, army = LANGUAGES[language].STANDINGS, standing.army
    worth = str(army.strength)
    worth += phrases["doubled"] if army.doubled else ""
    worth += phrases["hidden"].format(hidden=army.hidden) if army.hidden else ""
    place = phrases[standing.why.value].format(place=standing.place, player=army.player, worth=worth, rank=army.rank)
    if standing.takes == 0 and is_shared:
        return place + phrases["none"]
    return place + phrases["two"] if standing.takes == 2 else place


def no_ally_words(player: Player, language: str) -> str:
    return LANGUAGES[language].STANDINGS["no-ally"].format(player=player)


def not_final_words(language: str) -> str:
    """The ranking is not the last word: some allies lie face down."""
    return LANGUAGES[language].STANDINGS["waits"]


def next_words(position: Position, language: str) -> str:
    """What the table waits for, in a line of a small display."""
    return _next(position, LANGUAGES[language])


def _next(position: Position, tongue: Language) -> str:
    now = at_rest(position)
    match now.stage:
        case Stage.OVER:
            return tongue.NEXT["over"].format(player=winner(now))
        case Stage.SHARING if now.hidden:
            return tongue.NEXT["reveal"]
        case Stage.SHARING if next_taker(now) is not None:
            return tongue.NEXT["take"].format(player=next_taker(now))
        case Stage.FIGHTING if now.gap is not None:
            return tongue.NEXT["replace"].format(slot=now.gap)
        case Stage.FIGHTING if now.must_turn:
            return tongue.NEXT["turn-recruit"].format(player=now.on_turn)
        case Stage.FIGHTING:
            return tongue.NEXT["turn"].format(player=now.on_turn)
        case _:
            return tongue.NEXT["set-out"]


def fit(template: str, about: dict[str, str]) -> str:
    """The first alternative that fits the display; the last one is cut if it must be."""
    lines = [line.format(**about) for line in template.split("|")]
    return next((line for line in lines if len(line) <= WIDTH), lines[-1][:WIDTH])


def _shortened(about: dict[str, str], tongue: Language) -> dict[str, str]:
    short = {tongue.FACE_DOWN: tongue.HIDDEN, tongue.INITIATIVE: tongue.TOKEN}
    short |= {tongue.POWER_TOKEN.format(clan=clan.called): tongue.TOKEN for clan in LASTING}
    return {key: short.get(value, value) for key, value in about.items()}


def card_name(deck: Deck, code: str, tongue: Language) -> str:
    """Such as "Scott 7", or which token; whatever is neither goes by its code."""
    if code == UNKNOWN:
        return tongue.FACE_DOWN
    if code == INITIATIVE:
        return tongue.INITIATIVE
    clan = _token(code)
    if clan is not None:
        return tongue.POWER_TOKEN.format(clan=clan.called)
    card = deck.by_code.get(Code(code))
    return card.called if card else code


def _token(code: str) -> Clan | None:
    """The clan of a power token, on a card (`scott7!cochrane`) or beside it (`power-cochrane1`)."""
    _, on, clan = code.partition("!")
    loose = code.removeprefix("power-").rstrip("0123456789") if code.startswith("power-") else ""
    return next((lasting for lasting in LASTING if lasting == (clan if on else loose)), None)


def _foul_words(deck: Deck, player: Player | None, verdict: Verdict, tongue: Language) -> Words:
    first = verdict.fouls[0]
    headline = tongue.FOUL.format(player=player) if player else tongue.FOUL_OF_NOBODY
    detail = fit(tongue.FOULS[first.kind][0], _shortened(_named(deck, first, tongue), tongue))
    sentences = [_sentence(tongue.FOULS[foul.kind][1], _named(deck, foul, tongue)) for foul in verdict.fouls]
    return Words(headline, detail, " ".join(sentences))


def _named(deck: Deck, foul: Foul, tongue: Language) -> dict[str, str]:
    """What a foul is about, with cards, clans, places and faces called by their names."""
    about = dict(foul.about)
    for key in ("card", "by"):
        if key in about:
            about[key] = card_name(deck, about[key], tongue)
    if "clan" in about:
        about["clan"] = Clan(about["clan"]).called
    if "place" in about:
        about["place"] = _place(about["place"], tongue)
    if "face" in about:
        about["face"] = tongue.FACES[about["face"]]
    return about


def _place(place: str, tongue: Language) -> str:
    for word, name in tongue.PLACES.items():
        if place.startswith(word):
            return name.format(place.removeprefix(word))
    return place


def _sentence(template: str, about: dict[str, str]) -> str:
    text = template.format(**about)
    return re.sub(r"^[a-zà-ü]", lambda match: match.group().upper(), text)


def _act(position: Position, fact: Fact, verdict: Verdict, tongue: Language) -> tuple[str, dict[str, str]]:
    """Which act it was, and what its words speak of."""
    deck, after = position.deck, enforce(position, fact)
    about = {"player": str(fact.player), "next": _next(after, tongue), "turn": str(after.turn)}
    match fact:
        case Turned(_, slot, code) | Recruited(_, slot, code):
            act = "turned" if isinstance(fact, Turned) else "recruited"
            return act, about | {"slot": str(slot), "card": card_name(deck, code, tongue)}
        case Engaged(_, code):
            return _engaged(deck, code, verdict, about, tongue)
        case Passed():
            return "passed", about
        case TurnEnded():
            return "recruited-unseen" if moment(position, fact).may_have_recruited else "ended", about
        case Used():
            return _used(deck, fact, about, tongue)
        case Revealed(_, code):
            return "revealed", about | {"card": card_name(deck, code, tongue)}
        case Taken(player, code):
            return "taken", about | {"card": card_name(deck, code, tongue), "points": str(after.points(player))}
        case Straightened(_, lying):
            return "straightened", about | {"card": card_name(deck, lying.code, tongue)}
        case Cleared(_, lying):
            return "cleared", about | {"card": card_name(deck, lying.code, tongue)}
        case Dealt(code, place):
            return "dealt", about | {"card": card_name(deck, code, tongue), "place": _place(place, tongue)}
        case Together(acts):
            act = "dealt-together" if isinstance(acts[0], Dealt) else "cleared-together"
            return act, about | {"count": str(len(acts))}
        case InitiativeGiven(_, receiver):
            return "initiative", about | {"player": receiver}
        case Shifted(change) | PutRight(change):
            return "put-right", about | {"card": card_name(deck, change.piece.code, tongue)}


def _engaged(
    deck: Deck, code: str, verdict: Verdict, about: dict[str, str], tongue: Language
) -> tuple[str, dict[str, str]]:
    prospect = verdict.finding
    if not isinstance(prospect, Prospect):
        return "engaged-down", about
    about = about | {"card": card_name(deck, code, tongue)}
    if prospect.blocked_by is not None:
        return "engaged-blocked", about | {"by": card_name(deck, prospect.blocked_by, tongue)}
    if not prospect.powers:
        return "engaged-idle", about
    return "engaged-usable", about | {"power": ", ".join(tongue.POWERS[clan] for clan in prospect.powers)}


def _used(deck: Deck, fact: Used, about: dict[str, str], tongue: Language) -> tuple[str, dict[str, str]]:
    about = about | {"card": card_name(deck, fact.code, tongue)}
    match fact.effect:
        case Exchange(supporter):
            return "exchange", about | {"target": card_name(deck, supporter, tongue)}
        case Swap(owner, ally):
            return "swap", about | {"target": card_name(deck, ally.code, tongue), "owner": owner}
        case Discard(owner, ally):
            return "discard", about | {"target": card_name(deck, ally.code, tongue), "owner": owner}
        case Draw():
            return "draw", about
        case Again():
            return "again", about
        case Activate(Clan.SCOTT):
            return "token-to-come", about
        case Activate(clan):
            return "activate", about | {"power": tongue.POWERS[clan]}
