"""A second way to count the lines of play, slow and simple, that shares nothing with the product.

The state is a JSON document with hands and a deck added to it; every move copies all of it. Claims are judged by the
exhaustive prover. Draws come from the one deck, at once. The Recruiter, who would need a choice of draws, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.engine.schotten_totten import exhaustive

State = dict[str, Any]
OTHER = {"A": "B", "B": "A"}


def count(state: State, depth: int) -> int:
    """How many different sequences of so many acts there are."""
    if depth == 0:
        return 1
    return sum(count(after, depth - 1) for after in successors(state))


def successors(state: State) -> Iterator[State]:
    if has_won(state, "A") or has_won(state, "B"):
        return
    yield from _plays(state)
    yield from _claims(state)


def has_won(state: State, player: str) -> bool:
    mine = [n for n in range(9) if state["stones"][n]["owner"] == player]
    return len(mine) >= 5 or any(n + 1 in mine and n + 2 in mine for n in mine)


def _to_play(state: State) -> str:
    return str(OTHER[state["turn"]] if state["played"] else state["turn"])


def _claims(state: State) -> Iterator[State]:
    expert = state["rules"]["expert"]
    claimant = _to_play(state) if expert else state["turn"]
    if not expert and not state["played"]:
        return
    for n in range(9):
        if exhaustive.judge(state, n + 1, claimant)[0] in ("stronger", "tie-completed-first", "proof"):
            after = deepcopy(state)
            after["stones"][n]["owner"] = claimant
            if expert:
                after["turn"], after["played"] = claimant, False
            yield after


def _plays(state: State) -> Iterator[State]:
    player = _to_play(state)
    can_lay_clan = False
    for card in state["hands"][player]:
        clan = card in exhaustive.DECK
        if not clan and state["tactics_played"][player] > state["tactics_played"][OTHER[player]]:
            continue
        for after in _ways(state, player, card):
            can_lay_clan = can_lay_clan or clan
            after["hands"][player].remove(card)
            if not clan:
                after["tactics_played"][player] += 1
            if after["deck"]:
                after["hands"][player].append(after["deck"].pop())
            after["turn"], after["played"] = player, True
            yield after
    if not can_lay_clan:
        yield {**deepcopy(state), "turn": player, "played": True}


def _ways(state: State, player: str, card: str) -> Iterator[State]:
    if card in exhaustive.DECK or card in exhaustive.ELITE:
        joker_lies = any(c.startswith("joker") for stone in state["stones"] for c in stone[player])
        if card.startswith("joker") and joker_lies:
            return
        for n in _open(state, player):
            after = deepcopy(state)
            _lay(after, n, player, card)
            yield after
    elif card in ("mud", "bluff"):
        for n in range(9):
            if state["stones"][n]["owner"] is None:
                after = deepcopy(state)
                after["stones"][n]["modes"].append(card)
                _recount(after["stones"][n], None)
                yield after
    else:
        yield from _ruses(state, player, card)


def _ruses(state: State, player: str, ruse: str) -> Iterator[State]:
    victim = player if ruse == "strategist" else OTHER[player]
    for n in range(9):
        stone = state["stones"][n]
        for card in stone[victim] if stone["owner"] is None else []:
            if ruse == "traitor" and card not in exhaustive.DECK:
                continue
            lifted = deepcopy(state)
            lifted["stones"][n][victim].remove(card)
            _recount(lifted["stones"][n], None)
            lifted["discard"].append(ruse)
            if ruse != "traitor":
                gone = deepcopy(lifted)
                gone["discard"].append(card)
                yield gone
            if ruse != "banshee":
                for m in _open(state, player):
                    if ruse == "traitor" or m != n:
                        moved = deepcopy(lifted)
                        _lay(moved, m, player, card)
                        yield moved


def _needed(stone: dict[str, Any]) -> int:
    return 4 if "mud" in stone["modes"] else 3


def _open(state: State, player: str) -> list[int]:
    stones = state["stones"]
    return [n for n in range(9) if stones[n]["owner"] is None and len(stones[n][player]) < _needed(stones[n])]


def _lay(state: State, n: int, player: str, card: str) -> None:
    state["stones"][n][player].append(card)
    _recount(state["stones"][n], player)


def _recount(stone: dict[str, Any], laid_by: str | None) -> None:
    full = [player for player in "AB" if len(stone[player]) == _needed(stone)]
    first = stone["completed_first"]
    if first not in full:
        first = None
    if first is None and full:
        others = [player for player in full if player != laid_by]
        first = (others or full)[0] if len(full) == 1 or others else None
    stone["completed_first"] = first
