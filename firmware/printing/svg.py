"""Writes a display list as SVG, one user unit a millimetre."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from firmware.printing.shapes import IDENTITY, Drawing, Group, Path, Shape, Text

FAMILY = "Bitstream Vera Sans, DejaVu Sans, Verdana, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """The drawing as an SVG document."""
    width, height = (_number(mm) for mm in drawing.size_mm)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="{FAMILY}" stroke-linecap="round" stroke-linejoin="round">',
        *_elements(drawing.items, "c"),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _elements(items: Sequence[Shape], name: str) -> Iterator[str]:
    """Each shape as markup; `name` leads from the root to here, so that every clip path has an id of its own."""
    for n, item in enumerate(items):
        match item:
            case Path():
                yield f'<path d="{_steps(item)}"{_look(item)}/>'
            case Text():
                yield _text(item)
            case Group(items=inside, matrix=matrix, clip=clip):
                own = f"{name}-{n}"
                cut = ""
                if clip is not None:
                    cut = f' clip-path="url(#{own})"'
                    yield f'<clipPath id="{own}"{_transform(item)}><path d="{_steps(clip)}"/></clipPath>'
                # The clip is in the group's own measure, so it is applied outside the group's transform.
                yield f"<g{cut}>" if matrix == IDENTITY else f"<g{cut}><g{_transform(item)}>"
                yield from _elements(inside, own)
                yield "</g>" if matrix == IDENTITY else "</g></g>"


def _transform(group: Group) -> str:
    if group.matrix == IDENTITY:
        return ""
    return f' transform="matrix({" ".join(_number(value, 6) for value in group.matrix)})"'


def _steps(item: Path) -> str:
    return "".join(kind + " ".join(_number(value) for value in numbers) for kind, numbers in item.steps)


def _look(item: Path) -> str:
    look = f' fill="{item.fill or "none"}"'
    if item.fill is not None:
        look += ' fill-rule="evenodd"'
    if item.stroke is not None:
        look += f' stroke="{item.stroke}" stroke-width="{_number(item.pen)}"'
    if item.opacity < 1:
        look += f' opacity="{_number(item.opacity)}"'
    return look


def _text(item: Text) -> str:
    weight = {"plain": "", "bold": ' font-weight="bold"', "italic": ' font-style="italic"'}[item.font]
    anchor = "" if item.anchor == "start" else f' text-anchor="{item.anchor}"'
    x, y = (_number(value) for value in item.at)
    size = _number(item.size)
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{item.fill}"{weight}{anchor}>{escape(item.words)}</text>'


def _number(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
