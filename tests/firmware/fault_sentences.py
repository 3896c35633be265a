"""Every sentence that the program says of a bad file or part, read from its source: English, `{}` for blanks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import engine

ROOT = Path(engine.__file__).parent.parent
FAULTS = {
    "BadBundle", "BadCalibration", "BadDeck", "BadDocument", "BadFile", "BadFolder", "BadHouse", "BadInvitation",
    "BadLine", "BadProfile", "BadRecord", "BadScans", "Contradiction", "JournalBusy", "JournalDamaged", "JournalFull",
    "JournalUnwritable", "NoPlane", "NoTable", "PartFault", "UnknownCard",
}  # fmt: skip
RETURNING = {
    "_listed",
    "_sentence",
    "_suggestion",
    "stranger",
    "_lamp_mistakes",
    "table_mistakes",
    "_not_next",
}  # functions of mistakes
EXPECTATIONS = {"_PLACE", "_SPOT", "_START", "_PLACES", "_CARD", "_CARD_OR_HIDDEN"}  # of a line of a record
AUDIT = "firmware/event/audit.py"
NAMED = {  # sentences that have a name before they are said, or begin others
    (AUDIT, "where"), ("firmware/event/archive.py", "where"), ("firmware/event/broker.py", "words"),
    ("firmware/event/brought.py", "why"), ("firmware/event/page/badges.py", "words"),
}  # fmt: skip
ELSEWHERE = (  # a test's own, and what is only in the project's own files
    "firmware/simulation/exchange.py", "firmware/drivers/broker_mqtt_bulk.py",
    "engine/schotten_totten/position_line.py",
)  # fmt: skip


def sentences() -> set[str]:
    """All of them, and the phrases that are filled into them."""
    found: set[str] = set()
    for folder in ("engine", "hardware_config", "vision", "firmware"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            if not where.startswith(ELSEWHERE):
                for node in _saying(ast.parse(path.read_text(encoding="utf-8")), where):
                    found |= set(_texts(node))
    said = {one for one in found if "(?" not in one}  # patterns of a record's words have their names from the same list
    return {one for one in said if any(letter.isalpha() for letter in one.replace("{}", ""))}


def _saying(tree: ast.Module, where: str) -> Iterator[ast.expr]:
    """The expressions of a module that say what is wrong."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(name), args=[*_, said]) if name in FAULTS:
                yield said
            case ast.Call(func=ast.Name("_fault"), args=[said, *_]):
                yield said
            case (
                ast.Call(func=ast.Attribute(value=ast.Name("found" | "faults" | "notes")), args=[said])
                | ast.Call(func=ast.Attribute(value=ast.Attribute(attr="faults" | "notes")), args=[said])
            ):
                yield said
            case ast.Call(func=ast.Attribute(attr="take"), args=[_, said]) if "engine/" in where:
                yield said
            case ast.Call(func=ast.Attribute(attr="error"), args=[said, *_]) if "engine/" in where:
                yield said
            case ast.Assign(targets=[ast.Name(name)], value=value) if name in EXPECTATIONS or (where, name) in NAMED:
                yield value
            case ast.Yield(value=ast.expr() as said) if where == AUDIT:
                yield said
            case ast.Call(func=ast.Attribute(attr="append"), args=[said]) if where == AUDIT:
                yield said
            case ast.FunctionDef(name="entry") if where == "firmware/event/wire.py":  # also of a journal in a file
                yield from (one.args[0] for one in ast.walk(node) if isinstance(one, ast.Call) and one.args)
            case ast.FunctionDef(name=name) if name in RETURNING or (where == "vision/enrol.py" and name == "take"):
                yield from (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value)


def _texts(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            for part in parts:
                if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.BoolOp):
                    yield from _texts(part.value)
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.BoolOp(values=several):
            for one in several:
                yield from _texts(one)
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)
