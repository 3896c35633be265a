"""The command line as a whole: what every command shares."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import COMMANDS
from firmware.printing.deck import draw
from vision.enrol import Enrolment

LONG = "x" * 300  # a name that no file can have


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "firmware", *args], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("args", "word"),
    [(["nonsense"], "nonsense"), (["table", "--nope"], "--nope"), (["table", "--game", "chess"], "chess")],
)
def test_a_wrong_call_is_one_sentence_and_exit_2(args: list[str], word: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("marchwarden: ")
    assert word in done.stderr


def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f"{sys.executable} -m firmware rules | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_no_room_for_what_is_printed_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "firmware", "rules"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    said = "marchwarden: no room is left for what is printed (No space left on device); print it elsewhere\n"
    assert done.stderr == said


@pytest.mark.parametrize("command", ["adjudicate", "replay"])
def test_a_standard_input_that_is_closed_is_one_sentence(command: str) -> None:
    call = f"{sys.executable} -m firmware {command} - --json <&-"
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "marchwarden: standard input is closed; send something to it, or name a file\n"


@pytest.mark.parametrize(
    "args",
    [
        ["referee", LONG],
        ["enroll", "new", "--from", LONG],
        ["scan", "a.jpg", "--decks", "{here}", "--deck", LONG],
        ["referee", "{here}", "--decks", "{here}", "--deck", LONG],
        ["read", "a.jpg", "--decks", LONG, "--deck", "a"],
    ],
)
def test_a_name_that_the_system_refuses_is_one_sentence(args: list[str], tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"no picture")
    done = run(*(arg.format(here=tmp_path) for arg in args))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("marchwarden: ")
    assert done.stderr.endswith(" cannot be used (File name too long); give another file or folder\n")
    assert done.stderr.count("\n") == 1


def test_a_file_whose_name_is_no_text_is_printed_all_the_same(tmp_path: Path) -> None:
    strip = tmp_path / "caf\udce9.png"
    cv2.imwrite(str(tmp_path / "strip.png"), np.zeros((1, 1, 3), np.uint8))
    (tmp_path / "strip.png").rename(strip)
    command = [sys.executable, "-m", "firmware", "scan", str(strip), "--deck", "drawn", "--decks", str(tmp_path)]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=strict)
    assert (done.returncode, done.stderr) == (0, "")
    assert "caf\\udce9.png: no card of this deck\n" in done.stdout


def test_an_interruption_while_the_program_is_loaded_is_no_traceback() -> None:
    look = (
        "import runpy, sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'firmware.cli.speech': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "runpy.run_module('firmware', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", look, "rules"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


def test_refereeing_a_recording_loads_nothing_that_only_a_station_with_devices_has(tmp_path: Path) -> None:
    """Profiles, typefaces and the page cost some 20 MB, a tenth of what a small Pi has to spare."""
    look = (
        "import atexit, runpy, sys\n"
        "def loaded(): print({'pydantic', 'PIL', 'luma', 'starlette', 'gpiozero'} & set(sys.modules))\n"
        "atexit.register(loaded)\n"
        "runpy.run_module('firmware', run_name='__main__')\n"
    )
    (tmp_path / "1.png").write_bytes(b"no picture")
    enrolment = Enrolment("small")
    for code in ("r1", "g5", "back"):
        enrolment.take(code, draw(code, 4.0))
    enrolment.deck().save(tmp_path)
    command = [sys.executable, "-c", look, "referee", str(tmp_path), "--deck", str(tmp_path / "small.deck.npz")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "set()\n")
    assert "1.png" in done.stderr
