"""Reads profiles from files and says what is in force and where each value came from.

A profile that ships with the program is never edited: what a user changes stands in a file of its own
(`marchwarden/hardware.toml` in the user's or the system's configuration folder) and is laid over it.
"""

from __future__ import annotations

import difflib
import inspect
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from hardware_config.profile import Profile, clashes

SUFFIX = ".toml"


class BadProfile(ValueError):
    """A profile that cannot be used. `mistakes` are all of them, each with its file, where it stands and what to do."""

    def __init__(self, mistakes: list[str]) -> None:
        super().__init__("; ".join(mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class Loaded:
    """A profile in force, and the file that each of its settings came from (`default` for what nobody set)."""

    profile: Profile
    origins: Mapping[str, str]


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
    origins = dict.fromkeys(_leaves(document), source)
    if overrides is not None and overrides.is_file():
        changes = _parse(overrides.read_text(encoding="utf-8"), str(overrides))
        changes.pop("profile", None)  # names the profile to start from; read by `chosen`
        document = _laid_over(document, changes)
        origins.update(dict.fromkeys(_leaves(changes), str(overrides)))
    return Loaded(check(document, source), origins)


def chosen(overrides: Path | None, default: str) -> str:
    """The profile that the user's file starts from, else the default."""
    if overrides is None or not overrides.is_file():
        return default
    return str(_parse(overrides.read_text(encoding="utf-8"), str(overrides)).get("profile", default))


def check(document: Mapping[str, Any], source: str) -> Profile:
    """The profile in this document; raises BadProfile with every mistake that it has."""
    try:
        profile = Profile.model_validate(document)
        mistakes = [f"{source}: {mistake}" for mistake in clashes(profile)]
    except ValidationError as error:
        mistakes = [f"{source}: {_sentence(dict(one))}" for one in error.errors()]
    except ValueError as error:
        mistakes = [f"{source}: {error}"]
    if mistakes:
        raise BadProfile(mistakes)
    return profile


def leaves(profile: Profile) -> dict[str, Any]:
    """Every setting in force by its dotted name."""
    return dict(_leaf_items(profile.model_dump(mode="json")))


def _folder() -> Any:
    return resources.files("hardware_config").joinpath("profiles")


def _read(name: str) -> tuple[dict[str, Any], str]:
    path = Path(name)
    if path.suffix == SUFFIX:
        if not path.is_file():
            raise BadProfile([f"there is no file {name}"])
        return _parse(path.read_text(encoding="utf-8"), name), name
    entry = _folder().joinpath(name + SUFFIX)
    if "/" in name or not entry.is_file():
        hint = _suggestion(name, shipped())
        raise BadProfile([f"there is no profile {name!r}{hint}; `marchwarden hardware list` names all of them"])
    return _parse(entry.read_text(encoding="utf-8"), f"profile {name}"), f"profile {name}"


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadProfile([f"{source} is not TOML: {error}"]) from None


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


def _sentence(error: Mapping[str, Any]) -> str:
    """One mistake in words: where, what was found, what was expected."""
    path = [str(step) for step in error["loc"]]
    where = ".".join(path)
    if error["type"] == "extra_forbidden":
        return f"{where} is not a setting{_suggestion(path[-1], _siblings(path))}"
    if error["type"] == "union_tag_invalid":
        return f"{where}: there is no driver {error['ctx']['tag']!r}; there are {error['ctx']['expected_tags']}"
    if error["type"] == "union_tag_not_found":
        return f"{where} needs a driver"
    found = error.get("input")
    return f"{where} = {found!r}: {error['msg'][:1].lower()}{error['msg'][1:]}"


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
