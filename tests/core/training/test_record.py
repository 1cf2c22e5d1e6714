"""Examples recorded in the closed loop, from clips and from labelled folders."""

import multiprocessing
from dataclasses import dataclass, replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.io.sources.samples.synthetic import SampleSource
from core.kernels.head import N
from core.scene.masks.cells import CellGrid
from core.scene.masks.head import HeadEvidence
from core.scene.masks.head_weights import shipped
from core.session.feedback import MaskFeedback
from core.session.session import Session
from core.session.settings import Settings
from core.training import recording
from core.training.clip_source import ClipSource
from core.training.cutouts import Cutouts
from core.training.examples import ExampleSet, make_example
from core.training.labelled import FOREGROUND, NOT_SCORED, SHADOW, LabelledFrame
from core.training.record import METHOD, record
from core.training.recording import Clips, record_round
from core.training.weights import first_weights
from tests.core.session.test_rebase import wandering
from tests.labelled import make_sequence

SIZE, N_FRAMES = (144, 192), 24


@dataclass(frozen=True)
class Walk:
    """A red block that crosses a rough scene with its shadow; ``swing``: the camera swings by so many pixels."""

    swing: int = 0
    bit_depth: int = 8
    n_frames: int = N_FRAMES

    def frames(self):
        rng = np.random.default_rng(1)
        scene = np.dstack([cv2.resize(rng.uniform(40, 180, (42, 54)), (216, 168))] * 3)
        for t in range(self.n_frames):
            picture, labels = scene + rng.normal(0, 2, scene.shape), np.zeros(scene.shape[:2], np.uint8)
            left, right = max(8 * t - 48, 0), max(8 * t - 16, 0)  # It enters after the first frames.
            picture[60:120, left:right], labels[60:120, left:right] = (250, 10, 10), FOREGROUND
            picture[120:128, left:right] *= 0.6
            labels[120:128, left:right] = SHADOW
            x = 8 + (self.swing if t % 4 > 1 else 0)
            part = np.s_[8 : 8 + SIZE[0], x : x + SIZE[1]]
            yield LabelledFrame(picture[part].clip(0, 255).astype(np.uint8), np.ascontiguousarray(labels[part]))


def told(example):
    """How much of what is redder by far is labelled foreground, and of what is labelled is redder by far."""
    differs = (example.features[4].astype(float) > 0.6) & (example.active > 0)
    real = example.foreground.astype(float) > 0.9
    return real[differs].mean(), differs[real].mean()


@pytest.mark.parametrize("as_video", [False, True])
def test_examples_show_what_differs_where_the_labels_say_foreground(as_video):
    source = ClipSource(Walk(), as_video=as_video)
    assert source.info.layout.planes is (Planes.YCC420 if as_video else Planes.RGB)
    examples = list(record(source, first_weights(), n_examples=6))
    assert len(examples) >= 3
    for example in examples:
        assert example.features.shape == (N, *example.active.shape)
        assert example.features.dtype == example.foreground.dtype == example.weight.dtype == np.float16
    shares = [told(example) for example in examples if (example.foreground > 0.9).any()]
    assert np.min(shares) > 0.95
    assert max(example.shadow.max() for example in examples) == 1
    assert max(example.missed for example in examples) < 0.2


def said_of(monkeypatch, loop):
    """Return the masks of all frames that a loop takes, and what the head said of their cells, in which it goes by."""
    said, mask = [], MaskFeedback.mask

    def watched(*given, **more):
        found = mask(*given, **more)
        said.append((found.marks.mask, found.marks.may_hide, found.logits.of_cells.copy()))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(MaskFeedback, "mask", watched)
        for _ in loop:
            pass
    return said


def shaking():
    """A camera that shakes, and shows nothing of the scene in one frame."""
    clip = ClipSource(Walk(swing=6), as_video=True)
    frames = list(clip.frames())
    frames[15] = replace(
        frames[15], values=np.random.default_rng(2).integers(16, 236, frames[15].values.size, np.uint8)
    )
    return SampleSource(clip.info, frames.__getitem__)


@pytest.mark.parametrize("of", [shaking, lambda: wandering(40)], ids=["a camera that shakes", "one that drifts"])
def test_the_loop_in_which_examples_are_recorded_is_that_of_a_session(of, monkeypatch):
    """To the bit, in the first pass and in the second."""
    source = of()
    recorded = said_of(monkeypatch, record(source, shipped(), passes=2))
    session = said_of(monkeypatch, Session(source, Settings(METHOD, passes=2)).run())
    assert len(recorded) == 2 * source.info.n_frames
    for ours, theirs in zip(recorded, session, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(one, other)


def test_labels_move_along_with_a_frame_of_a_camera_that_shakes():
    examples = record(ClipSource(Walk(swing=6), as_video=True), first_weights(), n_examples=8)
    shares = [told(example) for example in examples if (example.foreground > 0.9).any()]
    assert len(shares) >= 4
    assert np.mean(shares) > 0.95, "labels that stay where they are would tell of 26 of 32 columns"


def test_a_second_pass_gives_other_examples():
    source = ClipSource(Walk(), as_video=True)
    once, twice = (len(list(record(source, first_weights(), passes, 6))) for passes in (1, 2))
    assert twice >= 2 * once - 1


def test_the_weights_in_the_loop_decide_what_is_learnt_of_the_scene():
    last = [list(record(ClipSource(Walk(), as_video=True), weights))[-1] for weights in (first_weights(), shipped())]
    assert last[0].features.tobytes() != last[1].features.tobytes()


def test_a_labelled_folder_gives_examples_of_its_scored_frames(tmp_path):
    source = open_source(InputSpec(str(make_sequence(tmp_path / "square"))))
    examples = list(record(source, first_weights(), n_examples=20))
    source.close()
    assert len(examples) >= 5
    assert any((e.foreground > 0.9).any() and (e.weight == 0).any() for e in examples)


def test_an_example_is_cut_down_to_what_was_looked_at():
    grid = CellGrid(Layout(64, 64, Planes.GREY))
    active, features = np.zeros(grid.shape, np.uint8), np.zeros((N, *grid.shape), np.float32)
    active[8:24, 16:24] = 1
    labels = np.zeros((64, 64), np.uint8)
    labels[16:18, 32:35], labels[20:22, 32:34] = FOREGROUND, NOT_SCORED
    labels[60:62, 0:4] = FOREGROUND  # Two cells that were not looked at.
    example = make_example(HeadEvidence(features, active), labels, grid)
    assert example.active.shape == (16, 8)
    np.testing.assert_allclose(example.foreground[0, :3], [1, 0.5, 0])
    assert example.weight[2, 0] == 0
    assert example.missed == pytest.approx(2 / 3.5, abs=1e-3)
    assert make_example(HeadEvidence(features, 0 * active), labels, grid) is None
    assert make_example(HeadEvidence(features, active), np.full_like(labels, NOT_SCORED), grid) is None


def test_a_set_keeps_a_random_choice_within_its_bound():
    kept = ExampleSet(50, 0)
    for number in range(1000):
        kept.add(number)
    assert len(kept) == 50
    assert 350 < np.mean(list(kept)) < 650
    kept.thin(0.5)
    assert len(kept) == 25


def test_a_round_gives_the_same_examples_again_and_the_next_one_others(monkeypatch):
    if "forkserver" in multiprocessing.get_all_start_methods():
        # Those begin in milliseconds, and know no more of this process than those that begin anew.
        from tests.hostile import program

        processes_of = {"spawn": program.FORKS}.__getitem__
        monkeypatch.setattr(recording, "multiprocessing", SimpleNamespace(get_context=processes_of))
    clips = Clips(drawn=4, composites=3, size=(120, 90), n_frames=24, seed=1)  # Nothing was cut out: no composites.

    def recorded(index, processes=1):
        rounds = record_round(clips, index, first_weights(), Cutouts([], []), processes)
        return [[e.features.tobytes() for e in found] for found in rounds]

    once = recorded(0)
    assert len(once) == 4
    assert sum(map(len, once)) >= 1
    assert recorded(0, processes=2) == once
    assert recorded(1) != once
