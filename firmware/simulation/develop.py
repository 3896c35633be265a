"""From the light that reaches the sensor to the picture a camera hands over.

Blur, exposure, colour, tone curve, noise, sharpening and JPEG. Light comes in linear and leaves as sRGB pixels. Noise
is added after the tone curve, scaled by the slope of that curve: to first order the same as adding it before, and a
frame in which nothing moved then costs little more than its noise.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.simulation.camera import Sensor

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]

STEPS = 65536  # of the tone curve's table
UNIT = 64  # of the noise field: one standard deviation
ROOM_PX = 256  # the noise field is larger than the frame by this much, so that each frame meets other noise


def blurred(light: Floats, sensor: Sensor) -> Floats:
    """Defocus, and movement during the exposure."""
    if sensor.defocus_px > 0.15:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), sensor.defocus_px), np.float32)
    if sensor.motion_px > 0.3:
        light = np.asarray(cv2.filter2D(light, -1, _streak(sensor.motion_px, sensor.motion_deg)), np.float32)
    return light


def reach_px(sensor: Sensor) -> int:
    """How far a changed pixel can change its neighbours, even so that a mosaic keeps its phase."""
    reach = 4 + math.ceil(4 * sensor.defocus_px + sensor.motion_px) + (6 if sensor.sharpening else 0)
    return reach + reach % 2


def toned(light: Floats, sensor: Sensor) -> Pixels:
    """The picture before noise: colour, exposure and tone curve, then what demosaicing and sharpening do to it."""
    if sensor.saturation != 1.0:
        light = np.asarray(cv2.transform(light, _saturation(sensor.saturation)), np.float32)
    steps = np.asarray(cv2.multiply(light, np.full(4, sensor.exposure * (STEPS - 1)), dtype=cv2.CV_16U), np.uint16)
    picture = np.asarray(_tone_table(sensor.gamma).take(steps), np.uint8)
    if sensor.mosaic:
        picture = _demosaiced(picture)
    if sensor.sharpening:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = np.asarray(cv2.addWeighted(picture, 1 + sensor.sharpening, soft, -sensor.sharpening, 0), np.uint8)
    return picture


def spread_of_noise(picture: Pixels, sensor: Sensor, amplification_bgr: tuple[float, ...]) -> NDArray[np.int16]:
    """How far noise spreads at each pixel: shot noise grows with the light, read noise does not."""
    return np.asarray(cv2.LUT(picture, _noise_table(sensor, amplification_bgr)), np.int16)


def grained(picture: Pixels, spread: NDArray[np.int16] | None, mosaic: bool, rng: np.random.Generator) -> Pixels:
    """The picture with the sensor's noise, if it has any."""
    if spread is None:
        return picture
    height, width = picture.shape[:2]
    field = _noise_field(width, height, mosaic)
    top, left = rng.integers(0, ROOM_PX, 2)
    noise = field[top : top + height, left : left + width]
    grain = cv2.multiply(spread, noise, scale=1 / (UNIT * UNIT), dtype=cv2.CV_16S)
    return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)


def compressed(picture: Pixels, quality: int | None) -> Pixels:
    """The picture after a round trip through JPEG."""
    if quality is None:
        return picture
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


def vignette(width: int, height: int, depth: float) -> Floats:
    """How the lens darkens towards the corners, `depth` at the very corner."""
    x = (np.arange(width, dtype=np.float32) - (width - 1) / 2) / (width / 2)
    y = (np.arange(height, dtype=np.float32) - (height - 1) / 2) / (width / 2)
    square = (x[None, :] ** 2 + y[:, None] ** 2) / (1 + (height / width) ** 2)
    return np.asarray(1 - depth * square * (0.5 + 0.5 * square), np.float32)


@lru_cache(maxsize=8)
def _tone_table(gamma: float) -> Pixels:
    value = np.linspace(0, 1, STEPS)
    encoded = np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(255 * encoded**gamma), np.uint8)


@lru_cache(maxsize=8)
def _noise_table(sensor: Sensor, amplification: tuple[float, ...]) -> NDArray[np.int16]:
    """The spread of the noise for each value of each channel, in parts of UNIT of a grey level."""
    encoded = (np.arange(256) / 255) ** (1 / sensor.gamma)
    light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    slope = np.gradient(np.arange(256.0), light)
    gains = np.asarray(amplification)[None, :]
    spread = np.sqrt((sensor.read_noise * gains) ** 2 + sensor.shot_noise**2 * light[:, None] * gains)
    table = np.clip(spread * slope[:, None] * UNIT, 0, 40 * UNIT)
    return np.asarray(np.round(table)[None], np.int16)


@lru_cache(maxsize=2)
def _noise_field(width: int, height: int, mosaic: bool) -> NDArray[np.int16]:
    rng = np.random.default_rng([width, height])
    noise = rng.standard_normal((height + ROOM_PX, width + ROOM_PX, 3), dtype=np.float32)
    if mosaic:
        # Two of three values of a pixel are guessed from its neighbours: coarser noise, most so in red and blue.
        for channel, sigma in enumerate((0.75, 0.45, 0.75)):
            plane = cv2.GaussianBlur(noise[..., channel], (0, 0), sigma)
            noise[..., channel] = plane / plane.std()
    return np.clip(noise * UNIT, -4 * UNIT, 4 * UNIT).astype(np.int16)


def _streak(length_px: float, direction_deg: float) -> Floats:
    side = 2 * math.ceil(length_px / 2) + 3
    centre = side // 2
    kernel = np.zeros((side, side), np.float32)
    angle = math.radians(direction_deg)
    for way in np.linspace(-length_px / 2, length_px / 2, 33):
        x, y = centre + way * math.cos(angle), centre + way * math.sin(angle)
        left, top = math.floor(x), math.floor(y)
        for dx, wx in ((0, left + 1 - x), (1, x - left)):
            for dy, wy in ((0, top + 1 - y), (1, y - top)):
                kernel[top + dy, left + dx] += wx * wy
    return np.asarray(kernel / kernel.sum(), np.float32)


def _saturation(amount: float) -> Floats:
    grey = np.tile(np.array([0.0722, 0.7152, 0.2126]), (3, 1))
    return np.asarray(grey + amount * (np.eye(3) - grey), np.float32)


def _demosaiced(picture: Pixels) -> Pixels:
    """Keep one colour a pixel, as a sensor does, and guess the others from the neighbours."""
    raw = picture[..., 1].copy()
    raw[0::2, 0::2] = picture[0::2, 0::2, 2]
    raw[1::2, 1::2] = picture[1::2, 1::2, 0]
    return np.asarray(cv2.cvtColor(raw, cv2.COLOR_BayerRGGB2BGR_EA), np.uint8)
