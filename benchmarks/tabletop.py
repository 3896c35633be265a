"""Photographs of cards lying about on tables, made without the simulated station: another camera, other light, other
tables, so that the card scanner is not measured with what it was built on.

Every picture has ordinary flaws, and one of them strongly if its name is given. Knows no deck's meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from benchmarks.tablecloths import TABLES, table_top

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIZES = ((1280, 720), (1600, 1200), (1920, 1080), (2304, 1296))
FLAWS = (
    "none",
    "tilt",
    "blur",
    "noise",
    "warm",
    "cold",
    "shade",
    "jpeg",
    "small",
    "glare",
    "overlap",
    "touching",
    "cut",
    "reprint",
)
CORNER_MM = 3.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A card in the picture: its code, its corners from the top left of its face, and how much of it shows."""

    code: str
    corners_px: NDArray[np.float64]
    shown: float


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture and the cards in it, the uppermost last."""

    pixels_bgr: Pixels
    cards: tuple[Lying, ...]
    table: str


@dataclass(frozen=True, slots=True)
class Camera:
    """How a picture is taken."""

    size_px: tuple[int, int]
    card_px: float  # width of a card in the middle of the picture
    tilt_deg: float
    blur_px: float
    motion_px: float
    noise: float
    kelvin: float
    vignette: float
    shade: float
    jpeg: int
    glare: float


def camera(rng: np.random.Generator, flaw: str) -> Camera:
    """A camera with ordinary flaws, and one strongly."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    taken = Camera(
        size_px=size,
        card_px=float(np.exp(rng.uniform(np.log(110), np.log(0.28 * size[1])))),
        tilt_deg=float(rng.uniform(0, 18)),
        blur_px=float(rng.uniform(0.3, 0.8)),
        motion_px=0.0,
        noise=float(rng.uniform(0.5, 3)),
        kelvin=float(rng.uniform(4300, 6500)),
        vignette=float(rng.uniform(0, 0.25)),
        shade=float(rng.uniform(0, 0.2)),
        jpeg=int(rng.integers(78, 95)),
        glare=0.0,
    )
    match flaw:
        case "tilt":
            return replace(taken, tilt_deg=float(rng.uniform(27, 35)))
        case "blur":
            return replace(taken, blur_px=float(rng.uniform(1.1, 1.6)), motion_px=float(rng.uniform(0, 3)))
        case "noise":
            return replace(taken, noise=float(rng.uniform(6, 10)))
        case "warm":
            return replace(taken, kelvin=float(rng.uniform(2700, 3400)))
        case "cold":
            return replace(taken, kelvin=float(rng.uniform(7000, 7800)))
        case "shade":
            return replace(taken, shade=float(rng.uniform(0.4, 0.6)), vignette=0.4)
        case "jpeg":
            return replace(taken, jpeg=int(rng.integers(58, 66)))
        case "small":
            return replace(taken, card_px=float(rng.uniform(88, 110)))
        case "glare":
            return replace(taken, glare=float(rng.uniform(0.25, 0.7)))
    return taken


def photographed(
    rng: np.random.Generator,
    faces: Mapping[str, Pixels],
    sizes_mm: Mapping[str, tuple[float, float]],
    codes: Sequence[str],
    flaw: str = "none",
    table: str | None = None,
    taken: Camera | None = None,
) -> Photo:
    """These cards thrown on a table and photographed from above."""
    taken = taken or camera(rng, flaw)
    width, height = taken.size_px
    wide_mm = sizes_mm[codes[0]][0]
    view = _view(rng, taken, wide_mm)
    kind = table or TABLES[int(rng.integers(len(TABLES)))]
    scene = table_top(kind, rng, taken.size_px, taken.card_px)
    homs = _places(rng, taken, view, [sizes_mm[code] for code in codes], flaw)
    cover = np.zeros((height, width), np.int16)
    areas, kept = [], []
    for n, (code, pose) in enumerate(zip(codes, homs, strict=False)):
        face = faces[code]
        if flaw == "reprint" or rng.random() < 0.3:
            face = reprinted(face, rng, sizes_mm[code][0])
        mask = _lay(scene, face, view @ pose, sizes_mm[code], rng)
        cover[mask > 0.5] = n + 1
        areas.append(_area(_corners(view @ pose, sizes_mm[code])))
        kept.append((code, _corners(view @ pose, sizes_mm[code])))
    cards = tuple(
        Lying(code, corners, float((cover == n + 1).sum()) / max(areas[n], 1.0))
        for n, (code, corners) in enumerate(kept)
    )
    middles = [corners.mean(axis=0) for _, corners in kept]
    return Photo(_developed(scene, taken, middles, rng), cards, kind)


def _view(rng: np.random.Generator, taken: Camera, wide_mm: float) -> NDArray[np.float64]:
    """From millimetres of the table, the middle of the picture at the origin, into the picture."""
    width, height = taken.size_px
    focal = float(rng.uniform(0.9, 1.5)) * width
    tilt, around = np.radians(taken.tilt_deg), rng.uniform(0, 2 * np.pi)
    axis = np.array([np.cos(around), np.sin(around), 0.0]) * tilt
    turn = cv2.Rodrigues(axis)[0]
    away = focal * wide_mm / taken.card_px
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    return np.asarray(lens @ np.column_stack([turn[:, 0], turn[:, 1], [0, 0, away]]), np.float64)


def _places(
    rng: np.random.Generator,
    taken: Camera,
    view: NDArray[np.float64],
    sizes_mm: Sequence[tuple[float, float]],
    flaw: str,
) -> list[NDArray[np.float64]]:
    """Where the cards lie: apart, touching or over one another; inside the picture or cut by its edge."""
    width, height = taken.size_px
    back = np.linalg.inv(view)
    placed: list[NDArray[np.float32]] = []
    poses: list[NDArray[np.float64]] = []
    for n, size in enumerate(sizes_mm):
        for _ in range(300):
            angle = rng.uniform(0, 360)
            spot = back @ np.array([rng.uniform(0.02, 0.98) * width, rng.uniform(0.02, 0.98) * height, 1.0])
            centre = spot[:2] / spot[2]
            if flaw in ("touching", "overlap") and n % 2 and poses:
                beside = 1.0 if flaw == "touching" else rng.uniform(0.72, 0.95)
                angle = rng.choice([0, 180]) + (rng.uniform(-1, 1) if flaw == "touching" else rng.uniform(-40, 40))
                step = np.array([size[0] + 0.3, 0]) if rng.random() < 0.6 else np.array([0, size[1] + 0.3])
                pose = poses[-1] @ _pose(beside * step, angle)
            else:
                pose = _pose(centre, angle)
            corners = _corners(view @ pose, size)
            cut = ((corners < 2) | (corners > np.array([width - 3, height - 3]))).any()
            if cut and not (
                flaw == "cut" and n % 2 and 0 <= corners.mean(0)[0] < width and 0 <= corners.mean(0)[1] < height
            ):
                continue
            air = 1.0 if flaw in ("touching", "overlap") else 1.08
            grown = ((corners - corners.mean(0)) * air + corners.mean(0)).astype(np.float32)
            shared = [cv2.intersectConvexConvex(grown, other)[0] / _area(corners) for other in placed]
            most = {"overlap": 0.3, "touching": 0.01}.get(flaw, 0.0)
            if not shared or max(shared) <= most:
                placed.append(corners.astype(np.float32))
                poses.append(pose)
                break
        else:
            break
    return poses


def _pose(centre: NDArray[np.float64], angle_deg: float) -> NDArray[np.float64]:
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return np.array([[c, -s, centre[0]], [s, c, centre[1]], [0, 0, 1.0]])


def _corners(way: NDArray[np.float64], size_mm: tuple[float, float]) -> NDArray[np.float64]:
    w, h = size_mm[0] / 2, size_mm[1] / 2
    points = np.array([[-w, -h, 1], [w, -h, 1], [w, h, 1], [-w, h, 1]]) @ way.T
    return np.asarray(points[:, :2] / points[:, 2:])


def _area(corners: NDArray[np.float64]) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _lay(
    scene: Floats, face: Pixels, way: NDArray[np.float64], size_mm: tuple[float, float], rng: np.random.Generator
) -> Floats:
    """Draw one card with its shadow; returns how much of each pixel it covers."""
    tall, wide = face.shape[:2]
    seen = np.sqrt(_area(_corners(way, size_mm)) / (size_mm[0] * size_mm[1])) * size_mm[0] / wide
    shrink = min(1.0, 1.3 * seen)
    small = face if shrink == 1 else cv2.resize(face, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    tall, wide = small.shape[:2]
    from_px = np.array(
        [
            [size_mm[0] / wide, 0, (0.5 / wide - 0.5) * size_mm[0]],
            [0, size_mm[1] / tall, (0.5 / tall - 0.5) * size_mm[1]],
            [0, 0, 1],
        ]
    )
    height, width = scene.shape[:2]
    plain = np.zeros((tall * 2, wide * 2), np.uint8)
    radius = CORNER_MM * wide * 2 / size_mm[0]
    image = Image.fromarray(plain)
    ImageDraw.Draw(image).rounded_rectangle([0, 0, wide * 2 - 1, tall * 2 - 1], radius, fill=255)
    outline = np.asarray(image)
    halved = from_px @ np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
    mask = cv2.warpPerspective(outline, way @ halved, (width, height), flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    drawn = cv2.warpPerspective(
        small, way @ from_px, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    soft = float(rng.uniform(2, 7)) * seen * 6
    shadow = cv2.GaussianBlur(mask, (0, 0), max(soft, 0.8))
    shift = np.array([[1, 0, soft * rng.uniform(-0.7, 0.7)], [0, 1, soft * rng.uniform(-0.7, 0.7)]])
    shadow = cv2.warpAffine(shadow, shift, (width, height))
    scene *= (1 - float(rng.uniform(0.1, 0.45)) * shadow)[..., None]
    scene += (drawn.astype(np.float32) - scene) * mask[..., None]
    return np.asarray(mask, np.float32)


def reprinted(face: Pixels, rng: np.random.Generator, wide_mm: float) -> Pixels:
    """The face from another press: colours, gamma, sharpness, and a cut that is up to a millimetre off."""
    scale = face.shape[1] / wide_mm
    move = np.array([[1, 0, rng.uniform(-1, 1) * scale], [0, 1, rng.uniform(-1, 1) * scale]])
    size = (face.shape[1], face.shape[0])
    moved = cv2.warpAffine(face, move, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32) / 255
    grey = moved.mean(axis=2, keepdims=True)
    moved = grey + (moved - grey) * rng.uniform(0.75, 1.15)
    moved = np.clip(moved, 0, 1) ** rng.uniform(0.85, 1.2) * rng.uniform(0.93, 1.0, 3).astype(np.float32)
    soft = cv2.GaussianBlur(moved, (0, 0), 0.25 * scale)
    moved = moved + rng.uniform(-0.6, 0.5) * (moved - soft)
    return np.asarray(np.clip(moved * 255, 0, 255), np.uint8)


def _developed(
    scene: Floats, taken: Camera, middles: Sequence[NDArray[np.float64]], rng: np.random.Generator
) -> Pixels:
    """What the camera makes of the light; a lamp is mirrored near one card or two."""
    height, width = scene.shape[:2]
    light = (np.clip(scene, 0, 255) / 255) ** np.float32(2.2)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    off = np.hypot((x - width / 2) / width, (y - height / 2) / width) * 1.6
    fall = 1 - taken.vignette * off**2
    angle = rng.uniform(0, 2 * np.pi)
    way = np.cos(angle) * (x / width - 0.5) + np.sin(angle) * (y / height - 0.5)
    if taken.shade > 0.3:
        edge = rng.uniform(-0.3, 0.3)
        fall = fall * (1 - taken.shade / (1 + np.exp(-(way - edge) * float(rng.uniform(8, 80)))))
    else:
        fall = fall * (1 + taken.shade * way)
    light = light * (fall[..., None] * _white(taken.kelvin) * float(rng.uniform(0.75, 1.1))).astype(np.float32)
    if taken.glare:
        for _ in range(2):
            cx, cy = middles[int(rng.integers(len(middles)))] + rng.uniform(-0.8, 0.8, 2) * taken.card_px
            a, b = (rng.uniform(0.3, 1.2) * taken.card_px for _ in range(2))
            light += (taken.glare * np.exp(-(((x - cx) / a) ** 2 + ((y - cy) / b) ** 2)))[..., None].astype(np.float32)
    seen = np.clip(light, 0, 1) ** np.float32(1 / 2.2)
    seen = cv2.GaussianBlur(seen, (0, 0), taken.blur_px)
    if taken.motion_px >= 1:
        size = 2 * int(taken.motion_px) + 1
        kernel = np.zeros((size, size), np.float32)
        reach = np.array([np.cos(angle), np.sin(angle)]) * taken.motion_px / 2
        middle = np.array([size // 2, size // 2])
        cv2.line(
            kernel, np.round(middle - reach).astype(int).tolist(), np.round(middle + reach).astype(int).tolist(), 1.0
        )
        seen = cv2.filter2D(seen, -1, kernel / kernel.sum())
    grain = rng.standard_normal((height, width, 3), np.float32) * taken.noise
    pixels = np.clip(seen * 255 + grain * (0.6 + 0.4 * (1 - seen)), 0, 255).astype(np.uint8)
    stored = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg])[1]
    return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)


def _white(kelvin: float) -> NDArray[np.float64]:
    """Blue, green and red of a lamp beside daylight, as a camera leaves them that balances half-way."""
    t = kelvin / 100
    red = 1.0 if t <= 66 else 1.293 * (t - 60) ** -0.1332
    green = 0.39 * np.log(t) - 0.632 if t <= 66 else 1.13 * (t - 60) ** -0.0755
    blue = 1.0 if t >= 66 else 0.543 * np.log(t - 10) - 1.196
    gains = np.array([blue, green, red]) ** (2.2 * 0.6)
    return np.asarray(gains / gains.max())
