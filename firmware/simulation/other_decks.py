"""Small decks of other games, drawn for trying what knows no game: playing cards, and cards of a colour and a digit.

Some differ in nothing but a colour or a digit. Knows pictures by code; knows no rule.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

SIZE_PX = (409, 585)
SUITS = {"h": (40, 30, 200), "d": (40, 30, 200), "s": (25, 25, 25), "c": (25, 25, 25)}
RANKS = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
COLOURS = {"red": (45, 40, 215), "blue": (190, 95, 20), "green": (70, 150, 50), "yellow": (30, 200, 240)}


def playing_cards() -> dict[str, Pixels]:
    """Fifty-two cards: `h10`, `sq` … with white paper, corner indices and pips."""
    return {f"{suit}{rank}": playing_card(suit, rank) for suit in SUITS for rank in RANKS}


def colour_cards() -> dict[str, Pixels]:
    """Forty cards: `card-red-7` …, each a colour all over, a white oval and a digit in it."""
    return {f"card-{colour}-{digit}": colour_card(colour, digit) for colour in COLOURS for digit in range(10)}


def playing_card(suit: str, rank: str) -> Pixels:
    """One playing card: corner indices, pips or a framed letter."""
    width, height = SIZE_PX
    card = np.full((height, width, 3), 250, np.uint8)
    ink = SUITS[suit]
    corner = np.zeros((height, width), np.uint8)
    scale = 1.5 if len(rank) > 1 else 2.0
    cv2.putText(corner, rank.upper(), (14, 66), cv2.FONT_HERSHEY_DUPLEX, scale, 255, 4, cv2.LINE_AA)
    _suit(corner, suit, (36, 104), 20)
    number = {"a": 1, "j": 11, "q": 12, "k": 13}.get(rank) or int(rank)
    for x, y in _pips(number):
        _suit(corner, suit, (round(x * width), round(y * height)), 30 if number > 1 else 64)
    if number > 10:
        cv2.rectangle(corner, (100, 90), (width - 101, height - 91), 255, 4)
        cv2.putText(corner, rank.upper(), (140, 350), cv2.FONT_HERSHEY_TRIPLEX, 5, 255, 9, cv2.LINE_AA)
    turned = corner[::-1, ::-1]
    both = np.maximum(corner, turned) if number > 10 or number == 1 else np.maximum(corner, _index_only(turned))
    return _inked(card, both, ink)


def _index_only(turned: Pixels) -> Pixels:
    kept = np.zeros_like(turned)
    kept[-130:, -75:] = turned[-130:, -75:]
    return kept


def _pips(number: int) -> list[tuple[float, float]]:
    if number > 10:
        return []
    if number == 1:
        return [(0.5, 0.5)]
    rows = (number + 1) // 2
    spots = [(x, 0.18 + 0.64 * row / max(rows - 1, 1)) for row in range(rows) for x in (0.34, 0.66)]
    return spots[:number] if number % 2 == 0 else [*spots[: number - 1], (0.5, 0.18 + 0.64)]


def _suit(mask: Pixels, suit: str, centre: tuple[int, int], size: int) -> None:
    x, y = centre
    third, half = round(size * 0.45), size // 2
    if suit == "d":
        cv2.fillConvexPoly(
            mask, np.array([[x, y - size], [x + third * 2, y], [x, y + size], [x - third * 2, y]]), 255, 16
        )
        return
    if suit == "c":
        for dx, dy in ((0, -half), (-half, third // 2), (half, third // 2)):
            cv2.circle(mask, (x + dx, y + dy), third, 255, -1, cv2.LINE_AA)
    else:
        way = 1 if suit == "h" else -1
        for dx in (-third, third):
            cv2.circle(mask, (x + dx, y - way * third), third + 2, 255, -1, cv2.LINE_AA)
        wide = third * 2 + 1
        tip = np.array([[x - wide, y - way * third // 2], [x + wide, y - way * third // 2], [x, y + way * size]])
        cv2.fillConvexPoly(mask, tip, 255, 16)
    if suit != "h":
        cv2.fillConvexPoly(mask, np.array([[x, y], [x + third, y + size], [x - third, y + size]]), 255, 16)


def colour_card(colour: str, digit: int) -> Pixels:
    """One card of a colour and a digit."""
    width, height = SIZE_PX
    card = np.full((height, width, 3), 248, np.uint8)
    cv2.rectangle(card, (18, 18), (width - 19, height - 19), COLOURS[colour], -1)
    cv2.ellipse(card, (width // 2, height // 2), (110, 220), 24, 0, 360, (248, 248, 248), -1, cv2.LINE_AA)
    mask = np.zeros((height, width), np.uint8)
    cv2.putText(mask, str(digit), (125, 365), cv2.FONT_HERSHEY_DUPLEX, 7, 255, 18, cv2.LINE_AA)
    card = _inked(card, mask, COLOURS[colour])
    small = np.zeros((height, width), np.uint8)
    cv2.putText(small, str(digit), (30, 88), cv2.FONT_HERSHEY_DUPLEX, 2, 255, 5, cv2.LINE_AA)
    if digit in (6, 9):
        for place, length in (((135, 395), 130), ((30, 104), 40)):
            cv2.line(
                small if length == 40 else mask, place, (place[0] + length, place[1]), 255, 10 if length > 40 else 5
            )
        card = _inked(card, mask, COLOURS[colour])
    return _inked(card, np.maximum(small, small[::-1, ::-1]), (250, 250, 250))


def _inked(card: Pixels, mask: Pixels, ink: tuple[int, int, int]) -> Pixels:
    share = mask[..., None].astype(np.float32) / 255
    return np.asarray(np.round(card * (1 - share) + np.array(ink, np.float32) * share), np.uint8)
