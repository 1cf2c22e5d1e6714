"""The queue's panel: where results lie, and how one gets there."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

from app.engine.job_queue import JobQueue
from app.engine.queue_launcher import QueueLauncher
from app.engine.queue_rows import JobRow
from app.panels.queue import POLL_MS, QueuePanel
from app.panels.queue_model import FOLDER, STATE
from core.batch.job import JobState
from tests.core.batch.drawn_jobs import job


class DrawnQueue(JobQueue):
    """A queue that is not worked on: two jobs, of which the first has results."""

    def __init__(self, folder):
        super().__init__(folder / "queue.jobs", QueueLauncher(None, None))
        (folder / "clip1").mkdir()
        self.drawn = tuple(JobRow(job(number, folder), None, folder / "queue.jobs") for number in (1, 2))
        self.n_asked = 0

    @property
    def rows(self):
        self.n_asked += 1
        return self.drawn


@pytest.fixture
def panel(qtbot, tmp_path):
    made = QueuePanel(DrawnQueue(tmp_path))
    qtbot.addWidget(made)
    return made


def test_each_job_says_where_its_results_go_and_a_double_click_opens_them(panel, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    for row in (0, 1):
        assert panel.table.jobs.index(row, FOLDER).data() == str(tmp_path / f"clip{row + 1}")
        panel.table.doubleClicked.emit(panel.table.jobs.index(row, 0))
    assert opened == [str(tmp_path / "clip1")]
    assert panel.message.text().startswith(f"There is no folder {tmp_path / 'clip2'} here")
    panel.table.choose([1])
    panel.refresh()
    panel.folder.click()
    assert opened == [str(tmp_path / "clip1")] * 2


def test_where_nothing_opens_them_log_and_folder_are_said_to_be_where_they_are(panel, tmp_path, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "0001 clip1.log").touch()
    panel.table.choose([1])
    panel.refresh()
    for push, what, where in ((panel.folder, "folder", "clip1"), (panel.log, "log", "logs/0001 clip1.log")):
        push.click()
        assert panel.message.text() == f"No program of this desktop opens it. The {what} is at {tmp_path / where}"
        panel.refresh()
        assert str(tmp_path / where) in panel.message.text(), "until something else is chosen"


def test_results_that_cannot_be_looked_at_are_not_there(panel, tmp_path):
    far = replace(
        panel.table.jobs.rows[1], job=job(2, tmp_path / ("x" * 300)), path=tmp_path / ("x" * 300) / "queue.jobs"
    )
    panel.table.jobs.show((far,))
    panel._queue.drawn = (far,)
    panel.table.choose([2])
    panel.refresh()
    assert not panel.log.isEnabled()
    panel.folder.click()
    assert panel.message.text().startswith("There is no folder")
    panel.say("")
    panel.table.doubleClicked.emit(panel.table.jobs.index(0, 0))
    assert panel.message.text().startswith("There is no folder")


def test_it_asks_how_far_the_jobs_are_while_it_is_seen_and_says_so_at_once_when_it_is_again(panel, qtbot):
    queue, (first, _) = panel._queue, panel._queue.drawn
    panel.show()
    queue.drawn = (first,)
    qtbot.waitUntil(lambda: panel.table.jobs.rowCount() == 1)
    panel.close()
    n_asked = queue.n_asked
    qtbot.wait(3 * POLL_MS)
    assert queue.n_asked == n_asked
    queue.drawn = ()
    panel.show()
    assert panel.table.jobs.rowCount() == 0


def drawn(panel, tmp_path, *states, **fields):
    """Show jobs in these states, numbered from 1."""
    rows = [JobRow(job(i, tmp_path, state=state, **fields), None, tmp_path / "q") for i, state in enumerate(states, 1)]
    panel._queue.drawn = tuple(rows)
    panel.refresh()


@pytest.mark.parametrize(
    ("chosen", "goes_up", "goes_down"),
    [
        ([1], False, False),  # It has ended.
        ([2], False, True),  # It runs, and is the first that would again.
        ([3], True, True),
        ([6], True, False),
        ([1, 3], True, True),
        ([2, 3], False, True),  # They are the first together.
        ([3, 5], True, True),
        ([5, 6], True, False),
        ([2, 3, 5, 6], False, False),
        ([], False, False),
    ],
)
def test_a_job_is_moved_where_that_changes_its_turn(panel, tmp_path, chosen, goes_up, goes_down):
    done, failed = JobState.DONE, JobState.FAILED
    drawn(panel, tmp_path, done, JobState.RUNNING, JobState.WAITING, failed, JobState.PAUSED, JobState.WAITING)
    panel.table.choose(chosen)
    panel.refresh()
    assert (panel.up.isEnabled(), panel.down.isEnabled()) == (goes_up, goes_down)


def test_another_folder_is_offered_for_what_has_not_begun_or_has_failed(panel, tmp_path):
    wanted = []
    panel.folder_wanted.connect(wanted.append)
    for state, is_offered in (
        (JobState.WAITING, True), (JobState.FAILED, True), (JobState.CANCELLED, True), (JobState.RUNNING, False),
        (JobState.PAUSED, False), (JobState.DONE, False),
    ):  # fmt: skip
        drawn(panel, tmp_path, JobState.DONE, state)
        panel.table.choose([1, 2])
        panel.refresh()
        assert panel.results_in.isEnabled() == is_offered, state
        panel.results_in.click()
    assert wanted == [[2], [2], [2]]


def test_why_jobs_failed_is_said_however_many_are_chosen(panel, tmp_path):
    full = "The disk is full: /full could not be written; free some space or choose another folder."
    drawn(panel, tmp_path, JobState.FAILED, JobState.FAILED, sentence=full)
    tip = panel.table.jobs.index(0, STATE).data(Qt.ItemDataRole.ToolTipRole)
    panel.table.choose([1, 2])
    panel.refresh()
    assert panel.message.text() == tip == full
    other = replace(panel._queue.drawn[1], job=job(2, tmp_path, state=JobState.FAILED, sentence="It is gone."))
    panel._queue.drawn = (panel._queue.drawn[0], other)
    panel.refresh()
    assert "point at “Failed”" in panel.message.text()


def test_what_is_to_be_known_of_the_results_of_a_job_is_said_where_it_is_chosen(panel, tmp_path):
    drawn(panel, tmp_path, JobState.DONE, figures={"frames": 3, "notes": ["Nothing is to be seen at frame 2."]})
    panel.table.choose([1])
    panel.refresh()
    assert panel.message.text().endswith("\nNothing is to be seen at frame 2.")


def test_it_says_how_many_jobs_have_ended(panel, tmp_path):
    drawn(panel, tmp_path, JobState.FAILED)
    assert panel.message.text() == "1 of 1 job ended, 1 failed."
    drawn(panel, tmp_path, JobState.DONE, JobState.WAITING)
    assert panel.message.text() == "1 of 2 jobs ended."
