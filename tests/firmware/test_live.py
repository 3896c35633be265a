"""The live view shows board, display and verdicts, in whatever room the terminal has."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest

from firmware.games import refereed
from firmware.live import LiveView
from tests.firmware.sitting import Sitting


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(tmp_path: Path, stream: StringIO) -> str:
    sitting = Sitting(tmp_path)
    sitting.station.subscribe(LiveView(stream, refereed("schotten-totten").board))
    sitting.play("A g5@3", "A g6@9")
    sitting.get_up()
    return stream.getvalue()


@pytest.mark.parametrize(("columns", "rows", "has_pixels"), [(160, 70, True), (100, 30, False), (80, 24, False)])
def test_the_view_fits_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int, rows: int, has_pixels: bool
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))
    page = shown(tmp_path, Terminal()).split("\x1b[H")[-1]
    assert ("█" in page) == has_pixels
    assert has_pixels or "│ 2ND CARD BY A │" in page
    assert "g5" in page
    assert "second-card (ST-202)" in page
    lines = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line) for line in page.splitlines()]
    assert len(lines) <= rows
    assert max(map(len, lines)) <= columns


def test_into_a_pipe_goes_one_line_a_verdict(tmp_path: Path) -> None:
    lines = shown(tmp_path, StringIO()).splitlines()
    assert [line.split()[1:3] for line in lines] == [["A", "g5@3"], ["A", "g6@9"]]


@pytest.mark.parametrize(("language", "words"), [("fr", ("partie 1", "défausse:")), ("es", ("partida 1", "descarte:"))])
def test_the_view_speaks_the_stations_language(tmp_path: Path, language: str, words: tuple[str, str]) -> None:
    stream = Terminal()
    sitting = Sitting(tmp_path)
    sitting.station.subscribe(LiveView(stream, refereed("schotten-totten").board, language=language))
    sitting.play("A g5@3")
    sitting.get_up()
    assert all(word in stream.getvalue() for word in words)
