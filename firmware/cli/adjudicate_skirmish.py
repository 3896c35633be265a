"""What `marchwarden adjudicate` answers to a position of Lords of Scotland: the ranking of the armies, and why."""

from __future__ import annotations

import json

from engine.lords_of_scotland.adjudicate import adjudicate, adjudicated_words
from engine.lords_of_scotland.document import parse_document
from engine.lords_of_scotland.fields import BadDocument
from engine.lords_of_scotland.words import LANGUAGES
from firmware.card_list import lords_of_scotland_deck
from firmware.cli import BadInput


def answer(where: str, text: bytes, as_json: bool, lang: str) -> str:
    """The answer as a JSON document, or in sentences."""
    try:
        position = parse_document(lords_of_scotland_deck(), text)
    except BadDocument as error:
        raise BadInput(f"{where}: {error}") from None
    found = adjudicate(position, lang)
    if as_json:
        return json.dumps(found)
    lines = [f"{where}:", *(f"  {line}" for line in adjudicated_words(position, lang))]
    if found["winner"] is not None:
        lines.append(f"  {LANGUAGES[lang].NEXT['over'].format(player=found['winner'])}.")
    return "\n".join(lines)
