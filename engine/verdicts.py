"""What the law says of a fact: nothing wrong, or every rule that was broken."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Foul:
    """One rule broken. `kind` names the foul among those of its game, `about` is what its words speak of."""

    rule: str
    kind: str
    about: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one fact. `finding` is what a game found out on the way (the proof of a claim, say)."""

    fouls: tuple[Foul, ...] = ()
    finding: object | None = None

    @property
    def legal(self) -> bool:
        return not self.fouls


@dataclass(frozen=True, slots=True)
class Words:
    """A verdict in one language: two lines for a small display, a sentence for a page."""

    headline: str
    detail: str
    sentence: str
