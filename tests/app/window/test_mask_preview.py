"""The mask panel: its effect on the frame that is held, the noise in force, and the warm-up."""

import re

import numpy as np
import pytest

from app.engine.choice import Choice
from app.panels.source import SourcePanel
from core.catalogue import MASK_PARAMETERS
from core.io.input_spec import InputSpec
from core.scene.masks.finish import MaskFinish
from tests.app.windows import open_window, running_worker, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def clip(tmp_path):
    return str(write_clip(tmp_path / "walk.mkv"))


@pytest.fixture
def held(clip):
    """A worker that holds on a frame whose mask is not empty."""
    with running_worker() as record:
        record.worker.open(InputSpec(clip), Choice(values={"smallest": 0}), play=False)
        wait_for(lambda: record.indices, "the first frame")
        for n in range(1, 13):
            record.worker.step()
            wait_for(lambda n=n: record.indices[-1] == n, "a step")
        yield record


def test_a_change_shows_on_the_frame_that_is_held_and_goes_on_from_there(held):
    report = held.take().reports[-1]
    assert report.mask.any()
    shown = held.n_shown
    held.worker.set_values({"smallest": 100_000})
    wait_for(lambda: held.n_shown > shown, "the preview")
    assert held.reports[-1].frame.index == report.frame.index
    assert not held.reports[-1].mask.any()
    held.worker.step()
    wait_for(lambda: held.indices[-1] == 13, "the next frame")
    assert not held.reports[-1].mask.any()
    assert not held.failures


def test_a_dragged_slider_ends_at_the_mask_of_its_last_value(held):
    report = held.take().reports[-1]
    for smallest in (*range(100, 2000, 50), 0):
        held.worker.set_values({"smallest": smallest})
    wait_for(lambda: np.array_equal(held.take().reports[-1].mask > 0, report.mask > 0), "the mask of the last value")
    assert held.reports[-1].frame.index == 12
    held.worker.set_values({"smallest": 100_000})
    wait_for(lambda: not held.take().reports[-1].mask.any(), "the mask of another value")


def test_a_grown_and_feathered_mask_shows_at_once_and_teaches_nothing(held):
    report = held.take().reports[-1]
    shown = held.n_shown
    held.worker.set_values({"mask_grow": 4, "mask_feather": 3})
    wait_for(lambda: held.n_shown > shown, "the preview")
    finished = held.reports[-1]
    np.testing.assert_array_equal(finished.mask, report.mask)
    np.testing.assert_array_equal(finished.full_mask, MaskFinish(grow=4).grown(report.full_mask))
    np.testing.assert_array_equal(finished.matte, MaskFinish(4, 3).softened(report.matte))
    assert np.count_nonzero(finished.full_mask) > np.count_nonzero(report.full_mask)
    np.testing.assert_array_equal(finished.cleaned_image, report.cleaned_image)


def test_the_end_of_a_clip_has_a_preview_too(clip):
    with running_worker() as seen:
        seen.worker.set_real_time(False)
        seen.worker.open(InputSpec(clip), Choice(values={"smallest": 0}))
        wait_for(lambda: seen.take() and seen.state == "FINISHED", "the end")
        assert seen.take().reports[-1].mask.any()
        seen.worker.set_values({"smallest": 100_000})
        wait_for(lambda: not seen.take().reports[-1].mask.any(), "the preview")
        assert seen.reports[-1].frame.index == 39


def test_every_control_of_the_mask_says_what_it_does(qtbot):
    panel = SourcePanel()
    qtbot.addWidget(panel)
    panel.build_mask(MASK_PARAMETERS)
    for parameter in MASK_PARAMETERS:
        texts = [label.text() for label in panel.mask_form.controls[parameter.name].findChildren(type(panel.region))]
        assert parameter.effect in texts, parameter.name


def test_the_window_shows_the_noise_the_warm_up_and_a_preview(tmp_path):
    clip = str(write_clip(tmp_path / "long.mkv", n_frames=200))
    with open_window(clip, tmp_path, real_time=True, loop=True) as window:  # It shall not end before it is paused.
        state = window.parts.status.state
        wait_for(lambda: re.fullmatch(r"Warming up: \d+ frames? learnt; more passes help", state.text()), "the warm-up")
        # Before, most of what the square covers has never been seen without it.
        wait_for(lambda: window.display.index > 30, "some frames")
        window.worker.pause()
        wait_for(lambda: state.text() == "Paused", "the pause")
        wait_for(lambda: window.worker.slot.is_empty, "the last frame on the screen")
        figures = window.parts.method.figures
        wait_for(lambda: re.fullmatch(r"[\d.]+ of 255", figures.text("Noise σ")), "the noise")
        index, share = window.display.index, figures.text("Foreground")
        assert share != "0.0 % of pixels"
        window.parts.source.mask_form.controls["smallest"].box.setValue(100_000)
        wait_for(lambda: window.parts.method.figures.text("Foreground") == "0.0 % of pixels", "the preview")
        assert window.display.index == index
        assert state.text() == "Paused"


def test_with_a_warm_up_that_is_over_it_says_learning(tmp_path):
    clip = str(write_clip(tmp_path / "walk.mkv"))
    with open_window(clip, tmp_path, real_time=True, loop=True) as window:
        window.worker.set_values({"warm_up": 3})
        state = window.parts.status.state
        wait_for(lambda: state.text() == "Learning" and window.display.index > 5, "the end of the warm-up")
