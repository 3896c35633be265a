"""Who may do what at an event: five roles, and a badge for everybody who may do more than look.

Nobody has a password. The organiser gets a code that the hub prints when it starts, and makes one for each of the
others; a code is good for one log-in, which becomes a signed session. Wrong codes cost time that grows. What is kept on
the disk lets nobody in: codes are there only as keyed hashes. Knows no web framework.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from firmware.event.roles import Person, Role
from firmware.faults import PartFault
from firmware.ports import Clock
from firmware.web.doorkeeper import Cookies, Doorkeeper

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # nothing that looks like something else
LETTERS = 10  # of a code: some fifty bits, and three guesses a minute
SESSION_S = 16 * 3600
LONGEST_DAY = 500  # badges of an event: judges, and players who want one


_JUDGES = frozenset(
    {"call", "take", "escalate", "resolve", "rule", "correct", "decide", "pause", "result", "time", "see-calls"}
)
MAY: dict[Role, frozenset[str]] = {
    Role.SPECTATOR: frozenset(),
    Role.PLAYER: frozenset({"call"}),
    Role.JUDGE: _JUDGES,
    Role.HEAD_JUDGE: _JUDGES | {"reverse"},
    Role.ORGANISER: _JUDGES | {"reverse"} | {"players", "tables", "rounds", "badges"},
}


@dataclass(frozen=True, slots=True)
class Badge:
    """Somebody's role under a name. `code` is the hash of a code that was not used yet; `player` whose badge it is."""

    id: str
    role: Role
    name: str
    code: str = ""
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is logged in. The token has to come with every act, so that no other page can act for them."""

    person: Person
    token: str
    player: int | None = None

    @property
    def role(self) -> Role:
        return self.person.role

    @property
    def who(self) -> str:
        """As it stands in the journal."""
        return self.person.signature

    def may(self, act: str) -> bool:
        return act in MAY[self.role]


class Badges:
    """All badges of an event, in a file that only its owner can read. May be called from any thread."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._keeper = Doorkeeper(clock)
        self._key, self._badges = self._load()
        self._cookies = Cookies(self._key, "marchwarden event session", SESSION_S)

    def all(self) -> tuple[Badge, ...]:
        with self._lock:
            return tuple(self._badges.values())

    def give(self, role: Role, name: str, player: int | None = None) -> str:
        """A new badge; returns its code, which is shown once and kept nowhere."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        with self._lock:
            badge = Badge(secrets.token_hex(6), role, name, self._hashed(code), player)
            self._keep({**self._badges, badge.id: badge})
        return f"{code[:5]}-{code[5:]}"

    def open_organiser(self, name: str = "organiser") -> str:
        """The code that the hub prints when it starts; the one of an earlier start that nobody used is void."""
        with self._lock:
            unused = [one.id for one in self._badges.values() if one.role is Role.ORGANISER and one.code]
            self._keep({id_: one for id_, one in self._badges.items() if id_ not in unused})
        return self.give(Role.ORGANISER, name)

    def withdraw(self, id_: str) -> Badge | None:
        """Ends a badge and every session of it; None if there is none."""
        with self._lock:
            badge = self._badges.get(id_)
            self._keep({one: found for one, found in self._badges.items() if one != id_})
            return badge

    def leave(self, cookie: str | None) -> None:
        """Ends the session of a cookie, wherever copies of it are; its code was used, and lets nobody in again."""
        found = self._cookies.read(cookie)
        if found is not None:
            self.withdraw(found[0])

    def enter(self, code: str, address: str) -> str | None:
        """The cookie for a code that was not used yet, None for a wrong one; raises Locked after too many of those."""
        with self._lock:
            badge = self._keeper.ask(address, lambda: self._coded(code))
            if badge is None:
                return None
            self._keep({**self._badges, badge.id: replace(badge, code="")})
            return self._cookies.make(badge.id)

    def _coded(self, code: str) -> Badge | None:
        hashed = self._hashed("".join(sign for sign in code.upper() if sign in ALPHABET))
        found = [one for one in self._badges.values() if one.code and hmac.compare_digest(one.code, hashed)]
        return found[0] if found else None

    def session(self, cookie: str | None) -> Session | None:
        """The session behind a cookie; None if it was not signed here, is too old, or its badge was withdrawn."""
        found = self._cookies.read(cookie)
        if found is None:
            return None
        id_, token = found
        with self._lock:
            badge = self._badges.get(id_)
        return None if badge is None else Session(Person(badge.name, badge.role), token, badge.player)

    def _hashed(self, code: str) -> str:
        return hmac.new(self._key, f"code {code}".encode(), hashlib.sha256).hexdigest()

    def _load(self) -> tuple[bytes, dict[str, Badge]]:
        try:
            document: dict[str, Any] = json.loads(self._path.read_text("utf-8"))
            badges = [Badge(**{**one, "role": Role.of(one["role"])}) for one in document["badges"]]
            return bytes.fromhex(document["key"]), {one.id: one for one in badges}
        except FileNotFoundError:
            return secrets.token_bytes(32), {}
        except OSError as error:
            raise PartFault("page", f"{self._path} cannot be read ({error.strerror}); check the storage") from error
        except (ValueError, KeyError, TypeError) as error:
            words = f"{self._path} is damaged; move it away, and everybody gets a new code"
            raise PartFault("page", words) from error

    def _keep(self, badges: dict[str, Badge]) -> None:
        """The file first: whoever was let in stays in after a power cut."""
        document = {"key": self._key.hex(), "badges": [asdict(one) | {"role": one.role.key} for one in badges.values()]}
        fresh = self._path.with_name(self._path.name + ".new")
        try:
            file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as out:
                json.dump(document, out, ensure_ascii=False, indent=1)
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(self._path)
        except OSError as error:
            raise PartFault("page", f"{self._path} cannot be written ({error.strerror}); check the storage") from error
        self._badges = badges
