"""The eye of a station: from frames to settled sightings, with what is wrong with the view in words of the catalogue.

Keeps what changes slowly: where the table lies in the frame and what has settled. Reading again only what changed is
the reader's own affair (`vision.attend`). Knows vision; knows no rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from firmware.games import Refereed
from firmware.memory import give_back
from firmware.ports import Frame
from firmware.stages import Stages
from firmware.state import Saying, saying
from firmware.station import Sighting
from firmware.tables import TABLES, OtherMat, table_in
from vision.deck import Deck
from vision.frame import Picture
from vision.layout import Layout
from vision.lens import Lens
from vision.observation import Note, Observation, Why
from vision.quality import Fault, Glance, blur_notes, blur_px, light_notes, motion_notes
from vision.rectify import NoTable, Rectifier
from vision.settle import Settler
from vision.verify import Pose, verify

BLIND_S = 5.0  # more may have been played in a longer time without a look than the table alone tells
BLUR_EVERY = 10  # frames between two looks at the focus
MARKERS_EVERY = 50  # frames between two looks for markers, while a person's word has to do


class Reader(Protocol):
    """Reads what lies on the table in one frame."""

    def read(self, frame_bgr: Picture, rectifier: Rectifier) -> Observation: ...


@dataclass(frozen=True, slots=True)
class Manners:
    """How many frames must agree, and how long each trouble must last before it is said.

    In a recording (`stills`) every frame counts: what cannot be read is said at once, and a table that looks quite
    different from frame to frame is not moving.
    """

    settle_frames: int = 3
    hand_s: float = 8.0
    lasting_s: float = 3.0
    stills: bool = False

    def lasts_s(self, name: str) -> float:
        if self.stills:
            return 0.0
        lasts_s = {"hand": self.hand_s, "too-dark": 0.5, "no-mat": 1.0, "other-mat": 1.0, "camera-moved": 0.0}
        return lasts_s.get(name, self.lasting_s)


@dataclass(frozen=True, slots=True)
class Known:
    """What was measured of the camera beforehand: its lens, the width of an edge in focus, and the mat's four corners
    where a person has shown them, in shares of the frame."""

    lens: Lens | None = None
    sharp_px: float | None = None
    corners: tuple[tuple[float, float], ...] = ()


USUAL, UNKNOWN = Manners(), Known()


@dataclass
class Lasting:
    """Since when each trouble has been there."""

    since_s: dict[str, float] = field(default_factory=dict)

    def said(self, names: dict[str, Saying], now_s: float, manners: Manners) -> tuple[Saying, ...]:
        """Those that have lasted long enough to be said."""
        self.since_s = {name: self.since_s.get(name, now_s) for name in names}
        return tuple(trouble for name, trouble in names.items() if now_s - self.since_s[name] >= manners.lasts_s(name))


class CameraEye:
    """Looks through a camera at one table."""

    def __init__(
        self,
        reader: Reader,
        layout: Layout,
        manners: Manners = USUAL,
        known: Known = UNKNOWN,
    ) -> None:
        self._reader = reader
        self._layout = layout
        self._manners = manners
        self.known = known
        self._by_hand: Rectifier | None = None
        frames = manners.settle_frames
        self._unsettled = Settler(frames=frames, patience_s=0.0) if manners.stills else Settler(frames=frames)
        self._settler = self._unsettled
        self._lasting = Lasting()
        self._rectifier: Rectifier | None = None
        self._before: Glance | None = None
        self._seen: Observation | None = None
        self._settled: Observation | None = None
        self._settling: Observation | None = None  # settled, but something else is just changing
        self._looked_s: float | None = None
        self._frames = 0
        self._aimed = 0
        self._whole = 0  # looks at the whole table that are still to come
        self._notes: tuple[Note, ...] = ()
        self.stages_ms: dict[str, float] = {}  # how long each stage of the last look took

    @property
    def rectifier(self) -> Rectifier | None:
        """Where the table lies in the frame, once it was found."""
        return self._rectifier

    def adopt(self, known: Known) -> None:
        """From the next frame on this is what is known of the camera: the table is looked for anew."""
        self.known = known
        self._rectifier = self._by_hand = None

    def look(self, frame: Frame) -> Sighting:
        """What this frame shows, together with those before it."""
        pixels = frame.pixels_bgr
        watch = Stages()
        glance = Glance.at(pixels)
        troubles = {note.what: _view_trouble(note) for note in light_notes(glance)}
        troubles |= self._motion(glance)
        watch.end("light")
        moved = False
        if "too-dark" not in troubles:
            moved = self._aim(pixels, troubles)
            watch.end("aim")
            if self._rectifier is not None and not _is_blind(troubles):
                moved = self._was_blind(frame.taken_s) or moved
                if moved and (self._settled or self._settling) is not None:  # else it settles anew already
                    self._forget()
                self._read(pixels, self._rectifier, frame.taken_s)
                watch.end("read")
                troubles |= self._focus(pixels, self._rectifier)
                watch.end("focus")
                self._looked_s = frame.taken_s + sum(watch.ms.values()) / 1000  # a slow look is not a blind one
        self.stages_ms = watch.ms
        troubles |= self._in_the_way()
        said = self._lasting.said(troubles, frame.taken_s, self._manners)
        blind = _is_blind(troubles)
        return Sighting(frame.number, frame.taken_s, None if blind else self._settled, said, moved)

    def _was_blind(self, now_s: float) -> bool:
        """Whether nothing was seen of the table for long: no light, no markers, no pictures."""
        looked_s = self._looked_s
        return looked_s is not None and now_s - looked_s > BLIND_S and not self._manners.stills

    def _forget(self) -> None:
        """The table may be another than it was: what had settled counts no more, and all of it has to settle anew."""
        self._settler = self._unsettled
        self._settled = self._settling = None

    def _in_the_way(self) -> dict[str, Saying]:
        """A hand over the table, or something that was left there."""
        settled = self._settled
        if settled is None or not settled.held:
            return {}
        cards = self._seen.cards if self._seen is not None else {}
        whys = {place: {card.why for card in cards.get(place, ())} for place in sorted(settled.held)}
        left = next((place for place, found in whys.items() if found == {Why.OBJECT}), None)
        return {"hand": saying("hand")} if left is None else {"object": saying("object", place=left, where=left)}

    def _motion(self, glance: Glance) -> dict[str, Saying]:
        """Light that flickers, or a whole table that moves."""
        before, self._before = self._before, glance
        if before is None or self._manners.stills:
            return {}
        notes = {note.what for note in motion_notes(glance, before)}
        return {name: saying(name) for name in notes & {Fault.FLICKER.value, Fault.MOVING.value}}

    def _aim(self, pixels: Picture, troubles: dict[str, Saying]) -> bool:
        """Makes sure that the table is where it is thought to be; True when it was found elsewhere."""
        known = self._rectifier
        size = (pixels.shape[1], pixels.shape[0])
        if known is not None and known.frame_size == size and self._is_still(pixels, known):
            return False
        try:
            found = table_in(pixels, self._layout, self.known.lens)
        except OtherMat:
            troubles["other-mat"] = saying("other-mat")
            return False
        except NoTable:
            if self._shown_by_hand(size):
                return known is not None and known is not self._by_hand
            # With a table known before, its markers are probably covered; without one there is none in view.
            name = "no-mat" if known is None else "corner-hidden"
            troubles[name] = saying(name)
            return False
        if found.is_mirrored:
            troubles["mirrored"] = saying("mirrored")
            return False
        self._rectifier, self._whole = found, self._manners.settle_frames
        give_back()
        if known is None or known is self._by_hand:
            return False
        name = "camera-moved" if known.frame_size == size else "new-camera"
        troubles[name] = saying(name)
        return True

    def _is_still(self, pixels: Picture, known: Rectifier) -> bool:
        """Whether the markers are where they were. Where a person's word has to do, there are none to ask: they are
        looked for now and then, since they know better."""
        self._aimed += 1
        return bool(self._aimed % MARKERS_EVERY) if known is self._by_hand else verify(pixels, known).pose is Pose.STILL

    def _shown_by_hand(self, size: tuple[int, int]) -> bool:
        """Goes by the corners that a person has shown, if one has."""
        if not self.known.corners:
            return False
        if self._by_hand is None or self._by_hand.frame_size != size:
            points = [(x * size[0], y * size[1]) for x, y in self.known.corners]
            self._by_hand = Rectifier.from_corners(points, self._layout, size, self.known.lens)
        self._rectifier = self._by_hand
        return True

    def _read(self, pixels: Picture, rectifier: Rectifier, now_s: float) -> None:
        self._seen = self._reader.read(pixels, rectifier)
        if self._whole:  # such a look needs far more memory than those at what changed
            self._whole -= 1
            give_back()
        self._settler, settled = self._settler.feed(self._seen, now_s)
        if settled is not None:
            self._settling = settled.observation
        if self._settling is not None and not self._settler.is_in_flux(now_s):
            self._settled, self._settling = self._settling, None

    def _focus(self, pixels: Picture, rectifier: Rectifier) -> dict[str, Saying]:
        self._frames += 1
        if self._frames % BLUR_EVERY == 1 or self._manners.stills:
            self._notes = blur_notes(blur_px(pixels, rectifier), self.known.sharp_px)
        return {note.what: _view_trouble(note) for note in self._notes}


def eye_of(game: Refereed, deck: Deck, manners: Manners = USUAL, known: Known = UNKNOWN) -> CameraEye:
    """The eye for a game that is played with this deck."""
    from vision.attend import Attention

    layout, looks = game.layout, manners.settle_frames
    reader = TABLES[layout.game].reader(deck, layout)
    if manners.stills and looks == 1:  # each picture stands for itself
        return CameraEye(reader, layout, manners, known)
    return CameraEye(Attention(reader, layout, looks, holds_moving=not manners.stills), layout, manners, known)


def _view_trouble(note: Note) -> Saying:
    return saying(note.what)


def _is_blind(troubles: dict[str, Saying]) -> bool:
    return bool(troubles.keys() & {"too-dark", "no-mat", "other-mat", "corner-hidden", "mirrored"})
