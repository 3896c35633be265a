"""Times one full table of Lords of Scotland, as `benchmarks.vision_speed` does it: five armies of five,
five supporters, five recruits and the discard. Prints one JSON document."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

from benchmarks.vision_speed import rendered, timed
from vision.areas import AreaReader
from vision.deck import Deck
from vision.frame import Picture
from vision.lords_of_scotland import lords_of_scotland

_RENDER = """
import sys, cv2, numpy as np
from firmware.printing.deck import deck_of
from firmware.simulation.artwork import Artwork
from firmware.simulation.flaws import NORMAL
from firmware.simulation.photograph import Photographer
from firmware.simulation.spread import Spread, lay_spread
from vision.lords_of_scotland import lords_of_scotland
game, layout, rng = "lords-of-scotland", lords_of_scotland(), np.random.default_rng(5)
deck = iter(rng.permutation(list(deck_of(game).cards)))
armies = {f"army{seat}": tuple(f"{next(deck)}{'!' * (n == 4)}" for n in range(5)) for seat in "ABCDE"}
recruits = {spot.place: (str(next(deck)),) for spot in layout.spots}
others = {"supporters": tuple(f"{next(deck)}!" for _ in range(5)), "discard": (str(next(deck)),)}
scene = lay_spread(layout, Spread(armies | recruits | others), NORMAL.habits, rng)
camera, light = NORMAL.camera((2304, 1296), rng), NORMAL.light(layout.size_mm, rng)
photographer = Photographer(layout, Artwork.drawn(game=game))
for n in range(int(sys.argv[2])):
    cv2.imwrite(f"{sys.argv[1]}/{n}.png", photographer.photograph(scene, camera, light, rng).pixels_bgr)
"""

_DRAW = """
import sys
from pathlib import Path
from firmware.decks import drawn_deck
drawn_deck("lords-of-scotland").save(Path(sys.argv[1]))
"""


def main() -> None:
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:  # drawn by another process: that is no memory of the reader's
        subprocess.run([sys.executable, "-c", _DRAW, folder], check=True)
        reader = AreaReader(Deck.load(next(Path(folder).iterdir())), lords_of_scotland())
    print(json.dumps(timed(rendered(_RENDER), reader, lambda frame: naive(frame, reader.deck))))


def naive(frame: Picture, deck: Deck) -> None:
    """All templates of the deck over the whole frame, upright and sideways, at the size at which cards appear."""
    width = round(frame.shape[1] / lords_of_scotland().size_mm[0] * deck.card_mm[0])
    for code in deck.codes:
        template = cv2.resize(deck.face(code), (width, round(width * 80 / 56)), interpolation=cv2.INTER_AREA)
        for turned in (template, cv2.rotate(template, cv2.ROTATE_90_CLOCKWISE)):
            cv2.minMaxLoc(cv2.matchTemplate(frame, turned, cv2.TM_CCOEFF_NORMED))


if __name__ == "__main__":
    main()
