"""Where cards lie in a region without spots of its own: side by side. Knows millimetres on the mat."""

from __future__ import annotations

import math

from vision.layout import Point, Region

PITCH_MM = (70.0, 64.0)  # room for a card, however it is turned


def side_by_side(region: Region) -> list[Point]:
    """Places side by side in a region, from its owner's left, where cards lie apart however they are turned."""
    width, height = region.size_mm if region.rotation % 180 == 0 else region.size_mm[::-1]
    columns, rows = max(1, int((width + 2) // PITCH_MM[0])), max(1, int((height + 2) // PITCH_MM[1]))
    turn = math.radians(region.rotation)
    points = []
    for row in range(rows):
        for column in range(columns):
            x, y = (column - (columns - 1) / 2) * width / columns, (row - (rows - 1) / 2) * height / rows
            across = region.middle_mm[0] + x * math.cos(turn) - y * math.sin(turn)
            points.append((across, region.middle_mm[1] + x * math.sin(turn) + y * math.cos(turn)))
    return points
