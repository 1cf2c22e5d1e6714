import gc
import threading
import time
import tracemalloc
import weakref
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes, Truth
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene import clean_plate
from core.scene.clean_plate import CleanPlate
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings
from tests.patience import ends, until
from tests.small_inputs import save_png, scene

LAYOUT = Layout(48, 64, Planes.RGB)
SCENE = 40 + 120 * np.random.default_rng(0).random(LAYOUT.n_values)


def frame(index, layout=LAYOUT):
    """A still scene with noise, through which a bright block passes."""
    rng = np.random.default_rng(index)
    v = SCENE[: layout.n_values] + 2 * rng.standard_normal(layout.n_values)
    mask = np.zeros((layout.height, layout.width), np.uint8)
    left = 5 * index % 50
    mask[10:26, left : left + 12] = 255
    for i in range(len(layout.shapes)):
        layout.plane(v, i)[mask > 0] = 250
    return Frame(index, index / 25, layout.quantise((v / 255).astype(np.float32)), layout, Truth(mask))


def clip(n=20, layout=LAYOUT, live=False, known=True, fail_at=None):
    """A source of n frames that are a function of their index."""

    def render(index):
        if index == fail_at:
            raise CleanplateError("clip.mp4 is damaged at frame 7; choose another file.")
        return frame(index, layout)

    source = SampleSource(SourceInfo("Clip", layout, 25.0, n), render)
    return Unsure(source, live, known) if live or not known else source


class Unsure:
    """A source that behaves as a camera, or does not know its length."""

    def __init__(self, inner, live, known):
        self.inner = inner
        self.info = SourceInfo("Clip", inner.info.layout, 25.0, inner.info.n_frames if known else None, live)
        self.warnings = []

    def frames(self, first=0):
        return self.inner.frames(first)

    def close(self):
        self.inner.close()


def decoders():
    return [thread for thread in threading.enumerate() if thread.name == "decode"]


@pytest.fixture(autouse=True)
def _no_decoder_is_left():
    yield
    assert decoders() == []


class Runner:
    """Runs a session in a thread of its own, as the window does, and keeps which frames came.

    With ``hold`` it waits for `go` after so many frames. However the test ends, so does the thread.
    """

    def __init__(self, session, hold=None):
        self.came = []
        self._session = session
        self._hold = hold
        self._go = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._session.control.stop()
        self.go()
        self.join()

    def _run(self):
        for report in self._session.run():
            self.came.append(report.frame.index)
            if len(self.came) == self._hold:
                self._go.wait()
            time.sleep(0.002)

    def go(self):
        self._go.set()

    def wait_for(self, n):
        until(lambda: len(self.came) >= n, f"frame {n}")

    def rest(self):
        """Return how many frames came, once no more come."""
        before = -1
        while before != len(self.came):
            before = len(self.came)
            time.sleep(0.15)
        return before

    def join(self):
        ends(self._thread)


def assert_one_sentence(caught):
    text = str(caught.value)
    assert text.endswith(".")
    assert ". " not in text


def refused(call, *arguments, match):
    with pytest.raises(CleanplateError, match=match) as caught:
        call(*arguments)
    assert_one_sentence(caught)


# -- reports and passes


def test_every_frame_gives_one_report_in_order():
    reports = list(Session(clip(9), Settings()).run())
    assert [r.frame.index for r in reports] == list(range(9))
    assert [r.n_done for r in reports] == list(range(1, 10))
    for report in reports:
        assert (report.n_frames, report.pass_index, report.n_passes) == (9, 0, 1)
        assert set(report.stages_ms) == {"decode", "step", "mask"}
        assert min(report.stages_ms.values()) >= 0
        assert report.mask.shape == (48, 64)
        assert report.noise > 0
        assert 0 <= report.figures["f_measure"] <= 1


def test_passes_read_the_input_again_and_keep_what_was_learnt():
    session = Session(clip(8), Settings(passes=3))
    reports = list(session.run())
    assert [(r.pass_index, r.frame.index) for r in reports] == [(p, i) for p in range(3) for i in range(8)]
    assert {r.n_passes for r in reports} == {3}
    assert reports[8].figures != reports[7].figures, "scores start anew with each pass"

    def error(report):
        return np.abs(report.split.background * 255 - SCENE).mean()

    assert error(reports[16]) < 0.5 * error(reports[0])


class CutShort:
    """A source that knows only at its end that it has fewer frames than its file declares."""

    def __init__(self, inner, declared):
        self.inner, self.warnings, self.info = inner, [], replace(inner.info, n_frames=declared)

    def frames(self, first=0):
        yield from self.inner.frames(first)
        self.info = self.inner.info

    def close(self):
        self.inner.close()


def test_the_second_pass_has_as_many_frames_as_the_first_has_found():
    reports = list(Session(CutShort(clip(8), 30), Settings(passes=2)).run())
    assert [report.n_frames for report in reports] == [30] * 8 + [8] * 8


@pytest.mark.parametrize("passes", [0, -1])
def test_less_than_one_pass_is_refused(passes):
    refused(Session, clip(), Settings(passes=passes), match="passes cannot be")


def test_a_camera_can_be_read_only_once():
    refused(Session, clip(live=True), Settings(passes=2), match="only once")
    assert len(list(Session(clip(live=True), Settings()).run())) == 20


def test_a_run_can_start_anywhere():
    reports = list(Session(clip(20), Settings()).run(15))
    assert [r.frame.index for r in reports] == [15, 16, 17, 18, 19]
    assert reports[-1].n_done == reports[-1].n_frames == 5


def test_an_unknown_length_stays_unknown():
    assert {r.n_frames for r in Session(clip(5, known=False), Settings()).run()} == {None}


def test_an_input_without_frames_gives_no_reports_and_no_plate():
    session = Session(clip(0), Settings())
    assert list(session.run()) == []
    refused(session.plate, match="no plate yet, .*; run on by a frame")


def test_an_error_of_the_source_comes_behind_the_reports_before_it():
    reports = Session(clip(20, fail_at=7), Settings()).run()
    assert len(list(islice(reports, 7))) == 7
    with pytest.raises(CleanplateError, match="damaged at frame 7"):
        next(reports)


@pytest.mark.parametrize("n_read", [0, 1, 5])
def test_leaving_the_loop_early_ends_decoding(n_read):
    reports = Session(clip(200), Settings()).run()
    list(islice(reports, n_read))
    reports.close()
    assert decoders() == []


# -- between frames


def test_pause_holds_and_resume_goes_on_without_losing_a_frame():
    session = Session(clip(60), Settings())
    with Runner(session, hold=5) as runner:
        runner.wait_for(5)
        session.control.pause()
        runner.go()
        assert runner.rest() == 5
        session.control.resume()
        runner.join()
    assert runner.came == list(range(60))


def test_a_session_can_be_paused_before_it_starts():
    session = Session(clip(5), Settings())
    session.control.pause()
    with Runner(session) as runner:
        assert runner.rest() == 0
        session.control.resume()
        runner.join()
    assert runner.came == list(range(5))


@pytest.mark.parametrize("paused", [False, True])
def test_stop_ends_after_the_current_frame(paused):
    session = Session(clip(5000), Settings(passes=2))
    with Runner(session, hold=5) as runner:
        runner.wait_for(5)
        if paused:
            session.control.pause()
            runner.go()
            runner.rest()
        session.control.stop()
        runner.go()
        runner.join()
    assert len(runner.came) == 5
    assert session.plate().shape == (48, 64, 3)


def test_stop_ends_the_plate_that_is_worked_out_between_passes(monkeypatch):
    session = Session(clip(20), Settings(passes=4))
    works_out, begun, worked_out = CleanPlate.samples_and_noise, [], []

    def stops_first(plate, background):
        begun.append(session.control.stop())
        worked_out.append(works_out(plate, background))
        return worked_out[0]

    monkeypatch.setattr(CleanPlate, "samples_and_noise", stops_first)
    assert [report.pass_index for report in session.run()] == [0] * 20
    assert len(begun) == 1
    assert not worked_out
    assert session.plate().shape == (48, 64, 3), "what the first pass has learnt is there"


def test_a_stopped_session_gives_nothing():
    session = Session(clip(), Settings())
    session.control.stop()
    assert list(session.run()) == []


@pytest.mark.parametrize("target", [0, 2, 19, 3])
def test_seek_goes_on_from_exactly_that_frame(target):
    session = Session(clip(20), Settings())
    reports = session.run()
    came = [next(reports).frame.index for _ in range(7)]
    session.control.seek(target)
    came += [r.frame.index for r in reports]
    assert came == [*range(7), *range(target, 20)]


def test_the_last_of_several_seeks_counts_and_learning_goes_on():
    session = Session(clip(20), Settings())
    reports = session.run()
    list(islice(reports, 6))
    for index in (3, 17, 12):
        session.control.seek(index)
    sought = next(reports)
    assert sought.frame.index == 12
    assert sought.n_done == 7
    assert np.abs(sought.split.background * 255 - SCENE).mean() < 3, "it did not start over"
    reports.close()


def test_seeks_beyond_both_ends():
    session = Session(clip(10), Settings())
    reports = session.run()
    next(reports)
    session.control.seek(-5)
    assert next(reports).frame.index == 0
    session.control.seek(10_000)
    assert list(reports) == []


def test_seek_while_paused_shows_on_resume():
    session = Session(clip(40), Settings())
    with Runner(session, hold=3) as runner:
        runner.wait_for(3)
        session.control.pause()
        runner.go()
        assert runner.rest() == 3
        session.control.seek(33)
        session.control.resume()
        runner.join()
    assert runner.came == [*range(3), *range(33, 40)]


def test_a_camera_cannot_be_sought():
    refused(Session(clip(live=True), Settings()).seek, 3, match="camera cannot be wound back")


def test_a_change_acts_on_the_next_frame_and_not_before():
    plain = [r.mask for r in Session(clip(12), Settings(values={"smallest": 0})).run()]
    session = Session(clip(12), Settings(values={"smallest": 0}))
    reports = session.run()
    masks = [next(reports).mask for _ in range(8)]
    session.control.set({"smallest": 100_000, "rank": 5})
    assert session.control.values["smallest"] == 100_000, "seen at once"
    assert session.method.W.shape[1] == 3, "not in force yet"
    report = next(reports)
    for a, b in zip(masks, plain, strict=False):
        np.testing.assert_array_equal(a, b)
    assert plain[8].max() == 255
    assert report.mask.max() == 0
    assert report.split.h.shape == (5,)
    reports.close()


@pytest.mark.parametrize(
    ("changes", "match"),
    [({"rank": 0}, "from 1 to 50"), ({"sensitivity": 100}, "from 1 to 99"), ({"lam": "much"}, "from 0.001 to 1"),
     ({"colour": 1}, "no parameter 'colour'"), ({"sensitivity": 4, "rank": 1.5}, "a whole number")],
)  # fmt: skip
def test_wrong_changes_are_refused_in_one_sentence_and_change_nothing(changes, match):
    session = Session(clip(6), Settings())
    reports = session.run()
    next(reports)
    before = session.control.values
    refused(session.control.set, changes, match=match)
    refused(Session, clip(), Settings(values=changes), match=match)
    assert session.control.values == before
    assert len(list(reports)) == 5


def test_where_the_rank_is_fixed_a_basis_image_can_go_and_none_is_dropped_that_cannot_be_made_anew():
    session = Session(clip(6), Settings("ol-wang", {"rank": 3}))
    reports = session.run()
    next(reports)
    refused(lambda: session.drop_basis(0, replace=True), match="makes no basis image anew")
    assert session.method.W.shape[1] == session.control.values["rank"] == 3
    session.drop_basis(0)
    assert session.method.W.shape[1] == session.control.values["rank"] == 2
    assert [report.split.h.size for report in reports] == 5 * [2]


def test_an_unknown_method_is_refused():
    refused(Session, clip(), Settings(method="magic"), match="There is no method 'magic'")


def test_changes_from_many_threads_arrive():
    session = Session(clip(100_000), Settings())  # It cannot be over before the last change comes.

    def turn(seed):
        rng = np.random.default_rng(seed)
        for _ in range(40):
            session.control.set({"rank": int(rng.integers(1, 8)), "sensitivity": float(rng.uniform(1, 99))})
            session.control.seek(int(rng.integers(0, 20)))
            time.sleep(0.001)

    with Runner(session) as runner:
        threads = [threading.Thread(target=turn, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        session.control.set({"rank": 2, "sensitivity": 7})
        session.control.seek(99_990)
        runner.join()
    assert session.method.W.shape[1] == session.control.values["rank"] == 2
    assert runner.came[-10:] == list(range(99_990, 100_000))


# -- what was learnt


def test_the_plate_is_the_scene_without_what_passed():
    session = Session(clip(40), Settings())
    list(session.run())
    plate = session.plate()
    assert (plate.dtype, plate.shape) == (np.uint8, (48, 64, 3))
    scene = LAYOUT.image(np.rint(SCENE).astype(np.uint8))
    assert np.abs(plate.astype(float) - scene).mean() < 2
    assert np.abs(plate.astype(float) - scene).max() < 30, "nobody is left in it"


def test_the_basis_is_copied_out():
    session = Session(clip(10), Settings(values={"rank": 4}))
    list(session.run())
    basis = session.basis()
    assert [b.shape for b in basis] == [(LAYOUT.n_values,)] * 4
    assert max(np.linalg.norm(b) for b in basis) <= 1 + 1e-4
    basis[0][:] = 7
    assert session.basis()[0].max() < 7


def test_a_basis_image_can_go_but_not_the_last():
    session = Session(clip(30), Settings(values={"rank": 2}))
    reports = session.run()
    list(islice(reports, 5))
    session.drop_basis(1, replace=True)
    assert next(reports).split.h.shape == (2,)
    session.drop_basis(0)
    assert next(reports).split.h.shape == (1,)
    assert session.control.values["rank"] == 1
    for k in (0, 1, -1):
        refused(session.drop_basis, k, match="has to stay")
    reports.close()


def test_an_applied_model_learns_nothing_and_finds_the_same_twice(tmp_path):
    learnt = Session(clip(30), Settings(values={"rank": 2, "sensitivity": 40}))
    list(learnt.run())
    learnt.model().save(tmp_path / "model.npz")
    runs = []
    for _ in range(2):
        model = Model.load(tmp_path / "model.npz")
        applied = Session(clip(12), Settings(passes=2), model)
        reports = list(applied.run())
        assert len(reports) == 12, "nothing to learn, so one pass"
        after = applied.model()
        for part in ("method_state", "mask_state"):
            before, now = getattr(model, part), getattr(after, part)
            assert before.keys() == now.keys()
            for name, array in before.items():
                np.testing.assert_array_equal(now[name], array, name)
        assert applied.control.values["sensitivity"] == 40
        refused(applied.drop_basis, 0, match="model that is applied does not change")
        runs.append([r.mask for r in reports])
    np.testing.assert_array_equal(*runs)
    truth = np.array([frame(i).truth.mask for i in range(12)])
    assert ((np.array(runs[0]) > 0) == (truth > 0)).mean() > 0.97


def test_frames_of_an_applied_model_do_not_depend_on_each_other():
    learnt = Session(clip(30), Settings())
    list(learnt.run())
    model = learnt.model()
    whole = [r.mask for r in Session(clip(12), Settings(), model).run()]
    last = [r.mask for r in Session(clip(12), Settings(), model).run(11)]
    assert (whole[11] != last[0]).mean() < 1e-3


@pytest.mark.parametrize(("learnt_at", "applied_at"), [(8, 16), (16, 8), (10, 16)])
def test_a_model_fits_the_same_scene_at_another_bit_depth(learnt_at, applied_at):
    learnt = Session(clip(30, replace(LAYOUT, bit_depth=learnt_at)), Settings())
    list(learnt.run())
    layout = replace(LAYOUT, bit_depth=applied_at)
    for report in Session(clip(8, layout), Settings(), learnt.model()).run():
        truth = report.frame.truth.mask
        assert ((report.mask > 0) == (truth > 0)).mean() > 0.97
        assert report.noise == pytest.approx(learnt.foreground.noise, rel=0.01)


def test_a_model_of_another_size_is_refused():
    learnt = Session(clip(5), Settings())
    list(learnt.run())
    refused(
        Session,
        clip(5, Layout(40, 64, Planes.RGB)),
        Settings(),
        learnt.model(),
        match="learnt at 64×48, the input is 64×40",
    )
    refused(Session, clip(5, LAYOUT.grey()), Settings(), learnt.model(), match="in grey")


def test_a_model_is_a_copy():
    session = Session(clip(30), Settings())
    reports = session.run()
    list(islice(reports, 10))
    model = session.model()
    kept = {name: a.copy() for name, a in {**model.method_state, **model.mask_state}.items()}
    list(reports)
    for name, array in {**model.method_state, **model.mask_state}.items():
        np.testing.assert_array_equal(array, kept[name], name)


def test_reports_are_not_written_after_they_were_handed_out():
    reports = []
    copies = []
    for report in Session(clip(14), Settings()).run():
        reports.append(report)
        copies.append((report.mask.copy(), report.split.background.copy(), report.split.h.copy()))
    for report, (mask, background, h) in zip(reports, copies, strict=True):
        np.testing.assert_array_equal(report.mask, mask)
        np.testing.assert_array_equal(report.split.background, background)
        np.testing.assert_array_equal(report.split.h, h)


def visit(n, here):
    """A source in which a block stands in the middle in the frames where ``here(index)``."""
    grey = LAYOUT.grey()

    def render(index):
        v = SCENE[: grey.n_values] + 2 * np.random.default_rng(index).standard_normal(grey.n_values)
        if here(index):
            grey.plane(v, 0)[VISITOR] = 235
        return Frame(index, index / 25, grey.quantise((v / 255).astype(np.float32)), grey)

    return SampleSource(SourceInfo("Visit", grey, 25.0, n), render)


VISITOR = slice(14, 34), slice(20, 44)


@pytest.mark.parametrize("values", [{}, {"warm_up": 40}], ids=["usual", "short warm-up"])
@pytest.mark.parametrize("passes", [1, 2])
def test_who_stops_stays_foreground(values, passes):
    for report in Session(visit(200, lambda i: i >= 50), Settings(values=values, passes=passes)).run():
        inside, everywhere = (report.mask[VISITOR] > 0).sum(), (report.mask > 0).sum()
        if report.frame.index >= 50:
            assert inside > 0.9 * 20 * 24, report.frame.index
            assert everywhere < 1.1 * 20 * 24


def test_who_stands_in_the_first_frames_leaves_no_ghost():
    reports = list(Session(visit(100, lambda i: i < 30), Settings()).run())
    shown = reports[31].split.samples(LAYOUT.grey()).reshape(LAYOUT.shapes[0])[VISITOR]
    assert shown.mean() > 200, "the background has him at first: nobody has looked behind him before"
    assert max((r.mask > 0).mean() for r in reports[70:]) < 0.002
    assert np.mean([(r.mask > 0).mean() for r in reports[31:]]) < 0.01, (
        "an even floor in his place tells that he has left"
    )


# -- the whole path on the street


def separate(n, **values):
    """Masks and backgrounds of the first n frames of the street, as an input of that length."""
    source = open_source(InputSpec("sample:street", frames=(1, n)))
    session = Session(source, Settings(values=values))
    return [(r.mask, r.split.samples(r.frame.layout).copy(), r.split.h) for r in session.run()]


@pytest.fixture(scope="module")
def sixty():
    return separate(60)


def test_masks_use_nothing_that_comes_later(sixty):
    for early, whole in zip(sixty, separate(120), strict=False):
        for a, b in zip(early, whole, strict=True):
            np.testing.assert_array_equal(a, b)


def test_the_same_run_twice_is_identical(sixty):
    for first, again in zip(sixty, separate(60), strict=True):
        for a, b in zip(first, again, strict=True):
            np.testing.assert_array_equal(a, b)


def test_other_settings_would_not_pass_for_the_same_run(sixty):
    other = separate(60, sensitivity=90)
    assert any((a[0] != b[0]).any() for a, b in zip(sixty, other, strict=True))


def peak_of(source, n):
    tracemalloc.start()
    try:
        n_seen = sum(1 for _ in islice(Session(source, Settings()).run(), n))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n_seen == n
    return peak


def test_memory_does_not_grow_with_the_length_of_the_input():
    street = open_source(InputSpec("sample:street", grey=True, size=(160, 120)))
    # Drawn beforehand: drawing takes memory on another thread, at times of its own.
    drawn = list(islice(street.frames(), 40))
    source = SampleSource(SourceInfo("Street", street.info.layout, 30.0, 950), lambda i: drawn[i % 40])
    peak_of(source, 5)
    short = peak_of(source, clean_plate.MOST + 1)
    # Once a kernel that comes late may have to be compiled, which takes memory too.
    assert any(peak_of(source, 950) < 1.05 * short for _ in range(2))


def test_that_measure_finds_reports_that_are_kept():
    source = clip(400)
    peaks = []
    for n in (40, 160):
        tracemalloc.start()
        try:
            kept = list(islice(Session(source, Settings()).run(), n))
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        assert len(kept) == n
    assert all(b > 1.5 * a for a, b in pairwise(peaks))


@pytest.mark.parametrize("method", ["fast", "opgd", "bpgd", "mog2"])
def test_a_session_that_nobody_holds_is_freed_without_looking_for_circles(method):
    session = Session(clip(6), Settings(method, {"iterations": 3} if method == "bpgd" else {}))
    list(session.run())
    held = [weakref.ref(one) for one in (session, session.strokes, session.control, session.foreground)]
    gc.collect()
    gc.disable()
    try:
        del session
        assert [one() for one in held] == 4 * [None]
    finally:
        gc.enable()


@pytest.mark.parametrize("passes", [1, 2])
def test_frames_are_kept_for_a_plate_of_the_last_pass_only_where_it_is_wanted_and_masks_are_the_same(passes):
    held, masks = {}, {}
    for keeps_plate in (True, False):
        session = Session(clip(), Settings(passes=passes), keeps_plate=keeps_plate)
        masks[keeps_plate] = [report.mask for report in session.run()]
        held[keeps_plate] = session.confidence().any()
    assert held == {True: True, False: False}
    np.testing.assert_array_equal(masks[True], masks[False])


def test_what_hid_the_scene_in_a_report_is_not_written_again():
    kept = [(report.may_hide, report.may_hide.copy()) for report in Session(clip(24), Settings(passes=2)).run()]
    assert any(covered.any() for covered, _ in kept)
    for covered, then in kept:
        np.testing.assert_array_equal(covered, then)


@pytest.mark.parametrize(
    ("frames", "said"),
    [
        ((7, 7), "Only one picture is read, and there is nothing to compare it with: its plate is the picture itself"),
        ((1, 2), "Only 2 pictures are read, too few"), ((13, None), "Only 4 pictures are read, too few"),
        ((12, None), None), ((None, None), None),
    ],
)  # fmt: skip
def test_of_few_pictures_it_is_said_what_cannot_be_told_of_them(photos, frames, said):
    source = open_source(InputSpec(str(photos), frames=frames))
    found = Session(source, Settings()).warnings
    assert [note.startswith(said or "nothing") for note in found] == [True] * (said is not None)
    learnt = Session(source, Settings())
    list(learnt.run())
    assert Session(source, Settings(), learnt.model()).warnings == [], "it knows the scene from before"


def test_a_single_picture_that_is_dark_is_told_of_too(tmp_path):
    save_png(tmp_path / "dark.png", scene(0) // 4)
    source = open_source(InputSpec(str(tmp_path / "dark.png")))
    assert source.info.layout.is_measured
    assert [note[:23] for note in Session(source, Settings()).warnings] == ["Only one picture is rea"]


@pytest.mark.parametrize(
    ("frames", "said"), [((2, 2), ["Only one frame is read"]), ((1, 2), ["Only 2 frames are read"])]
)
def test_of_few_frames_of_a_film_it_is_said_too(film, frames, said):
    source = open_source(InputSpec(str(film[0]), frames=frames))
    assert [note.split(",")[0] for note in Session(source, Settings()).warnings] == said
    assert Session(open_source(InputSpec(str(film[0]))), Settings()).warnings == []
