"""Verdicts in words: two short lines for a display, a sentence for a page, in the rulebooks' own terms."""

from __future__ import annotations

from types import ModuleType

from engine.schotten_totten.cards import Card, parse_card
from engine.schotten_totten.claim_words import claim_words
from engine.schotten_totten.claims import Finding, Why
from engine.schotten_totten.effects import applied
from engine.schotten_totten.facts import CardLaid, Fact, Passed, RusePlayed, StoneClaimed, TurnEnded
from engine.schotten_totten.fouls import REFUSED, Breach
from engine.schotten_totten.phrases import Phrase, english, french, spanish
from engine.schotten_totten.position import Position
from engine.schotten_totten.score import By, Victory
from engine.schotten_totten.spots import DISCARD, Discard, Spot, Tile, Top, spot_at, tile_at
from engine.schotten_totten.vocabulary import LANGUAGES, card_name, card_names
from engine.table import UNKNOWN, Change, Place
from engine.verdicts import Foul, Verdict, Words

_PHRASES: dict[str, ModuleType] = dict(zip(LANGUAGES, (english, french, spanish), strict=True))
WIDTH = 21  # characters of a line on a display of 128 by 64
_REFUSALS = {breach.value for breach in REFUSED.values()}


def verdict_words(position: Position, fact: Fact, verdict: Verdict, language: str) -> Words:
    """What is to be said of a fact; `position` is the one in which it was judged."""
    if verdict.legal:
        return _granted(position, fact, verdict, language)
    each = [foul_words(foul, verdict, language) for foul in verdict.fouls]
    return Words(each[0].headline, each[0].detail, " ".join(words.sentence for words in each))


def foul_words(foul: Foul, verdict: Verdict, language: str) -> Words:
    """One foul of a verdict; a claim that was refused says what was found."""
    about = dict(foul.about)
    said = _said(_PHRASES[language].FOULS[foul.kind], about, language)
    if foul.kind in _REFUSALS and isinstance(verdict.finding, Finding):
        found = claim_words(int(about["stone"]), verdict.finding, language)
        fits = foul.kind == Breach.CLAIM_COULD_BE_BEATEN.value and len(found.detail) <= WIDTH
        return Words(said.headline, found.detail if fits else said.detail, found.sentence)
    return said


def remedy_words(change: Change, language: str) -> Words:
    """What has to be done with one piece so that it lies right."""
    remedies: dict[str, Phrase] = _PHRASES[language].REMEDIES
    code = str(change.piece.code)
    if code.startswith("stone"):
        tile = tile_at(change.target)
        name = "tile-border" if tile in (Tile.BORDER, Tile.MISSING) else "tile-side"
        return _said(remedies[name], {"stone": code.removeprefix("stone"), "player": tile}, language)
    about = {"card": code, "place": str(change.target or change.origin), "origin": str(change.origin)}
    name = "take" if change.target is None else "lay" if change.origin is None else "move"
    return _said(remedies[name], about, language)


def _granted(position: Position, fact: Fact, verdict: Verdict, language: str) -> Words:
    acts: dict[str, Phrase] = _PHRASES[language].ACTS
    match fact:
        case StoneClaimed():
            return _claim(acts, applied(position, fact).victory, fact, verdict.finding, language)
        case CardLaid(player, card, spot):
            about = {"player": player, "card": str(card), "stone": _stone(spot)}
            return _said(acts["mode" if isinstance(spot, Top) else "laid"], about, language)
        case RusePlayed():
            return _ruse(acts, fact, language)
        case Passed(player):
            return _said(acts["passed"], {"player": player}, language)
        case TurnEnded(player):
            return _said(acts["ended"], {"player": player, "turn": player.opponent}, language)
        case _:
            name = "righted" if position.victory is None else "ignored"
            return _said(acts[name], {}, language)


def _claim(acts: dict[str, Phrase], won: Victory | None, fact: StoneClaimed, finding: object, language: str) -> Words:
    about = {"player": str(fact.player), "stone": str(fact.stone)}
    why = finding.why.value if isinstance(finding, Finding) else Why.STRONGER.value
    found = claim_words(fact.stone, finding, language).sentence if isinstance(finding, Finding) else ""
    if won is None:
        said = _said(acts[f"claim-{why}"], about, language)
        return Words(said.headline, said.detail, found)
    said = _said(acts["won-five" if won.by is By.FIVE else "won-three"], about, language)
    return Words(said.headline, said.detail, f"{found} {said.sentence}")


def _ruse(acts: dict[str, Phrase], fact: RusePlayed, language: str) -> Words:
    about = {"player": str(fact.player), "ruse": str(fact.ruse)}
    if fact.card is not None:
        about |= {"card": str(fact.card), "origin": str(fact.origin), "target": str(fact.target)}
        return _said(acts["ruse-moved"], about, language)
    return _said(acts["ruse" if fact.ruse == "recruiter" else "ruse-shown"], about, language)


def _stone(spot: Spot) -> str:
    return "" if isinstance(spot, Discard) else str(spot.stone)


def _said(phrase: Phrase, about: dict[str, str], language: str) -> Words:
    terms = {name: _term(name, value, language) for name, value in about.items()}
    terms["CARD"] = terms.get("card", "").upper()
    headline, detail, sentence = phrase
    return Words(_fitting(headline, terms), _fitting(detail, terms), sentence.format(**terms))


def _fitting(line: str, terms: dict[str, str]) -> str:
    """The first of a line's versions that fits a display; the last fits whatever it speaks of."""
    versions = [version.format(**terms) for version in line.split("|")]
    return next((version for version in versions if len(version) <= WIDTH), versions[-1])


def _term(name: str, value: str, language: str) -> str:
    match name:
        case "card" | "come" | "ruse":
            return _PHRASES[language].HIDDEN if value == UNKNOWN else card_name(parse_card(value), language)
        case "cards":
            cards: list[Card] = [parse_card(code) for code in value.split()]
            return card_names(cards, language)
        case "place" | "origin" | "target":
            spot = spot_at(Place(value))
            return _PHRASES[language].DISCARD if spot == DISCARD else value
        case _:
            return value
