"""The rulebooks' own names for cards, colours and formations, in English, French and Spanish."""

from __future__ import annotations

from collections.abc import Iterable

from engine.schotten_totten.cards import Card, ClanCard, Colour, Tactic
from engine.schotten_totten.formations import Formation, Kind, Reading

LANGUAGES = ("en", "fr", "es")

_COLOURS: dict[str, dict[Colour, str]] = {
    "en": dict(zip(Colour, ("red", "yellow", "green", "blue", "purple", "brown"), strict=True)),
    "fr": dict(zip(Colour, ("rouge", "jaune", "vert", "bleu", "mauve", "marron"), strict=True)),
    "es": dict(zip(Colour, ("rojo", "amarillo", "verde", "azul", "violeta", "marrón"), strict=True)),
}

_TACTICS: dict[Tactic, tuple[str, str, str]] = {
    Tactic.JOKER_1: ("Joker", "Joker", "Comodín"),
    Tactic.JOKER_2: ("Joker", "Joker", "Comodín"),
    Tactic.SPY: ("Spy", "Espion", "Espía"),
    Tactic.SHIELD_BEARER: ("Shield-Bearer", "Porte-Bouclier", "Escudero"),
    Tactic.BLIND_MANS_BLUFF: ("Blind-Man's Bluff", "Colin-Maillard", "Gallito Ciego"),
    Tactic.MUD_FIGHT: ("Mud Fight", "Combat de Boue", "Lucha en el Barro"),
    Tactic.RECRUITER: ("Recruiter", "Chasseur de Tête", "Reclutador"),
    Tactic.STRATEGIST: ("Strategist", "Stratège", "Estratega"),
    Tactic.BANSHEE: ("Banshee", "Banshee", "Banshee"),
    Tactic.TRAITOR: ("Traitor", "Traître", "Traidor"),
}

_KINDS: dict[Kind, tuple[str, str, str]] = {
    Kind.COLOR_RUN: ("Color-Run", "Suite couleur", "Escalera de Color"),
    Kind.THREE_OF_A_KIND: ("Three of a Kind", "Brelan", "Pierna"),
    Kind.COLOR: ("Color", "Couleur", "Color"),
    Kind.RUN: ("Run", "Suite", "Escalera"),
    Kind.SUM: ("Sum", "Somme", "Suma"),
}

_AND = {"en": "and", "fr": "et", "es": "y"}


def card_name(card: Card, language: str) -> str:
    """Such as "green 8", "8 vert", "Comodín"."""
    if isinstance(card, ClanCard):
        return _coloured(card.colour, str(card.strength), language)
    return _TACTICS[card][LANGUAGES.index(language)]


def card_names(cards: Iterable[Card], language: str) -> str:
    """Such as "green 8 and green 9"."""
    *most, last = (card_name(card, language) for card in cards)
    return f"{', '.join(most)} {_AND[language]} {last}" if most else last


def short_card_names(cards: Iterable[Card], language: str) -> str:
    """For a small display, cards of a colour together: "green 8 9, Joker"."""
    by_colour: dict[Colour, list[str]] = {}
    tactics = []
    for card in cards:
        if isinstance(card, ClanCard):
            by_colour.setdefault(card.colour, []).append(str(card.strength))
        else:
            tactics.append(card_name(card, language))
    clans = [_coloured(colour, " ".join(strengths), language) for colour, strengths in by_colour.items()]
    return ", ".join(clans + tactics)


def formation_name(formation: Formation, language: str) -> str:
    """Such as "Color-Run 24", "Suite couleur 24"."""
    return f"{_KINDS[formation.kind][LANGUAGES.index(language)]} {formation.sum}"


def stood_for(reading: Reading, language: str) -> str:
    """What a wild card stands for: "green 8", or only its strength where any colour will do."""
    if reading.colour is None:
        return str(reading.strength)
    return _coloured(reading.colour, str(reading.strength), language)


def _coloured(colour: Colour, strength: str, language: str) -> str:
    name = _COLOURS[language][colour]
    return f"{name} {strength}" if language == "en" else f"{strength} {name}"
