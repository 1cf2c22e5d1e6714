import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.training.composites import _draw_suns, composite_clip
from core.training.cutouts import Cutout
from core.training.labelled import BACKGROUND, FOREGROUND, NOT_SCORED, SHADOW
from core.training.lens import Lens
from core.training.pasting import Canvas, Sun

SIZE, N = (96, 128), 24


def cutout(source=0, n=12):
    patch = np.zeros((40, 16, 4), np.uint8)
    cv2.ellipse(patch, (8, 20), (7, 19), 0, 0, 360, (200, 40, 40, 255), -1)
    feet = np.column_stack([10 + 3 * np.arange(n), np.full(n, 60)])
    return Cutout([patch] * n, feet.astype(np.float32), source)


def plates():
    rng = np.random.default_rng(5)
    return [cv2.resize(rng.integers(60, 190, (12, 16, 3), np.uint8), (160, 120)) for _ in range(2)]


def clip(seed, **how):
    return composite_clip(seed, [cutout(0), cutout(1)], plates(), SIZE, N, **how)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_seed_gives_the_same_bytes_at_each_reading(seed):
    one, other = clip(seed), clip(seed)
    for a, b, c in zip(one.frames(), other.frames(), one.frames(), strict=True):
        assert a.picture.tobytes() == b.picture.tobytes() == c.picture.tobytes()
        assert a.labels.tobytes() == b.labels.tobytes() == c.labels.tobytes()


def test_another_seed_gives_another_clip():
    assert next(clip(0).frames()).picture.tobytes() != next(clip(1).frames()).picture.tobytes()


def test_clips_have_the_size_length_and_labels_they_say():
    seen = set()
    for seed in range(12):
        drawn = clip(seed)
        frames = list(drawn.frames())
        assert (drawn.bit_depth, drawn.n_frames, len(frames)) == (8, N, N)
        for frame in frames:
            assert frame.picture.dtype == frame.labels.dtype == np.uint8
            assert frame.picture.shape[:2] == frame.labels.shape == SIZE
            seen |= set(np.unique(frame.labels).tolist())
        assert any((frame.labels == FOREGROUND).any() for frame in frames)
    assert seen == {BACKGROUND, SHADOW, NOT_SCORED, FOREGROUND}


def test_size_and_length_are_drawn_where_they_are_not_given():
    drawn = [composite_clip(seed, [cutout()], []) for seed in range(6)]
    assert len({one.n_frames for one in drawn}) > 1
    assert len({next(one.frames()).labels.shape for one in drawn}) > 1


def test_another_backdrop_is_drawn_where_no_plate_is():
    asked = []

    def blank(rng, size):
        asked.append(size)
        return np.full((*size, 3), 77, np.uint8)

    frame = next(composite_clip(3, [cutout()], [], SIZE, N, backdrop=blank).frames())
    assert len(asked) == 1
    assert np.all(np.array(asked[0]) >= SIZE)
    still = frame.picture[frame.labels == BACKGROUND]
    assert np.median(still) == pytest.approx(77, abs=12)


def test_nothing_to_paste_is_refused():
    with pytest.raises(CleanplateError, match="nothing to paste"):
        composite_clip(0, [], plates())


def opaque(height, width):
    return np.concatenate([np.full((height, width, 3), 200), np.ones((height, width, 1))], axis=2).astype(np.float32)


def test_a_patch_stands_with_its_feet_where_it_is_put():
    canvas = Canvas(np.full((60, 80, 3), 100, np.uint8))
    canvas.paste(opaque(20, 10), (40, 50))
    expected = np.zeros((60, 80))
    expected[30:50, 35:45] = 1
    np.testing.assert_allclose(canvas.cover, expected, atol=1e-6)
    np.testing.assert_allclose(canvas.picture[..., 0], 100 + 100 * expected, atol=1e-4)


def test_half_a_pixel_covers_half_of_it_and_mixes_the_colours_so():
    canvas = Canvas(np.full((60, 80, 3), 100, np.uint8))
    canvas.paste(opaque(20, 10), (40.5, 50))
    assert canvas.cover[40, [35, 45]] == pytest.approx([0.5, 0.5], abs=0.02)
    np.testing.assert_allclose(canvas.picture[..., 1], 100 + 100 * canvas.cover, atol=1e-3)


@pytest.mark.parametrize("feet", [(-30, 30), (40, -5), (200, 50), (40, 200)])
def test_what_is_out_of_the_picture_leaves_it_as_it_was(feet):
    canvas = Canvas(np.full((60, 80, 3), 100, np.uint8))
    canvas.paste(opaque(20, 10), feet)
    assert not canvas.cover.any()
    assert (canvas.picture == 100).all()


@pytest.mark.parametrize(("shear", "fall"), [(0.8, 0.4), (-0.8, 0.4), (0.5, -0.5)])
def test_a_shadow_starts_at_the_feet_and_falls_away_from_the_sun(shear, fall):
    canvas = Canvas(np.full((120, 160, 3), 100, np.uint8))
    canvas.shade(opaque(40, 10), (80, 70), Sun(shear, fall, np.full(3, 0.6, np.float32), 0.5))
    rows, columns = np.nonzero(canvas.dimmed > 0.2)
    assert rows.mean() == pytest.approx(70 - fall * 20, abs=1.5)
    assert columns.mean() == pytest.approx(80 + shear * 20, abs=1.5)
    assert canvas.picture.min() == pytest.approx(60, abs=0.5)
    np.testing.assert_allclose(canvas.picture[..., 0], 100 * (1 - canvas.dimmed), atol=1e-3)
    assert not canvas.cover.any()


def test_light_that_is_taken_from_all_around_is_missed_on_every_side_the_more_the_nearer():
    canvas = Canvas(np.full((160, 160, 3), 100, np.uint8))
    canvas.shade(opaque(40, 30), (80, 100), Sun(0.0, 1.0, np.full(3, 0.6, np.float32), 12.0))
    near, far = 18, 36
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        at = [float(canvas.dimmed[80 + down * (d + 5 * abs(down)), 80 + right * d]) for d in (near, far)]
        assert 0.05 < at[0] < 0.35, "beside it"
        assert 0 < at[1] < at[0] / 2, "further away"


def test_of_scenes_some_have_such_light():
    suns = [_draw_suns(np.random.default_rng(seed), SIZE) for seed in range(300)]
    share = np.mean([any(sun.fall == 1 and sun.softness >= 5 * SIZE[0] / 240 for sun in one) for one in suns])
    assert share == pytest.approx(0.4, abs=0.1)


def test_lenses_differ_and_none_changes_what_the_scene_is():
    scene = np.full((*SIZE, 3), 120, np.float32)
    pictures = [Lens(np.random.default_rng(seed), SIZE, N).take(scene, 3) for seed in range(40)]
    assert {picture.ndim for picture in pictures} == {2, 3}
    assert all(abs(picture.mean() - 120) < 12 for picture in pictures)
    assert len({picture.tobytes() for picture in pictures}) > 30
    assert (scene == 120).all()
