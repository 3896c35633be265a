"""A recording as a camera: a folder of images in name order, or a video file. For replays, tests and bug reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import cv2

from firmware.faults import NoMoreFrames, PartFault
from firmware.pictures import is_hidden, read_picture
from firmware.ports import Frame
from vision.frame import Picture

if TYPE_CHECKING:
    from hardware_config.settings import FolderCamera

IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
LEAST_PX = 16  # a side; what is smaller is no picture of a table
USUAL_RATE = 10.0  # pictures a second, for stills and for videos that do not say


class RecordedCamera:
    """Frames are dated by their number, so that a recording means the same at any speed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._images: list[Path] = []
        self._video: cv2.VideoCapture | None = None
        self._rate = USUAL_RATE
        self._number = 0

    @property
    def is_stills(self) -> bool:
        return self.path.is_dir()

    def open(self) -> None:
        self._number = 0
        if self.path.is_dir():
            self._images = sorted(path for path in self._inside() if path.suffix.lower() in IMAGE_SUFFIXES)
            if not self._images:
                raise PartFault("camera", f"{self.path} holds no images (jpg, png …); give a folder of pictures")
        elif self.path.is_file():
            if not _is_text(str(self.path)):  # OpenCV would end the program
                raise PartFault("camera", f"the name of {self.path} is no text; give the video another one")
            self._video = cv2.VideoCapture(str(self.path))
            if not self._video.isOpened():
                raise PartFault("camera", f"{self.path} cannot be read as a video; give a folder of images or a video")
            self._rate = self._video.get(cv2.CAP_PROP_FPS) or USUAL_RATE
        else:
            raise PartFault("camera", f"there is no folder or file {self.path}")

    def read(self) -> Frame:
        pixels, source = self._still() if self._video is None else self._moving(self._video)
        self._number += 1
        return Frame(self._number, pixels, self._number / self._rate, source)

    def close(self) -> None:
        if self._video is not None:
            self._video.release()
            self._video = None

    def _inside(self) -> list[Path]:
        try:
            return [path for path in self.path.iterdir() if not is_hidden(path)]
        except OSError as error:
            raise PartFault("camera", f"{self.path} cannot be read ({error.strerror}); check the folder") from error

    def _still(self) -> tuple[Picture, str]:
        if self._number >= len(self._images):
            raise NoMoreFrames(str(self.path))
        path = self._images[self._number]
        pixels = read_picture(path)
        if pixels is None or min(pixels.shape[:2]) < LEAST_PX:
            raise PartFault("camera", f"{path} is not an image that can be read; take it out of the folder")
        return pixels, path.name

    def _moving(self, video: cv2.VideoCapture) -> tuple[Picture, str]:
        got, pixels = video.read()
        if not got:
            if self._number == 0:
                raise PartFault("camera", f"{self.path} holds no pictures that can be read")
            raise NoMoreFrames(str(self.path))
        return cast(Picture, pixels), self.path.name


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


class Driver(RecordedCamera):
    """A recording that a profile names."""

    def __init__(self, settings: FolderCamera) -> None:
        super().__init__(Path(settings.path))
