"""What is said of a call, and what was wrong with it, in the language of whoever made it.

A sentence stands in English where it is raised, with its blanks; the other languages have it in a catalogue by the
English. What a part or a file says about itself is told as `messages.told` has it. Knows click's own mistakes; knows
no command.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise

import click

from firmware import folders
from firmware.messages import LANGUAGES
from firmware.messages.told import ENGLISH, told

CHOICE, RANGE = "{what} takes {choices}.", "{what} takes a number {range}."
NO_OPTION, MISSING, REFUSED = "there is no option {what}.", "{what} is missing.", "{what} does not take this."
NOT_UNDERSTOOD, HELP = "the call is not understood.", "`{call} --help` shows how to call it."
LANG = "marchwarden.lang"  # what `--lang` said, in the context of a call
USAGE = (CHOICE, RANGE, NO_OPTION, MISSING, REFUSED, NOT_UNDERSTOOD, HELP)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The sentences of one language by the English ones."""
    text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return {english: said for english, said in tomllib.loads(text).items() if isinstance(said, str)}


def spoken(sentence: str, language: str, about: Mapping[str, object]) -> str:
    """A sentence in a language, with its blanks filled in, a list of faults one by one; without any it is taken letter
    by letter."""
    known: Mapping[str, str] = {} if language == ENGLISH else catalogue(language)
    if not about:
        return known.get(sentence) or told(sentence, language)

    def filled(one: object) -> object:
        if isinstance(one, list):
            return "; ".join(told(fault, language) for fault in one)
        if isinstance(one, int | float):  # stays one, for the sake of how it is written
            return one
        return known.get(str(one)) or told(str(one), language)

    return known.get(sentence, sentence).format(**{name: filled(one) for name, one in about.items()})


def language_of(arguments: Sequence[str]) -> str:
    """The language of whoever called: as the call says, as the owner's settings say, else as the system is set."""
    asked = [later for one, later in pairwise(arguments) if one == "--lang"]
    asked += [one.removeprefix("--lang=") for one in arguments if one.startswith("--lang=")]
    system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return next((one for one in (*asked, _of_settings(), system[:2]) if one in LANGUAGES), ENGLISH)


def language() -> str:
    """The language of whoever called the command that runs."""
    context = click.get_current_context(silent=True)
    asked = None if context is None else context.params.get("lang") or context.meta.get(LANG)
    return str(asked or language_of(()))


def answered(asked: str | None, *, as_json: bool) -> str:
    """The language of an answer: a document is English unless the call says otherwise, however the system is set."""
    return asked or (ENGLISH if as_json else language())


def said(sentence: str, **about: object) -> str:
    """A sentence for whoever called."""
    return spoken(sentence, language(), about)


def say(sentence: str, *, err: bool = False, **about: object) -> None:
    """Says a sentence to whoever called."""
    click.echo(said(sentence, **about), err=err)


def with_language(command: click.Command) -> click.Command:
    """A command, and those below it, with `--lang`: one of its own takes what the call said before it, others say
    what they say in it."""
    for one in (command, *(command.commands.values() if isinstance(command, click.Group) else ())):
        mine = next((option for option in one.params if option.name == "lang"), None)
        if mine is not None:
            mine.default = _before
        else:
            one.params.append(language_option())
    return command


def language_option() -> click.Option:
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        callback=_keep,
        help="Language of what is said [default: the station's, or your system's].",
    )


def _keep(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta[LANG] = value


def _before() -> str | None:
    asked: str | None = click.get_current_context().meta.get(LANG)
    return asked


def _of_settings() -> str:
    """Settings that cannot be read say nothing here: whoever needs them says what is wrong with them."""
    try:
        return str(tomllib.loads(folders.overrides().read_text(encoding="utf-8-sig")).get("language", ""))
    except (OSError, ValueError, RecursionError):
        return ""


def of_usage(error: click.UsageError, language: str) -> str:
    """What is wrong with how a command was called: in English as click says it."""
    context = error.ctx
    call = "" if context is None else " " + spoken(HELP, language, {"call": context.command_path})
    if language == ENGLISH:
        return error.format_message() + call
    return spoken(_kind(error), language, _about(error)) + call


def _kind(error: click.UsageError) -> str:
    match error:
        case click.NoSuchOption():
            return NO_OPTION
        case click.MissingParameter():
            return MISSING
        case click.BadParameter(param=click.Parameter(type=click.Choice())):
            return CHOICE
        case click.BadParameter(param=click.Parameter(type=click.IntRange())):
            return RANGE
        case click.BadParameter(param=click.Parameter()):
            return REFUSED
        case _:
            return NOT_UNDERSTOOD


def _about(error: click.UsageError) -> dict[str, object]:
    if isinstance(error, click.NoSuchOption):
        return {"what": error.option_name}
    if not isinstance(error, click.BadParameter) or error.param is None:
        return {}
    kind, what = error.param.type, error.param.get_error_hint(error.ctx or click.Context(click.Command(None)))
    if isinstance(kind, click.Choice):
        return {"what": what, "choices": ", ".join(map(str, kind.choices))}
    if isinstance(kind, click.IntRange):
        return {"what": what, "range": f"≥ {kind.min}" if kind.max is None else f"{kind.min}–{kind.max}"}
    return {"what": what}
