"""The rules of the games in the project's own words, numbered, as documents that people and programs read.

`rules_of("schotten-totten")` reads `schotten_totten.md`. A rule is a heading `### ST-201 Title`, its text, and two
closing lines, `Source: …` and `Shown by: …`. `schotten_totten.fr.md` says the same in French, without these two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

FOLDER = Path(__file__).parent
GAMES = ("schotten-totten", "lords-of-scotland")
LANGUAGES = ("en", "fr", "es")


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule: its text, the rulebooks it comes from, and the tests that show it."""

    id: str
    title: str
    text: str
    chapter: str
    sources: tuple[str, ...]
    shown_by: tuple[str, ...]


def document(game: str, language: str = "en") -> Path:
    """The file with this game's rules."""
    return FOLDER / f"{game.replace('-', '_')}{'' if language == 'en' else f'.{language}'}.md"


def rules_of(game: str, language: str = "en") -> tuple[Rule, ...]:
    """The rules of a game, in the order of the document. A rule without a translation speaks English."""
    rules = _read(document(game))
    spoken = {rule.id: rule for rule in _read(document(game, language))}
    return tuple(
        replace(rule, title=said.title, text=said.text, chapter=said.chapter) if (said := spoken.get(rule.id)) else rule
        for rule in rules
    )


def _read(path: Path) -> tuple[Rule, ...]:
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
