"""Words of the station itself in every language; the words of verdicts are each game's own.

A catalogue is a file per language with the same names in each: two lines for a small display and a sentence for a
page. Knows no state: whoever asks says what the words are about.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from engine.verdicts import Words
from firmware.messages.told import told

LANGUAGES = ("en", "fr", "es")


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """All names of one language. An unknown language is a mistake of the program, not of a user."""
    text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def words(name: str, language: str, **about: str | int) -> Words:
    """What to say about a trouble or an act, with `about` filled in; `why` is what a fault says of itself."""
    entry = catalogue(language)[name]
    if "why" in about:
        about["why"] = told(str(about["why"]), language)
    return Words(
        headline=entry["headline"].format(**about),
        detail=entry["detail"].format(**about),
        sentence=entry["sentence"].format(**about),
    )


def line(name: str, language: str, **about: str | int | float) -> str:
    """A line for a terminal."""
    return catalogue(language)["terminal"][name].format(**about)


def label(name: str, language: str, **about: str | int) -> str:
    """A word or two for the edge of a screen, a button or a place."""
    return catalogue(language)["labels"][name].format(**about)
