"""A game on paper: who played, what was agreed, every move with its verdict, and how it ended."""

from __future__ import annotations

import io
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from firmware.printing.fonts import FILES, font_file
from firmware.web.history import MATCHED, Played

MM = float(mm)
LEFT, TOP, BOTTOM = 18 * MM, float(A4[1]) - 20 * MM, 18 * MM
ROW = 5.2 * MM
COLUMNS = (LEFT, LEFT + 12 * MM, LEFT + 55 * MM)
INK, FAINT, FOUL = HexColor("#1d1a17"), HexColor("#8a857c"), HexColor("#a3161f")


def score_sheet(game: Played, steps: list[dict[str, Any]], words: dict[str, str]) -> bytes:
    """The sheet as PDF, in the language of `words`."""
    for font in FILES:
        pdfmetrics.registerFont(TTFont(f"sheet-{font}", str(font_file(font))))
    file = io.BytesIO()
    sheet = Canvas(file, pagesize=A4, invariant=1)
    sheet.setTitle(f"Marchwarden {game.number}")
    y = _head(sheet, game, words)
    for step in steps[1:]:
        verdict = step["verdict"]
        lines = _wrapped(verdict["sentence"], 118 * MM)
        if y - ROW * len(lines) < BOTTOM:
            sheet.showPage()
            y = TOP
        y = _row(sheet, y, verdict, lines)
    players = [str(player) for player, _ in game.referee.game.summary(game.referee.position).score]
    _signatures(sheet, y, players, words)
    sheet.save()
    return file.getvalue()


def _head(sheet: Canvas, game: Played, words: dict[str, str]) -> float:
    head = dict(game.head)
    sheet.setFont("sheet-bold", 17)
    sheet.setFillColor(INK)
    sheet.drawString(LEFT, TOP, f"{words['score_sheet']}: {words['game']} {game.number}")
    summary = game.referee.game.summary(game.referee.position)
    points = " : ".join(str(count) for _, count in summary.score)
    decision = game.referee.decision
    winner = summary.winner if decision is None else decision.winner
    facts = [
        (words["date"], game.entries[0].at[:16].replace("T", " ")),
        (words["rules"], _rules(game, words)),
        *((str(player), head.get(f"player {player}", str(player))) for player, _ in summary.score),
        (words["score"], points),
        (words["winner"], head.get(f"player {winner}", str(winner or "–"))),
    ]
    y = TOP - 9 * MM
    for name, value in facts:
        sheet.setFont("sheet-plain", 9)
        sheet.setFillColor(FAINT)
        sheet.drawString(LEFT, y, name)
        sheet.setFillColor(INK)
        sheet.drawString(LEFT + 32 * MM, y, value)
        y -= ROW
    return y - 4 * MM


def _rules(game: Played, words: dict[str, str]) -> str:
    """What was agreed, in words where there are any for it."""
    rules = dict(game.head).get("rules", "base")
    variant = next((name for name, told in game.refereed.variants.items() if told == rules), "")
    plain = "rules_base" if game.refereed.game.name == MATCHED else "rules_lords"
    return words.get(plain if variant == "base" else f"rules_{variant}", rules)


def _row(sheet: Canvas, y: float, verdict: dict[str, Any], lines: list[str]) -> float:
    sheet.setFont("sheet-plain", 8)
    sheet.setFillColor(FAINT)
    sheet.drawRightString(COLUMNS[1] - 3 * MM, y, str(verdict["number"]))
    sheet.setFillColor(INK if verdict["counts"] else FOUL)
    room = COLUMNS[2] - COLUMNS[1] - 2 * MM  # a line of the second game may be longer than it is wide
    wanted = pdfmetrics.stringWidth(verdict["line"], "sheet-plain", 8)
    sheet.setFont("sheet-plain", 8 * min(1.0, room / wanted))
    sheet.drawString(COLUMNS[1], y, verdict["line"])
    sheet.setFont("sheet-plain", 8)
    for line in lines:
        sheet.drawString(COLUMNS[2], y, line)
        y -= ROW * 0.8
    if verdict["rules"]:
        sheet.setFont("sheet-italic", 7)
        sheet.drawString(COLUMNS[2], y, ", ".join(verdict["rules"]))
        y -= ROW * 0.8
    return y - ROW * 0.2


def _signatures(sheet: Canvas, y: float, players: list[str], words: dict[str, str]) -> None:
    rows = (len(players) + 1) // 2
    if y < BOTTOM + 25 * MM * rows:
        sheet.showPage()
        y = TOP
    sheet.setFont("sheet-plain", 8)
    for n, player in enumerate(players):
        x = LEFT + n % 2 * 90 * MM
        y -= 25 * MM if n and n % 2 == 0 else 0
        sheet.setStrokeColor(FAINT)
        sheet.line(x, y - 16 * MM, x + 75 * MM, y - 16 * MM)
        sheet.setFillColor(FAINT)
        sheet.drawString(x, y - 20 * MM, f"{words['signature']} {player}")


def _wrapped(text: str, width: float) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if pdfmetrics.stringWidth(longer, "sheet-plain", 8) > width and line:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]
