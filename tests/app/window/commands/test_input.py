"""What is open, and the view of it."""

from dataclasses import replace
from unittest.mock import call

import pytest

from app.engine.choice import Choice
from app.engine.resume import Resume
from app.window.commands.input import InputCommands
from core.io.input_spec import InputSpec


@pytest.fixture
def opened(input_, clip_info):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    return input_


def test_the_first_input_is_the_one_asked_for_or_a_sample(input_):
    assert input_.request == InputSpec("sample:street")
    assert input_.info is None


def test_opening_takes_the_choice_along_but_for_the_seed_of_the_corruption(input_, worker, banner, source, choice):
    source.corruption.kind.setCurrentIndex(1)
    source.corruption.kind.activated.emit(1)
    source.corruption.form.show_values({"seed": 7})
    assert choice.current.seed == 7
    input_.open_path("/films/other.mp4")
    request, taken = worker.open.call_args.args
    assert request == InputSpec("/films/other.mp4")
    assert (taken.method, taken.seed) == ("fast", 0)
    assert banner.clear.called


def test_a_file_is_known_by_its_whole_path_wherever_the_program_is_started_next(
    input_, worker, source, choice, remembered, banner, clip_info, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    first = InputCommands("walk.mkv", worker, source, choice, remembered, banner)
    assert first.request == InputSpec(str(tmp_path / "walk.mkv"))
    first.on_opened(clip_info, first.request)
    input_.open_path("photos/../faces/")
    input_.on_opened(clip_info, input_.asked)
    assert remembered.recent == [str(tmp_path / "faces"), str(tmp_path / "walk.mkv")]
    for path in ("sample:street", "camera:0", "rtsp://camera/1", "s3://bucket/clip.mp4"):
        input_.open_path(path)
        assert worker.open.call_args.args[0].path == path


def test_what_needs_an_input_is_told_where_there_is_none(input_, banner, clip_info):
    assert input_.info_for("export") is None
    assert banner.show_error.call_args == call("There is nothing to export yet; open an input first.")
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    assert input_.info_for("export") is clip_info
    assert banner.show_error.call_count == 1


def test_what_is_open_is_noted_and_told(input_, clip_info, remembered, qtbot):
    with qtbot.waitSignal(input_.changed):
        input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    assert (input_.info, input_.original, input_.is_grey) == (clip_info, (64, 48), False)
    input_.on_opened(clip_info, InputSpec("sample:faces"))
    assert remembered.recent == ["/films/clip.mp4"], "a sample is no file that was opened"


def test_it_is_told_first_that_another_input_is_open_and_whether_it_is_of_earlier_work(input_, clip_info):
    told = []
    input_.another_opened.connect(lambda is_earlier_work: told.append(("another", is_earlier_work, input_.info)))
    input_.changed.connect(lambda: told.append("changed"))
    input_.taken.connect(lambda *what: told.append(what))
    clip, same, work = (InputSpec(f"/films/{name}.mp4") for name in ("clip", "clip", "work"))
    input_.on_opened(clip_info, clip)
    assert told == [("another", False, clip_info), "changed", (clip_info, clip)]
    told.clear()
    input_.on_opened(clip_info, same)
    assert told == ["changed", (clip_info, same)], "the same input"
    told.clear()
    input_.open_again(work, None, Choice(), Resume())
    input_.on_opened(clip_info, clip)
    assert not told, "it came late"
    input_.on_opened(clip_info, work)
    assert told == [("another", True, clip_info), "changed", (clip_info, work)]


def test_an_input_that_came_late_is_taken_once_earlier_work_does_not_come(input_, clip_info):
    told = []
    input_.taken.connect(lambda _, request: told.append(request))
    clip, work = (InputSpec(f"/films/{name}.mp4") for name in ("clip", "work"))
    input_.open_again(work, None, Choice(), Resume())
    input_.on_opened(clip_info, clip)
    input_.on_not_opened(work)
    assert told == [clip]
    assert input_.request is clip


@pytest.mark.parametrize(("path", "called"), [
    ("/films/other.mp4", "other.mp4"), ("sample:faces", "Faces"), ("rtsp://me:secret@10.0.0.1/1", "10.0.0.1-1"),
])  # fmt: skip
def test_what_takes_long_to_open_is_named_and_no_more_once_it_is_open_or_cannot_be(opened, clip_info, path, called):
    said = []
    opened.awaits_long.connect(said.append)
    for ends in (lambda: opened.on_opened(clip_info, opened.asked), lambda: opened.on_not_opened(opened.asked)):
        opened.open_path(path)
        opened._long.timeout.emit()
        assert said[-1] == called
        opened.on_opened(clip_info, InputSpec("/films/one_asked_for_before.mp4"))
        assert said[-1] == called, "it is awaited still"
        ends()
        assert said[-1] == ""
        assert not opened._long.isActive(), "nothing is said of what opens soon"


def test_another_view_does_not_take_the_place_of_an_input_that_is_being_opened(
    opened, worker, source, banner, clip_info
):
    opened.changed.connect(lambda: source.set_view_enabled(not opened.awaits_another))
    opened.open_path("/films/other.mp4")
    other, n_asked = opened.asked, worker.open.call_count
    assert not source.scale.isEnabled()
    for change in (opened.reopen, lambda: opened.on_region_drawn(1, 2, 30, 20), opened.clear_region):
        change()
        assert banner.show_error.call_args == call("Another input is being opened; change the view when it is there.")
    assert (opened.asked, worker.open.call_count) == (other, n_asked)
    assert source.region.text() == "whole picture"
    opened.on_opened(clip_info, InputSpec("/films/one_asked_for_before.mp4"))
    assert not source.scale.isEnabled()
    opened.on_opened(clip_info, other)
    assert source.scale.isEnabled()
    opened.reopen()
    assert worker.open.call_args.args[0].path == "/films/other.mp4"
    opened.open_path("/films/absent.mp4")
    opened.on_not_opened(opened.asked)
    assert source.scale.isEnabled(), "what is open stays"
    opened.reopen()
    assert worker.open.call_args.args[0].path == "/films/other.mp4"


def test_a_region_in_a_region_lies_where_it_was_drawn(opened, worker, source, clip_info):
    opened.on_region_drawn(11, 5, 40, 30)
    opened.on_opened(replace(clip_info, corner=(10, 4)), opened.asked)  # At whole samples of chroma.
    opened.on_region_drawn(5, 6, 20, 12)
    assert worker.open.call_args.args[0].roi == (15, 10, 20, 12)
    assert source.region.text() == "20 × 12"
    opened.clear_region()
    assert worker.open.call_args.args[0].roi is None


def test_a_region_in_which_nothing_can_be_told_apart_is_refused_and_said(opened, worker, source, banner):
    opened.on_region_drawn(11, 5, 40, 7)
    assert not worker.open.called
    assert source.region.text() == "whole picture"
    assert banner.show_error.call_args == call(
        "Nothing can be told apart in a region of 40×7; width and height are at least 8 pixels."
    )
    opened.on_region_drawn(11, 5, 40, 8)
    assert worker.open.called


def test_the_working_size_is_that_of_the_region(opened, worker, source):
    source.scale.choose(1)
    opened.on_region_drawn(0, 0, 41, 30)
    assert worker.open.call_args.args[0].size == (20, 15)
    source.scale.choose(2)
    opened.set_region((0, 0, 41, 20))
    assert (worker.open.call_args.args[0].size, source.scale.index) == ((20, 10), 1), "a quarter is too small"
    opened.set_region((0, 0, 4, 4))
    assert (worker.open.call_args.args[0].size, source.scale.index) == (None, 0)


def test_the_working_size_is_that_of_the_input_where_another_view_was_asked_for_before_the_first_is_there(
    opened, worker, source, clip_info
):
    asked = []
    for index in (1, 0, 1):
        source.scale.choose(index)
        opened.reopen()
        asked.append(worker.open.call_args.args[0])
    assert [request.size for request in asked] == [(32, 24), None, (32, 24)]
    halved = replace(clip_info, layout=replace(clip_info.layout, width=32, height=24))
    for request, info in zip(asked[1:], (clip_info, halved), strict=True):  # The first was not opened any more.
        opened.on_opened(info, request)
        assert opened.original == (64, 48)
    opened.reopen()
    assert worker.open.call_args.args[0].size == (32, 24)
    opened.on_opened(halved, asked[0])
    assert opened.original == (32, 24), "what nobody asked for as a view is another input"


def test_it_is_told_that_strokes_are_forgotten_with_the_view_that_they_belonged_to(opened, worker, banner, clip_info):
    opened.reopen()
    opened.on_opened(clip_info, opened.asked)
    assert not banner.show_warning.called, "nothing was painted"
    worker.painted = {"strokes": 1}
    opened.reopen()
    opened.on_opened(clip_info, opened.asked)
    assert "painted by hand is forgotten" in banner.show_warning.call_args.args[0]
