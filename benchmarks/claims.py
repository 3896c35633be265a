"""How long a claim takes, for 0 to 4 missing cards, beside the exhaustive prover of the tests in the same run.

The positions are random and seeded; wild cards, Mud Fight, Blind-Man's Bluff and both options of proof are mixed in.
The exhaustive prover is given claims early in a game, when almost every Clan card is unseen. It keeps its memory of
hands from claim to claim, which makes it faster than it would be alone.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import Any, TypeVar

from engine.schotten_totten.cards import Player
from engine.schotten_totten.claims import judge_all, judge_claim, supply_for
from engine.schotten_totten.document import Document, from_json
from tests.engine.schotten_totten import exhaustive
from tests.engine.schotten_totten.random_positions import CLAN, ELITE, contested

SEED = 2
CLAIMS = 400
UNSEEN = 44
EXHAUSTIVE_CLAIMS = {0: 100, 1: 100, 2: 40, 3: 20, 4: 5}
TABLES = 200
REPEATS = 5
T = TypeVar("T")
RESULTS = Path(__file__).parent / "results" / "claims.md"


@dataclass(frozen=True, slots=True)
class Row:
    """The times of one number of missing cards, in microseconds."""

    missing: int
    median_us: float
    worst_us: float
    exhaustive_us: float
    ratio: float


def main() -> None:
    rows = [measure(missing) for missing in range(5)]
    tables = [best_us(judge_table, table(Random(f"{SEED} table {number}"))) for number in range(TABLES)]
    report = describe(rows, tables)
    print(report)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(report, encoding="utf-8")


def measure(missing: int) -> Row:
    early = [UNSEEN] * (CLAIMS // 2)
    anywhere = [Random(f"{SEED} unseen {number}").randint(0, UNSEEN) for number in range(CLAIMS // 2)]
    positions = [
        contested(Random(f"{SEED} {missing} {number}"), missing=missing, unseen=unseen)
        for number, unseen in enumerate(early + anywhere)
    ]
    ours = [best_us(judge_one, from_json(position)) for position in positions]
    # The first run fills the other prover's memory; the second is the one that counts.
    few = positions[: EXHAUSTIVE_CLAIMS[missing]]
    theirs = [best_us(judge_exhaustively, position, repeats=2) for position in few]
    ratios = [slow / fast for slow, fast in zip(theirs, ours, strict=False)]
    return Row(missing, median(ours), max(ours), median(theirs), median(ratios))


def judge_one(document: Document) -> None:
    """A single claim, with everything it needs: the cards that may still come, and the proof."""
    supply = supply_for(Player.B, document.stones, document.discard, document.rules.proof)
    judge_claim(document.stones[0], Player.A, supply)


def judge_exhaustively(position: dict[str, Any]) -> None:
    exhaustive.judge(position, 1, "A")


def judge_table(document: Document) -> None:
    judge_all(document.stones, document.discard, document.rules.proof)


def table(random: Random) -> Document:
    """Nine contested Stones: one side complete, the other not; Mud Fight, Blind-Man's Bluff and wild cards in play."""
    cards = random.sample(CLAN, len(CLAN)) + random.sample(ELITE, 2)
    stones = []
    for number in range(9):
        modes = {0: ["mud"], 1: ["bluff"]}.get(number, [])
        full = [cards.pop() for _ in range(4 if "mud" in modes else 3)]
        short = [cards.pop() for _ in range(random.choice((0, 1, 2)))]
        sides = random.sample((full, short), 2)
        stones.append({"A": sides[0], "B": sides[1], "modes": modes})
    discard = cards[: random.randint(0, len(cards))]
    return from_json({"rules": {"tactics": True, "proof": "tactics"}, "stones": stones, "discard": discard})


def best_us(judge: Callable[[T], None], position: T, repeats: int = REPEATS) -> float:
    """The shortest of a few runs: what the work takes, without what else the machine had to do."""
    times = []
    for _ in range(repeats):
        start = perf_counter_ns()
        judge(position)
        times.append(perf_counter_ns() - start)
    return min(times) / 1000


def describe(rows: list[Row], tables: list[float]) -> str:
    worst = max(row.worst_us for row in rows)
    at_three = next(row.ratio for row in rows if row.missing == 3)
    lines = [
        "# Claims",
        "",
        f"{CLAIMS} random claims a row (seed {SEED}): half of them early in a game, {UNSEEN} Clan cards unseen, half",
        f"anywhere in it, with 0 to {UNSEEN}. Wild cards, Mud Fight, Blind-Man's Bluff and both proofs are mixed.",
        "The exhaustive prover tries every card that could come, on the first of the early claims, with its memory of",
        "hands already filled.",
        "",
        "| missing cards | median | worst | exhaustive, median | times as fast |",
        "|---|---|---|---|---|",
        *(
            f"| {row.missing} | {row.median_us:.0f} µs | {row.worst_us:.0f} µs "
            f"| {row.exhaustive_us:,.0f} µs | {row.ratio:,.1f} |"
            for row in rows
        ),
        "",
        f"A whole table (18 claims, proof against tactics): {median(tables):.0f} µs, at worst {max(tables):.0f} µs.",
        "",
        "| target | measured | met |",
        "|---|---|---|",
        f"| a claim under 1 ms at worst | {worst / 1000:.2f} ms | {yes(worst < 1000)} |",
        f"| 100 times as fast at three missing cards | {at_three:,.0f} times | {yes(at_three >= 100)} |",
        f"| a whole table under 2 ms | {max(tables) / 1000:.2f} ms | {yes(max(tables) < 2000)} |",
        "",
        f"Python {platform.python_version()}, {platform.machine()}.",
        "",
    ]
    return "\n".join(lines)


def yes(met: bool) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()
