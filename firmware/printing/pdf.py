"""Writes drawings as the pages of a PDF: vectors at true scale, fonts embedded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from io import BytesIO
from typing import Any, get_args

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from firmware.printing.fonts import font_file
from firmware.printing.shapes import Drawing, Font, Group, Path, Shape, Text

POINTS_PER_MM = 72 / 25.4
ROUND_END = 1


def to_pdf(pages: Iterable[Drawing], title: str) -> bytes:
    """A PDF with one page for each drawing, the same bytes every time."""
    _register_fonts()
    document = BytesIO()
    canvas = Canvas(document, pageCompression=1, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Marchwarden")
    for page in pages:
        width, height = (mm * POINTS_PER_MM for mm in page.size_mm)
        canvas.setPageSize((width, height))
        canvas.translate(0, height)
        canvas.scale(POINTS_PER_MM, -POINTS_PER_MM)
        canvas.setLineCap(ROUND_END)
        canvas.setLineJoin(ROUND_END)
        _draw(canvas, page.items)
        canvas.showPage()
    canvas.save()
    return document.getvalue()


@cache
def _register_fonts() -> None:
    for font in get_args(Font):
        registerFont(TTFont(f"Vera-{font}", str(font_file(font))))


def _draw(canvas: Any, items: Sequence[Shape]) -> None:
    for item in items:
        match item:
            case Path():
                _draw_path(canvas, item)
            case Text():
                _draw_text(canvas, item)
            case Group(items=inside, matrix=matrix, clip=clip):
                canvas.saveState()
                canvas.transform(*matrix)
                if clip is not None:
                    canvas.clipPath(_outline(canvas, clip), stroke=0, fill=0)
                _draw(canvas, inside)
                canvas.restoreState()


def _outline(canvas: Any, item: Path) -> Any:
    outline = canvas.beginPath()
    for kind, numbers in item.steps:
        match kind:
            case "M":
                outline.moveTo(*numbers)
            case "L":
                outline.lineTo(*numbers)
            case "C":
                outline.curveTo(*numbers)
            case "Z":
                outline.close()
    return outline


def _draw_path(canvas: Any, item: Path) -> None:
    if item.fill is not None:
        canvas.setFillColor(HexColor(item.fill))
        canvas.setFillAlpha(item.opacity)
    if item.stroke is not None:
        canvas.setStrokeColor(HexColor(item.stroke))
        canvas.setStrokeAlpha(item.opacity)
        canvas.setLineWidth(item.pen)
    filled, stroked = int(item.fill is not None), int(item.stroke is not None)
    canvas.drawPath(_outline(canvas, item), stroke=stroked, fill=filled, fillMode=FILL_EVEN_ODD)


def _draw_text(canvas: Any, item: Text) -> None:
    canvas.saveState()
    canvas.translate(*item.at)
    canvas.scale(1, -1)
    canvas.setFillColor(HexColor(item.fill))
    canvas.setFillAlpha(1)
    canvas.setFont(f"Vera-{item.font}", item.size)
    write = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}
    write[item.anchor](0, 0, item.words)
    canvas.restoreState()
