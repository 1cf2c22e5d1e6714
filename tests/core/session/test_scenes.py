"""Inputs of more than one scene: each pass knows those of the pass before."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import NO_SHIFT
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.clean_plate import CleanPlate
from core.session import scenes
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.scenes import Scene, Scenes
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_rebase import wandering

LAYOUT = Layout(96, 128, Planes.GREY)
CUT, N = 70, 140
SIDE = 24


def cut(n=N, each=CUT, shake=0.0, noise=0.006):
    """A block that passes before one texture after another, so many frames before each; the camera may shake."""
    rng = np.random.default_rng(3)
    margin, by = (20 if shake else 0), np.random.default_rng(9).normal(0, shake, (n, 2)).clip(-5, 5)
    by[0] = 0
    size = LAYOUT.height + 2 * margin, LAYOUT.width + 2 * margin
    rough = rng.random((-(-n // each), *size)).astype(np.float32)
    if shake:  # There has to be something to follow.
        rough = np.stack([cv2.normalize(cv2.GaussianBlur(x, (0, 0), 2), None, 0, 1, cv2.NORM_MINMAX) for x in rough])
    backdrops = [0.7 - 0.3 * one if k % 2 else 0.1 + 0.3 * one for k, one in enumerate(rough)]

    def render(index):
        there = np.float32([[1, 0, by[index, 1] - margin], [0, 1, by[index, 0] - margin]])
        seen = cv2.warpAffine(backdrops[index // each], there, (LAYOUT.width, LAYOUT.height))
        picture = seen + np.random.default_rng(index).normal(0, noise, seen.shape)
        picture[block(index)] = 0.98
        return Frame(index, index / 25, LAYOUT.quantise(picture.astype(np.float32).ravel()), LAYOUT)

    return SampleSource(SourceInfo("Cut", LAYOUT, 25.0, n), render)


def block(index):
    left = 3 * index % (LAYOUT.width - SIDE)
    return slice(30, 30 + SIDE), slice(left, left + SIDE)


def f_of(reports):
    """F-measure of each mask."""
    found = []
    for report in reports:
        truth = np.zeros(LAYOUT.shapes[0], bool)
        truth[block(report.frame.index)] = True
        mask = report.mask > 0
        found.append(2 * (mask & truth).sum() / (mask.sum() + truth.sum()))
    return np.array(found)


@pytest.fixture(scope="module")
def of_two_passes():
    session = Session(cut(), Settings(passes=2))
    reports = [r for r in session.run() if r.pass_index == 1]
    return session, reports


def test_each_scene_of_a_cut_film_is_known_from_its_first_frame_on(of_two_passes):
    session, reports = of_two_passes
    found = f_of(reports)
    assert len(found) == N
    assert found[[*range(10), *range(CUT, CUT + 10)]].min() > 0.9
    assert found.mean() > 0.95
    once = f_of(Session(cut(), Settings(passes=1)).run())
    assert once[CUT : CUT + 9].max() < 0.5, "in one pass nobody can know: the film does ask for it"
    for index in (2, CUT - 1, CUT, N - 1):
        shown = reports[index].cleaned_image.astype(float) - empty(index)
        assert np.abs(shown)[block(index)].mean() < 4, index
    assert np.abs(session.plate() - empty(N - 1)).mean() < 4, "of the last scene"


def empty(index):
    return _empty(index >= CUT)


@cache
def _empty(is_second):
    return np.median([frame.image() for frame in cut().frames() if (frame.index >= CUT) == is_second], axis=0)


@pytest.mark.parametrize("passes", [1, 2])
def test_reports_know_the_first_frame_of_their_scene_in_one_pass_once_it_has_found_the_cut(passes, of_two_passes):
    reports = list(Session(cut(), Settings(passes=1)).run()) if passes == 1 else of_two_passes[1]
    firsts = [report.scene_first for report in reports]
    assert set(firsts) == {0, CUT}
    known_at = firsts.index(CUT)
    assert firsts == sorted(firsts)
    assert known_at == CUT if passes == 2 else CUT < known_at < CUT + 10


def after(darkness, layout=LAYOUT, n=80, first=40):
    """A block that passes before soft blobs, after so many dark frames; and the scene without it."""
    rough = np.random.default_rng(4).random((*layout.shapes[0], 3)).astype(np.float32)
    empty = cv2.normalize(cv2.GaussianBlur(rough, (0, 0), 4), None, 0.15, 0.8, cv2.NORM_MINMAX)
    empty = empty if layout.planes is Planes.RGB else empty[..., 1]

    def render(index):
        rng = np.random.default_rng(index)
        picture = empty + rng.normal(0, 0.006, empty.shape)
        picture[block(index)] = 0.98
        if index < first:
            picture = darkness(rng, empty.shape)
        planes = picture.transpose(2, 0, 1) if picture.ndim == 3 else picture
        return Frame(index, index / 25, layout.quantise(planes.astype(np.float32).ravel()), layout)

    return SampleSource(SourceInfo("Dark", layout, 25.0, n), render), 255 * empty


DARKNESS = {
    "black": lambda rng, shape: np.zeros(shape),
    "a covered lens": lambda rng, shape: rng.normal(0.006, 0.006, shape),
}


@pytest.mark.parametrize("layout", [LAYOUT, replace(LAYOUT, planes=Planes.RGB)], ids=["grey", "RGB"])
@pytest.mark.parametrize("darkness", DARKNESS)
def test_a_scene_after_darkness_has_masks_and_a_plate_of_its_own(darkness, layout):
    source, empty = after(DARKNESS[darkness], layout)
    session = Session(source, Settings(passes=2))
    reports = [r for r in session.run() if r.pass_index == 1]
    assert not any(r.mask.any() for r in reports[:40])
    found = f_of(reports[40:])
    assert found[:10].min() > 0.8, "from its first frame on"
    assert found.mean() > 0.94
    assert np.abs(session.plate() - empty).mean() < 2, "grey levels"
    for report in reports[40:]:
        assert np.abs(report.cleaned_image - empty)[block(report.frame.index)].mean() < 4, "grey levels"
    told = [text for text in session.warnings if "scene begins at frame 41:" in text]
    assert bool(told) == (darkness != "black"), "black is no scene, and has no plate"
    assert len(session.scenes.remembered) == 1 + len(told)


def test_a_film_that_begins_with_a_drawing_on_white_has_two_scenes():
    """What is white but for what moves is a scene, though its background is one level."""

    def render(index):
        frame = next(cut().frames(index))
        if index >= CUT:
            return frame
        values = np.full(LAYOUT.n_values, 240, np.uint8)
        LAYOUT.plane(values, 0)[block(index)] = 60
        return replace(frame, values=values)

    session, ended = Session(SampleSource(cut().info, render), Settings(passes=2)), []
    session.scenes.on_end = lambda plate: ended.append(plate.first)
    found = f_of(r for r in session.run() if r.pass_index == 1)
    assert [scene.first for scene in session.scenes.remembered.in_order()] == [0, CUT]
    assert ended == [0]
    assert found[5:].min() > 0.85


@pytest.mark.parametrize("passes", [1, 2])
def test_a_card_that_stays_is_a_scene(passes):
    card, there = np.full(LAYOUT.n_values, 128, np.uint8), range(100, 130)

    def render(index):
        frame = next(cut().frames(index))
        if index < CUT:
            return frame
        values = card.copy()
        if index in there:
            LAYOUT.plane(values, 0)[block(index)] = 250
        return replace(frame, values=values)

    session = Session(SampleSource(cut().info, render), Settings(passes=passes))
    reports = [r for r in session.run() if r.pass_index == passes - 1]
    assert f_of(reports[index] for index in there).min() > 0.9
    assert (session.plate() == 128).all()


@pytest.mark.parametrize("level", [0, 128, 255])
@pytest.mark.parametrize("passes", [1, 2])
def test_frames_in_which_nothing_is_seen_are_empty_and_teach_nothing(level, passes):
    frames, blank = list(cut(n=CUT).frames()), (30, 31, 50)
    for index in blank:
        frames[index] = replace(frames[index], values=np.full(LAYOUT.n_values, level, np.uint8))
    source = SampleSource(SourceInfo("Blank", LAYOUT, 25.0, CUT), frames.__getitem__)
    session = Session(source, Settings(passes=passes))
    reports = [r for r in session.run() if r.pass_index == passes - 1]
    for index in blank:
        assert not reports[index].mask.any()
        assert (reports[index].cleaned_image == level).all(), "as it came"
        assert np.abs(reports[index].split.samples(LAYOUT).reshape(LAYOUT.shapes[0]) - empty(0)).mean() < 4
    assert f_of(reports[index] for index in (29, 32, 33, 49, 51, 52)).min() > 0.9, "those next to them"
    assert np.abs(session.plate() - empty(0)).mean() < 2, "grey levels"
    assert [text for text in session.warnings if "frames 31, 32, 51" in text]
    assert not [text for text in session.warnings if "scene" in text]


def test_people_are_told_of_a_cut_once(of_two_passes):
    told = [text for text in of_two_passes[0].warnings if "scene" in text]
    assert len(told) == 1
    assert f"at frame {CUT + 1}:" in told[0]


def test_a_cut_between_scenes_of_little_colour_is_found_though_colour_explains_a_quarter_of_all():
    layout = replace(LAYOUT, planes=Planes.YCC420)
    backdrops = []
    for seed in (4, 5):
        rough = np.random.default_rng(seed).random(layout.shapes[0]).astype(np.float32)
        backdrops.append(cv2.normalize(cv2.GaussianBlur(rough, (0, 0), 1.5), None, 60, 170, cv2.NORM_MINMAX))

    def render(index):
        values = np.full(layout.n_values, 128, np.uint8)
        light = backdrops[index >= CUT] + np.random.default_rng(index).normal(0, 0.5, layout.shapes[0])
        layout.plane(values, 0)[...] = np.rint(light)
        return Frame(index, index / 25, values, layout)

    session = Session(SampleSource(SourceInfo("Grey", layout, 25.0, N), render), Settings(passes=2))
    reports = list(session.run())
    assert [text for text in session.warnings if f"scene begins at frame {CUT + 1}:" in text]
    assert not any(report.mask.any() for report in reports[N:])


@pytest.mark.parametrize("level", [20, 128, 180])
def test_one_odd_frame_begins_no_scene_and_leaves_background_and_plate_as_they_were(level):
    frames, at = list(cut(n=CUT).frames()), 40
    odd = np.random.default_rng(1).integers(level, level + 4, LAYOUT.n_values, np.uint8)
    frames[at] = replace(frames[at], values=odd)
    session = Session(SampleSource(SourceInfo("Odd", LAYOUT, 25.0, CUT), frames.__getitem__), Settings(passes=1))
    off, true = [], empty(0)
    for report in session.run():
        if report.frame.index > at - 2 and report.frame.index != at:
            shown = report.split.samples(LAYOUT).reshape(LAYOUT.shapes[0])
            off.append(np.abs(shown - true).mean())
    assert session.scene_plate().n_kept == CUT
    assert not [text for text in session.warnings if "scene" in text]
    assert max(off) < off[0] + 1, "grey levels"


def test_a_run_that_begins_anew_begins_in_the_first_scene():
    session = Session(cut(), Settings(passes=1))
    for _ in session.run():
        pass
    session.set_passes(2)
    found = f_of([r for r in session.run() if r.pass_index == 1])
    assert found[[*range(10), *range(CUT, CUT + 10)]].min() > 0.7
    assert found.mean() > 0.9
    told = [text for text in session.warnings if "scene" in text]
    assert len(told) == 1
    assert f"at frame {CUT + 1}:" in told[0], "the same cut is none that is new"


def test_who_seeks_comes_back_to_the_scene_that_is_there():
    session = Session(cut(), Settings(passes=2))
    found = {}
    for report in session.run():
        if report.pass_index == 1:
            found.setdefault(report.frame.index, []).append(f_of([report])[0])
            if report.frame.index == CUT + 20 and len(found[CUT + 20]) == 1:
                session.seek(20)
    assert len(found[30]) == 2
    assert min(found[30][1], found[CUT + 30][0]) > 0.9


@pytest.fixture(scope="module")
def of_more_scenes_than_are_remembered():
    """A session, the reports of its last pass, and the number of plates that were worked out for the next pass."""
    worked_out, work_out = [], CleanPlate.samples_and_noise
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenes, "SCENES_BYTES", 0)  # Two in any case.
        patch.setattr(CleanPlate, "samples_and_noise", lambda *given: worked_out.append(1) or work_out(*given))
        session = Session(cut(240, 60), Settings(passes=2))
        reports = [r for r in session.run() if r.pass_index == 1]
    return session, reports, len(worked_out)


def test_scenes_after_those_that_are_remembered_are_learnt_anew_in_each_pass(of_more_scenes_than_are_remembered):
    found = f_of(of_more_scenes_than_are_remembered[1])
    assert found[:120].mean() > 0.94
    for first in (120, 180):
        assert found[first : first + 9].max() < 0.5, "it was remembered"
        assert found[first + 30 : first + 60].mean() > 0.8


def test_no_plate_is_worked_out_of_scenes_that_are_not_remembered(of_more_scenes_than_are_remembered):
    assert of_more_scenes_than_are_remembered[2] == 2


def test_where_no_plate_is_known_of_a_scene_that_of_another_one_counts_no_more(of_more_scenes_than_are_remembered):
    session, reports, _ = of_more_scenes_than_are_remembered
    assert session.foreground._known.deviation is None
    scene = np.median([frame.image() for frame in cut(240, 60).frames() if 120 <= frame.index < 180], axis=0)
    shown = reports[170].cleaned_image.astype(float) - scene
    assert np.abs(shown)[block(170)].mean() < 8, "the plate of the scene before covers nothing"


def test_a_scene_of_which_no_frame_was_seen_since_is_what_it_was(of_two_passes):
    follower = of_two_passes[0].scenes
    known = follower.remembered.at(CUT)
    assert follower.remembered.at(0).n_frames == CUT
    follower.begin_pass(Stage(Phase.LEARNING, 0, 2))
    follower.end_scene(known.plate)
    assert follower.remembered.at(CUT) is known


def test_each_scene_is_known_better_after_each_pass_that_another_follows():
    session, known = Session(cut(), Settings(passes=3)), {}
    for report in session.run():
        if report.frame.index in (CUT - 1, CUT, N - 1):
            known[report.pass_index, report.frame.index] = session.scenes.remembered.at(0)
    assert known[1, CUT - 1] is known[0, N - 1]
    assert known[1, CUT] is not known[1, CUT - 1]
    assert known[1, CUT].n_frames == CUT
    np.testing.assert_allclose(known[1, CUT].plate, np.median(of_scene(0), axis=0), atol=12)
    assert known[2, N - 1] is known[1, CUT], "nobody asks for it after the last pass"


def of_scene(first):
    return [frame.values for frame in cut().frames() if first <= frame.index < first + CUT]


def test_who_runs_it_again_finds_each_scene_known_from_its_first_frame_on():
    session = Session(cut(), Settings(passes=2))
    for _ in session.run():
        pass
    found = f_of([r for r in session.run() if r.pass_index == 0])
    assert len(found) == N
    assert found[[*range(10), *range(CUT, CUT + 10)]].min() > 0.9
    told = [text for text in session.warnings if "scene" in text]
    assert len(told) == 1
    assert f"at frame {CUT + 1}:" in told[0]


def test_a_single_pass_that_is_run_again_begins_in_the_first_scene():
    session = Session(cut(), Settings(passes=1))
    for _ in session.run():
        pass
    assert session.scenes.now.first == CUT
    next(session.run())
    assert session.scenes.now.first == 0


def test_who_seeks_back_into_another_scene_leaves_the_plate_of_the_one_before_as_it_is():
    session, known = Session(cut(), Settings(passes=2)), []
    for n, report in enumerate(session.run()):
        if n == 40:
            session.seek(CUT)
        if n == 100:
            session.seek(0)
        if n == 130:
            known.append((report.frame.index, session.scenes.remembered.at(CUT)))
            break
    index, scene = known[0]
    assert index < CUT
    assert scene.first == CUT
    assert scene.n_frames > 40
    np.testing.assert_allclose(scene.plate, np.median(of_scene(CUT), axis=0), atol=12)


def test_a_scene_that_is_found_before_the_next_that_is_known_goes_on_until_then():
    session, found = Session(cut(), Settings(passes=2)), {}
    for report in session.run():
        if report.pass_index == 0 and report.frame.index == 40:
            session.seek(CUT + 30)
        if report.pass_index == 1:
            found[report.frame.index] = f_of([report])[0]
    late = [found[index] for index in range(CUT + 10, CUT + 30)]
    assert np.mean(late) > 0.4
    assert late[-1] > 0.7
    assert found[CUT + 30] > 0.9


def test_a_cut_of_a_camera_that_shakes_is_dated_before_the_frames_that_were_lost():
    session = Session(cut(200, 100, shake=2.0), Settings(values={"steady": 10}, passes=2))
    found = f_of([r for r in session.run() if r.pass_index == 1])
    assert found[100:140].min() > 0.8
    assert any("at frame 101:" in text for text in session.warnings)


@pytest.fixture(scope="module")
def of_a_camera_that_wanders():
    """The share that masks cover, frame by frame, in each of two passes; and the last report."""
    session = Session(wandering(120), Settings(values={"steady": 10}, passes=2))
    shares, report = [[], []], None
    for report in session.run():
        shares[report.pass_index].append((report.mask > 0).mean())
    return shares, report


def test_what_is_behind_a_thing_is_shown_where_it_lies_however_far_the_camera_has_wandered(of_a_camera_that_wanders):
    report, thing = of_a_camera_that_wanders[1], np.zeros(LAYOUT.shapes[0], np.uint8)
    assert max(report.frame.motion.shift) < 13, "it was rebased: the camera has moved by 71 pixels"
    thing[20:70, 20:60] = 255  # The scene is empty there: what is behind it is what the frame shows.
    shown = replace(report, mask=thing, may_hide=thing).cleaned_image.astype(float)
    assert np.abs(shown - report.input_image)[thing > 0].mean() < 4, "grey levels"


def test_a_pass_before_a_camera_that_wanders_begins_where_the_one_before_began(of_a_camera_that_wanders):
    shares = of_a_camera_that_wanders[0]
    assert len(shares[1]) == 120
    assert np.mean(shares[1]) < 0.05
    assert max(shares[1][:20]) < 0.1, "the first frames are not compared with what the camera saw last"


def test_a_stroke_is_where_it_was_painted_when_the_next_pass_begins_where_the_one_before_began():
    session = Session(wandering(90), Settings(values={"steady": 10}, passes=2))
    places = []
    for report in session.run():
        if report.pass_index == 0 and report.frame.index == 2:
            where = np.zeros(LAYOUT.shapes[0], bool)
            where[30:46, 40:56] = True
            session.strokes.paint(report.frame, foreground=where)
        if report.frame.index == 3:
            top, _, left, _ = session.strokes.painted["painted_strokes"][0][2:]
            places.append((top, left))
    assert len(places) == 2
    np.testing.assert_allclose(places[0], places[1], atol=2)


def test_scenes_are_found_by_their_frames_and_take_no_more_memory_than_there_is(monkeypatch):
    layout = Layout(10, 10, Planes.RGB)
    monkeypatch.setattr(scenes, "SCENES_BYTES", 5 * 1000 + 999)
    known = Scenes(layout)
    assert known.at(5) is None
    for first in range(0, 100, 10):
        assert known.has_room(first) == (first < 50)
        if known.has_room(first):
            known.add(filled(layout, first))
    assert known.at(5).first == 0
    assert known.at(10).first == 10
    assert known.at(10**6).first == 40
    assert known.has_room(20), "instead of what is known of it"
    again = filled(layout, 20)
    known.add(again)
    assert known.at(29) is again
    assert sum(array.nbytes for array in again if isinstance(array, np.ndarray)) == 1000, "what a scene takes"
    monkeypatch.setattr(scenes, "SCENES_BYTES", 500)
    few = Scenes(layout)
    for first in (0, 10):
        assert few.has_room(first), "two in any case"
        few.add(filled(layout, first))
    assert not few.has_room(20)


def filled(layout, first):
    """A scene with all that may be known of one."""
    noise = np.zeros(layout.shapes[0], np.float32)
    return Scene(first, np.zeros(layout.n_values, np.uint8), noise, NO_SHIFT, noise > 0, 9, noise > 0, noise > 0)
