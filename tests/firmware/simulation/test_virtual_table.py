"""The virtual table: what it lays, where it shows it, and that each dial does what its name says."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from firmware.simulation.artwork import Artwork, Pixels, Print, plain_mat
from firmware.simulation.board import Board, random_board
from firmware.simulation.camera import Camera, Pose, Projection, Sensor
from firmware.simulation.flaws import HARD, NONE, NORMAL, PRESETS
from firmware.simulation.light import Edge, Glare, Light
from firmware.simulation.photograph import Photographer
from firmware.simulation.scene import Habits, Hand, Scene, lay
from vision.layout import schotten_totten

LAYOUT = schotten_totten()
SMALL = (1280, 720)


def flat_card(name: str) -> Pixels:
    """A plain face whose colour depends on its name."""
    shades = np.random.default_rng(sum(name.encode())).integers(60, 256, 3)
    return np.tile(shades.astype(np.uint8), (292, 204, 1))


@pytest.fixture(scope="module")
def photographer() -> Photographer:
    return Photographer(LAYOUT, Artwork(flat_card), plain_mat(LAYOUT, 3.0))


def board_of(**fans: tuple[str, ...]) -> Board:
    return Board(fans={place[1:]: names for place, names in fans.items()})


def grey_at(pixels: Pixels, point: tuple[float, float], reach: int = 3) -> float:
    x, y = round(point[0]), round(point[1])
    return float(pixels[y - reach : y + reach + 1, x - reach : x + reach + 1].mean())


@pytest.mark.parametrize("seed", range(4))
def test_every_pose_shows_the_whole_mat_and_maps_pixels_back_to_the_same_millimetres(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose = HARD.camera(SMALL, rng).pose
    view = Projection(pose, LAYOUT.size_mm)
    width, height = LAYOUT.size_mm
    points = np.array([[0, 0], [width, 0], [0, height], [width, height], [width / 2, height / 3]])
    seen = view.to_px(points)
    print(f"seed {seed}: {pose}")
    assert (seen > -1).all()
    assert (seen < np.array(SMALL)).all()
    x_mm, y_mm = view.maps_mm()
    for point, (x, y) in zip(points[4:], seen[4:], strict=True):
        back = (cv2.getRectSubPix(x_mm, (1, 1), (x, y))[0, 0], cv2.getRectSubPix(y_mm, (1, 1), (x, y))[0, 0])
        assert back == pytest.approx(tuple(point), abs=0.1)


def test_a_camera_hung_upside_down_sees_the_far_side_below() -> None:
    upright, hung = (Projection(Pose(SMALL, mounting=turn), LAYOUT.size_mm) for turn in (0, 180))
    corner = np.array([[0.0, 0.0]])
    assert upright.to_px(corner)[0] + hung.to_px(corner)[0] == pytest.approx([SMALL[0] - 1, SMALL[1] - 1], abs=0.5)


def test_a_tilted_camera_sees_the_far_edge_shorter() -> None:
    view = Projection(Pose(SMALL, tilt_deg=30, azimuth_deg=90), LAYOUT.size_mm)
    width, height = LAYOUT.size_mm
    edges = view.to_px(np.array([[0, 0], [width, 0], [0, height], [width, height]]))
    lengths = sorted(float(np.linalg.norm(b - a)) for a, b in (edges[:2], edges[2:]))
    assert lengths[0] < 0.85 * lengths[1]


def test_a_barrel_lens_bends_the_edge_of_the_mat_outwards() -> None:
    view = Projection(Pose(SMALL, k1=-0.25), LAYOUT.size_mm)
    left, middle, right = view.to_px(np.array([[0, 0], [LAYOUT.size_mm[0] / 2, 0], [LAYOUT.size_mm[0], 0]]))[:, 1]
    assert middle < left - 5
    assert middle < right - 5


def test_cards_lie_where_the_truth_says_and_later_ones_on_top(photographer: Photographer) -> None:
    board = board_of(_5A=("g1", "r2", "b3"))
    scene = lay(LAYOUT, board, Habits(), np.random.default_rng(0))
    photo = photographer.photograph(scene, Camera(Pose(SMALL)), Light(), np.random.default_rng(0))
    cards = {seen.where: seen for seen in photo.seen}
    top_left, _, _, bottom_left = np.array(cards["5A3"].corners_px)
    middle = tuple(np.mean(cards["5A3"].corners_px, axis=0))
    assert np.linalg.norm(bottom_left - top_left) > 90
    expected = flat_card("b3")[0, 0].astype(float)
    seen = photo.pixels_bgr[round(middle[1]), round(middle[0])].astype(float)
    assert seen / seen.max() == pytest.approx(expected / expected.max(), abs=0.06)
    assert cards["5A3"].visible == 1.0
    assert cards["5A1"].visible == pytest.approx(24 / 80, abs=0.03)


def test_steps_turns_and_offsets_stay_within_the_habits() -> None:
    habits = Habits(offset_mm=6.0, turn_deg=9.0, step_mm=(15.0, 35.0))
    for seed in range(30):
        scene = lay(LAYOUT, board_of(_1A=("g1", "g2", "g3", "g4")), habits, np.random.default_rng(seed))
        cards = [item for item in scene.items if item.where.startswith("1A")]
        steps = [below.centre_mm[1] - above.centre_mm[1] for above, below in pairwise(cards)]
        assert all(15 <= step <= 35 for step in steps), f"seed {seed}"
        assert all(abs(card.centre_mm[0] - 66) <= 6 for card in cards), f"seed {seed}"
        assert all(min(card.rotation_deg, 360 - card.rotation_deg) <= 9 for card in cards), f"seed {seed}"


def test_a_fan_towards_the_stone_ends_beside_it() -> None:
    board = board_of(_1A=("g1", "g2", "g3"))
    cards = lay(LAYOUT, board, Habits(towards_stone=1.0), np.random.default_rng(0)).items[:3]
    assert [card.centre_mm[1] for card in cards] == [404.0, 380.0, 356.0]


def test_the_same_seed_takes_the_same_photograph(photographer: Photographer) -> None:
    def take(seed: int) -> Pixels:
        rng = np.random.default_rng(seed)
        scene = lay(LAYOUT, random_board(rng, LAYOUT), HARD.habits, rng)
        fresh = Photographer(LAYOUT, Artwork(flat_card), plain_mat(LAYOUT, 3.0))
        return fresh.photograph(scene, HARD.camera(SMALL, rng), HARD.light(LAYOUT.size_mm, rng), rng).pixels_bgr

    assert np.array_equal(take(7), take(7))
    assert not np.array_equal(take(7), take(8))


def test_repainting_what_moved_gives_the_picture_painted_from_scratch() -> None:
    rng = np.random.default_rng(3)
    camera, light = HARD.camera(SMALL, rng), HARD.light(LAYOUT.size_mm, rng)
    still = replace(camera, sensor=replace(camera.sensor, shot_noise=0.0, read_noise=0.0, jpeg_quality=None))
    before = lay(LAYOUT, random_board(rng, LAYOUT, 0.7), HARD.habits, rng)
    moved = replace(before.items[4], centre_mm=(300.0, 250.0))
    after = replace(before, items=(*before.items[:4], moved, *before.items[5:]), hands=(Hand((200, 700), (200, 400)),))
    live, fresh = (Photographer(LAYOUT, Artwork(flat_card), plain_mat(LAYOUT, 3.0)) for _ in range(2))
    live.photograph(before, still, light, rng)
    assert np.array_equal(
        live.photograph(after, still, light, rng).pixels_bgr, fresh.photograph(after, still, light, rng).pixels_bgr
    )


def test_a_hand_hides_what_is_under_it_and_the_truth_says_so(photographer: Photographer) -> None:
    board = board_of(_5A=("g1",), _9B=("r2",))
    bare = lay(LAYOUT, board, Habits(), np.random.default_rng(0))
    covered = replace(bare, hands=(Hand(wrist_mm=(338, 700), tip_mm=(338, 290)),))
    camera, rng = Camera(Pose(SMALL)), np.random.default_rng(0)
    cards = {seen.where: seen for seen in photographer.photograph(covered, camera, Light(), rng).seen}
    assert cards["5A1"].under_hand > 0.5
    assert cards["9B1"].under_hand == 0.0


Dial = Callable[[Camera, Light], tuple[Camera, Light]]


def sensor(**dials: float) -> Dial:
    return lambda camera, light: (replace(camera, sensor=replace(camera.sensor, **dials)), light)  # type: ignore[arg-type]


def lamp(**dials: object) -> Dial:
    return lambda camera, light: (camera, replace(light, **dials))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def plain(photographer: Photographer) -> tuple[Scene, Pixels]:
    scene = lay(LAYOUT, random_board(np.random.default_rng(1), LAYOUT, 0.8), Habits(), np.random.default_rng(1))
    photo = photographer.photograph(scene, Camera(Pose(SMALL)), Light(), np.random.default_rng(1))
    return scene, photo.pixels_bgr


def taken(photographer: Photographer, scene: Scene, dial: Dial) -> Pixels:
    camera, light = dial(Camera(Pose(SMALL)), Light())
    return photographer.photograph(scene, camera, light, np.random.default_rng(1)).pixels_bgr


def sharpness(pixels: Pixels) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.CV_32F).std())


def test_blur_dials_soften_and_sharpening_crisps(photographer: Photographer, plain: tuple[Scene, Pixels]) -> None:
    scene, clean = plain
    soft = taken(photographer, scene, sensor(defocus_px=1.3))
    moved = taken(photographer, scene, sensor(motion_px=4.0))
    crisp = taken(photographer, scene, sensor(sharpening=1.0))
    assert sharpness(soft) < 0.5 * sharpness(clean)
    assert sharpness(moved) < 0.9 * sharpness(clean)
    assert sharpness(crisp) > 1.2 * sharpness(clean)


def test_noise_dials_add_grain_that_differs_from_frame_to_frame(
    photographer: Photographer, plain: tuple[Scene, Pixels]
) -> None:
    scene, _ = plain
    camera = Camera(Pose(SMALL), Sensor(shot_noise=0.02, read_noise=0.005))
    rng = np.random.default_rng(5)
    one, other = (photographer.photograph(scene, camera, Light(), rng).pixels_bgr.astype(float) for _ in range(2))
    assert 1.0 < (one - other).std() < 12.0


def test_a_warm_lamp_casts_red_and_white_balance_takes_it_out(
    photographer: Photographer, plain: tuple[Scene, Pixels]
) -> None:
    scene, clean = plain

    def warmth(pixels: Pixels) -> float:
        return float(pixels[..., 2].mean() / pixels[..., 0].mean())

    cast = warmth(taken(photographer, scene, lamp(kelvin=2700.0, white_balance=0.3)))
    mended = warmth(taken(photographer, scene, lamp(kelvin=2700.0, white_balance=1.0)))
    assert cast > 1.5 * warmth(clean)
    assert mended == pytest.approx(warmth(clean), rel=0.03)


def test_shadows_darken_one_side_of_their_edge_and_glare_brightens_its_spot(
    photographer: Photographer, plain: tuple[Scene, Pixels]
) -> None:
    scene, clean = plain
    view = Projection(Pose(SMALL), LAYOUT.size_mm)
    left, right = (tuple(view.to_px(np.array([[x, 300.0]]))[0]) for x in (340.0, 396.0))
    edge = Edge(through_mm=(368, 256), direction_deg=0, width_mm=400, penumbra_mm=2, depth=0.6)
    dark = taken(photographer, scene, lamp(edges=(edge,)))
    assert grey_at(dark, left) == pytest.approx(grey_at(clean, left), abs=2)
    assert grey_at(dark, right) < 0.8 * grey_at(clean, right)
    spot = Glare(centre_mm=(340, 300), radius_mm=20, stretch=1, direction_deg=0, strength=0.5)
    bright = taken(photographer, scene, lamp(glares=(spot,)))
    assert grey_at(bright, left) > grey_at(clean, left) + 20


def test_vignetting_darkens_the_corners_only(photographer: Photographer, plain: tuple[Scene, Pixels]) -> None:
    scene, clean = plain
    dim = taken(photographer, scene, sensor(vignetting=0.5))
    assert grey_at(dim, (8, 8)) < 0.9 * grey_at(clean, (8, 8))
    assert grey_at(dim, (640, 360)) == pytest.approx(grey_at(clean, (640, 360)), abs=2)


def test_another_print_shifts_tints_and_softens_the_same_picture() -> None:
    rng = np.random.default_rng(0)
    noisy = cv2.GaussianBlur(rng.integers(0, 256, (292, 204, 3), np.uint8), (0, 0), 2)
    artwork = Artwork(lambda name: np.asarray(noisy, np.uint8))
    faces = artwork.face("g1", (56, 80))
    assert np.array_equal(faces, artwork.reprinted(Print()).face("g1", (56, 80)))
    for copy in (Print(ink=(0.9, 1, 1)), Print(paper=(0.9, 1, 1)), Print(gamma=1.2), Print(sharpness=-1.0)):
        assert np.abs(artwork.reprinted(copy).face("g1", (56, 80)) - faces).mean() > 0.005, copy
    moved = artwork.reprinted(Print(shift_mm=(1.0, 0.0))).face("g1", (56, 80))
    step = round(204 / 56)
    core = np.s_[40:-40, 40:-40, :3]
    assert np.abs(np.roll(faces, step, axis=1)[core] - moved[core]).mean() < np.abs(faces[core] - moved[core]).mean()


def test_presets_get_harder_and_none_is_faultless() -> None:
    assert set(PRESETS) == {"none", "normal", "hard"}
    assert NONE.habits == Habits()
    assert NONE.camera(SMALL, np.random.default_rng(0)).sensor == replace(
        Sensor(), motion_deg=NONE.camera(SMALL, np.random.default_rng(0)).sensor.motion_deg
    )
    for dial in ("tilt_deg", "defocus_px", "shot_noise", "unevenness", "vignetting"):
        assert getattr(NONE, dial)[1] <= getattr(NORMAL, dial)[1] <= getattr(HARD, dial)[1], dial


@pytest.mark.parametrize("seed", range(20))
def test_a_random_board_holds_each_card_once_and_fits_the_layout(seed: int) -> None:
    board = random_board(np.random.default_rng(seed), LAYOUT, 0.9)
    names = list(board.cards().values())
    assert len(names) == len(set(names)), f"seed {seed}"
    assert all(len(cards) <= 4 for cards in board.fans.values())
    assert sum(len(stone["A"]) + len(stone["B"]) for stone in board.document()["stones"]) <= len(names)


def test_a_live_camera_takes_ten_full_frames_a_second(photographer: Photographer) -> None:
    rng = np.random.default_rng(2)
    scene = lay(LAYOUT, random_board(rng, LAYOUT, 0.8), NORMAL.habits, rng)
    camera, light = NORMAL.camera((2304, 1296), rng), NORMAL.light(LAYOUT.size_mm, rng)
    photographer.photograph(scene, camera, light, rng)
    spent = []
    for n in range(12):
        shown = replace(scene, items=scene.items[: len(scene.items) - n])
        start = time.thread_time()
        photographer.photograph(shown, camera, light, rng)
        spent.append(time.thread_time() - start)
    assert np.median(spent) < 0.1


def test_a_view_from_another_place_takes_the_room_of_the_last_one() -> None:
    photographer = Photographer(LAYOUT, Artwork(flat_card), plain_mat(LAYOUT, 1.0))
    rng = np.random.default_rng(3)
    scene = lay(LAYOUT, board_of(_4A=("r1",)), Habits(), rng)
    gc.disable()  # what waits for a collector fills the memory: arrays are large and few
    try:
        photographer.photograph(scene, Camera(Pose((320, 180)), Sensor()), Light(), rng)
        assert photographer._view is not None
        last = weakref.ref(photographer._view.brush)
        photographer.photograph(scene, Camera(Pose((320, 180), tilt_deg=5.0), Sensor()), Light(), rng)
        assert last() is None
    finally:
        gc.enable()
