"""The build guide says what is so: its pictures are what the station shows, its figures are computed, its commands
exist, and every message has its line in the troubleshooting."""

from __future__ import annotations

import re

import click
import numpy as np
import pytest
from PIL import Image

from firmware.cli import COMMANDS, marchwarden
from firmware.messages import catalogue
from firmware.optics import EYEPIECES, Eyepiece, mounting
from firmware.present import BLIND, HINTS, UNREAD
from hardware_config.load import shipped
from tests.firmware.guide_pictures import PICTURES, drawings, drawn
from vision.layout import schotten_totten

DOCS = PICTURES.parent
GUIDES = ("build.md", "troubleshooting.md")


def guide(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_pictures_are_what_the_station_shows() -> None:
    for name, picture in drawn():
        kept = np.asarray(Image.open(PICTURES / name).convert("L"), np.int32)
        now = np.asarray(picture.convert("L"), np.int32)
        assert kept.shape == now.shape, name
        # Another release of the typesetting library may set a letter a pixel aside.
        assert (np.abs(kept - now) > 64).mean() < 0.03, (
            f"{name}: draw anew with python -m tests.firmware.guide_pictures"
        )


def test_the_drawings_are_what_the_profiles_say() -> None:
    for name, drawing in drawings():
        assert (PICTURES / name).read_text(encoding="utf-8") == drawing, name


@pytest.mark.parametrize("name", GUIDES)
def test_every_picture_and_link_is_there(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", guide(name)):
        assert (DOCS / target).exists(), target


@pytest.mark.parametrize("name", GUIDES)
def test_every_heading_that_is_linked_to_is_there(name: str) -> None:
    for file, anchor in re.findall(r"\]\(([\w.]*)#([\w-]+)\)", guide(name)):
        headings = re.findall(r"^#+ (.+)$", guide(file or name), re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        assert anchor in anchors, anchor


@pytest.mark.parametrize("name", GUIDES)
def test_every_command_exists(name: str) -> None:
    named = set(re.findall(r"marchwarden ([a-z]+)\b", guide(name)))
    assert named - {"has", "and"} <= set(COMMANDS)


@pytest.mark.parametrize("name", GUIDES)
def test_every_line_to_type_is_understood(name: str) -> None:
    """Sub-commands and options of each line are looked up; nothing is run."""
    for line in re.findall(r"^\$ marchwarden ([^#\n]+)", guide(name), re.MULTILINE):
        words = line.split()
        command = marchwarden.get_command(click.Context(marchwarden), words[0])
        assert command is not None, line
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), words[1])
            assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_the_table_of_heights_is_computed() -> None:
    for found in (mounting(eyepiece, schotten_totten()) for eyepiece in EYEPIECES):
        width, height = found.eyepiece.size_px
        row = f"| {found.eyepiece.name} | {found.height_mm:.0f} mm | {found.px_per_mm:.2f} px/mm | {width}×{height} |"
        assert row in guide("build.md")


def test_every_profile_for_a_pi_is_in_the_guide() -> None:
    assert all(f"`{name}`" in guide("build.md") for name in shipped() if name != "simulated")


def test_every_message_has_its_line_in_the_troubleshooting() -> None:
    words = catalogue("en")
    names = {*BLIND, *HINTS, *UNREAD.values(), "seen-twice", "wrong-deck", "too-far", "mat-not-flat"}
    text = guide("troubleshooting.md")
    for name in sorted(names):
        headline = re.sub(r"\{\w+\}", "…", words[name]["headline"])
        assert f"`{headline}`" in text, name


@pytest.mark.parametrize("eyepiece", EYEPIECES, ids=lambda eyepiece: eyepiece.name)
def test_at_its_height_a_camera_sees_the_whole_mat_and_a_tenth_lower_it_does_not(eyepiece: Eyepiece) -> None:
    """Through a pinhole with square pixels: the mat's corners fall into the picture."""
    found = mounting(eyepiece, schotten_totten())
    corner_mm = np.array(schotten_totten().size_mm) / 2
    half_px = np.array(eyepiece.size_px) / 2
    focal_px = half_px / np.tan(np.radians([eyepiece.across_deg, eyepiece.down_deg]) / 2)
    assert focal_px[0] == pytest.approx(focal_px[1], rel=0.06), "the maker's two angles belong to one lens"
    assert (focal_px * corner_mm / found.height_mm < half_px).all()
    assert not (focal_px * corner_mm / (0.9 * found.height_mm) < half_px).all()
    assert found.px_per_mm == pytest.approx(min(focal_px) / found.height_mm)
