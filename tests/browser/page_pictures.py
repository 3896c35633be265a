"""Takes the pictures of the page for the guides: `python -m tests.browser.page_pictures` puts them into docs/pictures;
with the name of a game, only those of that game.

A simulated station plays by itself; every picture is what a browser shows of it at that moment, nothing is retouched.
They are looked at by a person before they are kept.
"""

from __future__ import annotations

import io
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

from firmware.assemble import make_eye, make_parts
from firmware.games import refereed
from firmware.simulation.manners import PACES_S, Manners
from firmware.web.house import Front
from firmware.web.simulated import simulated_front
from hardware_config.profile import PageSettings, Profile, TableSettings
from hardware_config.settings import SimulatedCamera
from tests.browser import visitor as visiting
from tests.browser.conftest import opened
from tests.browser.visitor import Visitor

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEED = 5
LORDS_FACTS = 36  # and so much of the second game: every army has some allies
FACTS = 26  # so much is played before the first picture: some Stones are claimed by then


@contextmanager
def playing(folder: Path, table: TableSettings) -> Iterator[Front]:
    """A station with computer players at work."""
    profile = Profile(name="simulated", camera=SimulatedCamera(flaws="normal"), page=PageSettings(port=0), table=table)
    game = refereed(table.game)
    eye = make_eye(profile, game, folder)
    manners = Manners(pace_s=PACES_S["fast"])
    front = simulated_front(profile, folder / "journal.db", make_parts(profile), eye, SEED, manners, decks=folder)
    stopping = threading.Event()

    def work() -> None:
        while not stopping.is_set():
            front.assembled.loop.step()
            front.tick()

    front.assembled.start()
    front.services.desk.station.begin(game.rules(table.variant))
    front.start()
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield front
    finally:
        stopping.set()
        thread.join(60)
        front.stop()
        front.assembled.stop()


def take(browser: Any, name: str) -> None:
    """What the browser shows, in few colours: pictures of a repository are small."""
    picture = Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB")
    few = picture.quantize(256, kmeans=4, dither=Image.Dither.NONE)  # nine clans and a page: each keeps its colours
    few.save(PICTURES / f"{name}.png", optimize=True)
    print(name)


def main(only: str = "") -> None:
    """Every picture, or those of one game."""
    visiting.PATIENCE_S = 900.0
    if only in ("", "schotten-totten"):
        schotten_totten()
    if only in ("", "lords-of-scotland"):
        lords_of_scotland()


def lords_of_scotland() -> None:
    table = TableSettings(game="lords-of-scotland", variant="4")
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), table) as front:
        told = front.services.desk.station
        wide = opened(1400, 1130, "en")
        visitor = Visitor(wide, front.address, "play")
        wide.execute_script("localStorage.setItem('welcomed', '1')")
        wide.refresh()
        visitor.until(lambda: len(told.state.referee.told) >= LORDS_FACTS, "a skirmish is well on its way")
        take(wide, "page-lords-of-scotland")
        wide.quit()


def schotten_totten() -> None:
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), TableSettings()) as front:
        told = front.services.desk.station
        wide = opened(1400, 1000, "en")
        visitor = Visitor(wide, front.address, "play")
        visitor.until(lambda: len(told.state.referee.told) >= FACTS, "the game is well on its way")
        _play(visitor)
        _views(visitor, front)
        wide.quit()
        phone = opened(390, 844, "es", phone=True)
        take(Visitor(phone, front.address, "table").browser, "page-phone")
        phone.quit()
        french = opened(1400, 1000, "fr")
        visitor = Visitor(french, front.address, "table")
        french.execute_script("document.documentElement.dataset.theme = 'dark'")
        visitor.until(lambda: visitor.text("#panel .said"), "the panel speaks")
        take(french, "page-table")
        french.quit()


def _play(visitor: Visitor) -> None:
    browser = visitor.browser
    browser.execute_script("localStorage.removeItem('welcomed')")
    browser.refresh()
    visitor.until(
        lambda: browser.execute_script("return document.querySelector('.beside .frame').naturalWidth"), "seen"
    )
    take(browser, "page-play")
    visitor.click("#cheat")
    visitor.until(lambda: visitor.all("#view-play .arrows > *"), "the foul is named")
    take(browser, "page-foul")
    visitor.until(lambda: not visitor.all("#view-play .arrows > *"), "it is put right")


def _views(visitor: Visitor, front: Front) -> None:
    browser = visitor.browser
    browser.get(f"{front.address}#camera")
    visitor.until(lambda: browser.execute_script("return document.querySelector('#view-camera').dataset.frame"), "seen")
    take(browser, "page-camera")
    browser.get(f"{front.address}#history/1")
    visitor.until(lambda: visitor.all("#view-history .replay .piece"), "the game is drawn")
    visitor.click("#step-back")
    take(browser, "page-history")
    visitor.log_in(front.pin)
    browser.get(f"{front.address}#setup")
    visitor.one("#new-game-form")
    take(browser, "page-setup")


if __name__ == "__main__":
    main(*sys.argv[1:])
