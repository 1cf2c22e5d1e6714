"""What people click can be seen in its window, and what has happened is said where they read it."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QFileDialog, QLabel, QVBoxLayout, QWidget

from app.engine.job_queue import JobQueue
from app.engine.queue_launcher import QueueLauncher
from app.engine.queue_rows import JobRow
from app.panels.controls import Facts
from app.panels.export import ExportPanel
from app.panels.parameters import ParameterForm
from app.panels.queue import QueuePanel
from core.batch.job import JobState
from core.catalogue import MASK_PARAMETERS
from core.export.job_spec import Job
from core.export.plan import PlannedFile, estimate
from core.frames.frame import Layout, Planes
from core.io.input_spec import InputSpec
from core.project.document import ExportChoice
from core.session.settings import Settings
from tests.core.batch.drawn_jobs import job

pytestmark = pytest.mark.usefixtures("qapp")


def can_be_clicked(widget) -> bool:
    """Tell whether it is laid out in its window, shown there, and a click into its middle reaches it."""
    window = widget.window()
    if widget is window or not widget.isVisibleTo(window):
        return False
    middle = widget.rect().center()
    return window.rect().contains(widget.mapTo(window, middle)) and widget.visibleRegion().contains(middle)


def named(window, name) -> QAbstractButton:
    return next(one for one in window.findChildren(QAbstractButton) if one.accessibleName() == name)


@pytest.fixture
def export(qtbot, tmp_path):
    """An export panel whose one file is there already once `film/plate.png` is written."""
    folder = tmp_path / "film"

    def job_of(_):
        return Job(InputSpec("film.mp4"), folder, ("plate",), Settings("fast"))

    def plan(_):
        return [PlannedFile(folder / "plate.png", 1000)]

    panel = ExportPanel(
        job_of, plan, ExportChoice(folder=str(folder)), command_of=lambda _: "cleanplate run film.mp4 -o film"
    )
    qtbot.addWidget(panel)
    panel.show()
    return panel


def test_the_end_of_an_export_is_said_however_it_comes(export, tmp_path):
    export.run.job = export.job()
    summary = SimpleNamespace(frames=90, seconds=11.8, warnings=["A frame was skipped."], cut_short="")
    full = SimpleNamespace(**{**vars(summary), "cut_short": "The disk is full: recorded until 0:00:03."})
    said = f"Wrote 90 frames in 11.8 s to {tmp_path / 'film'}.\nA frame was skipped."
    for end, text in (
        (lambda: export.run.done.emit(summary), said),
        (lambda: export.run.done.emit(full), f"{full.cut_short}\n{said}"),
        (export.run.cancelled.emit, "Cancelled; nothing was written."),
        (lambda: export.run.failed.emit("The disk is full."), "The disk is full."),
    ):
        end()
        assert export.message.isVisibleTo(export)
        assert text in export.message.text()


def test_replace_can_be_ticked_where_output_is_there_and_only_there(export, tmp_path, qtbot):
    assert not export.form.overwrite.isVisibleTo(export)
    assert export.run.start.isEnabled()
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "plate.png").touch()
    export.refresh()
    qtbot.waitUntil(lambda: can_be_clicked(export.form.overwrite))
    assert not export.run.start.isEnabled()
    export.form.overwrite.click()
    assert export.run.start.isEnabled()
    assert can_be_clicked(export.form.overwrite), "what was ticked can be taken back"


def test_plates_of_scenes_that_an_earlier_export_wrote_are_in_the_way_too(qtbot, tmp_path):
    job = Job(InputSpec("film.mp4"), tmp_path, ("plate",), Settings("fast"))
    layout = Layout(48, 64, Planes.GREY)
    panel = ExportPanel(
        lambda _: job, lambda now: estimate(now, layout, 9), ExportChoice(folder=str(tmp_path)),
        command_of=lambda _: "cleanplate run film.mp4 -o film",
    )  # fmt: skip
    qtbot.addWidget(panel)
    (tmp_path / "plate-by-scene").mkdir()
    panel.refresh()
    assert not panel.run.start.isEnabled()
    assert "Output exists: plate-by-scene. Replace" in panel.message.text()


def test_a_folder_can_be_chosen(export, tmp_path, monkeypatch, qtbot):
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(tmp_path / "chosen"))
    choose = named(export, "Choose a folder")
    qtbot.waitUntil(lambda: can_be_clicked(choose))
    QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    assert export.form.folder.text() == str(tmp_path / "chosen")


def test_what_is_to_be_written_is_what_is_ticked(export):
    form = export.form
    for save in ({"plate", "mask"}, {"cleaned"}):
        form.show_choice(ExportChoice(save=tuple(save)))
        assert {key for key, check in form.checks.items() if check.isChecked()} == save
        assert set(form.choice.save) == save


def test_each_automatic_number_has_its_switch_in_sight(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    form = ParameterForm()
    QVBoxLayout(window).addWidget(form)
    form.build(MASK_PARAMETERS)
    with qtbot.waitExposed(window):
        window.show()
    switches = [control.auto for control in form.controls.values() if getattr(control, "auto", None) is not None]
    assert switches
    for auto in switches:
        assert isinstance(auto, QCheckBox)
        assert auto.window() is window
        if auto.parentWidget().isVisibleTo(window):
            assert can_be_clicked(auto)


class DrawnQueue(JobQueue):
    """A queue of one job, which is done."""

    def __init__(self, folder):
        super().__init__(folder / "queue.jobs", QueueLauncher(None, None))
        done = job(1, folder, state=JobState.DONE, figures={"frames": 90})
        self.drawn = (JobRow(done, None, folder / "queue.jobs"),)

    @property
    def rows(self):
        return self.drawn


def test_the_queue_offers_sleep_and_says_what_a_job_has_written(qtbot, tmp_path):
    panel = QueuePanel(DrawnQueue(tmp_path), can_sleep=True)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    assert can_be_clicked(panel.sleep)
    panel.table.choose([1])
    panel.refresh()
    assert panel.message.isVisibleTo(panel)
    assert panel.message.text() == f"Wrote 90 frames to {tmp_path / 'clip1'}."
    panel.close()


def test_facts_stand_beside_their_titles_and_go_with_them(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    facts = Facts([("Size", "of the picture"), ("Rate", "frames a second")])
    QVBoxLayout(window).addWidget(facts)
    facts.show_fact("Size", "3 × 2")
    with qtbot.waitExposed(window):
        window.show()
    said = {label.text(): label for label in facts.findChildren(QLabel)}
    title, fact = said["Size"], said["3 × 2"]
    for label in (title, fact, said["Rate"]):
        assert label.window() is window
        assert label.isVisible()
    assert title.geometry().right() < fact.geometry().left()
    assert fact.geometry().bottom() < said["Rate"].geometry().top()
    assert fact.accessibleName() == "Size: 3 × 2"
    facts.set_row_visible("Size", False)
    assert not title.isVisible()
    assert not fact.isVisible()
    assert said["Rate"].isVisible()
