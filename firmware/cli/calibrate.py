"""`marchwarden calibrate`: find the mat, say how well it is seen, and lock the camera to how it is now."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from firmware import folders
from firmware.cli import BadInput, between
from firmware.messages import LANGUAGES, line

if TYPE_CHECKING:
    from firmware.calibrating import Calibrating
    from firmware.calibration import Calibration
    from hardware_config.profile import Profile


@click.command("calibrate")
@click.option("--profile", "name", metavar="NAME", help="A hardware profile [default: the one in force].")
@click.option(
    "--wait",
    "wait_s",
    type=float,
    callback=between(0, 86_400),
    default=120.0,
    show_default=True,
    help="Seconds to try.",
)
@click.option("--lang", type=click.Choice(LANGUAGES), help="[default: the profile's]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
@click.pass_context
def command(context: click.Context, name: str | None, wait_s: float, lang: str | None, as_json: bool) -> None:
    """Lay the empty mat under the camera; the display says what is in the way. Exit 1 when it is not seen well."""
    from firmware.calibrating import Calibrating, SelfSetting
    from firmware.cli.hardware import loaded
    from firmware.cli.parts import on_workbench, parts_of
    from firmware.games import refereed
    from firmware.state import saying
    from firmware.workbench import frames

    profile = loaded(name, calibrated=False).profile  # what was locked before is free again while it is measured
    parts = parts_of(profile)
    language = lang or profile.language
    automatic = parts.camera if isinstance(parts.camera, SelfSetting) else None
    calibrating = Calibrating(refereed(profile.table.game).layout, automatic, wait_s=wait_s)
    with on_workbench(parts, language, quiet=as_json) as bench, closing(frames(parts.camera)) as pictures:
        bench.guide(calibrating, pictures)
        if calibrating.trouble is not None:
            bench.say(saying("not-calibrated", why=calibrating.trouble.words(language).headline))
    if calibrating.result is None:
        why = calibrating.trouble.words(language).sentence if calibrating.trouble is not None else ""
        click.echo(json.dumps({"calibrated": False, "why": why}, ensure_ascii=False) if as_json else why)
        context.exit(1)
    kept = _kept(profile, calibrating)
    try:
        kept.save(folders.calibration())
    except OSError as error:
        raise BadInput(
            "{path} cannot be written ({why}); check the folder", path=folders.calibration(), why=error.strerror
        ) from None
    found = calibrating.result.document() | {"locked": kept.locked, "file": str(folders.calibration())}
    click.echo(json.dumps({"calibrated": True, **found}) if as_json else _report(calibrating, kept, language))


def _kept(profile: Profile, calibrating: Calibrating) -> Calibration:
    from firmware.calibration import Calibration

    measured = calibrating.result
    assert measured is not None
    return Calibration(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        driver=profile.camera.driver,
        size=getattr(profile.camera, "size", (0, 0)),
        px_per_mm=measured.px_per_mm,
        error_mm=measured.error_mm,
        blur_px=measured.blur_px,
        lens=measured.lens,
        locked=calibrating.locked,
    )


def _report(calibrating: Calibrating, kept: Calibration, language: str) -> str:
    measured = calibrating.result
    assert measured is not None
    locked = ", ".join(f"{key} = {value}" for key, value in kept.locked.items())
    seen, all_ = measured.markers
    return "\n".join(
        [
            line("error-at", language, error=measured.error_mm, worst=measured.worst_mm),
            line("fineness", language, px=measured.px_per_mm),
            line("edges", language, blur=measured.blur_px, brightness=measured.brightness),
            line("markers", language, seen=seen, all=all_, turned=measured.turned_deg),
            line("locked", language, locked=locked) if locked else line("locked-nothing", language),
            line("kept-in", language, path=str(folders.calibration())),
        ]
    )
