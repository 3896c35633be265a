"""What a bad file or a lost part says of itself, in the other languages.

Such a sentence is made in English where the fault is met, in the rules, the eye, a profile or a driver, which know no
language. It is known again by its shape, the words between its blanks; what fills a blank may have a shape of its own.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

ENGLISH = "en"
BLANK = "{}"
LONGEST = 1000  # a longer one quotes what nobody wrote to be read
_WHERE = ": "  # a file, a setting … and what is wrong there


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The sentences of one language by the English ones."""
    text = resources.files(__package__).joinpath(f"faults_{language}.toml").read_text(encoding="utf-8")
    return {english: str(said) for english, said in tomllib.loads(text).items()}


@lru_cache(maxsize=256)
def told(sentence: str, language: str) -> str:
    """The sentence in a language, as far as it is known there."""
    if language == ENGLISH or len(sentence) > LONGEST:
        return sentence
    steps = sentence.split(_WHERE)
    for begins in (True, False):
        for n in range(min(len(steps), 3)):
            said = _shaped(_WHERE.join(steps[n:]), language, begins)
            if said is not None:
                return _WHERE.join([*steps[:n], said])
    return sentence


def _shaped(sentence: str, language: str, begins: bool) -> str | None:
    for shape, said in _shapes(language, begins):
        if found := shape.fullmatch(sentence):
            return said.format(*(told(blank, language) for blank in found.groups()))
    return None


@cache
def _shapes(language: str, begins: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The shapes that begin with a word, or those that begin with a blank, into which anything fits; those that say
    most themselves first."""
    known = [both for both in catalogue(language).items() if both[0].startswith(BLANK) is not begins]
    known.sort(key=lambda both: -len(both[0].replace(BLANK, "")))
    return tuple((re.compile("(.*?)".join(map(re.escape, one.split(BLANK))), re.DOTALL), said) for one, said in known)
