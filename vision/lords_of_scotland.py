"""The table of Lords of Scotland: five armies round the middle, in millimetres on the mat.

Seats go clockwise as seen from above: A at the lower edge on the left, B opposite, C beside B, D at the right edge, E
beside A. However many play, they take the first of them, so one mat serves two to five. In the middle, from left to
right: the supporters, who lie sideways, the deck, the five recruits, the discard. The power tokens lie on cards and
the initiative token at its holder's, so each has a marker of its own printed on it.

The mat is as wide as a camera's frame is, so that it fills one: at 2304 × 1296 pixels a card 56 mm wide has about 135,
as many as on the mat of the first game, although five armies of ten cards each find room side by side.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from vision.layout import Heap, Layout, Marker, Region, Spot, Tile, Token
from vision.observation import Observation, Reading, Why

SEATS = "ABCDE"
RECRUITS = range(1, 6)
SUPPORTERS = "supporters"
DISCARD = "discard"
TOKEN_MARKER_MM = 15.0
INITIATIVE = Token("initiative", 20, TOKEN_MARKER_MM)
POWERS = {"bruce": (10, 11, 12), "cochrane": (13, 14, 15), "macdonnell": (16, 17, 18)}  # three tokens of each clan

_ROW_Y = 244.0


@cache
def lords_of_scotland() -> Layout:
    """The mat for two to five players."""
    top, bottom = 90.0, 398.0
    armies = tuple(
        Region(f"army{seat}", middle, size, rotation)
        for seat, middle, size, rotation in (
            ("A", (209.0, bottom), (350.0, 168.0), 0),
            ("B", (209.0, top), (350.0, 168.0), 180),
            ("C", (565.0, top), (350.0, 168.0), 180),
            ("D", (798.0, 262.0), (104.0, 440.0), 270),
            ("E", (565.0, bottom), (350.0, 168.0), 0),
        )
    )
    seats = (
        ("A", (330.0, 297.5)),
        ("B", (330.0, 190.5)),
        ("C", (584.0, 190.5)),
        ("D", (798.0, 24.0)),
        ("E", (584.0, 297.5)),
    )
    return Layout(
        game="lords-of-scotland",
        size_mm=(884.0, 488.0),
        card_mm=(56.0, 80.0),
        tile_mm=(32.0, 22.0),
        fans=(),
        spots=tuple(Spot(f"recruit{n}", (396.0 + 62.0 * (n - 1), _ROW_Y), 0) for n in RECRUITS),
        tiles=(Tile(INITIATIVE.code, seats),),
        markers=tuple(
            Marker(4 * side + row, (x, 18.0 + 452.0 * row / 3), 24.0)
            for side, x in enumerate((16.0, 868.0))
            for row in range(4)
        ),
        regions=(*armies, Region(SUPPORTERS, (165.0, _ROW_Y), (262.0, 128.0), 0)),
        heaps=(Heap("deck", (330.0, _ROW_Y), 0), Heap(DISCARD, (708.0, _ROW_Y), 0, is_open=True)),
        tokens=(
            INITIATIVE,
            *(
                Token(f"power-{clan}{n}", marker, TOKEN_MARKER_MM)
                for clan, own in POWERS.items()
                for n, marker in enumerate(own, 1)
            ),
        ),
    )


def as_document(layout: Layout) -> dict[str, Any]:
    """The geometry as other programs read it (`marchwarden table --game lords-of-scotland --json`)."""
    regions = {region.place: region for region in layout.regions}
    holders = dict(layout.tiles[0].spots)
    supporters = regions[SUPPORTERS]
    heaps = {heap.place: heap for heap in layout.heaps}
    return {
        "game": layout.game,
        "size_mm": list(layout.size_mm),
        "card_mm": list(layout.card_mm),
        "token_mm": list(layout.tile_mm),
        "armies": {
            seat: {
                "middle_mm": list(regions[f"army{seat}"].middle_mm),
                "size_mm": list(regions[f"army{seat}"].size_mm),
                "rotation": regions[f"army{seat}"].rotation,
                "initiative_mm": list(holders[seat]),
            }
            for seat in SEATS
        },
        "recruits_mm": [list(spot.centre_mm) for spot in layout.spots],
        "recruits_rotation": layout.spots[0].rotation,
        "supporters": {"middle_mm": list(supporters.middle_mm), "size_mm": list(supporters.size_mm), "rotation": 90},
        "deck_mm": list(heaps["deck"].centre_mm),
        "discard_mm": list(heaps[DISCARD].centre_mm),
        "tokens": {token.code: token.marker for token in layout.tokens},
        "token_marker_mm": TOKEN_MARKER_MM,
    }


def reading(observation: Observation, image: str) -> dict[str, Any]:
    """A photograph as other programs read it (`marchwarden read --game lords-of-scotland --json`). A card that lies
    face down is `?`; unread ones are listed apart. Of the discard the card on top is told."""
    cards, unreadable = [], []
    for place, readings in observation.cards.items():
        for card in readings:
            if card.code is None and card.why is not Why.FACE_DOWN:
                unreadable.append({"where": place, "why": str(card.why or Why.UNCERTAIN)})
            else:
                cards.append(
                    {
                        "code": shown(card),
                        "where": place,
                        "sideways": card.sideways,
                        "confidence": round(card.confidence, 3),
                        "margin": round(card.margin, 3),
                        "corners_px": [[round(x, 1), round(y, 1)] for x, y in card.corners_px],
                    }
                )
    unreadable += [
        {"where": code, "why": str(tile.why or Why.UNCERTAIN)}
        for code, tile in observation.tiles.items()
        if tile.at is None
    ]

    def codes(place: str) -> list[str]:
        return [code for card in observation.cards.get(place, ()) if (code := shown(card)) is not None]

    return {
        "image": image,
        "armies": {seat: codes(f"army{seat}") for seat in SEATS},
        "recruits": [next(iter(codes(f"recruit{n}")), None) for n in RECRUITS],
        "supporters": codes(SUPPORTERS),
        "discard": next(iter(codes(DISCARD)), None),
        "tokens": {code: tile.at for code, tile in observation.tiles.items()},
        "cards": cards,
        "unreadable": unreadable,
        "elapsed_ms": round(observation.elapsed_ms, 2),
    }


def shown(card: Reading) -> str | None:
    """What a card shows: its code, `?` from behind, None when nobody can say."""
    return "?" if card.why is Why.FACE_DOWN else card.code
