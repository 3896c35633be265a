"""Reads profiles from files and says what is in force and where each value came from.

A profile that ships with the program is never edited: what a user changes stands in a file of its own
(`marchwarden/hardware.toml` in the user's or the system's configuration folder) and is laid over it.
"""

from __future__ import annotations

import copy
import difflib
import inspect
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from hardware_config.profile import Profile, clashes

SUFFIX = ".toml"
DEEPEST = 8  # tables and lists in one another; a profile needs three


class BadProfile(ValueError):
    """A profile that cannot be used. `mistakes` are all of them, each with its file, where it stands and what to do."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("; ".join(mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Loaded:
    """A profile in force, and the file that each of its settings came from."""

    profile: Profile
    origins: Mapping[str, str]

    def origin(self, setting: str) -> str:
        """The file that set it, `default` when nobody did."""
        return _origin(setting, self.origins) or "default"


def shipped() -> dict[str, str]:
    """The names of the profiles that come with the program, each with its description."""
    found = {}
    for entry in sorted(_folder().iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(SUFFIX):
            document = tomllib.loads(entry.read_text(encoding="utf-8"))
            found[entry.name.removesuffix(SUFFIX)] = str(document.get("description", ""))
    return found


def load(name: str, overrides: Path | None = None) -> Loaded:
    """The shipped profile of this name, or the file at this path, with the user's overrides laid over it."""
    document, source = _read(name)
    changes = _changes(overrides)
    changes.pop("profile", None)  # names the profile to start from; read by `chosen`
    changed = set(_leaves(changes))
    document = _laid_over(document, changes)
    origins = {leaf: str(overrides) if leaf in changed else source for leaf in _leaves(document)}
    return Loaded(check(document, f"{overrides} over {source}" if changes else source, origins), origins)


def chosen(overrides: Path | None, default: str) -> str:
    """The profile that the user's file starts from, else the default."""
    name = _changes(overrides).get("profile", default)
    if not isinstance(name, str):
        raise BadProfile([f"{overrides}: profile = {name!r} should be the name of a profile in quotes"])
    return name


def check(document: Mapping[str, Any], source: str, origins: Mapping[str, str] | None = None) -> Profile:
    """The profile in this document; raises BadProfile with every mistake that it has, each with the file it is in."""
    profile, errors = _validated(document)
    mistakes = []
    for error in errors:
        setting = ".".join(_place(error["loc"]))
        mistakes.append(f"{_origin(setting, origins or {}) or source}: {_sentence(setting, error)}")
    if profile is None:
        profile = _sound(document, errors)
    if profile is not None:
        mistakes += [f"{source}: {mistake}" for mistake in clashes(profile)]
    if mistakes or profile is None:
        raise BadProfile(mistakes)
    return profile


def _validated(document: Mapping[str, Any]) -> tuple[Profile | None, list[Any]]:
    """Taken as JSON, in which a list is a list and a word is no number, however much it looks like one."""
    try:
        return Profile.model_validate_json(json.dumps(document, default=str), strict=True), []
    except ValidationError as error:
        errors = _one_a_setting(error.errors())
        places = [tuple(one["loc"]) for one in errors]  # a list with bad items is also too short: one mistake
        return None, [
            one
            for one, place in zip(errors, places, strict=True)
            if not any(place == other[: len(place)] and place != other for other in places)
        ]


def _one_a_setting(errors: Sequence[Any]) -> list[Any]:
    """A setting that may be a number or a text is refused once for each; it is one mistake."""
    found: dict[tuple[int | str, ...], Any] = {}
    for error in errors:
        place = tuple(error["loc"])
        if place[-1] in EITHER:
            place, error = place[:-1], {**error, "loc": place[:-1], "type": "either_type"}
        found.setdefault(place, error)
    return list(found.values())


def _sound(document: Mapping[str, Any], errors: Sequence[Any]) -> Profile | None:
    """The profile without what is wrong in it, so that whatever else is wrong is found as well."""
    left = copy.deepcopy({"name": SOUND["name"], **document})
    for error in errors:
        _take_out(left, _place(error["loc"]))
    profile, still = _validated(left)
    for error in still:  # a part that cannot do without what was taken out
        _leave_out(left, _place(error["loc"]))
    return profile or _validated(left)[0]


def _leave_out(document: dict[str, Any], place: list[str]) -> None:
    """Leaves out a whole part. Of several displays only the one: the others keep their numbers."""
    several = document.get(place[0])
    if isinstance(several, list) and len(place) > 1 and int(place[1]) < len(several):
        several[int(place[1])] = {"driver": "simulated"}
    else:
        document.pop(place[0], None)


def _take_out(document: dict[str, Any], place: list[str]) -> None:
    """Takes a setting out; a whole part where others would be blamed for what the setting is without it."""
    if place[0] in SOUND:
        document[place[0]] = SOUND[place[0]]
        return
    if any(step in DECISIVE or step.startswith("gpio_") for step in place[1:]):
        _leave_out(document, place)
        return
    owner, key, node = document, place[0], document.get(place[0])
    for step in place[1:]:
        if isinstance(node, list) and int(step) < len(node):
            node = node[int(step)]
        elif isinstance(node, dict) and step in node:
            owner, key, node = node, step, node[step]
        else:  # missing, or taken out before
            return
    if owner is document:
        _leave_out(document, place)
    else:
        owner.pop(key, None)


def leaves(profile: Profile) -> dict[str, Any]:
    """Every setting in force by its dotted name."""
    return dict(_leaf_items(profile.model_dump(mode="json")))


def _folder() -> Any:
    return resources.files("hardware_config").joinpath("profiles")


def _read(name: str) -> tuple[dict[str, Any], str]:
    path = Path(name)
    if path.suffix == SUFFIX:
        text = _text(path)
        if text is None:
            raise BadProfile([f"there is no file {name}"])
        return _parse(text, name), name
    if name not in shipped():
        if close := difflib.get_close_matches(name, shipped(), n=1):
            raise BadProfile([f"there is no profile {name!r}; did you mean {close[0]}?"])
        raise BadProfile([f"there is no profile {name!r}; `marchwarden hardware list` names all of them"])
    text = _folder().joinpath(name + SUFFIX).read_text(encoding="utf-8")
    return _parse(text, f"profile {name}"), f"profile {name}"


def _changes(overrides: Path | None) -> dict[str, Any]:
    """What the user's own file says; nothing when there is none."""
    text = None if overrides is None else _text(overrides)
    return {} if text is None else _parse(text, str(overrides))


def _text(path: Path) -> str | None:
    """What stands in a file, without the mark that some editors begin it with; None when there is no such file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadProfile(
            [f"{path} cannot be read ({error.strerror}); it should be a file that everybody may read"]
        ) from None
    except UnicodeDecodeError:
        raise BadProfile([f"{path} is not text in UTF-8; save it as such"]) from None
    except ValueError:  # a name that no file can have
        return None


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadProfile([f"{source} is not TOML: {error}"]) from None
    except RecursionError:
        raise BadProfile([f"{source}: lists or tables stand too deep in one another; no setting needs that"]) from None
    except ValueError:  # how Python says that a number has thousands of digits
        raise BadProfile([f"{source}: a number has more digits than any setting takes; make it smaller"]) from None
    _keep_in_bounds(document, source)
    return document


def _keep_in_bounds(value: Any, source: str, depth: int = 0) -> None:
    """Refuses what TOML's grammar lets pass and nobody can mean: numbers of more than 64 bits, tables without end."""
    if depth > DEEPEST:
        raise BadProfile([f"{source}: lists or tables stand too deep in one another; no setting needs that"])
    if isinstance(value, int) and value.bit_length() > 64:
        raise BadProfile([f"{source}: a number has more digits than any setting takes; make it smaller"])
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for inner in inside:
        _keep_in_bounds(inner, source, depth + 1)


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced. Another driver starts from that driver's own defaults."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        same_driver = (
            isinstance(value, Mapping)
            and isinstance(under, Mapping)
            and ("driver" not in value or value["driver"] == under.get("driver"))
        )
        merged[key] = _laid_over(under, value) if same_driver and isinstance(under, Mapping) else value
    return merged


def _leaf_items(document: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(document, Mapping):
        for key, value in document.items():
            yield from _leaf_items(value, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(document, list) and document and isinstance(document[0], Mapping):
        for n, value in enumerate(document):
            yield from _leaf_items(value, f"{prefix}.{n}")
    else:
        yield prefix, document


def _leaves(document: Mapping[str, Any]) -> list[str]:
    return [name for name, _ in _leaf_items(document)]


def _origin(setting: str, origins: Mapping[str, str]) -> str:
    """The file that a setting came from; of a whole table, the file that says most about it. Empty where nobody did."""
    parts = setting.split(".")
    above = [".".join(parts[:n]) for n in range(len(parts), 0, -1)]
    exact = next((origins[name] for name in above if name in origins), "")
    inside = [source for name, source in origins.items() if name.startswith(f"{setting}.")]
    return exact or (max(inside, key=inside.count) if inside else "")


def _place(steps: tuple[int | str, ...]) -> list[str]:
    """Where a mistake stands in the file. The check names the driver on the way, which is no table of its own."""
    driver = {"camera": 1, "lamps": 1, "buttons": 1, "display": 2}.get(str(steps[0]))
    return [str(step) for n, step in enumerate(steps) if n != driver]


SOUND = {"name": "sound", "board": "pi"}  # what stands for these where they will not do
EITHER = ("int", "str")  # the check's last step where a setting may be a number or a text
# Without these a setting beside them means something else.
DECISIVE = frozenset({
    "addresses", "i2c_port", "i2c_address", "spi_port", "spi_device", "interface", "display", "game", "ca_file",
    "certificate_file", "key_file",
})  # fmt: skip
# What is said of a value of the wrong kind, by what the check calls it.
EXPECTED = {
    "int": "a whole number", "float": "a number", "bool": "true or false", "string": "text in quotes",
    "tuple": "a list", "list": "a list", "model": "a table", "dict": "a table",
    "either": "a whole number or text in quotes",
}  # fmt: skip


def _sentence(setting: str, error: Mapping[str, Any]) -> str:
    """One mistake in words: where, what was found, what was expected."""
    kind, found = str(error["type"]), error.get("input")
    if kind == "extra_forbidden":
        path = [str(step) for step in error["loc"]]
        return f"{setting} is not a setting{_suggestion(path[-1], _siblings(path))}"
    if kind == "missing":
        return f"{setting} is missing"
    if kind == "union_tag_invalid":
        tag, known = error["ctx"]["tag"], error["ctx"]["expected_tags"]
        return f"{setting}: there is no driver {tag!r}; there are {known}"
    if kind == "union_tag_not_found":
        return f"{setting} needs a driver"
    if setting == "display":
        return "display should be a list of one to four displays; begin each with [[display]]"
    shown = json.dumps(found, ensure_ascii=False, default=str)
    if kind == "value_error":
        return f"{setting} = {shown} {error['ctx']['error']}"
    expected = EXPECTED.get(kind.split("_")[0]) if kind.endswith(("_type", "_parsing", "_from_float")) else None
    said = f"should be {expected}" if expected else "should" + error["msg"].partition("should")[2]
    return f"{setting} = {shown}: {said.replace(' after validation', '')}"


def _siblings(path: list[str]) -> list[str]:
    """The settings that may stand where the unknown one stands: down from the profile, by field and by driver."""
    models: list[type[BaseModel]] = [Profile]
    for step in path[:-1]:
        below = [model for one in models if step in one.model_fields for model in _models(one.model_fields[step])]
        tagged = [model for model in models if step in _tags(model)]
        models = below or tagged or models
    return [name for model in models for name in model.model_fields]


def _models(annotated: Any) -> list[type[BaseModel]]:
    annotation = getattr(annotated, "annotation", annotated)
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in getattr(annotation, "__args__", ()) for model in _models(part)]


def _tags(model: type[BaseModel]) -> tuple[str, ...]:
    driver = model.model_fields.get("driver")
    return getattr(driver.annotation, "__args__", ()) if driver is not None else ()


def _suggestion(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
