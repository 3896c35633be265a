"""`marchwarden doctor`: what is wrong with this station, and how to mend it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.messages import LANGUAGES

if TYPE_CHECKING:
    from firmware.doctor.findings import Finding
    from firmware.doctor.site import Site

MARKS = {"good": ("ok", "green"), "warning": ("!", "yellow"), "wrong": ("WRONG", "red")}


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
    language = lang or (site.profile.language if site.profile is not None else "en")
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


def _show(check: str, finding: Finding, language: str) -> None:
    from firmware.doctor.findings import State, catalogue, title

    mark, colour = MARKS[finding.state.value]
    click.echo(f"{click.style(f'{mark:>5}', fg=colour)}  {title(check, language):<16} {finding.says(language)}")
    mend = finding.mend(language)
    if mend and finding.state is not State.GOOD:
        click.echo(f"{'':>24}{catalogue(language)['report']['mend']} {mend}")
