from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.io.sources import InputSpec
from core.scene.masks.head_weights import shipped
from core.training.cutouts import Cutout, Cutouts
from core.training.extraction import extract
from core.training.following import LEAST_FRAMES, Follower
from core.training.silhouettes import Silhouette, find_silhouettes

HEIGHT, WIDTH, N = 96, 128, 50
TALL, BROAD = 40, 18


def still():
    rough = np.random.default_rng(7).integers(90, 160, (HEIGHT // 4, WIDTH // 4, 3)).astype(np.float32)
    return cv2.resize(rough, (WIDTH, HEIGHT))


def walker(index):
    """Return the ellipse (H, W) bool that crosses the scene from the left."""
    covered = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.ellipse(covered, (14 + 2 * index, 48), (BROAD // 2, TALL // 2), 0, 0, 360, 1, -1)
    return covered > 0


def filmed(index):
    picture = still() + np.random.default_rng(index).normal(0, 1.5, (HEIGHT, WIDTH, 3))
    picture[walker(index)] = (220, 30, 30)
    return picture.clip(0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clips") / "walk"
    folder.mkdir()
    for index in range(N):
        cv2.imwrite(str(folder / f"{index:03d}.png"), filmed(index)[..., ::-1])
    return folder


def test_what_crosses_a_scene_is_cut_out_whole_and_without_the_scene(folder):
    told = []
    cutouts = extract([folder], shipped(), lambda *what: told.append(what))
    assert told == [("walk", len(cutouts.tracks))]
    assert len(cutouts.tracks) >= 1
    assert np.abs(cutouts.plates[0] - still()).mean() < 6
    for track in cutouts.tracks:
        assert len(track.patches) >= LEAST_FRAMES
        assert np.diff(track.feet[:, 0]).mean() == pytest.approx(2, abs=0.3)
        for patch in track.patches:
            assert np.abs(np.array(patch.shape[:2]) - (TALL, BROAD)).max() <= 4
            opaque = patch[patch[..., 3] > 127][:, :3].astype(int)
            assert (opaque[:, 0] - opaque[:, 1] > 120).mean() > 0.97  # Red; the scene is grey.
            assert not patch[patch[..., 3] == 0].any()


def test_a_clip_of_ten_bits_gives_the_same_cutouts_and_plate_as_one_of_eight(folder, tmp_path):
    for index in range(N):
        samples = (filmed(index).astype(np.uint16) << 2).astype(">u2")
        header = f"P6 {WIDTH} {HEIGHT} 1023\n".encode()
        (tmp_path / f"{index:03d}.ppm").write_bytes(header + samples.tobytes())
    eight, ten = (extract([path], shipped()) for path in (folder, tmp_path))
    assert len(ten.tracks) == len(eight.tracks) >= 1
    assert np.abs(ten.plates[0].astype(int) - eight.plates[0]).max() <= 2


def cut(mask, picture=None):
    scene = still().astype(np.uint8)
    return find_silhouettes(filmed(20) if picture is None else picture, scene, np.where(mask, 255, 0).astype(np.uint8))


def test_the_rim_of_background_in_a_mask_that_is_too_wide_is_left_behind():
    wide = cv2.dilate(walker(20).astype(np.uint8), np.ones((9, 9), np.uint8))
    (found,) = cut(wide)
    assert found.area == pytest.approx(walker(20).sum(), rel=0.12)
    assert wide.sum() > 1.5 * walker(20).sum()


@pytest.mark.parametrize("centre", [(4, 48), (60, 4), (60, 93)])
def test_what_touches_the_border_is_not_cut_out(centre):
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.ellipse(mask, centre, (9, 20), 0, 0, 360, 1, -1)
    picture = np.where(mask[..., None] > 0, (220, 30, 30), still()).astype(np.uint8)
    assert not cut(mask, picture)


def test_a_torn_thing_and_a_ragged_one_are_not_cut_out():
    torn = walker(20).copy()
    torn[45:53] = False
    assert not cut(torn)
    cross = np.zeros((HEIGHT, WIDTH), bool)
    cross[20:80, 60:64] = cross[48:52, 30:94] = True
    assert not cut(cross, np.where(cross[..., None], (220, 30, 30), still()).astype(np.uint8))


def block(left, height=30):
    return Silhouette(np.full((height, 16, 4), 255, np.uint8), 20, left)


def test_a_track_ends_where_two_things_meet():
    follower = Follower(0)
    for index in range(LEAST_FRAMES + 5):
        follower.take([block(2 * index), block(300 - 2 * index)])
    follower.take([Silhouette(np.full((30, 300, 4), 255, np.uint8), 20, 0)])
    follower.finish()
    assert [len(track.patches) for track in follower.tracks] == [LEAST_FRAMES + 5] * 2


@pytest.mark.parametrize(("step", "n"), [(0, 40), (2, LEAST_FRAMES - 1)])
def test_what_never_moves_or_is_soon_gone_is_no_track(step, n):
    follower = Follower(0)
    for index in range(n):
        follower.take([block(step * index)])
    follower.finish()
    assert not follower.tracks


def random_cutouts():
    rng = np.random.default_rng(3)
    tracks = []
    for source, n in ((0, 12), (1, 9), (0, 10)):
        patches = [rng.integers(0, 256, (30 + i, 12, 4), np.uint8) for i in range(n)]
        tracks.append(Cutout(patches, rng.uniform(0, 90, (n, 2)).astype(np.float32), source))
    return Cutouts(tracks, [rng.integers(0, 256, (40, 50, 3), np.uint8) for _ in range(2)])


def test_a_bound_takes_from_each_source_in_turn():
    whole = random_cutouts()
    room = whole.tracks[0].n_bytes + whole.tracks[1].n_bytes
    assert [track.source for track in whole.bounded(room).tracks] == [0, 1]


def test_people_are_cut_out_of_a_real_clip(data: Path, monkeypatch):
    clip = data / "video" / "pedestrians_976x720.mp4"
    if not clip.exists():
        pytest.skip("the clip is absent")
    monkeypatch.setattr("core.training.extraction.InputSpec", partial(InputSpec, frames=(1, 150)))
    cutouts = extract([clip], shipped())
    assert len(cutouts.tracks) >= 8
    assert cutouts.plates[0].shape[0] <= 400
    upright = [patch.shape[0] > patch.shape[1] for track in cutouts.tracks for patch in track.patches]
    assert np.mean(upright) > 0.7
