"""`marchwarden doctor`: what is wrong with this station, and how to mend it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.cli.speech import answered
from firmware.messages import LANGUAGES

if TYPE_CHECKING:
    from firmware.doctor.findings import Finding
    from firmware.doctor.site import Site

WIDTH = 6  # of the longest mark
COLOURS = {"good": "green", "warning": "yellow", "wrong": "red"}


@click.command("doctor")
@click.option("--profile", "name", metavar="NAME", help="A hardware profile [default: the one in force].")
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the profile's]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def command(context: click.Context, name: str | None, lang: str | None, as_json: bool) -> None:
    """Look at everything: system, parts, deck, journal. Exit 1 when something is wrong."""
    from firmware.doctor.examine import examine
    from firmware.doctor.findings import State, catalogue

    site = site_of(name)
    language = lang or _language(site, as_json=as_json)
    findings: list[tuple[str, Finding]] = []
    for check, finding in examine(site):
        findings.append((check, finding))
        if not as_json:
            _show(check, finding, language)
    count = sum(finding.state is State.WRONG for _, finding in findings)
    if as_json:
        documents = [finding.document(check, language) for check, finding in findings]
        click.echo(json.dumps({"good": count == 0, "findings": documents}, ensure_ascii=False))
    else:
        report = catalogue(language)["report"]
        click.echo(report["ill"].format(count=count) if count else report["well"])
    context.exit(1 if count else 0)


def site_of(name: str | None) -> Site:
    """This station, with the profile asked for or in force."""
    from firmware.cli.hardware import DEFAULT
    from firmware.doctor.site import Site
    from hardware_config.load import BadProfile, chosen, load

    mine = folders.overrides()
    profile, mistakes = None, list[str]()
    try:
        profile = load(name or chosen(mine, DEFAULT), mine).profile
    except BadProfile as error:
        mistakes = error.mistakes
    return Site(profile, folders.data(), folders.decks(), folders.journal(), folders.calibration(), tuple(mistakes))


def _language(site: Site, *, as_json: bool) -> str:
    """The profile's where it has one of its own, else that of whoever called."""
    profile = site.profile
    is_said = profile is not None and "language" in profile.model_fields_set
    return profile.language if profile is not None and is_said else answered(None, as_json=as_json)


def _show(check: str, finding: Finding, language: str) -> None:
    from firmware.doctor.findings import State, catalogue, title

    report, state = catalogue(language)["report"], finding.state.value
    mark = click.style(f"{report[state]:>{WIDTH}}", fg=COLOURS[state])
    click.echo(f"{mark}  {title(check, language):<16} {finding.says(language)}")
    mend = finding.mend(language)
    if mend and finding.state is not State.GOOD:
        click.echo(f"{'':>{WIDTH + 19}}{report['mend']} {mend}")
