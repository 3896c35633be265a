"""The catalogues say the same things in every language, and fit the smallest displays."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from firmware.messages import LANGUAGES, catalogue, label, words
from firmware.ports import Canvas
from firmware.present import BLIND, HINTS, UNREAD
from firmware.screen import plan
from firmware.state import saying
from firmware.typeset import SMALLEST_PT, fitted

PLAIN = ("labels", "terminal")  # words that no display shows
SAMPLES: dict[str, str | int] = {
    "turn": 5,
    "skirmish": 12,
    "slot": 5,
    "players": "A, B, C, D, E",
    "strength": 124,
    "player": "Anna", "first": 2, "second": 1, "by": "Anna", "reason": "misread", "what": "b7", "where": "Stone 4 A",
    "card": "b7", "twin": "b8", "count": 2, "number": 12, "button": "turn", "why": "no answer", "place": "4A",
    "origin": "4A", "target": "5A", "words": "play on", "game": "schotten-totten", "column": 12,
    "station": "north", "line": "A scott7",
}  # fmt: skip


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_names_with_the_same_blanks(language: str) -> None:
    def shape(of: str) -> dict[str, dict[str, set[str]]]:
        return {
            name: {key: placeholders(text) for key, text in entry.items() if name in PLAIN or key == "sentence"}
            for name, entry in catalogue(of).items()
        }

    assert shape(language) == shape("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("canvas", [Canvas(128, 32), Canvas(128, 64)], ids=str)
def test_both_lines_fit_a_small_display_without_being_cut(language: str, canvas: Canvas) -> None:
    places = plan(canvas)
    for name in catalogue(language):
        if name in PLAIN:
            continue
        said = words(name, language, **SAMPLES)
        for text, rows, bold in ((said.headline, places.headline, True), (said.detail, places.detail, False)):
            lines, size = fitted(text, canvas.width - 2, rows[1] - rows[0], bold)
            assert " ".join(lines) == text, (name, text)
            assert size >= SMALLEST_PT


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_end_like_sentences(language: str) -> None:
    for name, entry in catalogue(language).items():
        if name not in PLAIN:
            assert re.search(r"[.?}]$", entry["sentence"]), name


def test_every_trouble_that_can_be_shown_has_words() -> None:
    names = {*BLIND, *HINTS, *UNREAD.values(), "seen-twice", "wrong-deck"}
    assert names <= set(catalogue("en"))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Anna Bell, Jr rules that it does not count: wrong player, it was Bert"),
        ("fr", "Anna Bell, Jr décide que cela ne compte pas : mauvais joueur, it was Bert"),
    ],
)
def test_a_judges_role_is_left_out_and_a_ground_is_told_in_the_tables_language(language: str, sentence: str) -> None:
    ruled = saying("ruled-void", by="Anna Bell, Jr, head judge", reason="wrong-player, it was Bert")
    assert ruled.words(language).sentence == sentence


def test_a_label_is_filled_in() -> None:
    assert label("side", "fr", number=3, player="B") == "Borne 3 B"
