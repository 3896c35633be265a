"""What may be asked of the event through its page, and which power each thing needs.

Done in the hub's thread. Whatever is wrong with a request is a BadRequest; what does not fit is Refused. Knows neither
cookies nor the web framework.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware.event.page import judging, organising
from firmware.event.page.petition import Answer, Petition
from firmware.event.rounds.facts import Refused
from firmware.web.acts import one_of

# Each act: which power it needs, and what does it.
ACTS: dict[str, tuple[str, Callable[[Petition], Answer]]] = {
    "call": ("call", judging.call),
    "take": ("take", judging.take),
    "escalate": ("escalate", judging.escalate),
    "resolve": ("resolve", judging.resolve),
    "rule": ("rule", judging.rule),
    "correct": ("correct", judging.correct),
    "decide": ("decide", judging.decide),
    "pause-game": ("pause", judging.pause),
    "accept": ("rule", judging.accept),
    "name-players": ("rule", judging.name_players),
    "reverse": ("reverse", judging.reverse),
    "take-over": ("take", judging.take_over),
    "result": ("result", organising.enter_result),
    "time": ("time", organising.add_time),
    "open": ("rounds", organising.open_event),
    "pair": ("rounds", organising.pair),
    "start": ("rounds", organising.start),
    "withdraw": ("rounds", organising.withdraw),
    "swap": ("rounds", organising.swap),
    "stop-clock": ("rounds", organising.stop_clock),
    "run-clock": ("rounds", organising.run_clock),
    "players": ("players", organising.enter_players),
    "player": ("players", organising.enter_player),
    "leave": ("players", organising.leave),
    "return": ("players", organising.come_back),
    "tables": ("tables", organising.set_tables),
    "table": ("tables", organising.set_table),
    "let-in": ("tables", organising.let_in),
    "give-badge": ("badges", organising.give_badge),
    "withdraw-badge": ("badges", organising.withdraw_badge),
}


def do(at: Petition) -> Answer:
    """Does what is asked; raises BadRequest, BadList or Refused."""
    power, act = ACTS[one_of(at.asked, "act", tuple(ACTS))]
    if not at.session.may(power):
        raise Refused("not-yours")
    return act(at)
