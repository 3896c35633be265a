"""What a referee says about a claim, in English, French and Spanish.

Knows how to speak, not how to judge: every word comes from a finding.
"""

from __future__ import annotations

from engine.schotten_totten.claims import Finding, Why
from engine.schotten_totten.vocabulary import (
    LANGUAGES,
    card_name,
    card_names,
    formation_name,
    short_card_names,
    stood_for,
)
from engine.verdicts import Words

_HEADLINES = {
    "en": ("Stone {stone}: {me} may claim", "Stone {stone}: not yet", "Stone {stone}: no"),
    "fr": ("Borne {stone} : oui, à {me}", "Borne {stone} : pas encore", "Borne {stone} : non"),
    "es": ("Piedra {stone}: sí, de {me}", "Piedra {stone}: aún no", "Piedra {stone}: no"),
}

_DETAILS: dict[Why, tuple[str, str, str]] = {
    Why.STRONGER: ("{mine} beats {theirs}", "{mine} bat {theirs}", "{mine} supera a {theirs}"),
    Why.TIE_COMPLETED_FIRST: (
        "tie: {me} completed first",
        "égalité : {me} a complété en premier",
        "empate: {me} completó primero",
    ),
    Why.PROOF: (
        "{them} can have {theirs} at best",
        "au mieux {theirs} pour {them}",
        "como mucho {theirs} para {them}",
    ),
    Why.ALREADY_CLAIMED: ("already claimed", "déjà revendiquée", "ya reclamada"),
    Why.INCOMPLETE: (
        "{me}'s side is not complete",
        "le côté de {me} est incomplet",
        "el lado de {me} está incompleto",
    ),
    Why.WEAKER: (
        "{theirs} beats {mine}",
        "{theirs} bat {mine}",
        "{theirs} supera a {mine}",
    ),
    Why.TIE_COMPLETED_SECOND: (
        "tie: {me} was not first",
        "égalité : {me} n'était pas en premier",
        "empate: {me} no fue el primero",
    ),
    Why.COULD_BE_BEATEN: (
        "{cards_short} would beat you",
        "{cards_short} : vous perdriez",
        "{cards_short}: perderías",
    ),
}

_SENTENCES: dict[Why, tuple[str, str, str]] = {
    Why.STRONGER: (
        "{me} may claim Stone {stone}: {mine} beats {theirs}.",
        "{me} peut revendiquer la Borne {stone} : {mine} bat {theirs}.",
        "{me} puede reclamar la Piedra {stone}: {mine} supera a {theirs}.",
    ),
    Why.TIE_COMPLETED_FIRST: (
        "{me} may claim Stone {stone}: both have {mine}, and {me} completed first.",
        "{me} peut revendiquer la Borne {stone} : {mine} des deux côtés, et {me} a complété en premier.",
        "{me} puede reclamar la Piedra {stone}: ambos tienen {mine}, y {me} completó primero.",
    ),
    Why.PROOF: (
        "{me} may claim Stone {stone}: {mine} can no longer be beaten, {them} could have {theirs} at best.",
        "{me} peut revendiquer la Borne {stone} : plus rien ne bat {mine}, {them} aurait au mieux {theirs}.",
        "{me} puede reclamar la Piedra {stone}: ya nada supera a {mine}, {them} tendría como mucho {theirs}.",
    ),
    Why.ALREADY_CLAIMED: (
        "Stone {stone} is already claimed.",
        "La Borne {stone} est déjà revendiquée.",
        "La Piedra {stone} ya fue reclamada.",
    ),
    Why.INCOMPLETE: (
        "Not yet: {me}'s side of Stone {stone} is not complete.",
        "Pas encore : le côté de {me} de la Borne {stone} est incomplet.",
        "Aún no: el lado de {me} de la Piedra {stone} está incompleto.",
    ),
    Why.WEAKER: (
        "{me} may not claim Stone {stone}: {theirs} beats {mine}.",
        "{me} ne peut pas revendiquer la Borne {stone} : {theirs} bat {mine}.",
        "{me} no puede reclamar la Piedra {stone}: {theirs} supera a {mine}.",
    ),
    Why.TIE_COMPLETED_SECOND: (
        "{me} may not claim Stone {stone}: both have {mine}, and {me} was not the first to complete.",
        "{me} ne peut pas revendiquer la Borne {stone} : {mine} des deux côtés, et {me} n'a pas complété en premier.",
        "{me} no puede reclamar la Piedra {stone}: ambos tienen {mine}, y {me} no fue el primero en completar.",
    ),
    Why.COULD_BE_BEATEN: (
        "Not yet: on Stone {stone}, {cards} would give {them} {theirs}, which beats {mine}.",
        "Pas encore : sur la Borne {stone}, avec {cards}, {them} aurait {theirs}, qui bat {mine}.",
        "Aún no: en la Piedra {stone}, con {cards}, {them} tendría {theirs}, que supera a {mine}.",
    ),
}

# A proof has two borders of its own: the opponent could only level, or cannot complete at all.
_LEVEL = (
    "{me} may claim Stone {stone}: {them} could at best level {mine}, and {me} completed first.",
    "{me} peut revendiquer la Borne {stone} : au mieux {them} égalerait {mine}, et {me} a complété en premier.",
    "{me} puede reclamar la Piedra {stone}: {them} podría como mucho igualar {mine}, y {me} completó primero.",
)
_NOTHING_LEFT = (
    "{me} may claim Stone {stone}: too few cards are left for {them} to complete.",
    "{me} peut revendiquer la Borne {stone} : il reste trop peu de cartes pour que {them} complète son côté.",
    "{me} puede reclamar la Piedra {stone}: quedan muy pocas cartas para que {them} complete su lado.",
)
_NOTHING_LEFT_DETAIL = (
    "{them} can no longer complete",
    "{them} ne peut plus compléter",
    "{them} ya no puede completar",
)
_READING = (
    " {player}'s {wild} stands for {card}.",
    " {wild} de {player} : {card}.",
    " {wild} de {player}: {card}.",
)


def claim_words(stone: int, finding: Finding, language: str) -> Words:
    """The finding about a claim of this Stone, for a display and for a page."""
    at = LANGUAGES.index(language)
    terms = _terms(stone, finding, language)
    yes, not_yet, no = _HEADLINES[language]
    refused = not_yet if finding.why in (Why.INCOMPLETE, Why.COULD_BE_BEATEN) else no
    headline = yes if finding.allowed else refused
    detail, sentence = _DETAILS[finding.why][at], _SENTENCES[finding.why][at]
    if finding.why is Why.PROOF and finding.theirs is None:
        detail, sentence = _NOTHING_LEFT_DETAIL[at], _NOTHING_LEFT[at]
    elif finding.why is Why.PROOF and finding.theirs == finding.mine:
        sentence = _LEVEL[at]
    return Words(
        headline.format(**terms), detail.format(**terms), sentence.format(**terms) + _readings(finding, language)
    )


def _terms(stone: int, finding: Finding, language: str) -> dict[str, str]:
    cards = finding.counterexample
    return {
        "stone": str(stone),
        "me": finding.player,
        "them": finding.player.opponent,
        "mine": formation_name(finding.mine, language) if finding.mine else "",
        "theirs": formation_name(finding.theirs, language) if finding.theirs else "",
        "cards": card_names(cards, language) if cards else "",
        "cards_short": short_card_names(cards, language),
    }


def _readings(finding: Finding, language: str) -> str:
    """What the wild cards on the table stand for, where the verdict rests on it."""
    if finding.why in (Why.ALREADY_CLAIMED, Why.INCOMPLETE):
        return ""
    template = _READING[LANGUAGES.index(language)]
    spoken = [(finding.player, reading) for reading in finding.my_readings]
    if finding.theirs is not None and finding.why is not Why.PROOF:
        spoken += [(finding.player.opponent, reading) for reading in finding.their_readings]
    return "".join(
        template.format(player=player, wild=card_name(reading.wild, language), card=stood_for(reading, language))
        for player, reading in spoken
    )
