"""The mailbox between those who control a session and the thread that iterates it."""

import pytest

from core import catalogue
from core.errors import CleanplateError
from core.session.control import Control
from core.session.iterating_thread import IteratingThread
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_iterating_thread import in_another_thread
from tests.core.session.test_session import clip
from tests.patience import aside, ends

ROW = catalogue.row("fast")


def control(thread=None, *, learning=True, live=False, **chosen):
    return Control(
        thread or IteratingThread(), ROW, catalogue.complete(ROW, chosen), learning=learning, live=live
    )  # fmt: skip


def test_changes_are_told_at_once_and_taken_once():
    box = control(rank=3)
    box.set({"rank": 4})
    box.set({"rank": 5, "sensitivity": 6})
    assert (box.values["rank"], box.values["sensitivity"]) == (5, 6)
    assert box.take_changes() == {"rank": 5, "sensitivity": 6}
    assert box.take_changes() == {}
    assert (box.values["rank"], box.values["sensitivity"]) == (5, 6)


def test_what_is_wrong_changes_nothing():
    box = control(rank=3)
    for changes in ({"rank": 4, "sensitivity": 100}, {"nonsense": 1}):
        with pytest.raises(CleanplateError):
            box.set(changes)
    assert box.take_changes() == {}


def test_a_model_that_is_applied_keeps_its_rank():
    box = control(learning=False, rank=3)
    box.set({"rank": 3, "sensitivity": 6})
    with pytest.raises(CleanplateError, match="keeps its basis images"):
        box.set({"rank": 4})
    assert box.take_changes() == {"rank": 3, "sensitivity": 6}


def test_the_last_place_sought_is_taken_once_and_none_lies_before_the_first_frame():
    box = control()
    assert box.take_seek() is None
    for index in (7, 3, -2):
        box.seek(index)
    assert box.take_seek() == 0
    assert box.take_seek() is None


def test_a_camera_cannot_be_sought():
    box = control(live=True)
    with pytest.raises(CleanplateError, match="wound back"):
        box.seek(1)
    assert box.take_seek() is None


@pytest.mark.parametrize("release", ["resume", "stop"])
def test_a_pause_holds_until_it_is_over(release):
    box = control()
    box.wait()
    box.pause()
    with aside(box.wait, box.resume) as waiting:
        waiting.join(0.1)
        assert waiting.is_alive()
        getattr(box, release)()
        ends(waiting)
    assert box.is_stopped == (release == "stop")


def test_what_has_been_stopped_is_held_no_more():
    box = control()
    box.stop()
    box.pause()
    with aside(box.wait, box.resume) as waiting:
        ends(waiting)


def test_what_changed_by_itself_is_known_and_no_change_to_be_made():
    box = control(rank=3)
    box.note("rank", 2)
    assert box.values["rank"] == 2
    assert box.take_changes() == {}


@pytest.mark.parametrize(
    "call", [Control.wait, Control.take_changes, Control.take_seek, lambda box: box.note("rank", 2),
     lambda box: box.unless_stopped(int)],
    ids=["wait", "changes", "seek", "note", "work"],
)  # fmt: skip
def test_the_mail_is_for_the_thread_that_iterates(call):
    thread = IteratingThread()
    box = control(thread)
    box.set({"rank": 4})
    box.seek(9)
    with thread.iterating():
        assert in_another_thread(lambda: call(box)) is not None
        assert box.take_changes() == {"rank": 4}
        assert box.take_seek() == 9


def test_a_change_is_seen_at_the_next_frame():
    session = Session(clip(6), Settings(values={"rank": 2}))
    sizes = []
    for report in session.run():
        sizes.append(report.split.h.size)
        if len(sizes) == 2:
            session.control.set({"rank": 4})
    assert sizes == [2, 2, 4, 4, 4, 4]
