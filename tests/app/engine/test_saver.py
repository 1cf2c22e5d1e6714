"""What becomes of files that are written one beside the other."""

from __future__ import annotations

from threading import Event

from PySide6.QtCore import QObject

from app.engine.saver import Saver
from tests.app.windows import wait_for


def test_what_was_asked_for_before_a_failure_does_not_take_it_away(qapp, tmp_path):
    """Whichever of the two ends first."""
    parent, told, may_end = QObject(), [], Event()
    saver = Saver(parent)
    for signal in ("began", "wrote", "failed"):
        getattr(saver, signal).connect(lambda *_, signal=signal: told.append(signal))

    def write_when_told(path):
        may_end.wait(60)
        path.write_text("slow")

    saver.save(tmp_path / "slow.txt", write_when_told)
    saver.save(tmp_path / "nowhere" / "quick.txt", lambda path: path.write_text("quick"))
    wait_for(lambda: "failed" in told, "the failure")
    may_end.set()
    wait_for(lambda: "wrote" in told, "the file")
    assert told == ["began", "began", "failed", "wrote"]
    assert (tmp_path / "slow.txt").read_text() == "slow"
    saver.shut()


def test_of_two_of_one_name_the_one_that_was_asked_for_last_stays(qapp, tmp_path):
    """However long the first one takes."""
    parent, wrote, may_end = QObject(), [], Event()
    saver = Saver(parent)
    saver.wrote.connect(wrote.append)

    def write_when_told(path):
        may_end.wait(60)
        path.write_text("first")

    saver.save(tmp_path / "a.txt", write_when_told)
    saver.save(tmp_path / "a.txt", lambda path: path.write_text("second"))
    saver.save(tmp_path / "b.txt", lambda path: path.write_text("other"))
    wait_for(lambda: wrote, "another file, which waits for none")
    assert wrote == ["b.txt"]
    may_end.set()
    wait_for(lambda: len(wrote) == 3, "both")
    assert (tmp_path / "a.txt").read_text() == "second"
    saver.shut()
