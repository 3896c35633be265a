"""The door of an event: a station shows a code on its display, the organiser tells the hub, and the station is in.

The code never goes over the network. Both sides make the same key of it; the hub seals the station's invitation with
that key and leaves it in a place that everybody may look into, for ten minutes. Whoever listens or passes for the hub
has neither the key nor anything that it would open.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet, InvalidToken

from firmware.event.house import House, leave_at_door
from firmware.event.invitation import BadInvitation, invited
from firmware.ports import Canvas

if TYPE_CHECKING:
    from PIL import Image

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that looks like another
LENGTH = 16
OPEN_S = 600
USER = PASSWORD = "door"  # no secret: whoever stands before the door sees sealed parcels


def new_code() -> str:
    """Eighty random bits, as somebody can read them from a display."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def grouped(code: str) -> str:
    return "-".join(code[at : at + 4] for at in range(0, LENGTH, 4))


def as_code(text: str) -> str:
    """The code that somebody typed or scanned; raises BadInvitation."""
    code = "".join(text.upper().split()).replace("-", "").translate(str.maketrans("OIL", "011"))
    if len(code) != LENGTH or any(letter not in LETTERS for letter in code):
        raise BadInvitation(f"a station's code has {LENGTH} letters and digits, like {grouped('0123456789ABCDEF')}")
    return code


def mark_of(code: str) -> str:
    """Where the parcel for this code lies."""
    return hashlib.sha256(b"marchwarden door " + code.encode()).hexdigest()[:32]


def sealed(code: str, text: str) -> str:
    """A text that only this code opens."""
    return Fernet(_key(code)).encrypt(text.encode()).decode()


def unsealed(code: str, parcel: str) -> str | None:
    """What was sealed with this code; None for anything else."""
    try:
        return Fernet(_key(code)).decrypt(parcel.encode()).decode()
    except (InvalidToken, ValueError):
        return None


def let_in(house: House, text: str, station: str, host: str | None = None, *, again: bool = False) -> None:
    """Leaves an invitation for the station that shows this code; raises BadInvitation or BadHouse."""
    code = as_code(text)
    leave_at_door(house, mark_of(code), sealed(code, str(invited(house, station, host, again=again))))


def _key(code: str) -> bytes:
    key = hashlib.scrypt(code.encode(), salt=b"marchwarden door", n=2**14, r=8, p=1, dklen=32)
    return base64.urlsafe_b64encode(key)


def drawn(code: str, canvas: Canvas) -> Image.Image:
    """The code for a display: to be scanned on the left, to be read on the right."""
    import segno
    from PIL import Image, ImageDraw, ImageFont

    from firmware.printing.fonts import font_file

    squares = [list(row) for row in segno.make(code, micro=False, error="m", boost_error=False).matrix]
    size = len(squares) + 4  # with a quiet border
    scale = max(1, min(canvas.height // size, canvas.width // 2 // size))
    mode, white, black = ("RGB", (255, 255, 255), (0, 0, 0)) if canvas.colours else ("1", 1, 0)
    picture = Image.new(mode, (canvas.width, canvas.height), black)
    pen = ImageDraw.Draw(picture)
    top = (canvas.height - size * scale) // 2
    pen.rectangle((0, top, size * scale - 1, top + size * scale - 1), fill=white)
    for y, row in enumerate(squares, start=2):
        for x, dark in enumerate(row, start=2):
            if dark:
                left, upper = x * scale, top + y * scale
                pen.rectangle((left, upper, left + scale - 1, upper + scale - 1), fill=black)
    groups = grouped(code).split("-")
    step = canvas.height // len(groups)
    font = ImageFont.truetype(str(font_file("bold")), max(8, step - 4))
    for number, group in enumerate(groups):
        pen.text((size * scale + 6, number * step + step // 2), group, fill=white, font=font, anchor="lm")
    return picture
