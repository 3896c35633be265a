"""The typefaces: Bitstream Vera, which comes with reportlab, so that every back end writes alike."""

from __future__ import annotations

from pathlib import Path

import reportlab

from firmware.printing.shapes import Font

FILES: dict[Font, str] = {"plain": "Vera.ttf", "bold": "VeraBd.ttf", "italic": "VeraIt.ttf"}


def font_file(font: Font) -> Path:
    """Where the typeface lies on this computer."""
    return Path(str(reportlab.__file__)).parent / "fonts" / FILES[font]
