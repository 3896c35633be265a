"""The audit: everything that an event says is derived again from the journals, and every difference is named.

The chains first: of every journal, and of the seals over all of them. Then every game is judged anew, fact by fact, and
every result that a station wrote or that stands in the hub's journal must come out of it. Where a station's own journal
is at hand it must be the one that the hub has a copy of, and a list or a paper that was taken away must say what the
journals give. Only reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from firmware.event.archive import Stored, checked
from firmware.event.boards import Board, board_of
from firmware.event.lines import BadLine
from firmware.event.results import Seating, result_of, seating
from firmware.event.rounds import papers
from firmware.event.rounds.facts import How, Refused, ResultEntered, decode
from firmware.event.rounds.tournament import Tournament
from firmware.event.state import EventState, GameState, folded, game_id
from firmware.event.topics import HUB
from firmware.faults import JournalDamaged, JournalFault
from firmware.journal import Entry, Kind, Reader, connect
from firmware.messages import LANGUAGES

_COPY = re.compile(r" ?\(\d+\)(?=\.)")  # what a browser adds to a name that it has already


@dataclass
class Findings:
    """What was looked at, and everything that is not as it should be."""

    entries: int = 0
    journals: int = 0
    games: int = 0
    verdicts: int = 0
    results: int = 0
    entered: int = 0
    papers: int = 0
    wrong: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        return {"whole": not self.wrong, **vars(self)}


def audit(
    archive: Path,
    journals: tuple[Path, ...] = (),
    taken_away: tuple[Path, ...] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Looks at all of it. Damage to the chain ends the look at the archive: what follows it proves nothing."""
    findings = Findings()
    games: dict[str, list[Entry]] = {}
    heads: dict[tuple[str, str], list[Entry]] = {}
    kept: list[Stored] = []
    try:
        for stored in _whole(archive):
            findings.entries += 1
            kept.append(stored)
            heads.setdefault((stored.station, stored.book), []).append(stored.entry)
            if stored.station != HUB and stored.entry.game:
                games.setdefault(game_id(stored.station, stored.book, stored.entry.game), []).append(stored.entry)
            if findings.entries % 10_000 == 0:
                progress(f"{findings.entries} entries are as they were written")
    except JournalFault as fault:
        findings.wrong.append(str(fault))
    findings.journals = len(heads)
    state = folded(EventState(), kept)
    for number, (id_, entries) in enumerate(games.items(), start=1):
        findings.games += 1
        findings.wrong.extend(_judged_anew(id_, entries, state.games[id_], findings))
        if number % 100 == 0:
            progress(f"{number} of {len(games)} games judged anew")
    tournament, results, unread = _rounds(kept)
    findings.entered = len(results)
    findings.wrong.extend((*unread, *_entered(state, tournament, results)))
    for path in journals:
        findings.wrong.extend(_compared(path, heads))
    for path in taken_away:
        findings.papers += 1
        findings.wrong.extend(_on_paper(path, tournament))
    return findings


def _whole(archive: Path) -> Iterator[Stored]:
    db = connect(archive)
    try:
        rows = db.execute("PRAGMA integrity_check").fetchall()
        if rows != [("ok",)]:
            raise JournalDamaged(f"{archive} is damaged: {rows[0][0]}")
        for stored, _ in checked(db, archive):
            yield stored
    except (db.DatabaseError, UnicodeDecodeError) as error:
        raise JournalDamaged(f"{archive} is damaged ({error}); the file is kept as it is") from error
    finally:
        db.close()


def _judged_anew(id_: str, entries: list[Entry], game: GameState, findings: Findings) -> Iterator[str]:
    """What is wrong with one game."""
    try:
        for at, entry in enumerate(entries):
            if entry.kind is Kind.END:
                findings.results += 1
                yield from _ended(id_, entry, board_of(entries[:at]))
        board = board_of(entries)
    except JournalDamaged as fault:
        yield f"{id_}: {fault}"
        return
    findings.verdicts += len(board.referee.told)
    if game.is_over != (board.ending is not None):
        if game.is_over:
            yield f"{id_}: its journal says that it is over, its facts say otherwise"
        else:
            yield f"{id_}: its journal says that it is open, its facts say otherwise"


def _ended(id_: str, entry: Entry, board: Board) -> Iterator[str]:
    try:
        written = json.loads(entry.line)
    except ValueError:
        written = entry.line
    derived = board.ending
    if derived is not None and isinstance(written, dict) and "score" not in written:
        derived = {key: value for key, value in derived.items() if key != "score"}  # as stations wrote it once
    if written != derived:
        yield f"{id_}: entry {entry.seq} ends it with {json.dumps(written)}, its facts with {json.dumps(derived)}"


Results = dict[tuple[int, int, int], tuple[int, ResultEntered]]  # the last of each round, table and leg, with its entry


def _rounds(kept: list[Stored]) -> tuple[Tournament, Results, list[str]]:
    """The tournament, the results that count in it, and entries that should be results and are none."""
    tournament, last, unread = Tournament(), Results(), list[str]()
    for stored in kept:
        if stored.station != HUB:
            continue
        try:
            fact = decode(stored.entry.line)
        except BadLine as error:
            if stored.entry.line.startswith('{"what":"result-entered"'):
                unread.append(f"entry {stored.entry.seq} of the hub is {error}")
            continue
        with suppress(Refused):  # the hub takes none that does not fit; the games are looked at all the same
            tournament = tournament.after(fact, stored.entry.at, stored.entry.who)
        if isinstance(fact, ResultEntered):
            last[fact.round, fact.table, fact.leg] = stored.entry.seq, fact
    return tournament, last, unread


def _entered(state: EventState, tournament: Tournament, results: Results) -> Iterator[str]:
    """The result that counts for a table, where it names the game that it was taken from, must be that game's."""
    for seq, fact in results.values():
        game = state.games.get(fact.game)
        where = f"entry {seq} of the hub, round {fact.round}, table {fact.table}"
        if fact.game and game is None:
            yield f"{where}: the game {fact.game} that it names is not in the archive"
        elif game is not None and not game.is_over:
            if fact.result.how is not How.REOPENED:
                yield f"{where}: counts a result, its game {fact.game} is open"
        elif game is not None:
            derived = result_of(game, _seats(tournament, fact, game))
            entered = fact.result.winner, fact.result.stones
            if entered != (derived.winner, derived.stones):
                yield f"{where}: says {entered}, its game {fact.game} ended with {(derived.winner, derived.stones)}"


def _seats(tournament: Tournament, fact: ResultEntered, game: GameState) -> Seating:
    """Where those sat in the game who were paired at the table."""
    rounds = tournament.rounds
    pairing = rounds[fact.round - 1].at(fact.table) if 0 < fact.round <= len(rounds) else None
    if pairing is None:
        return Seating.AS_PAIRED
    return seating(game, [tournament.name_of(number) for number in pairing.players], fact.round)


def _compared(path: Path, heads: dict[tuple[str, str], list[Entry]]) -> Iterator[str]:
    """A station's own journal beside the hub's copy."""
    try:
        reader = Reader(path)
        reader.verify()
        own = list(reader.entries())
    except JournalFault as fault:
        yield str(fault)
        return
    if not own:
        return
    copies = [copy for (_, _), copy in heads.items() if copy and copy[0].hash == own[0].hash]
    if not copies:
        yield f"{path}: the hub has no copy of this journal"
    for copy in copies:
        for mine, theirs in zip(own, copy, strict=False):
            if mine != theirs:
                yield f"{path}: entry {mine.seq} is not the one that the hub has"
                break
        if len(copy) > len(own):
            yield f"{path}: ends with entry {len(own)}, the hub has {len(copy)}"


def _on_paper(path: Path, tournament: Tournament) -> Iterator[str]:
    """What was taken away beside what the journals give, in whatever language; a list is named with its line, a
    picture of one with its byte."""
    name = _COPY.sub("", path.name)
    try:
        found = path.read_bytes()
    except OSError as error:
        yield f"{path} cannot be read ({error.strerror})"
        return
    given = [paper for language in LANGUAGES if (paper := papers.made(tournament, name, language)) is not None]
    if not given:
        yield f"{path}: there is no paper of this name; call it as the hub does, like standings.csv"
    elif found not in given:
        where = f"{path} is not what the journals give"
        if name not in papers.LISTS:
            alike = max(_alike(found, paper) for paper in given)
            yield f"{where} from byte {alike + 1} on"
            return
        lines = zip_longest(_lines(found), _lines(given[0]), fillvalue=b"")
        number, mine, theirs = next((n, *both) for n, both in enumerate(lines, 1) if both[0] != both[1])
        yield f"{where} in line {number}: it is {_shown(mine)}, not {_shown(theirs)}"


def _alike(one: bytes, other: bytes) -> int:
    """How many bytes are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _shown(line: bytes) -> str:
    return repr(line.decode("utf-8", "replace")[:200])


def _lines(content: bytes) -> list[bytes]:
    """Lines with their ends, which may have been changed too."""
    return re.findall(rb"[^\n]*\n|[^\n]+$", content)
