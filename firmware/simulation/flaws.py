"""Every flaw of a photograph as a named dial, and the presets `none`, `normal` and `hard`.

A preset holds the range of each dial; `camera`, `light` and `print_` draw one camera, one light and one print from it.
Knows the numbers; how they show is for `camera`, `light`, `artwork` and `develop`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from firmware.simulation.artwork import Print
from firmware.simulation.camera import Camera, Pose, Sensor
from firmware.simulation.light import Edge, Glare, Light
from firmware.simulation.scene import Habits, Range

SIZES: tuple[tuple[int, int], ...] = ((2304, 1296), (1920, 1080), (1280, 720))


@dataclass(frozen=True, slots=True)
class Flaws:
    """Ranges of every dial. The defaults are a faultless photograph."""

    habits: Habits = field(default_factory=Habits)
    mountings: tuple[int, ...] = (0,)
    tilt_deg: Range = (0.0, 0.0)
    fill: Range = (0.97, 0.97)
    fov_deg: Range = (66.0, 66.0)
    k1: Range = (0.0, 0.0)
    k2: Range = (0.0, 0.0)
    defocus_px: Range = (0.0, 0.0)
    motion_px: Range = (0.0, 0.0)
    shot_noise: Range = (0.0, 0.0)
    read_noise: Range = (0.0, 0.0)
    exposure: Range = (0.85, 0.85)
    gamma: Range = (1.0, 1.0)
    saturation: Range = (1.0, 1.0)
    sharpening: Range = (0.0, 0.0)
    vignetting: Range = (0.0, 0.0)
    mosaic: float = 0.0
    jpeg_quality: tuple[int, int] | None = None
    kelvin: Range = (6500.0, 6500.0)
    white_balance: Range = (1.0, 1.0)
    tint: float = 0.0
    unevenness: Range = (0.0, 0.0)
    shadow: float = 0.0
    shadow_depth: Range = (0.2, 0.5)
    penumbra_mm: Range = (2.0, 20.0)
    glare: float = 0.0
    glare_strength: Range = (0.1, 0.5)
    glare_mm: Range = (15.0, 60.0)
    contact: Range = (0.0, 0.0)
    print_colour: float = 0.0
    print_gamma: float = 0.0
    print_sharpness: Range = (0.0, 0.0)
    print_scale: float = 0.0
    print_shift_mm: float = 0.0
    paper_tint: float = 0.0

    def camera(self, size_px: tuple[int, int], rng: np.random.Generator) -> Camera:
        """One camera as it was mounted and set."""
        pose = Pose(
            size_px=size_px,
            mounting=int(rng.choice(self.mountings)),
            tilt_deg=_draw(rng, self.tilt_deg),
            azimuth_deg=float(rng.uniform(0, 360)),
            fill=_draw(rng, self.fill),
            fov_deg=_draw(rng, self.fov_deg),
            k1=_draw(rng, self.k1),
            k2=_draw(rng, self.k2),
        )
        sensor = Sensor(
            defocus_px=_draw(rng, self.defocus_px),
            motion_px=_draw(rng, self.motion_px),
            motion_deg=float(rng.uniform(0, 180)),
            shot_noise=_draw(rng, self.shot_noise),
            read_noise=_draw(rng, self.read_noise),
            exposure=_draw(rng, self.exposure),
            gamma=_draw(rng, self.gamma),
            saturation=_draw(rng, self.saturation),
            sharpening=_draw(rng, self.sharpening),
            vignetting=_draw(rng, self.vignetting),
            mosaic=bool(rng.random() < self.mosaic),
            jpeg_quality=None if self.jpeg_quality is None else int(rng.integers(*self.jpeg_quality, endpoint=True)),
        )
        return Camera(pose, sensor)

    def light(self, size_mm: tuple[float, float], rng: np.random.Generator) -> Light:
        """One evening's light over a mat of this size."""

        def somewhere() -> tuple[float, float]:
            return float(rng.uniform(0, size_mm[0])), float(rng.uniform(0, size_mm[1]))

        edges = tuple(
            Edge(
                through_mm=somewhere(),
                direction_deg=float(rng.uniform(0, 360)),
                width_mm=float(rng.uniform(60, 600)),
                penumbra_mm=_draw(rng, self.penumbra_mm),
                depth=_draw(rng, self.shadow_depth),
            )
            for _ in range(min(int(rng.poisson(self.shadow)), 2))
        )
        glares = tuple(
            Glare(
                centre_mm=somewhere(),
                radius_mm=_draw(rng, self.glare_mm),
                stretch=float(rng.uniform(1, 3)),
                direction_deg=float(rng.uniform(0, 180)),
                strength=_draw(rng, self.glare_strength),
            )
            for _ in range(int(rng.poisson(self.glare)))
        )
        return Light(
            kelvin=_draw(rng, self.kelvin),
            white_balance=_draw(rng, self.white_balance),
            tint=float(rng.uniform(-self.tint, self.tint)),
            unevenness=_draw(rng, self.unevenness),
            towards_deg=float(rng.uniform(0, 360)),
            contact=_draw(rng, self.contact),
            edges=edges,
            glares=glares,
        )

    def print_(self, rng: np.random.Generator) -> Print:
        """One print of the deck, by another press on other paper."""

        def gains(spread: float) -> tuple[float, float, float]:
            blue, green, red = (float(1 + rng.uniform(-spread, spread)) for _ in range(3))
            return blue, green, red

        return Print(
            ink=gains(self.print_colour),
            paper=gains(self.paper_tint),
            gamma=float(1 + rng.uniform(-self.print_gamma, self.print_gamma)),
            sharpness=_draw(rng, self.print_sharpness),
            scale=float(1 + rng.uniform(-self.print_scale, self.print_scale)),
            shift_mm=(
                float(rng.uniform(-self.print_shift_mm, self.print_shift_mm)),
                float(rng.uniform(-self.print_shift_mm, self.print_shift_mm)),
            ),
        )


def _draw(rng: np.random.Generator, between: Range) -> float:
    return float(rng.uniform(*between))


def with_another_print(flaws: Flaws) -> Flaws:
    """The same flaws on cards of another press: colours, sharpness, gamma, paper, and cut a millimetre elsewhere."""
    return replace(
        flaws,
        print_colour=0.08,
        print_gamma=0.15,
        print_sharpness=(-0.6, 0.5),
        print_scale=0.012,
        print_shift_mm=1.0,
        paper_tint=0.05,
    )


NONE = Flaws()
NORMAL = Flaws(
    habits=Habits(
        offset_mm=3.0, turn_deg=4.0, step_mm=(19.0, 29.0), upside_down=0.04, tile_turned=0.3, overlap_mm=(-8.0, 8.0)
    ),
    mountings=(0, 180),
    tilt_deg=(0.0, 15.0),
    fill=(0.92, 0.98),
    fov_deg=(55.0, 78.0),
    k1=(-0.12, 0.03),
    k2=(0.0, 0.02),
    defocus_px=(0.3, 0.8),
    motion_px=(0.0, 0.5),
    shot_noise=(0.004, 0.012),
    read_noise=(0.001, 0.004),
    exposure=(0.65, 0.95),
    gamma=(0.92, 1.08),
    saturation=(0.85, 1.15),
    sharpening=(0.0, 0.6),
    vignetting=(0.0, 0.25),
    mosaic=0.3,
    jpeg_quality=(82, 96),
    kelvin=(3000.0, 7000.0),
    white_balance=(0.85, 1.0),
    tint=0.03,
    unevenness=(0.0, 0.3),
    shadow=0.5,
    shadow_depth=(0.15, 0.4),
    penumbra_mm=(6.0, 50.0),
    glare=0.4,
    glare_strength=(0.05, 0.25),
    glare_mm=(20.0, 70.0),
    contact=(0.15, 0.35),
)
HARD = Flaws(
    habits=Habits(
        offset_mm=6.0,
        turn_deg=9.0,
        step_mm=(15.0, 35.0),
        upside_down=0.12,
        towards_stone=0.06,
        half_outside=0.03,
        sleeved=0.35,
        hand=0.25,
        tile_turned=0.5,
        overlap_mm=(-8.0, 22.0),
    ),
    mountings=(0, 90, 180, 270),
    tilt_deg=(5.0, 30.0),
    fill=(0.88, 0.98),
    fov_deg=(50.0, 80.0),
    k1=(-0.26, 0.05),
    k2=(0.0, 0.06),
    defocus_px=(0.5, 1.3),
    motion_px=(0.0, 1.5),
    shot_noise=(0.008, 0.03),
    read_noise=(0.002, 0.010),
    exposure=(0.4, 1.0),
    gamma=(0.85, 1.15),
    saturation=(0.7, 1.3),
    sharpening=(0.0, 1.0),
    vignetting=(0.0, 0.45),
    mosaic=0.5,
    jpeg_quality=(70, 90),
    kelvin=(2700.0, 7500.0),
    white_balance=(0.6, 1.0),
    tint=0.06,
    unevenness=(0.1, 0.55),
    shadow=1.2,
    shadow_depth=(0.25, 0.6),
    penumbra_mm=(1.0, 30.0),
    glare=1.0,
    glare_strength=(0.1, 0.8),
    glare_mm=(10.0, 60.0),
    contact=(0.15, 0.5),
    print_colour=0.03,
    print_gamma=0.05,
    print_shift_mm=0.4,
    paper_tint=0.03,
)
PRESETS = {"none": NONE, "normal": NORMAL, "hard": HARD}
