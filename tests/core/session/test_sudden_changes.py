"""Parts of a scene that change at once and stay are told, and who walks to where he stands is not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.areas import Areas, Shape
from core.scene.masks.cells import Cells
from core.session.session import Session
from core.session.settings import Settings
from core.session.sudden_changes import PART, SINCE, Change, SuddenChanges
from tests.core.session.test_session import VISITOR, visit

SHAPE, N, AT = (20, 30), 40, 17


def shown(differs_since, still_since, t, now=150):
    """Return ages and cells (h, w) of a frame, of which those differ that have since some frame."""
    differs_since = np.broadcast_to(differs_since, SHAPE)
    ages = np.where(t >= differs_since, np.maximum(t - still_since + 1, 1), 0).astype(np.uint16)
    luma = np.where(t >= differs_since, now, 100).astype(np.float32)
    nothing, pixels = np.zeros(SHAPE, np.float32), np.zeros((2 * SHAPE[0], 2 * SHAPE[1]), np.uint8)
    known = np.full((1, *SHAPE), 100, np.float32)
    return ages, Cells(luma[None], known, nothing, nothing, (pixels, pixels), 2)


def found(differs_since, still_since, now=150):
    """Return the frames that are told, of cells (h, w) that differ and are still from some on; every second comes."""
    changes, told = SuddenChanges(), set()
    for t in range(N):
        change = changes.offer(*shown(differs_since, still_since, t, now), 2 * t)
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
        told.append(changes.offer(*shown(np.full(SHAPE, t + 1 - age), t + 1 - age, t) if age else shown(N, N, t), t))
    assert set(told) == {None}


def test_what_changes_by_chance_elsewhere_is_no_part_of_it():
    part = np.full(SHAPE, N)
    part[4:12, 6:20] = AT
    part[17, 25] = AT
    changes, told = SuddenChanges(), []
    for t in range(N):
        told.append(changes.offer(*shown(part, part, t), t))
    (change,) = filter(None, told)
    assert not change.cells[17, 25]
    assert np.argwhere(change.box)[[0, -1]].tolist() == [[3, 5], [12, 20]]


@pytest.mark.parametrize(("before", "now"), [(100, 180), (180, 100), (220, 180)])
def test_the_outline_is_measured_as_it_was_and_as_it_is(before, now):
    part = np.full(SHAPE, N)
    part[4:12, 6:20] = AT
    part[4:12, 6:10] = 2  # Somebody stands before a part of it, and of its outline.
    changes, told = SuddenChanges(), []
    for t in range(N):
        ages, cells = shown(part, part, t, now)
        cells.expected[0, 4:12, 6:20] = before
        if t < AT:
            cells.shown[0, 4:12, 6:20] = before
        cells.shown[0, 4:12, 6:10] = 20
        told.append(changes.offer(ages, cells, t))
    (change,) = filter(None, told)
    assert change.edges == pytest.approx((abs(before - 100), abs(now - 100)), abs=0.01)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("kept", "other", "lighter", "is_told"),
    [
        (0.6, 0, 0, False),
        (1.5, 0, 0, False),
        (0.9, 0.3, 0, False),
        (0.6, 0, 40, True),
        (0, 1, 0, True),
        (-1, 0, 0, True),
    ],
)
def test_a_picture_that_only_loses_or_gains_detail_has_not_changed(seed, kept, other, lighter, is_told):
    wall, look = np.random.default_rng(seed).normal(0, 60, (2, *SHAPE)).astype(np.float32)
    part = np.full(SHAPE, N)
    part[4:14, 6:24] = AT
    changes, told = SuddenChanges(), []
    for t in range(N):
        ages, cells = shown(part, part, t)
        cells.shown[0] = 128 + wall
        if t >= AT:  # A key frame comes, which keeps so much of each outline and adds errors of its own.
            cells.shown[0, 4:14, 6:24] = (128 + lighter + kept * wall + other * look)[4:14, 6:24]
        told.append(changes.offer(ages, cells, t))
    assert any(told) == is_told


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("brighter", "keeps"), [((0, 0), False), ((0, 25), False), ((100, 90), True)])
def test_on_a_texture_any_outline_has_an_edge(seed, brighter, keeps):
    rng, part = np.random.default_rng(seed), np.full(SHAPE, N)
    wall, *looks = 110 + cv2.blur(rng.normal(0, 80, (SHAPE[0], SHAPE[1], 3)), (3, 3)).transpose(2, 0, 1)
    part[6:14, 8:18] = AT
    changes, told = SuddenChanges(), []
    for t in range(N):
        ages, cells = shown(part, part, t)
        cells.shown[0] = wall
        if t >= AT or brighter[0]:  # Before, there was something else, or none.
            look, more = looks[int(t >= AT)], brighter[int(t >= AT)]
            cells.shown[0, 6:14, 8:18] = look[6:14, 8:18] + more
        told.append(changes.offer(ages, cells, t))
    (change,) = filter(None, told)
    assert change.keeps_outline == keeps


def change_of(then, now, part=np.s_[4:12, 6:20], edges=(1.0, 1.0), has_moved=False):
    """Return a change of a part from one level to another; both may be maps (h, w)."""
    box = np.zeros(SHAPE, bool)
    box[part] = True
    looks = np.stack([np.broadcast_to(np.float32(level), SHAPE) for level in (then, now)])
    return Change(AT, box, box, ~box, looks, edges, differs=True, has_moved=has_moved)


def test_a_part_that_changes_once_more_has_three_looks():
    first = change_of(100, 180)
    assert first.goes_on_in(change_of(180, 30))
    assert not first.goes_on_in(change_of(180, 102)), "it has changed back"
    assert not first.goes_on_in(change_of(180, 30, np.s_[12:20, 6:20])), "it is another part"
    some = np.full(SHAPE, 100)
    some[4:12, 6 : 6 + 2] = 30
    assert first.goes_on_in(change_of(180, some)), "text on one template"
    unknown = np.full(SHAPE, 100.0)
    unknown[4:12, 6:8] = np.nan  # Somebody stood there.
    assert not change_of(unknown, 180).goes_on_in(change_of(180, some))


@pytest.mark.parametrize(
    ("edges", "keeps"), [((40, 60), True), ((60, 40), True), ((5, 60), False), ((60, 5), False), ((0, 0), False)]
)
def test_what_comes_or_leaves_has_an_outline_once(edges, keeps):
    assert change_of(100, 180, edges=edges).keeps_outline == keeps
    assert not change_of(100, 180, edges=edges, has_moved=True).keeps_outline


def test_all_of_the_picture_is_no_part_of_it():
    part = with_part(0.7, AT)
    assert found(part, part) == set()


def test_a_flash_changes_nothing_though_somebody_walks_on():
    changes, told = SuddenChanges(), []
    for t in range(N):
        walker = (t <= np.arange(SHAPE[1])) & (np.arange(SHAPE[1]) < t + 8)
        ages, cells = shown(np.where(walker, t, N), np.where(walker, t, N), t)
        if t == AT:
            cells.shown[0] = 250
        told.append(changes.offer(ages, cells, t))
    assert set(told) == {None}


@pytest.mark.parametrize("n", [6, 10, 15, 25])
def test_a_picture_that_is_faded_in_changes_nowhere_at_once(n):
    """Its brightest parts change by more with each frame than its others, and so go on changing to the end."""
    picture, changes, told = np.random.default_rng(2).integers(20, 250, SHAPE), SuddenChanges(), []
    for t in range(N):
        ages, cells = shown(np.full(SHAPE, N), np.full(SHAPE, N), t)
        cells.shown[0] = picture * min(t / n, 1)
        told.append(changes.offer(ages, cells, t))
    assert told == [None] * N


def test_what_shows_the_background_again_is_told_to_differ_no_more():
    changes, told = SuddenChanges(), []
    part = with_part(0.1, 0)
    for t in range(N):
        ages, cells = shown(part, part, t) if t < AT else shown(N, N, t)
        told.append(changes.offer(ages, cells, t))
    (change,) = filter(None, told)
    assert (change.first, change.differs) == (AT, False)


def talk(looks, since=30, n=60):
    """Return a clip in which a slide has one look after another, ``since`` frames each; somebody walks before it."""
    layout, rng = Layout(96, 128, Planes.GREY), np.random.default_rng(1)
    slides = rng.uniform(40, 220, (max(looks) + 1, 6, 8)).repeat(8, axis=1).repeat(8, axis=2)

    def scene(t):
        picture = np.full(layout.shapes[0], 90.0)
        picture[20:68, 30:94] = slides[looks[min(t // since, len(looks) - 1)]]
        return picture

    def render(t):
        picture = scene(t)
        picture[40:90, 2 * t % 140 : 2 * t % 140 + 12] = 20
        noisy = picture + np.random.default_rng(t).normal(0, 1, picture.shape)
        return Frame(t, t / 25, np.clip(np.rint(noisy), 0, 255).astype(np.uint8).ravel(), layout)

    return SampleSource(SourceInfo("Talk", layout, 25.0, n), render), scene


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize("changes", [True, False])
def test_a_run_says_that_a_slide_has_changed(passes, changes):
    session = Session(talk([0, int(changes)])[0], Settings(passes=passes))
    for _ in session.run():
        pass
    told = [text for text in session.warnings if "changes at once" in text]
    assert len(told) == changes
    assert not told or "at frame 31," in told[0]
    assert not told or ("it is foreground" in told[0]) == (passes == 1)


@pytest.mark.parametrize("said", [None, "scene", "foreground"])
def test_slides_are_the_scene_from_their_first_frame_on_in_the_second_pass_unless_they_are_said_to_be_foreground(said):
    source, scene = talk([0, 1, 2, 3], n=120)
    plates, session = {}, Session(source, Settings(passes=2, values={"sudden": said}))
    session.scenes.on_end = lambda plate: plates.update({plate.first: plate.samples()})
    marked = {}
    for report in session.run():
        if report.pass_index:
            marked[report.frame.index] = np.mean(report.mask[20:68, 30:94] > 0)
            background = report.split.samples(report.frame.layout)
        assert report.scene_first == 0, "who walks past walks on, whatever slide is shown"
    plates[session.scenes.now.first] = session.scenes.plate(background).samples()
    slides = [marked[t] for t in range(31, 120)]
    if said == "foreground":
        assert np.mean(slides) > 0.5
        assert list(plates) == [0]
        return
    assert max(slides) < 0.35, "who walks before them"
    assert sorted(plates) == [0, 30, 60, 90]
    for first, plate in plates.items():
        off = np.abs(plate.reshape(scene(0).shape).astype(float) - scene(first))
        assert np.mean(off > 10) < 0.002, first


def test_what_comes_and_leaves_again_and_again_is_no_scene():
    source = visit(200, lambda t: t % 80 >= 40)
    session, found = Session(source, Settings(passes=2)), []
    for report in session.run():
        if report.pass_index:
            found.append(np.mean(report.mask[VISITOR] > 0))
    there = np.arange(200) % 80 >= 40
    assert np.mean(np.array(found)[there]) > 0.9
    assert max(np.array(found)[~there]) < 0.1
    assert [scene.first for scene in session.scenes.remembered.in_order()] == [0]


def test_what_is_said_after_a_run_holds_in_the_next_one():
    source, _ = talk([0, 1], n=60)
    session = Session(source, Settings(passes=2))
    for _ in session.run():
        pass
    assert [scene.first for scene in session.scenes.remembered.in_order()] == [0, 30]
    session.control.set({"sudden": "foreground"})
    marked = [np.mean(r.mask[20:68, 30:94] > 0) for r in session.run() if r.pass_index and r.frame.index > 40]
    assert np.mean(marked) > 0.5
    assert [text for text in session.warnings if "it is foreground" in text]
    assert not [text for text in session.warnings if "another background" in text]


def test_one_thing_that_leaves_and_another_that_comes_are_no_scene():
    def here(t):
        return 235 if 40 <= t < 80 else 20 if t >= 120 else None

    def render(t):
        frame = next(empty.frames(t))
        values = frame.values.copy()
        if here(t) is not None:
            frame.layout.plane(values, 0)[VISITOR] = here(t)
        return replace(frame, values=values)

    empty = visit(160, lambda _: False)
    session, found = Session(SampleSource(empty.info, render), Settings(passes=2)), {}
    for report in session.run():
        if report.pass_index and here(report.frame.index):
            found[report.frame.index] = np.mean(report.mask[VISITOR] > 0)
    assert min(found.values()) > 0.9
    assert len(session.scenes.remembered) == 1


@pytest.mark.parametrize(("side", "n_cut"), [(2, 0), (24, 0), (24, 20)])
@pytest.mark.parametrize(("by", "has_moved"), [(5, True), (7, True), (10, False), (None, False)])
def test_who_leans_over_shows_what_the_background_has_beside_it(by, has_moved, side, n_cut):
    """Also where the last cells are cut off by the edge of the picture."""
    rng = np.random.default_rng(3)
    then, other = (rng.integers(0, 255, (side * SHAPE[0] - n_cut, side * SHAPE[1])).astype(np.uint8) for _ in range(2))
    part, told = np.full(SHAPE, N), []
    part[4:16, 6:20] = AT
    changes = SuddenChanges()
    for t in range(N):
        ages, cells = shown(part, part, t)
        now = other if by is None else np.roll(then, by, axis=1)
        told.append(changes.offer(ages, replace(cells, luma=(now, then), side=side), t))
    (change,) = filter(None, told)
    assert change.has_moved == has_moved


def test_how_a_cell_looked_is_known_where_it_was_still():
    part, told = np.full(SHAPE, N), []
    part[4:12, 6:20] = AT
    changes = SuddenChanges()
    for t in range(N):
        ages, cells = shown(part, part, t)
        if t < AT:
            ages[4:12, 6:10] = 1  # Something moves there.
        told.append(changes.offer(ages, cells, t))
    (change,) = filter(None, told)
    assert change.cells[4:12, 6:20].all()
    assert np.isnan(change.looks[0, 4:12, 6:10]).all()
    np.testing.assert_array_equal(change.looks[0, 4:12, 10:20], 100)
    np.testing.assert_array_equal(change.looks[1, 4:12, 6:20], 150)


@pytest.mark.parametrize(("shape", "is_followed"), [("over it", False), ("beside it", True)])
def test_what_changes_where_nothing_is_foreground_is_no_scene_of_its_own(shape, is_followed):
    source, _ = talk([0, 1])
    top = 16 if shape == "over it" else 80
    area = Shape("never", ((24, top), (100, top), (100, top + 56), (24, top + 56)))
    session = Session(source, Settings(passes=2, areas=Areas((area,))))
    for _ in session.run():
        pass
    assert any("changes at once" in text for text in session.warnings) == is_followed
    assert len(session.scenes.remembered) == 1 + is_followed


def test_what_all_slides_share_is_seen_in_the_frames_of_each():
    source, scene = talk([0, 1], since=40, n=80)
    stands = np.s_[70:90, 100:120]

    def render(t):
        frame = next(source.frames(t))
        values = frame.values.copy()
        if 40 <= t < 75:  # Somebody beside the second slide, nearly as long as that is shown.
            frame.layout.plane(values, 0)[stands] = 220 if t % 2 else 230
        return replace(frame, values=values)

    session = Session(SampleSource(source.info, render), Settings(passes=2))
    for report in session.run():
        background = report.split.samples(report.frame.layout)
    plate = session.scenes.plate(background)
    assert plate.first == 40
    off = np.abs(plate.samples().reshape(scene(0).shape).astype(float) - scene(79))
    assert off[stands].max() < 10
    assert plate.n_kept > 40, "of frames before that slide, too"
