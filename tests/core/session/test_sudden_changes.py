"""Parts of a scene that change at once and stay are told, and who walks to where he stands is not."""

import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.session.session import Session
from core.session.settings import Settings
from core.session.sudden_changes import PART, SINCE, SuddenChanges

SHAPE, N, AT = (20, 30), 40, 17


def found(differs_since, still_since, now=150, shape=SHAPE, n=N):
    """Return the frames that are told, of cells (h, w) that differ and are still from some on; every second comes."""
    changes, told = SuddenChanges(), set()
    for t in range(n):
        ages = np.where(t >= differs_since, np.maximum(t - still_since + 1, 1), 0).astype(np.uint16)
        luma = np.where(t >= differs_since, now, 100).astype(np.float32)
        change = changes.offer(np.broadcast_to(ages, shape), np.broadcast_to(luma, shape), 2 * t)
        if change is not None:
            assert t == change.first // 2 + SINCE - 1, "one frame before what stands still is judged"
            np.testing.assert_array_equal(change.cells, differs_since == change.first // 2)
            told.add(change.first // 2)
    return told


def with_part(share, at, elsewhere=N):
    """Return (h, w) frames, ``at`` in some share of all cells."""
    frames = np.full(SHAPE, elsewhere)
    frames.flat[: round(share * frames.size)] = at
    return frames


@pytest.mark.parametrize("at", range(1, 21))
def test_it_is_told_when_a_part_has_changed_at_once(at):
    part = with_part(0.1, at)
    assert found(part, part) == {at}


@pytest.mark.parametrize(("share", "is_told"), [(PART / 2, False), (PART, False), (1.5 * PART, True)])
def test_a_small_part_is_not_told(share, is_told):
    part = with_part(share, AT)
    assert bool(found(part, part)) == is_told


def test_what_has_differed_from_the_first_frame_on_was_not_seen_to_change():
    part = with_part(0.1, 0)
    assert found(part, part) == set()


def test_it_is_the_picture_that_has_to_change_not_what_is_known_of_the_scene():
    part = with_part(0.1, AT)
    assert found(part, part, now=103) == set()


def test_who_walks_to_where_he_stands_is_not_told():
    part = with_part(0.1, AT)
    assert found(part, part + 8) == set(), "he differed long before he was still"
    columns = np.broadcast_to(5 + np.arange(SHAPE[1]) // 2, SHAPE)
    assert found(columns, columns) == set(), "two columns at a time"


def test_what_leaves_again_at_once_is_not_told():
    changes, told = SuddenChanges(), []
    for t in range(N):
        age = t - AT + 1 if AT <= t < AT + SINCE - 1 else 0
        told.append(changes.offer(np.full(SHAPE, age, np.uint16), np.full(SHAPE, 100 + 50 * (age > 0), np.float32), t))
    assert set(told) == {None}


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize("changes", [True, False])
def test_a_run_says_that_a_slide_has_changed(passes, changes):
    layout, rng = Layout(96, 128, Planes.GREY), np.random.default_rng(1)
    slides = rng.uniform(40, 220, (2, 6, 8)).repeat(8, axis=1).repeat(8, axis=2)

    def render(t):
        picture = np.full(layout.shapes[0], 90.0)
        picture[20:68, 30:94] = slides[int(changes and t >= 30)]
        picture[40:90, 2 * t : 2 * t + 12] = 20
        noisy = picture + np.random.default_rng(t).normal(0, 1, picture.shape)
        return Frame(t, t / 25, np.clip(np.rint(noisy), 0, 255).astype(np.uint8).ravel(), layout)

    session = Session(SampleSource(SourceInfo("Talk", layout, 25.0, 60), render), Settings(passes=passes))
    for _ in session.run():
        pass
    told = [text for text in session.warnings if "changes at once" in text]
    assert len(told) == changes
    assert not told or "at frame 31," in told[0]
