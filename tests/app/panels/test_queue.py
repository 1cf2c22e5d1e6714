"""The queue's panel: where results lie, and how one gets there."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QDesktopServices

from app.engine.job_queue import JobQueue
from app.engine.queue_launcher import QueueLauncher
from app.engine.queue_rows import JobRow
from app.panels.queue import QueuePanel
from app.panels.queue_model import FOLDER
from tests.core.batch.drawn_jobs import job


class DrawnQueue(JobQueue):
    """A queue that is not worked on: two jobs, of which the first has results."""

    def __init__(self, folder):
        super().__init__(folder / "queue.jobs", QueueLauncher(None, None))
        (folder / "clip1").mkdir()
        self.drawn = tuple(JobRow(job(number, folder), None, folder / "queue.jobs") for number in (1, 2))

    @property
    def rows(self):
        return self.drawn


@pytest.fixture
def panel(qtbot, tmp_path):
    made = QueuePanel(DrawnQueue(tmp_path))
    qtbot.addWidget(made)
    yield made
    made.shut()


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
    assert not panel.folder.isEnabled()
    panel.table.doubleClicked.emit(panel.table.jobs.index(0, 0))
    assert panel.message.text().startswith("There is no folder")
