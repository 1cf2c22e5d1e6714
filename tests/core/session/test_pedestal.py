"""A camera's pedestal is no light: what is found and learnt above it is what would be found without it."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.session.model import HEADER, Model
from core.session.session import Session
from core.session.settings import Settings

LOW = 10000
WITHOUT = Layout(60, 80, Planes.GREY, 16, used=4000 / 65535)
WITH = replace(WITHOUT, pedestal=LOW)
N, START = 60, 20
LEVEL = WITHOUT.contrast / 255
"""A grey level, samples."""

LIGHTS = {"flickers": lambda t: 1 + 0.2 * np.sin(0.9 * t), "is dimmed": lambda t: 1.0 if t < 40 else 0.5}
lights = pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS)


def scene(light, t):
    """The scene in its light, samples above no light (H, W)."""
    return light(t) * np.random.default_rng(0).uniform(400, 2800, (60, 80))


def clip(layout, light, first=0):
    """A scene before which a bright thing passes."""

    def render(index):
        t = index + first
        picture = scene(light, t) + 20 * np.random.default_rng(t).standard_normal((60, 80))
        left = 3 * t % 70
        picture[20:36, left : left + 9] = 3800
        return Frame(index, index / 25, np.rint(picture + layout.pedestal).astype(np.uint16).ravel(), layout)

    return SampleSource(SourceInfo("Clip", layout, 25.0, N - first), render)


def learnt(layout, light, passes=1):
    session = Session(clip(layout, light), Settings(values={"steady": 0}, passes=passes))
    return session, list(session.run())


def off(reports, light, layout, first=0):
    """Mean error of the backgrounds, grey levels."""
    errors = [
        np.abs(report.background.samples.reshape(60, 80) - float(layout.pedestal) - scene(light, t)).mean() / LEVEL
        for t, report in enumerate(reports, first)
        if t >= START
    ]
    return np.mean(errors)


def assert_alike(reports, others):
    for one, other in zip(reports, others, strict=True):
        assert np.count_nonzero(one.mask != other.mask) <= 10
        for a, b in ((one.background, other.background), (one.cleaned, other.cleaned)):
            assert np.abs(a.samples - (b.samples.astype(float) - LOW)).mean() < 0.1 * LEVEL


@lights
def test_masks_backgrounds_and_cleaned_frames_are_those_without_it(light):
    (_, without), (_, with_it) = learnt(WITHOUT, light), learnt(WITH, light)
    assert off(without, light, WITHOUT) < 2
    assert_alike(without, with_it)


def test_plate_and_cleaned_frames_of_a_second_pass_are_those_without_it():
    light = LIGHTS["is dimmed"]
    (one, without), (other, with_it) = learnt(WITHOUT, light, 2), learnt(WITH, light, 2)
    assert np.abs(one.plate() - (other.plate().astype(float) - LOW)).mean() < 0.1 * LEVEL
    assert_alike(without[N:], with_it[N:])


@lights
def test_a_saved_model_is_applied_as_it_is_without_it(light, tmp_path):
    applied = []
    for layout in (WITHOUT, WITH):
        session, _ = learnt(layout, light)
        session.model().save(tmp_path / "model.npz")
        again = Session(clip(layout, light, START), Settings(), Model.load(tmp_path / "model.npz"))
        applied.append(list(again.run()))
    assert off(applied[1], light, WITH, START) < 2
    assert_alike(*applied)


def test_a_model_whose_light_counts_from_black_is_refused_where_black_is_no_light(tmp_path):
    path = tmp_path / "model.npz"
    learnt(WITH, LIGHTS["flickers"])[0].model().save(path)
    with np.load(path) as file:
        arrays = dict(file)
    header = msgspec.json.decode(arrays[HEADER].tobytes())
    assert header["version"] == 2
    arrays[HEADER] = np.frombuffer(msgspec.json.encode({**header, "version": 1}), np.uint8)
    np.savez(path, **arrays)
    with pytest.raises(CleanplateError, match=r"an earlier version wrote it, .*; learn and save it again"):
        Model.load(path)


def test_earlier_programs_read_a_model_that_means_the_same_to_them(tmp_path):
    for layout, version in ((WITHOUT, 1), (WITH, 2)):
        learnt(layout, LIGHTS["flickers"])[0].model().save(tmp_path / "model.npz")
        with np.load(tmp_path / "model.npz") as file:
            assert msgspec.json.decode(file[HEADER].tobytes())["version"] == version
