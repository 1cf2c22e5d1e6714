from itertools import islice

import numpy as np
import pytest

from core.training.actors import DrawnFigure, Particle, Sprite
from core.training.labelled import BACKGROUND, FOREGROUND, NOT_SCORED, SHADOW, LabelledFrame
from core.training.scene import DrawnClip, drawn_clip
from core.training.shadows import Lamp, cast_shadow, draw_ambience

SMALL = (96, 72)


@pytest.fixture(scope="module")
def clips() -> list[DrawnClip]:
    return [drawn_clip(seed, SMALL, 6) for seed in range(60)]


@pytest.fixture(scope="module")
def films(clips: list[DrawnClip]) -> list[list[LabelledFrame]]:
    return [list(clip.frames()) for clip in clips]


@pytest.mark.parametrize("seed", [0, 5, 12, 33])
def test_a_seed_gives_the_same_bytes_each_time(seed):
    first, again = drawn_clip(seed, SMALL, 5), drawn_clip(seed, SMALL, 5)
    once, twice, other = list(first.frames()), list(first.frames()), list(again.frames())
    for a, b, c in zip(once, twice, other, strict=True):
        assert a.picture.tobytes() == b.picture.tobytes() == c.picture.tobytes()
        assert a.labels.tobytes() == b.labels.tobytes() == c.labels.tobytes()


def test_another_seed_gives_another_clip():
    a, b = (next(drawn_clip(seed, SMALL, 2).frames()) for seed in (0, 1))
    assert a.picture.tobytes() != b.picture.tobytes()


def test_frames_have_the_size_the_samples_and_the_labels_that_are_promised(clips, films):
    for clip, film in zip(clips, films, strict=True):
        assert len(film) == clip.n_frames == 6
        for frame in film:
            assert frame.picture.shape[:2] == frame.labels.shape == SMALL[::-1]
            assert frame.picture.ndim == 2 or frame.picture.shape[2] == 3
            assert frame.picture.dtype == (np.uint8 if clip.bit_depth == 8 else np.uint16)
            assert frame.picture.max() < 2**clip.bit_depth
            assert frame.labels.dtype == np.uint8
            assert set(np.unique(frame.labels)) <= {BACKGROUND, SHADOW, NOT_SCORED, FOREGROUND}


def test_size_and_length_follow_from_the_seed_too():
    clips = [drawn_clip(seed) for seed in range(6)]
    assert len({clip.size for clip in clips}) > 1
    assert len({clip.n_frames for clip in clips}) > 3
    frame = next(clips[0].frames())
    assert frame.labels.shape == clips[0].size[::-1]


def test_clips_differ_in_all_that_footage_differs_in(clips, films):
    pictures = [film[0].picture for film in films]
    assert 5 < sum(picture.ndim == 2 for picture in pictures) < 40
    assert any(clip.bit_depth > 8 for clip in clips)
    assert {clip.kind for clip in clips} == {"scene", "thermal", "microscopy", "infrared"}
    labels = [np.concatenate([frame.labels.ravel() for frame in film]) for film in films]
    assert sum((part == SHADOW).mean() > 0.005 for part in labels) > 15
    share = np.array([(part == FOREGROUND).mean() for part in labels])
    assert (share > 0.2).sum() >= 3
    assert ((share > 0) & (share < 0.02)).sum() >= 5
    assert 2 <= sum(clip.shake is not None for clip in clips) < 20
    assert any(clip.movements for clip in clips)
    assert any(clip.fall is not None for clip in clips)
    assert any(clip.codec.frozen for clip in clips)
    assert any(clip.codec.quality == 0 for clip in clips)
    assert any(clip.exposure.automatic for clip in clips)
    assert any(isinstance(actor, Particle) for clip in clips for actor in clip.actors)
    figures = [actor for clip in clips for actor in clip.actors if isinstance(actor, DrawnFigure)]
    assert {type(actor.figure).__name__ for actor in figures} == {"Person", "Vehicle", "Cyclist", "Animal", "Thing"}
    alike = np.mean([actor.look.alike.any() for actor in figures])
    assert 0.2 < alike < 0.5
    assert 0.05 < np.mean([actor.look.alike.any() and actor.look.factor < 1 for actor in figures]) < 0.25
    assert max(len(clip.actors) for clip in clips) >= 8
    levels = [float(picture.mean()) for picture in pictures if picture.dtype == np.uint8]
    assert np.std(levels) > 15


def test_deep_samples_may_lie_in_a_small_part_of_the_range():
    shares = []
    for seed in range(250):
        clip = drawn_clip(seed, (24, 24), 2)
        if clip.bit_depth == 16:
            shares.append((clip.sensor.high - clip.sensor.low) / 65535)
        if shares and min(shares) < 0.05 < max(shares):
            break
    assert min(shares) < 0.05 < max(shares)


def test_foreground_is_where_the_actors_change_the_picture(clips):
    inside, outside, displaced = [], [], []
    for clip in clips:
        for empty, full in islice(zip(clip.composed(actors=False), clip.composed(), strict=True), 3):
            assert not np.isin(empty.labels, (FOREGROUND, SHADOW)).any()
            change = abs(full.picture - empty.picture).max(2)
            covered = full.labels == FOREGROUND
            if covered.sum() > 20:
                inside.append(float((change[covered] > 2).mean()))
            if clip.lens.defocus == 0:
                outside.append(float((change > 20)[full.labels == BACKGROUND].mean()))
                displaced.append(float((change > 20)[np.roll(full.labels, 2, 1) == BACKGROUND].mean()))
    assert np.mean(inside) > 0.85
    assert np.mean(outside) < 0.006
    assert np.mean(displaced) > 0.012, "labels two pixels off would have to fail"


def test_shadows_dim_the_ground_by_more_than_a_twentieth(clips):
    seen = 0
    for clip in clips:
        empty, full = next(clip.composed(actors=False)), next(clip.composed())
        dark = (full.labels == SHADOW) & (empty.picture[..., 1] > 30) & (empty.picture[..., 1] < 290)
        if clip.ambience.reflectance or clip.fall is not None or dark.sum() < 10:
            continue
        seen += 1
        assert np.median(full.picture[..., 1][dark] / empty.picture[..., 1][dark]) < 0.96
    assert seen > 5


def test_some_actors_take_light_from_all_that_is_close():
    drawn = [draw_ambience(np.random.default_rng(seed), outdoors=seed % 2 == 0) for seed in range(300)]
    close = [lamp for one in drawn for lamp in one.lamps if (lamp.shear, lamp.squash) == (0, 1)]
    assert len(close) / len(drawn) == pytest.approx(0.4, abs=0.1)
    sprite = Sprite(65, 60, np.zeros((40, 30, 3), np.float32), np.ones((40, 30), np.float32))
    light = np.ones((160, 160, 3), np.float32)
    cast_shadow(light, sprite, (80, 100, 40), Lamp(0.0, 1.0, np.full(3, 0.6, np.float32), 0.3))
    for place in (light[80, 58], light[80, 102], light[55, 80], light[105, 80]):
        assert (place > 0.6).all()
        assert (place < 0.97).all()
    assert (light[80, 20] > 0.97).all(), "far away"


def test_later_actors_cover_earlier_ones():
    for seed in range(40):
        clip = drawn_clip(seed, SMALL, 4)
        feet = [float(actor.path.y.mean()) for actor in clip.actors if isinstance(actor, DrawnFigure)]
        assert feet == sorted(feet)
