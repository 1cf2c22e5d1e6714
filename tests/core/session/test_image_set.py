"""How image sets are read: each image scaled to maximum 1, and passes before the last in another order."""

from dataclasses import replace

import numpy as np
import pytest

from core.frames.frame import Layout, Planes, Truth, frame_from_image
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.io.sources.views import UnitMaximum
from core.runtime.announcing import announced_to
from core.session.image_set import ImageSet
from core.session.phase import Phase
from core.session.plan import stages_of_passes
from core.session.session import Session
from core.session.settings import Settings

N = 12


def session(passes=3, method="opgd", **values):
    source = open_source(InputSpec("sample:faces", size=(16, 16), frames=(1, N)))
    return Session(source, Settings(method, {"rank": 4, **values}, passes, 0))


def orders(one):
    found = {}
    for report in one.run():
        found.setdefault(report.pass_index, []).append(report.frame.index)
    return found


def test_passes_before_the_last_come_in_another_order_each():
    found = orders(session(shuffle=True))
    assert all(sorted(found[p]) == list(range(N)) for p in range(3))
    assert found[2] == list(range(N)), "the last gives the results"
    assert found[0] != found[1] != found[2] != found[0]
    assert orders(session(shuffle=True)) == found, "by the seed"


@pytest.mark.parametrize("method", ["opgd", "rnmf-l1"])
@pytest.mark.parametrize("content", ["images", "scene"])
def test_every_report_says_whether_its_frames_are_of_an_image_set(method, content):
    seen = session(1, method, content=content)
    phases = {report.phase: report.is_image_set for report in seen.run()}
    assert set(phases.values()) == {seen.is_image_set} == {content == "images"}
    assert method == "opgd" or Phase.ITERATING in phases


@pytest.mark.parametrize(("content", "n_plates"), [("images", 0), ("scene", 2)])
@pytest.mark.parametrize("keeps_plate", [True, False])
def test_no_plate_is_worked_out_between_passes_over_an_image_set(content, n_plates, keeps_plate):
    source, told = open_source(InputSpec("sample:faces", size=(16, 16), frames=(1, N))), []
    one = Session(source, Settings("opgd", {"rank": 4, "content": content}, 3, 0), keeps_plate=keeps_plate)
    with announced_to(told.append):
        assert len(list(one.run())) == 3 * N
    assert sum("Working out the plate" in words for words in told) == n_plates
    assert one.scenes.now.plate.n_frames == (N if keeps_plate else 0), "that of the last pass is there if asked for"


@pytest.mark.parametrize("values", [{}, {"shuffle": True, "content": "scene"}])
def test_frames_of_a_scene_and_by_default_come_as_they_are(values):
    assert all(order == list(range(N)) for order in orders(session(**values)).values())


def test_a_single_pass_is_never_shuffled():
    assert orders(session(1, shuffle=True)) == {0: list(range(N))}


def test_what_cannot_be_read_is_left_out_of_the_order(tmp_path):
    import cv2

    rng = np.random.default_rng(0)
    for i in range(5):
        cv2.imwrite(str(tmp_path / f"{i}.png"), rng.integers(0, 255, (12, 12), np.uint8))
    (tmp_path / "2.png").write_bytes(b"no picture")
    one = Session(open_source(InputSpec(str(tmp_path))), Settings("opgd", {"rank": 2, "shuffle": True}, 2, 0))
    assert one.decided == {"content": "images"}
    found = orders(one)
    assert sorted(found[0]) == found[1] == [0, 1, 3, 4]


def test_from_a_later_frame_on_only_those_behind_it_are_learnt():
    info = SourceInfo("", Layout(1, 1, Planes.GREY), None, 10)
    source = SampleSource(info, lambda index: None)
    stages = stages_of_passes(2, learns_in_last=True)
    image_set = ImageSet({"content": "images", "shuffle": True}, source, 0)
    assert sorted(image_set.order(stages[0], 6)) == [6, 7, 8, 9]
    assert image_set.order(stages[1], 6) is None


def brightest(one):
    return [int(report.frame.values.max()) for report in one.run() if report.phase is not Phase.GATHERING]


@pytest.mark.parametrize("method", ["opgd", "bpgd"])
def test_each_image_is_scaled_to_maximum_1(method):
    assert set(brightest(session(1, method, unit_maximum=True))) == {255}
    assert min(brightest(session(1, method))) < 250
    assert min(brightest(session(1, method, unit_maximum=True, content="scene"))) < 250, "of image sets only"


def test_a_model_learnt_so_is_applied_so():
    one = session(1, unit_maximum=True)
    list(one.run())
    source = open_source(InputSpec("sample:faces", size=(16, 16), frames=(1, 3)))
    assert set(brightest(Session(source, Settings("opgd"), one.model()))) == {255}


def test_original_and_truth_are_scaled_by_the_same_factor():
    image = np.arange(16, dtype=np.uint8).reshape(4, 4)
    small = frame_from_image(0, 0.0, image)
    large = frame_from_image(0, 0.0, np.full((8, 8), 30, np.uint8))
    info = SourceInfo("", small.layout, None, 1)
    frame = type(small)(0, 0.0, small.values, small.layout, Truth(clean=small.values // 2), large)
    (found,) = UnitMaximum(SampleSource(info, lambda index: frame)).frames()
    np.testing.assert_array_equal(found.values, np.arange(16) * 17)
    np.testing.assert_array_equal(found.truth.clean, np.arange(16) // 2 * 17)
    assert set(found.original.values) == {255}, "cut off at white"
    np.testing.assert_array_equal(frame.values, np.arange(16), "the source's own is left as it is")


def test_faint_images_count_as_bright_once_they_are_stretched():
    """What was measured of the counts in the files would have grey levels mean twenty times too little."""
    counts = frame_from_image(0, 0.0, np.arange(800, 4000, 50, np.uint16).reshape(8, 8))
    faint = replace(counts, layout=replace(counts.layout, used=0.05, pedestal=800))
    frame = replace(faint, original=faint)
    info = SourceInfo("", faint.layout, None, 1, levels=(800, 4000), original=faint.layout)
    view = UnitMaximum(SampleSource(info, lambda index: frame))
    (found,) = view.frames()
    assert view.info.levels is None
    layouts = (view.info.layout, found.layout, view.info.original, found.original.layout)
    assert {(layout.used, layout.pedestal) for layout in layouts} == {(1.0, 0)}


def test_a_black_image_stays_black():
    black = frame_from_image(0, 0.0, np.zeros((3, 3), np.uint8))
    (found,) = UnitMaximum(SampleSource(SourceInfo("", black.layout, None, 1), lambda index: black)).frames()
    assert not found.values.any()
