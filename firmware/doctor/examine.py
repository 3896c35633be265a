"""All checks in order, each with its own time limit. A check that hangs, that misses a part of the program or may not
look is a finding and holds nobody up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future

from firmware.doctor import computer, parts, stores
from firmware.doctor.findings import Finding, wrong
from firmware.doctor.site import Site

Check = Callable[[Site], Finding | Iterable[Finding]]
USUAL_S, LONG_S = 10.0, 60.0

CHECKS: dict[str, tuple[Check, float]] = {
    "os": (computer.system, USUAL_S),
    "board": (computer.board, USUAL_S),
    "python": (computer.python, USUAL_S),
    "memory": (computer.memory, USUAL_S),
    "power": (computer.power, USUAL_S),
    "storage": (computer.storage, USUAL_S),
    "clock": (computer.clock, USUAL_S),
    "profile": (stores.profile, USUAL_S),
    "camera": (parts.camera, 2 * USUAL_S),
    "display": (parts.display, USUAL_S),
    "i2c": (parts.i2c, USUAL_S),
    "spi": (parts.spi, USUAL_S),
    "gpio": (parts.gpio, USUAL_S),
    "fonts": (parts.fonts, USUAL_S),
    "deck": (stores.deck, USUAL_S),
    "calibration": (stores.calibration, USUAL_S),
    "journal": (stores.journal, LONG_S),
    "page": (stores.page, USUAL_S),
    "event": (stores.event, USUAL_S),
    "service": (stores.service, USUAL_S),
}


def examine(site: Site, checks: dict[str, tuple[Check, float]] | None = None) -> Iterator[tuple[str, Finding]]:
    """Every finding with the name of its check, as it is made."""
    for name, (check, limit_s) in (CHECKS if checks is None else checks).items():
        for finding in _within(limit_s, check, site):
            yield name, finding


def _within(limit_s: float, check: Check, site: Site) -> tuple[Finding, ...]:
    answer: Future[tuple[Finding, ...]] = Future()

    def work() -> None:
        try:
            found = check(site)
            answer.set_result((found,) if isinstance(found, Finding) else tuple(found))
        except ImportError as error:
            answer.set_result((wrong("incomplete", module=error.name or str(error)),))
        except PermissionError as error:  # whoever is not in the station's group, or has not logged in anew since
            answer.set_result((wrong("forbidden", path=str(error.filename)),))
        except Exception as error:  # a bug in a check is the caller's to see, not this thread's
            answer.set_exception(error)

    # A thread that never comes back cannot be ended; being a daemon, it goes with the program.
    threading.Thread(target=work, daemon=True).start()
    try:
        return answer.result(timeout=limit_s)
    except TimeoutError:
        return (wrong("late", seconds=round(limit_s)),)
