"""The shape of a hand over the table, in millimetres. Knows an outline and where its shadow falls, and no pixel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from firmware.simulation.scene import Hand


def hand_shadow_mm(hand: Hand) -> np.ndarray:
    """How far a hand's shadow falls from below it."""
    return np.array([14.0, 10.0]) * (0.6 + 0.4 * hand.spread)


@lru_cache(maxsize=16)
def hand_outline(hand: Hand) -> np.ndarray:
    """Forearm, palm, four fingers and a thumb as one outline, in millimetres."""
    wrist, tip = np.array(hand.wrist_mm), np.array(hand.tip_mm)
    ahead = (tip - wrist) / max(float(np.linalg.norm(tip - wrist)), 1.0)
    aside = np.array([-ahead[1], ahead[0]])
    half = hand.width_mm / 2
    reach = float(np.linalg.norm(tip - wrist))
    open_by = 0.25 + 0.5 * hand.spread
    points: list[tuple[float, float]] = [(-reach, -0.62 * half), (-175.0, -0.58 * half), (-150.0, -0.8 * half)]
    # Thumb, then the fingers from first to last; each is a rounded stroke out and back, (forward, sideways) of the tip.
    points += [(-110.0, -1.0 * half), (-75.0, -1.55 * half), (-62.0, -1.45 * half), (-85.0, -0.9 * half)]
    lengths = (-14.0, 0.0, -7.0, -24.0)
    for finger, length in enumerate(lengths):
        base = -0.72 * half + finger * 0.48 * half
        side = base * (1 + open_by * 0.5)
        points += [
            (-78.0, base - 0.2 * half),
            (length - 8, side - 0.17 * half),
            (length, side),
            (length - 8, side + 0.17 * half),
        ]
        points += [(-78.0, base + 0.2 * half)]
    points += [(-120.0, 0.95 * half), (-160.0, 0.72 * half), (-175.0, 0.58 * half), (-reach, 0.62 * half)]
    return np.array([tip + forward * ahead + sideways * aside for forward, sideways in points])
