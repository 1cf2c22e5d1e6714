"""What people paint on frames: taken for true at once, kept to in every later frame and pass, and taken back."""

from contextlib import suppress
from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.areas import Areas
from core.scene.masks import stroke_room
from core.scene.masks.corrections import Corrections
from core.scene.masks.marks import Marks
from core.scene.tuning import SETTLED_FRAMES
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings

LAYOUTS = {
    "grey": Layout(48, 64, Planes.GREY),
    "RGB": Layout(48, 64, Planes.RGB),
    "4:2:0": Layout(48, 64, Planes.YCC420, full_range=False),
    "4:2:0, odd": Layout(49, 63, Planes.YCC420),
    "16 bits": Layout(48, 64, Planes.GREY, 16),
}
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
RGB = LAYOUTS["RGB"]
PEDESTAL = Layout(48, 64, Planes.GREY, pedestal=40)

THING = (slice(12, 30), slice(20, 42))
"""Rows and columns of what stands in the scene for a while."""
COMES, GOES, N = 40, 80, 130


def scene(layout):
    v = 60 + 80 * np.random.default_rng(0).random(layout.n_values)
    v[layout.signed_from :] = 128
    return v


def with_block(layout, v, rows, columns, level):
    v = v.copy()
    for plane in range(len(layout.shapes)):
        if layout.planes is not Planes.YCC420 or plane == 0:
            layout.plane(v, plane)[rows, columns] = level
    return v


def frame_of(layout, v, index=0):
    noisy = v + 1.5 * np.random.default_rng(index + 1).standard_normal(v.size)
    return Frame(index, index / 25, layout.quantise((noisy / 255).astype(np.float32)), layout)


def area(layout, part):
    where = np.zeros((layout.height, layout.width), bool)
    where[part] = True
    return where


def clip(layout=RGB, comes=COMES, goes=GOES, n=N):
    """A still scene in which a bright thing stands from frame ``comes`` to ``goes``."""
    still = scene(layout)
    standing = with_block(layout, still, *THING, 235)

    def render(index):
        return frame_of(layout, standing if comes <= index < goes else still, index)

    return SampleSource(SourceInfo("Clip", layout, 25.0, n), render)


def run(session, paint_at=None, **painted):
    """Run to the end; return the share of the thing's pixels in the mask of each frame, by pass."""
    shares = {}
    for report in session.run():
        if report.frame.index == paint_at and report.pass_index == 0:
            mask = session.strokes.paint(report.frame, **painted).mask
        else:
            mask = report.mask
        shares.setdefault(report.pass_index, []).append(float((mask[THING] > 0).mean()))
    return {index: np.array(values) for index, values in shares.items()}


# -- the stage


@layouts
def test_a_painted_look_is_known_again_and_another_is_not(layout):
    stage = Corrections(layout)
    v = with_block(layout, scene(layout), *THING, 200)
    where = area(layout, (slice(10, 33), slice(17, 45)))
    stroke = stage.add(where, frame_of(layout, v), is_background=True)
    assert stroke.part[0].start % 2 == stroke.part[1].start % 2 == 0
    inner = area(layout, (slice(14, 28), slice(22, 40)))
    again = np.zeros(where.shape, bool)
    again[stroke.part] = stroke.shows(layout, frame_of(layout, v, 7).values, 0.0)
    assert again[where].mean() > 0.97
    assert not again[~where].any()
    dark = with_block(layout, scene(layout), *THING, 40)
    again[stroke.part] = stroke.shows(layout, frame_of(layout, dark, 8).values, 0.0)
    assert not again[inner].any()


@pytest.mark.parametrize("layout", [*LAYOUTS.values(), PEDESTAL], ids=[*LAYOUTS, "over a pedestal"])
@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_a_look_is_known_again_in_other_light_and_a_thing_as_bright_is_not(layout, gain):
    stage = Corrections(layout)
    dark = 255 * layout.dark / layout.white

    def lit(v):
        lit = v.copy()
        luma = slice(0, layout.n_values if layout.planes is not Planes.YCC420 else layout.slices[0].stop)
        lit[luma] = (v[luma] - dark) * gain + dark
        return lit

    v = with_block(layout, scene(layout), *THING, 150)
    stroke = stage.add(area(layout, THING), frame_of(layout, v), is_background=False)
    inner = (slice(4, -4), slice(4, -4))
    assert stroke.shows(layout, frame_of(layout, lit(v), 3).values, 0.0)[inner].mean() > 0.97
    other = with_block(layout, lit(scene(layout)), *THING, 150)
    assert not stroke.shows(layout, frame_of(layout, other, 4).values, 0.0)[inner].any()
    assert stroke.shows(layout, frame_of(layout, other, 4).values, 0.0).sum() == 0


@layouts
def test_marks_are_left_as_they_were_and_each_kind_of_stroke_does_its_part(layout):
    stage = Corrections(layout)
    shape = (layout.height, layout.width)
    frame = frame_of(layout, scene(layout))
    marks = Marks(*[np.zeros(shape, np.uint8)] * 3)
    assert stage.apply(frame, marks, 0.01) is marks
    ours, theirs = area(layout, (slice(4, 20), slice(4, 30))), area(layout, (slice(24, 40), slice(30, 50)))
    stage.add(ours, frame, is_background=False)
    stage.add(theirs, frame, is_background=True, agreed=np.full(shape, SETTLED_FRAMES, np.uint8))
    full = Marks(*[np.full(shape, 255, np.uint8)] * 3, np.ones(shape, bool))
    out = stage.apply(replace(frame, index=1), full, 0.01)
    assert not out.mask[theirs].any()
    assert not out.covered[theirs].any()
    assert out.revealed[theirs].all()
    assert not out.revealed[ours].any(), "what was painted as foreground never becomes background"
    assert full.mask.all()
    assert full.revealed.all()
    out = stage.apply(replace(frame, index=2), marks, 0.01)
    assert np.array_equal(out.mask > 0, ours)
    assert np.array_equal(out.covered > 0, ours)
    assert np.array_equal(out.painted > 0, ours), "edges there are as they were painted"
    assert out.revealed is None


@layouts
def test_what_was_painted_as_background_is_the_background_once_it_has_been_there_for_a_while(layout):
    stage, v = Corrections(layout), scene(layout)
    painted, shape = area(layout, THING), (layout.height, layout.width)
    thing = with_block(layout, v, *THING, 230)
    stage.add(painted, frame_of(layout, thing), is_background=True)
    full = Marks(*[np.full(shape, 255, np.uint8)] * 3)
    shown = [thing] * (SETTLED_FRAMES - 1) + [v] + [thing] * SETTLED_FRAMES
    for index, values in enumerate(shown, start=1):
        out = stage.apply(frame_of(layout, values, index), full, 0.01)
        assert out.mask[painted].any() == (values is v), "its class is what was painted, wherever it shows that look"
        assert (out.revealed is not None) == (index == len(shown))
    assert out.revealed[painted].all()
    assert not out.covered[painted].any()


def test_what_was_painted_as_background_stays_it_however_long_it_has_been_there():
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB))
    painted, full = area(RGB, THING), Marks(*[np.full(RGB.shapes[0], 255, np.uint8)] * 3)
    stage.add(painted, frame, is_background=True)
    hidden = [stage.apply(replace(frame, index=n), full, 0.01).covered[painted].any() for n in range(1, 300)]
    assert not any(hidden[SETTLED_FRAMES:])


def test_strokes_that_stay_where_another_is_taken_back_need_not_be_seen_anew_for_as_long():
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB))
    painted, full = area(RGB, THING), Marks(*[np.full(RGB.shapes[0], 255, np.uint8)] * 3)
    stage.add(painted, frame, is_background=True)
    before = stage.strokes
    for index in range(1, SETTLED_FRAMES):
        assert stage.apply(replace(frame, index=index), full, 0.01).revealed is None
    stage.add(area(RGB, (slice(40, 44), slice(0, 9))), frame, is_background=False)
    stage.restore(before)
    assert stage.apply(replace(frame, index=SETTLED_FRAMES), full, 0.01).revealed[painted].all()


@layouts
@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_the_smallest_strokes_are_known_again(layout, size):
    remembered, frame = Corrections(layout), frame_of(layout, scene(layout))
    painted = np.zeros(layout.shapes[0], bool)
    painted[6 : 6 + size[0], 8 : 8 + size[1]] = True
    remembered.add(painted, frame, is_background=False)
    np.testing.assert_array_equal(remembered.shown_as_foreground(frame.values, 0.01), painted)
    other = with_block(layout, scene(layout), slice(4, 12), slice(6, 14), 250)
    assert not remembered.shown_as_foreground(frame_of(layout, other).values, 0.01).any()


def test_a_later_stroke_takes_the_place_of_an_earlier_one():
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB))
    stage.add(area(RGB, (slice(0, 20), slice(0, 20))), frame, is_background=False)
    stage.add(area(RGB, (slice(10, 20), slice(0, 30))), frame, is_background=True)
    found = stage.shown_as_foreground(frame.values, 0.0)
    assert np.array_equal(found, area(RGB, (slice(0, 10), slice(0, 20))))
    stage.add(np.ones((48, 64), bool), frame, is_background=True)
    assert len(stage.strokes) == 1
    assert stage.add(np.zeros((48, 64), bool), frame, is_background=True) is None


def test_what_a_later_stroke_leaves_of_painted_foreground_stays_in_the_mask():
    """Two thirds are painted over: of what is left most is there."""
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB))
    stage.add(area(RGB, (slice(0, 30), slice(0, 20))), frame, is_background=False)
    stage.add(area(RGB, (slice(0, 20), slice(0, 20))), frame, is_background=True)
    empty = np.zeros(RGB.shapes[0], np.uint8)
    out = stage.apply(replace(frame, index=1), Marks(empty, empty, empty), 0.01)
    assert np.array_equal(out.mask > 0, area(RGB, (slice(20, 30), slice(0, 20))))


def test_foreground_is_held_in_a_pass_that_begins_after_the_frame_that_was_painted_on():
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB), 5)
    painted, empty = area(RGB, THING), np.zeros(RGB.shapes[0], np.uint8)
    stage.add(painted, frame, is_background=False)
    for first in (6, 8):
        masks = [stage.apply(replace(frame, index=first + n), Marks(empty, empty, empty), 0.01).mask for n in range(4)]
        assert all(np.array_equal(mask > 0, painted) for mask in masks)
        stage.begin_pass()


SPANS = {None: [None, (5, 5), (4, 9)], (5, 5): [(5, 5)], (4, 9): [(5, 5), (4, 9)], (0, 3): [(0, 3)]}
"""What strokes on frame 5 for these frames take from earlier ones there for those."""


@pytest.mark.parametrize("later", SPANS)
@pytest.mark.parametrize("earlier", SPANS)
def test_a_stroke_of_some_frames_takes_only_from_those_of_no_others(earlier, later):
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB), 5)
    whole, half = (area(RGB, (slice(0, 20), slice(0, width))) for width in (20, 10))
    stage.add(whole, frame, is_background=False, frames=earlier)
    stage.add(half, frame, is_background=True, frames=later)
    takes = earlier in SPANS[later]
    assert stage.strokes[0].where.sum() == (whole & ~half if takes else whole).sum()


def test_what_holds_for_a_span_corrects_its_frames_and_no_others():
    stage, v = Corrections(RGB), scene(RGB)
    where, empty = area(RGB, THING), np.zeros(RGB.shapes[0], np.uint8)
    stage.add(where, frame_of(RGB, v, 3), is_background=False, frames=(3, 6))
    for index in range(9):
        out = stage.apply(frame_of(RGB, v, index), Marks(empty, empty, empty), 0.01)
        assert (out.mask[where] == 255).all() == (3 <= index <= 6), index
    assert not stage.shown_as_foreground(v, 0.01).any(), "it is no look"


def spots(n):
    """Return areas of the same size that do not overlap, n of them."""
    return [area(RGB, (slice(6 * (k // 8), 6 * (k // 8) + 4), slice(6 * (k % 8), 6 * (k % 8) + 4))) for k in range(n)]


def test_strokes_for_all_frames_are_bounded_and_one_too_many_is_refused(monkeypatch):
    monkeypatch.setattr(stroke_room, "MOST", 3)
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB))
    first, *others, last = spots(4)
    for where in (first, *others):
        stage.add(where, frame, is_background=True)
    before = stage.strokes
    with pytest.raises(CleanplateError, match=r"left out: no more than 3 strokes for all frames .* hold for a span"):
        stage.add(last, frame, is_background=False)
    assert stage.strokes == before
    stage.add(first, frame, is_background=False)  # It takes the place of the first.
    assert [one.is_background for one in stage.strokes] == [True, True, False]


def test_strokes_for_a_frame_or_a_span_do_not_count_among_those_for_all():
    stage, v = Corrections(RGB), scene(RGB)
    places = spots(40)
    for index in range(3 * stroke_room.MOST):
        stage.add(places[index % 40], frame_of(RGB, v, index), is_background=True, frames=(index, index))
    stage.add(area(RGB, THING), frame_of(RGB, v, 0), is_background=True)
    full = np.full(RGB.shapes[0], 255, np.uint8)
    for index in (0, 1, 150, 299):
        out = stage.preview(frame_of(RGB, v, index), Marks(full, full, full), 0.01)
        assert not out.mask[places[index % 40]].any(), index
    Corrections.schema(RGB).check(stage.state())
    again = Corrections(RGB)
    again.load(stage.state())
    assert [one.frames for one in again.strokes] == [one.frames for one in stage.strokes]


def test_the_memory_of_strokes_for_spans_is_bounded_whatever_their_size(monkeypatch):
    """As many whole frames as there may be strokes for all; the smallest strokes take some, too."""
    monkeypatch.setattr(stroke_room, "MOST", 2)
    v, whole = scene(RGB), np.ones(RGB.shapes[0], bool)
    stage = Corrections(RGB)
    for index in range(2):
        stage.add(whole, frame_of(RGB, v, index), is_background=True, frames=(index, index))
    before = stage.strokes
    with pytest.raises(CleanplateError, match="no more than 2 whole frames together; undo others, or forget all"):
        stage.add(area(RGB, (slice(0, 1), slice(0, 1))), frame_of(RGB, v, 2), is_background=True, frames=(2, 2))
    assert stage.strokes == before
    Corrections.schema(RGB).check(stage.state())
    stage, dot = Corrections(RGB), area(RGB, (slice(0, 1), slice(0, 1)))
    with suppress(CleanplateError):
        for index in range(RGB.n_pixels):
            stage.add(dot, frame_of(RGB, v, index), is_background=True, frames=(index, index))
    assert len(stage.strokes) <= stroke_room.most_strokes(RGB) < RGB.n_pixels


def test_what_is_counted_in_frames_goes_on_where_a_camera_drifts():
    """Of painted background until it is learnt, of painted foreground until it is let go."""
    flat = np.full(RGB.n_values, 120.0)
    thing, empty = with_block(RGB, flat, *THING, 235), np.zeros((RGB.height, RGB.width), np.uint8)
    for every in (3, 100):
        background, foreground = Corrections(RGB), Corrections(RGB)
        background.add(area(RGB, THING), frame_of(RGB, flat), is_background=True)
        foreground.add(area(RGB, THING), frame_of(RGB, thing), is_background=False)
        learnt = []
        for index in range(1, SETTLED_FRAMES + 2):
            if index % every == 0:
                for stage in (background, foreground):
                    stage.move(2 if index % 2 else -2, 0)
            marked = background.apply(frame_of(RGB, flat, index), Marks(*[empty + 255] * 3), 0.005)
            learnt.append(marked.revealed is not None)
            foreground.apply(frame_of(RGB, flat, index), Marks(empty, empty, empty), 0.005)
        assert learnt.index(True) + 1 == SETTLED_FRAMES
        again = foreground.apply(frame_of(RGB, thing, 99), Marks(empty, empty, empty), 0.005)
        assert not again.mask.any(), "it has left"


def test_what_drifts_out_of_the_picture_takes_its_counts_along():
    stage, marks = Corrections(RGB), Marks(*[np.full((RGB.height, RGB.width), 255, np.uint8)] * 3)
    stage.add(area(RGB, (slice(30, 48), slice(20, 41))), frame_of(RGB, scene(RGB)), is_background=True)
    for down, right, left_over in ((0, 0, (18, 21)), (10, 0, (8, 21)), (0, 32, (8, 12)), (20, 0, None)):
        stage.move(down, right)
        stage.apply(frame_of(RGB, scene(RGB)), marks, 0.005)
        assert [stroke.where.shape for stroke in stage.strokes] == ([left_over] if left_over else [])


# -- in a session


@pytest.mark.parametrize("method", ["fast", "opgd"])
def test_painted_background_leaves_the_mask_stays_out_and_is_not_forgotten_in_the_next_pass(method):
    layout = RGB
    values = {} if method == "fast" else {"rank": 2}
    untouched = run(Session(clip(), Settings(method, values)))
    assert untouched[0][COMES + 5 : GOES].min() > 0.9
    session = Session(clip(), Settings(method, values, passes=2))
    painted = run(session, paint_at=COMES + 10, background=area(layout, THING))
    assert painted[0][COMES + 5] > 0.9
    assert painted[0][COMES + 10 : GOES].max() < 0.05
    assert painted[1][COMES:GOES].max() < 0.05
    assert painted[1][-20:].max() < 0.05


@pytest.mark.parametrize("method", ["fast", "opgd"])
@pytest.mark.parametrize("index", [COMES + 2, N - 2], ids=["has just come", "moves, painted on a frame sought"])
def test_what_passes_is_not_burnt_into_the_background_where_it_is_painted_as_that(method, index):
    """It moves two pixels a frame: a person wants it out of the masks, and the scene behind it stays the scene."""

    def render(at):
        left = 2 * max(at - COMES, 0) % 44
        v = with_block(RGB, scene(RGB), THING[0], slice(left, left + 20), 235) if at >= COMES else scene(RGB)
        return frame_of(RGB, v, at)

    values = {} if method == "fast" else {"rank": 2}
    session = Session(SampleSource(SourceInfo("Clip", RGB, 25.0, N), render), Settings(method, values))
    reports = session.run()
    report = next(r for r in reports if r.frame.index == COMES + 2)
    if index != report.frame.index:
        report = next(session.browse(index))
    block = report.mask > 0
    assert block.sum() > 200
    truth = scene(RGB).reshape(3, *block.shape).transpose(1, 2, 0)
    shown = session.strokes.paint(report.frame, background=block)
    assert not shown.mask[block].any()
    for now in (shown, *(next(reports) for _ in range(12))):
        assert np.abs(now.background_image[block] - truth[block]).mean() < 12, now.frame.index
    reports.close()


def test_a_background_stroke_that_is_learnt_frames_later_is_taken_back_and_shows_what_every_look_does():
    session = Session(clip(goes=N), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == COMES + 3)
    truth = scene(RGB).reshape(3, 48, 64)[:, *THING].mean()
    shown = session.strokes.paint(report.frame, background=area(RGB, THING))
    assert not shown.mask[THING].any()
    np.testing.assert_array_equal(session.areas.set(Areas()).hidden[THING], shown.hidden[THING])
    later = [next(reports) for _ in range(14)][-1]
    assert later.background_image[THING].mean() > truth + 60, "it stands there, and is the background now"
    session.strokes.undo()
    assert abs(next(reports).background_image[THING].mean() - truth) < 12
    reports.close()


def test_what_passes_before_painted_background_is_found():
    layout = RGB

    def render(index):
        level = 20 if index == N - 1 else 235
        v = with_block(layout, scene(layout), *THING, level) if index >= COMES else scene(layout)
        return frame_of(layout, v, index)

    session = Session(SampleSource(SourceInfo("Clip", layout, 25.0, N), render), Settings())
    shares = run(session, paint_at=COMES + 10, background=area(layout, THING))
    assert shares[0][N - 2] < 0.05
    assert shares[0][N - 1] > 0.9


def test_painted_foreground_is_held_while_it_stands_and_released_when_it_has_left():
    """The thing is there from the first frame: without a hint it is the background."""
    layout = RGB
    untouched = run(Session(clip(comes=0), Settings()))
    assert untouched[0][:GOES].max() < 0.1
    session = Session(clip(comes=0), Settings())
    painted = run(session, paint_at=30, foreground=area(layout, THING))
    assert painted[0][30:GOES].min() > 0.9
    assert painted[0][-10:].max() < 0.1


@pytest.mark.parametrize(("alike", "is_kept"), [(8, False), (12, True)])
def test_what_the_scene_looks_like_itself_is_let_go_with_the_rest_of_a_thing(alike, is_kept):
    """A thing of 18 rows leaves, and so many of them look like what is behind: less than half is no thing."""
    stage, v = Corrections(RGB), scene(RGB)
    rows, columns = THING
    thing = with_block(RGB, v, *THING, 235)
    behind = with_block(RGB, v, slice(rows.start, rows.start + alike), columns, 235)
    marks = Marks(*[np.zeros((48, 64), np.uint8)] * 3)
    stage.add(area(RGB, THING), frame_of(RGB, thing), is_background=False)
    for index in range(1, 3):
        assert stage.apply(frame_of(RGB, thing, index), marks, 0.01).mask[THING].all()
    for index in range(3, 4 + SETTLED_FRAMES):  # One more than it takes: what was let go does not come back.
        out = stage.apply(frame_of(RGB, behind, index), marks, 0.01)
    assert out.mask[THING][: alike - 2].any() == is_kept


@pytest.mark.parametrize("is_background", [False, True])
@pytest.mark.parametrize(("alike", "is_shown"), [(6, False), (12, True)])
def test_a_part_that_looks_alike_where_most_does_not_is_something_else(is_background, alike, is_shown):
    """Of 18 rows so many look as painted; what passes covers the others, so that nothing has left."""
    stage, v = Corrections(RGB), scene(RGB)
    rows, columns = THING
    thing = with_block(RGB, v, *THING, 235)
    passing = with_block(RGB, thing, slice(rows.start + alike, rows.stop), columns, 20)
    stage.add(area(RGB, THING), frame_of(RGB, thing), is_background=is_background)
    found = np.full((48, 64), 255 if is_background else 0, np.uint8)
    out = stage.apply(frame_of(RGB, passing, 1), Marks(found, found, found), 0.01)
    changed = out.mask[THING][: alike - 2] != found[0, 0]
    assert changed.all() == is_shown
    assert changed.any() == is_shown


def test_a_background_is_kept_where_it_is_what_was_painted_and_nowhere_else():
    stage, v = Corrections(RGB), scene(RGB)
    frame, every = frame_of(RGB, v), np.ones((48, 64), bool)
    stage.add(area(RGB, THING), frame, is_background=True)
    other = frame_of(RGB, with_block(RGB, v, *THING, 235)).values
    assert not stage.allowed(other, frame.values, every, 0.01)[THING].any()
    assert stage.allowed(frame.values, other, every, 0.01)[THING].all(), "what is known is not what was painted"


def test_painted_foreground_is_never_parked():
    layout = RGB
    parked = run(Session(clip(goes=N), Settings(values={"park": 30})))
    assert parked[0][-10:].max() < 0.1
    session = Session(clip(goes=N), Settings(values={"park": 30}))
    painted = run(session, paint_at=COMES + 5, foreground=area(layout, THING))
    assert painted[0][COMES + 5 :].min() > 0.9
    plate = session.plate()
    assert abs(float(plate[THING].mean()) - float(scene(layout).reshape(3, 48, 64)[:, *THING].mean())) < 12


@pytest.mark.parametrize("looks", [1, 3 * SETTLED_FRAMES])
def test_looking_at_a_held_frame_releases_nothing(looks):
    remembered, v = Corrections(RGB), scene(RGB)
    painted = np.zeros(RGB.shapes[0], bool)
    painted[THING] = True
    thing, nothing = with_block(RGB, v, *THING, 230), np.zeros(RGB.shapes[0], np.uint8)
    remembered.add(painted, frame_of(RGB, thing), is_background=False)
    marks = Marks(nothing, nothing, nothing)
    remembered.apply(frame_of(RGB, thing, 0), marks, 0.005)
    for _ in range(looks):
        assert not remembered.preview(frame_of(RGB, v, 1), marks, 0.005).mask.any()
    assert remembered.apply(frame_of(RGB, thing, 2), marks, 0.005).mask[THING].mean() > 250


def test_it_follows_a_seek():
    session = Session(clip(goes=N), Settings())
    seen = {}
    for report in session.run():
        if report.frame.index == COMES + 5 and COMES + 5 not in seen:
            session.strokes.paint(report.frame, background=area(RGB, THING))
            session.control.seek(5)
        seen.setdefault(report.frame.index, []).append((report.mask[THING] > 0).mean())
    first, second = seen[COMES + 3]
    assert first > 0.9
    assert second < 0.05
    assert seen[N - 1][0] < 0.05


def test_it_is_part_of_the_model(tmp_path):
    session = Session(clip(goes=N), Settings())
    run(session, paint_at=COMES + 5, background=area(RGB, THING))
    session.model().save(tmp_path / "model.npz")
    applied = Session(clip(), Settings(), Model.load(tmp_path / "model.npz"))
    shares = run(applied)
    assert shares[0][COMES + 5 : GOES].max() < 0.05


def test_it_goes_on_in_another_run_until_it_is_forgotten():
    first = Session(clip(comes=0), Settings())
    run(first, paint_at=30, foreground=area(RGB, THING))
    again = Session(clip(comes=0), Settings(painted=first.strokes.painted))
    shares = run(again)
    assert shares[0][30:GOES].min() > 0.9
    assert shares[0][-10:].max() < 0.1
    again.strokes.forget()
    assert again.strokes.painted == {}
    assert again.strokes.undo() is None
    other = Session(clip(LAYOUTS["grey"]), Settings(painted=first.strokes.painted))
    assert other.strokes.painted == {}, "a look in other planes is none"
    assert [note for note in other.warnings if "painted by hand" in note]
    assert not [note for note in again.warnings if "painted by hand" in note]


def test_foreground_holds_from_the_frame_on_that_it_was_painted_on_in_each_pass():
    session = Session(clip(comes=0, goes=N), Settings(passes=2))
    n_before = [0, 0]
    for report in session.run():
        if report.frame.index < 30:
            n_before[report.pass_index] += int((report.mask[THING] > 0).mean() > 0.9)
        elif report.frame.index == 30 and report.pass_index == 0:
            session.strokes.paint(report.frame, foreground=area(RGB, THING))
    assert n_before == [0, 0]


@pytest.mark.parametrize(("on", "is_held"), [(60, True), (20, False)])
def test_painted_foreground_is_held_where_work_goes_on_at_a_later_frame(on, is_held):
    first = Session(clip(comes=0, goes=N), Settings())
    reports = first.run()
    report = next(r for r in reports if r.frame.index == 30)
    first.strokes.paint(report.frame, foreground=area(RGB, THING))
    before = next(r for r in reports if r.frame.index == 60)
    assert (before.mask[THING] > 0).mean() > 0.9
    painted, model = first.strokes.painted, first.model()
    reports.close()
    again = Session(clip(comes=0, goes=N), Settings(painted=painted), model, goes_on=True)
    again.seek(on)
    reports = again.run()
    report = next(reports)
    assert report.frame.index == on
    assert ((report.mask[THING] > 0).mean() > 0.9) == is_held
    assert ((next(reports).mask[THING] > 0).mean() > 0.9) == is_held
    again.strokes.restore(replace(again.strokes.now, strokes=(), lessons=()))
    assert (next(reports).mask[THING] > 0).mean() < 0.1
    reports.close()


def test_a_stroke_is_shown_on_the_last_report_and_can_be_taken_back():
    session = Session(clip(goes=N), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == COMES + 10)
    first = session.strokes.paint(report.frame, background=area(RGB, THING))
    assert (first.mask[THING] == 0).all()
    assert first.background_image[THING].mean() > 200, "the background shows it at once"
    assert (report.mask[THING] > 0).mean() > 0.9, "a report was written to"
    second = session.strokes.paint(report.frame, foreground=area(RGB, (slice(0, 9), slice(0, 9))))
    assert (second.mask[:9, :9] == 255).all()
    assert np.array_equal(session.strokes.undo().mask, first.mask)
    back = session.strokes.undo()
    assert np.array_equal(back.mask, report.mask)
    assert back.background_image[THING].mean() < 160
    assert session.strokes.undo() is None
    assert (next(reports).mask[THING] > 0).mean() > 0.9
    assert session.strokes.paint(report.frame, background=area(RGB, THING)) is None, "another frame is the last one"


@pytest.mark.parametrize("take_back", ["undo", "forget"])
def test_a_stroke_that_is_taken_back_later_leaves_the_frame_that_is_shown(take_back):
    session = Session(clip(comes=N), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == 20)
    session.strokes.paint(report.frame, foreground=area(RGB, THING))
    held = next(r for r in reports if r.frame.index == 25)
    assert (held.mask[THING] > 0).mean() > 0.9, "what was painted is in the mask still"
    back = getattr(session.strokes, take_back)()
    assert back.frame.index == 25
    assert not back.mask[THING].any()
    assert not next(reports).mask[THING].any()


@pytest.mark.parametrize("kind", ["background", "foreground"])
@pytest.mark.parametrize("since", [0, 20], ids=["at once", "after the plate has let frames go"])
def test_a_stroke_that_is_taken_back_leaves_the_plate_as_it_was(kind, since, monkeypatch):
    monkeypatch.setattr("core.scene.clean_plate.MOST", 20)
    painted, untouched = (Session(clip(goes=N), Settings()) for _ in range(2))
    reports, others = painted.run(), untouched.run()
    report = next(r for r in reports if r.frame.index == 10)
    next(r for r in others if r.frame.index == 10)
    painted.strokes.paint(report.frame, **{kind: area(RGB, THING)})
    assert painted.confidence()[THING].max() == 0
    for each in (reports, others):
        for _ in range(since):
            next(each)
    painted.strokes.undo()
    now, before = painted.confidence()[THING].mean(), untouched.confidence()[THING].mean()
    if kind == "foreground" and since:
        assert now > 0.3 * before, "frames from before the stroke count again"
    else:
        assert now == before > 0
        np.testing.assert_array_equal(painted.plate(), untouched.plate())


def test_a_van_that_stops_in_the_street_can_be_made_background():
    """It stands from frame 200 to 330; people walk by meanwhile."""
    far_lane = slice(100, 158)
    source = open_source(InputSpec("sample:street"))
    session, shares, found, van = Session(source, Settings()), [], [], np.zeros((240, 320), bool)
    for report in session.run(first=90):
        if report.frame.index == 205:
            van[far_lane] = report.frame.truth.mask[far_lane] > 200
        elif report.frame.index == 215:
            van &= report.frame.truth.mask > 200
            assert van.sum() > 1000
            assert (report.mask[van] > 0).mean() > 0.8
            session.strokes.paint(report.frame, background=van)
        elif report.frame.index > 215:
            shares.append((report.mask[van] > 0).mean())
            people = (report.frame.truth.mask > 200) & ~cv2.dilate(van.view(np.uint8), np.ones((9, 9))).view(np.bool_)
            found.append((report.mask[people] > 0).mean())
        if report.frame.index == 240:
            session.control.stop()
    source.close()
    assert max(shares) < 0.05
    assert np.mean(found) > 0.7
