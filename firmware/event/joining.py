"""Finding an invitation: in a picture, in a text file, or under the station's own camera. Reads no secret."""

from __future__ import annotations

import time
from pathlib import Path

from firmware.event.invitation import PREFIX, BadInvitation

LOOKS_S = 60.0


def in_file(path: Path) -> str:
    """The invitation in a file: a picture of its code, or its text."""
    content = path.read_bytes()
    if content.lstrip().startswith(PREFIX.encode()):
        return content.decode("ascii", "replace")
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    found = None if pixels is None else in_picture(pixels)
    if found is None:
        raise BadInvitation(f"{path} shows no invitation: expected its text or a picture of its code")
    return found


def in_picture(pixels_bgr: object) -> str | None:
    """The invitation that a picture shows, if any."""
    import cv2

    text, _, _ = cv2.QRCodeDetector().detectAndDecode(pixels_bgr)  # type: ignore[call-overload]
    return str(text) if str(text).startswith(PREFIX) else None


def seen_by_camera(profile_name: str | None, within_s: float = LOOKS_S) -> str:
    """The invitation that is held under the station's camera."""
    from firmware.cli.hardware import loaded
    from firmware.drivers import make_camera

    camera = make_camera(loaded(profile_name).profile.camera)
    camera.open()
    try:
        end_s = time.monotonic() + within_s
        while time.monotonic() < end_s:
            found = in_picture(camera.read().pixels_bgr)
            if found is not None:
                return found
    finally:
        camera.close()
    raise BadInvitation(f"no invitation was seen in {within_s:.0f} seconds; hold it flat, near and well lit")
