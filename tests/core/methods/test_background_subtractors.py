"""The methods of reference: that they are what they say, with masks of their own."""

import cv2
import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Frame, Layout, Planes
from core.io.sources import InputSpec, open_source
from core.methods.background_subtractors.pictures import picture
from core.methods.background_subtractors.rows import ROWS
from core.session.session import Session
from core.session.settings import Settings

GREY, RGB = Layout(24, 32, Planes.GREY), Layout(24, 32, Planes.RGB)
REFERENCES = [row.key for row in ROWS]
MAKERS = {"mog2": cv2.createBackgroundSubtractorMOG2, "knn": cv2.createBackgroundSubtractorKNN}

references = pytest.mark.parametrize("key", REFERENCES)


def build(key, layout, seed=0, **chosen):
    row = catalogue.row(key)
    return row.build(layout, {**row.defaults(), **chosen}, seed)


def scene(layout, n=40, seed=0):
    """A textured scene with noise, and squares that flash up anywhere; with where the square is."""
    rng = np.random.default_rng(seed)
    still = 40 + 120 * rng.random((len(layout.shapes), 24, 32))
    for _ in range(n):
        planes = still + 2 * rng.standard_normal(still.shape)
        where = np.zeros((24, 32), bool)
        y, x = rng.integers(0, (18, 26))
        where[y : y + 6, x : x + 6] = True
        planes[:, where] = rng.integers(200, 255)
        yield np.clip(planes, 0, 255).astype(np.uint8).ravel(), where


@pytest.mark.parametrize("key", MAKERS)
@pytest.mark.parametrize("layout", [GREY, RGB], ids=["grey", "RGB"])
def test_opencvs_methods_are_opencvs_own(key, layout):
    method, theirs = build(key, layout, seed=5), MAKERS[key]()
    for n, (v, _) in enumerate(scene(layout), 1):
        split = method.step(v)
        cv2.setRNGSeed(5 + n)
        image = v.reshape(24, 32) if layout is GREY else v.reshape(3, 24, 32).transpose(1, 2, 0)[..., ::-1].copy()
        mask = theirs.apply(image)
        assert np.array_equal(split.mask, np.where(mask > 127, 255, 0))
        background = picture(split.samples(layout), layout)
        assert np.array_equal(background, theirs.getBackgroundImage())


def test_the_median_is_the_median_of_the_frames_it_kept():
    method = build("median", GREY, frames=51)
    frames = [v for v, _ in scene(GREY, 48)]
    for v in frames:
        split = method.step(v)
    assert np.array_equal(split.samples(GREY), np.sort(frames, axis=0)[23])


@references
def test_masks_mark_what_passes(key):
    method = build(key, RGB)
    hit = false = 0
    for n, (v, where) in enumerate(scene(RGB, 60)):
        mask = method.step(v).mask
        assert mask.dtype == np.uint8
        assert set(np.unique(mask)) <= {0, 255}
        if n > 40:
            hit += (mask[where] > 0).mean() / 19
            false += (mask[~where] > 0).mean() / 19
    assert hit > 0.9
    assert false < 0.05


@references
def test_a_state_that_was_taken_up_finds_what_passes_without_learning(key):
    method = build(key, RGB)
    frames = list(scene(RGB, 60))
    for v, _ in frames[:50]:
        method.step(v)
    other = build(key, RGB)
    other.load(method.state())
    for v, where in frames[50:]:
        mask = other.transform(v).mask
        assert (mask[where] > 0).mean() > 0.9
        assert (mask[~where] > 0).mean() < 0.05


@references
def test_looking_does_not_change_what_the_next_step_gives(key):
    one, two = build(key, GREY), build(key, GREY)
    frames = [v for v, _ in scene(GREY, 40)]
    for v in frames[:30]:
        one.step(v)
        two.step(v)
    for v in frames[30:35]:
        two.transform(v)
    for v in frames[35:]:
        a, b = one.step(v), two.step(v)
        assert np.array_equal(a.background, b.background)
        assert np.array_equal(a.mask, b.mask)


def test_a_state_of_the_median_fits_another_bit_depth():
    method, deep = build("median", GREY), build("median", Layout(24, 32, Planes.GREY, 16))
    frames = [v for v, _ in scene(GREY, 30)]
    for v in frames[:20]:
        method.step(v)
    deep.load(method.state())
    for v in frames[20:]:
        split = deep.step(v.astype(np.uint16) * 257)
        np.testing.assert_allclose(split.background, method.step(v).background, atol=1e-3)


def test_sixteen_bits_are_seen_as_eight():
    deep = Layout(24, 32, Planes.GREY, 16)
    v = np.arange(24 * 32, dtype=np.uint16) * 80
    assert np.array_equal(picture(v, deep).ravel(), v >> 8)


@references
def test_a_session_takes_their_masks_and_plates_as_they_are(key):
    source = open_source(InputSpec("sample:street", frames=(1, 12)))
    try:
        session = Session(source, Settings(key, {"sensitivity": 15.0}))
        assert session.layout.planes is Planes.RGB
        for report in session.run():
            assert report.mask is report.split.mask
        frame = Frame(0, 0.0, report.split.samples(session.layout), session.layout)
        assert np.array_equal(session.plate(), frame.image())
        assert session.confidence().max() > 0.5
        twice = [r.pass_index for r in Session(source, Settings(key, passes=2)).run()]
        assert twice == [0] * 12 + [1] * 12
        applied = list(Session(source, Settings(), session.model()).run())
        assert len(applied) == 12
    finally:
        source.close()


def test_each_parameter_of_opencv_acts():
    frames = list(scene(GREY, 40))

    def marked(key, **chosen):
        method = build(key, GREY, **chosen)
        return np.mean([method.step(v).mask.mean() for v, _ in frames])

    assert marked("mog2", var_threshold=1.0) > marked("mog2")
    assert marked("mog2", detect_shadows=False) >= marked("mog2") != marked("mog2", history=3)
    assert marked("knn", dist2_threshold=4.0) > marked("knn")
    assert marked("median", difference=2.0) > marked("median") > marked("median", difference=254.0)
