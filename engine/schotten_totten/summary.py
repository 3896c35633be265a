"""What screens and lamps need to know of a position."""

from __future__ import annotations

from engine import table
from engine.rules import Mark, Sign, Summary
from engine.schotten_totten.cards import STONES, Player
from engine.schotten_totten.claims import Finding, Why, judge_all
from engine.schotten_totten.position import Position
from engine.schotten_totten.score import held
from engine.schotten_totten.stones import Stone


def summary(position: Position) -> Summary:
    """Whose card is next, a mark for each Stone, the Stones held, and who has won."""
    won = position.victory
    findings = judge_all(position.stones, position.discard, position.rules.proof)
    return Summary(
        turn=table.Player(position.to_play) if won is None else None,
        marks=tuple(
            _mark(number, stone, pair) for number, stone, pair in zip(STONES, position.stones, findings, strict=True)
        ),
        score=tuple((table.Player(player), held(position.stones, player)) for player in Player),
        winner=table.Player(won.winner) if won else None,
        won_by=won.by.value if won else None,
    )


def _mark(number: int, stone: Stone, findings: tuple[Finding, Finding]) -> Mark:
    """A claim that could be proved is shown to all at once, whoever's turn it is."""
    name = f"stone{number}"
    if stone.owner is not None:
        return Mark(name, Sign.HELD, table.Player(stone.owner))
    for finding in findings:
        if finding.allowed:
            tie = finding.why is Why.TIE_COMPLETED_FIRST
            return Mark(name, Sign.TIE if tie else Sign.OFFERED, table.Player(finding.player))
    return Mark(name, Sign.DARK)
