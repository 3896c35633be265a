"""Golden games: records under seeds/games, each with the verdicts on it.

`python -m tests.seeds.golden_games` plays the games of the computer players anew and writes every verdict down; read
the difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import seeds
from engine.record import Record, parse_record, write_record
from engine.referee import opening
from engine.schotten_totten.facts import Fact
from engine.schotten_totten.game import SchottenTotten
from engine.schotten_totten.options import KEYS, parse_rules
from firmware.cli.replay import replayed
from firmware.simulation.players import SENSIBLE, play_game

FOLDER = seeds.FOLDER / "games" / "schotten_totten"
GAME = SchottenTotten()
PLAYED = {"base": ("base", 1), "tactics": ("tactics", 4), "expert": ("tactics expert", 2), "stuck": ("tactics", 38)}


def games() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def verdicts(path: Path) -> str:
    """The verdicts on a record, an event a line."""
    record: Record[Fact] = parse_record(
        path.read_text(encoding="utf-8"), GAME.parse, ("game", "players", "date", "seed", *KEYS)
    )
    start = opening(GAME, record.head)
    return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event, _ in replayed(record, start, "en"))


def played() -> Iterator[tuple[Path, str]]:
    for name, (rules, seed) in PLAYED.items():
        facts = (step.fact for step in play_game(parse_rules({"rules": rules}), Random(seed), SENSIBLE, SENSIBLE))
        head = {"game": GAME.name, "players": "Anna, Bea", "rules": rules, "seed": str(seed)}
        yield FOLDER / f"{name}.txt", write_record(Record(head, tuple(facts)))


def main() -> None:
    for path, text in played():
        path.write_text(text, encoding="utf-8")
    for path in games():
        path.with_suffix(".jsonl").write_text(verdicts(path), encoding="utf-8")


if __name__ == "__main__":
    main()
