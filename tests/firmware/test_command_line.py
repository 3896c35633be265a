"""The command line as a whole: what every command shares."""

from __future__ import annotations

import subprocess
import sys

import pytest

from firmware.cli import COMMANDS


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
