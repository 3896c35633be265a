"""The event's own words in every language: its pages, its paper, and why something was refused.

The same names stand in every language's file. Knows no event.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def vocabulary(language: str) -> dict[str, str]:
    """All words of one language by their names."""
    text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def say(name: str, language: str, /, **about: str | int) -> str:
    """The words of this name, with `about` filled in."""
    return vocabulary(language)[name].format(**about)
