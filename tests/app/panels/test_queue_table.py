"""The table of the queue: what its cells say of jobs in every state."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QTableView

from app import theme
from app.engine.queue_rows import JobRow
from app.panels.queue_model import FOLDER, LEFT, MAKES, PROGRESS, STATE, QueueModel, share
from app.panels.queue_table import WIDTHS, FromTheLeft, ProgressBar, QueueTable, shared
from core.batch.job import JobProgress, JobState
from tests.core.batch.drawn_jobs import job

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_column_is_as_wide_as_its_heading(qapp, monkeypatch):
    usual = QueueTable()
    font = qapp.font()
    try:
        large = qapp.font()
        large.setPointSizeF(3 * font.pointSizeF())
        qapp.setFont(large)
        table = QueueTable()
    finally:
        qapp.setFont(font)
    for column, width in WIDTHS.items():
        assert usual.columnWidth(column) >= width
        assert table.columnWidth(column) >= table.horizontalHeader().sectionSizeHint(column)
    assert table.columnWidth(LEFT) > usual.columnWidth(LEFT)


@pytest.mark.parametrize(
    ("needed", "beside", "width"),
    [(300, 100, 300), (500, 100, 500), (900, 100, 500), (100, 300, 300), (100, 550, 100), (100, 400, 200),
     (900, 900, 300), (10, 10, 300)],
)  # fmt: skip
def test_what_one_column_does_not_need_the_other_one_has(needed, beside, width):
    assert shared(600, needed, beside) == width


def test_what_is_made_is_not_cut_where_folders_have_room_to_spare(tmp_path, qtbot):
    table = QueueTable()
    qtbot.addWidget(table)
    table.resize(1060, 300)
    table.show()
    options = ("--save", "plate,mask,cleaned", "--method", "fast", "--set", "rank=7", "--set", "sensitivity=60")
    short = JobRow(job(1, Path("/out"), options=options), None, tmp_path)
    table.show_jobs([short])
    assert table.columnWidth(MAKES) >= table.sizeHintForColumn(MAKES) > 250
    assert table.columnWidth(FOLDER) >= table.sizeHintForColumn(FOLDER)
    half = table.columnWidth(MAKES)
    table.show_jobs([JobRow(job(1, Path("/a long folder" * 20)), None, tmp_path)])
    assert table.columnWidth(MAKES) < half, "a job was sent elsewhere"
    table.resize(1400, 300)
    assert table.columnWidth(FOLDER) > table.columnWidth(MAKES)


def test_a_job_that_is_to_give_up_says_so_until_it_has(tmp_path):
    model = QueueModel()
    model.show(
        [JobRow(job(1, tmp_path, state=JobState.RUNNING), JobProgress(45, 90, 75.0), tmp_path, is_given_up=True)]
    )
    assert [model.index(0, column).data() for column in (STATE, PROGRESS, LEFT)] == ["Cancelling…", "50 %", ""]
    assert model.index(0, STATE).data(Qt.ItemDataRole.ForegroundRole).name() == theme.colours().warn
    model.show([JobRow(job(1, tmp_path, state=JobState.RUNNING), None, tmp_path, is_given_up=True)])
    assert model.index(0, PROGRESS).data() == ""


def row(tmp_path, state, progress=None, **fields):
    return JobRow(job(1, tmp_path, state=state, **fields), progress, tmp_path / "list.jobs")


@pytest.mark.parametrize(
    ("state", "progress", "expected"),
    [
        (JobState.WAITING, None, ("Waiting", "", "")),
        (JobState.RUNNING, None, ("Running", "Starting", "")),
        (JobState.RUNNING, JobProgress(45, 90, 75.0), ("Running", "50 %", "1 min 15 s")),
        (JobState.RUNNING, JobProgress(45, None), ("Running", "45 frames", "")),
        (JobState.RUNNING, JobProgress(1, None), ("Running", "1 frame", "")),
        (JobState.RUNNING, JobProgress(120, 90, None), ("Running", "100 %", "")),
        (JobState.PAUSED, JobProgress(45, 90, 75.0), ("Paused", "50 %", "")),
        (JobState.DONE, None, ("Done", "100 %", "")),
        (JobState.FAILED, None, ("Failed", "", "")),
        (JobState.CANCELLED, None, ("Cancelled", "", "")),
    ],
)
def test_cells_say_how_far_a_job_is(tmp_path, state, progress, expected):
    model = QueueModel()
    model.show([row(tmp_path, state, progress, sentence="so it is (--resume)")])
    folder = str(tmp_path / "clip1")
    words = ("clip1", "plate, mask, cleaned · PNG · fast", *expected, folder)
    assert tuple(model.index(0, column).data() for column in range(6)) == words
    assert model.index(0, FOLDER).data(Qt.ItemDataRole.ToolTipRole) == folder, "where there is no room for it"
    assert model.index(0, STATE).data(Qt.ItemDataRole.ToolTipRole) == "so it is"
    assert model.index(0, PROGRESS).data(Qt.ItemDataRole.UserRole) == share(model.rows[0])


def test_the_bar_is_as_long_as_what_is_done(tmp_path):
    model, table = QueueModel(), QTableView()
    table.setModel(model)
    table.resize(800, 200)
    table.setItemDelegate(ProgressBar(table))
    shown = {}
    for done in (0, 50, 100):
        model.show([row(tmp_path, JobState.RUNNING, JobProgress(done, 100))])
        picture = QPixmap(table.size())
        table.render(picture)
        shown[done] = picture.toImage()
    assert shown[0] != shown[50] != shown[100]


def test_what_a_job_makes_is_cut_at_its_end(tmp_path):
    model, option = QueueModel(), QStyleOptionViewItem()
    model.show([row(tmp_path, JobState.WAITING)])
    option.textElideMode = Qt.TextElideMode.ElideMiddle  # As the table has it.
    FromTheLeft().initStyleOption(option, model.index(0, MAKES))
    assert option.textElideMode == Qt.TextElideMode.ElideRight
    assert option.text.startswith("plate, mask, cleaned")


def test_headings_stand_above_the_words_of_their_column(tmp_path):
    theme.apply_theme(QApplication.instance(), "dark")
    model, table = QueueModel(), QTableView()
    table.setModel(model)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.resize(800, 200)
    model.show([row(tmp_path, JobState.WAITING)])
    picture = QPixmap(table.size())
    table.render(picture)
    top = table.viewport().y()
    left = table.viewport().x() + table.columnViewportPosition(FOLDER)
    heading = words_begin(picture.toImage(), left, table.horizontalHeader().y(), top)
    cell = words_begin(picture.toImage(), left, top, top + table.rowHeight(0))
    assert abs(heading - cell) <= 2


def words_begin(image, left, top, bottom):
    """Return how far from ``left`` the first column of pixels is that is not all of one colour."""
    return next(x for x in range(1, 100) if len({image.pixel(left + x, y) for y in range(top + 4, bottom - 4)}) > 1)


@pytest.mark.parametrize(
    ("notes", "said"), [([], "Done"), (["One."], "Done, 1 note"), (["One.", "Two."], "Done, 2 notes")]
)
def test_a_job_that_is_done_says_how_much_there_is_to_be_known_of_it(tmp_path, notes, said):
    model = QueueModel()
    model.show([row(tmp_path, JobState.DONE, figures={"notes": notes})])
    assert model.index(0, STATE).data() == said
