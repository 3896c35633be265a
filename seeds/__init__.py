"""The rules of the games in the project's own words, numbered, as documents that people and programs read.

`rules_of("schotten-totten")` reads `schotten_totten.md`. A rule is a heading `### ST-201 Title`, its text, and two
closing lines, `Source: …` and `Shown by: …`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
GAMES = ("schotten-totten", "lords-of-scotland")


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule: its text, the rulebooks it comes from, and the tests that show it."""

    id: str
    title: str
    text: str
    chapter: str
    sources: tuple[str, ...]
    shown_by: tuple[str, ...]


def document(game: str) -> Path:
    """The file with this game's rules."""
    return FOLDER / f"{game.replace('-', '_')}.md"


def rules_of(game: str) -> tuple[Rule, ...]:
    """The rules of a game, in the order of the document."""
    path = document(game)
    return parse_rules(path.read_text(encoding="utf-8")) if path.exists() else ()


def parse_rules(text: str) -> tuple[Rule, ...]:
    """The rules in a document's text."""
    chapter = ""
    found = []
    for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE):
        heading, _, body = part.partition("\n")
        if heading.startswith("## "):
            chapter = heading.removeprefix("## ").strip()
        match = re.fullmatch(r"### ([A-Z]{2}-\d+) (.+)", heading.strip())
        if match:
            said, _, closing = body.partition("\nSource: ")
            source, _, shown = closing.partition("\nShown by:")
            found.append(
                Rule(
                    id=match.group(1),
                    title=match.group(2).strip(),
                    text=said.strip(),
                    chapter=chapter,
                    sources=_listed(source),
                    shown_by=_listed(shown),
                )
            )
    return tuple(found)


def _listed(text: str) -> tuple[str, ...]:
    words = (word.strip().strip("`.") for word in re.split(r"[,\n]", text))
    return tuple(word for word in words if word)
