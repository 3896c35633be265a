"""A few words for commands that tell of games: a foul, and who has won by what."""

from __future__ import annotations

FOUL = {"en": "FOUL", "fr": "FAUTE", "es": "FALTA"}
_END = {
    "en": ("{winner} wins ({by})", "nobody wins ({by})"),
    "fr": ("{winner} gagne ({by})", "personne ne gagne ({by})"),
    "es": ("gana {winner} ({by})", "no gana nadie ({by})"),
}
_BY = {
    "three-adjacent": {"en": "three Stones in a row", "fr": "trois Bornes adjacentes", "es": "tres Piedras contiguas"},
    "five": {"en": "five Stones", "fr": "cinq Bornes", "es": "cinco Piedras"},
    "most-points": {"en": "most points", "fr": "le plus de points", "es": "más puntos"},
    "better-place": {
        "en": "level on points, the better place in the last skirmish",
        "fr": "à égalité de points, mieux classé dans la dernière manche",
        "es": "empate a puntos, mejor puesto en la última escaramuza",
    },
    "decision": {"en": "decided by hand", "fr": "décision d'arbitre", "es": "decisión del árbitro"},
}


def ending(winner: object, by: object, language: str) -> str:
    """How a game ended. A way to win that has no words here is told by its name."""
    won, drawn = _END[language]
    words = _BY.get(str(by), {}).get(language, str(by))
    return (won if winner else drawn).format(winner=winner, by=words)
