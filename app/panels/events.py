"""The events panel: finds what moves in the whole clip, lists it, goes there, and saves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QVBoxLayout,
    QWidget,
)

from app.command_words import LINE
from app.count_words import counted
from app.engine.errand import Errand
from app.engine.threads import Background, listen, on_own_thread
from app.event_words import crossings_words
from app.panels.controls import button, caption, named
from app.panels.event_rules import EventRulesForm
from app.panels.event_table import EventModel, EventTable
from app.panels.export_run import ExportRun
from app.side_window import SideWindow
from core.io.input_spec import ALL_FRAMES

if TYPE_CHECKING:
    from core.events.found import FoundEvents
    from core.events.rules import Point, Rules
    from core.export.job_spec import Job
    from core.export.summary import Summary
    from core.io.input_spec import FrameRange

LEAST_TABLE_PX = 90
"""Two rows are seen, however little room there is."""

ROW_GAP_PX = 8
"""Between the words of two rows: there is little room below the pictures, and a list is read row by row."""

FINDS = "Finds what moves in the whole clip, with the settings of the window."


def finds_words(written: FrameRange) -> str:
    """Return what is looked through: the frames between the in and out points, where such are set."""
    if written == ALL_FRAMES:
        return FINDS
    return f"Finds what moves in {_range_words(written)}, with the settings of the window."


def _range_words(written: FrameRange) -> str:
    first, last = written
    return f"frames {first or 1} – {'the end' if last is None else last}"


class _Listed(NamedTuple):
    """What was found in which frames, and the folder that it is read from as it is saved: there as long as this."""

    found: FoundEvents
    folder: QTemporaryDir
    written: FrameRange


class EventsPanel(SideWindow):
    """A window beside the main one. What it finds is what ``cleanplate run --save events`` writes.

    Parameters
    ----------
    job_of : callable
        ``job_of(folder)`` makes the job that writes the events of the frames that are chosen.
    shortest : int
        Frames of the shortest event that is found.
    range_of : callable
        ``range_of()`` gives the frames that are chosen.
    folder_of : callable
        ``folder_of()`` gives the folder where the choice of one begins.
    parent : QWidget, optional

    Signals
    -------
    chosen(Event) : the person chose an event
    wrote(str) : events were saved; the folder
    marks_changed() : `marks` are others
    """

    chosen = Signal(object)
    wrote = Signal(str)
    marks_changed = Signal()

    def __init__(
        self, job_of: Callable[[Path], Job], shortest: int, range_of: Callable[[], FrameRange],
        folder_of: Callable[[], str], parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._job_of, self._folder_of, self._range_of = job_of, folder_of, range_of
        self._listed: _Listed | None = None
        self._folder: QTemporaryDir | None = None
        self._errand: Background[Errand] | None = None
        self._awaited = False
        self._written = ALL_FRAMES
        self.setWindowTitle("Events")
        self.resize(760, 520)
        self.form = EventRulesForm(shortest)
        self.table, self.model = EventTable(), EventModel()
        self._build_table()
        self.message = caption(FINDS)
        self._said = FINDS
        self.run = ExportRun()
        self.run.start.setText("Find events")
        named(self.run.start, "Find events", "Go through the clip; the window goes on meanwhile.")
        self.save = button("Save…", "Save the events", "Write the events that are listed as CSV, JSON and COCO.")
        self.save.clicked.connect(self._on_save)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(18, 10, 18, 10)  # It lies below the pictures, where there is little room.
        rows.setSpacing(6)
        rows.addWidget(self.form)
        rows.addWidget(self.table, 1)
        foot = QHBoxLayout()  # One row for all that is said and done: the list has the room.
        foot.addWidget(self.message, 3)
        foot.addWidget(self.run.how_far, 2)
        foot.addWidget(self.run)
        foot.addWidget(self.save)
        rows.addLayout(foot)
        self.form.changed.connect(self.refresh)
        self.form.changed.connect(self.marks_changed)
        self.form.drawing_changed.connect(self._on_drawing)
        self.run.start_requested.connect(self._on_start)
        self.run.done.connect(self._on_done)
        self.run.cancelled.connect(lambda: self._on_not_found("Cancelled."))
        self.run.refused.connect(self._on_not_found)
        self.run.failed.connect(self._on_not_found)
        self.refresh()

    def _build_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setMinimumHeight(LEAST_TABLE_PX)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        table.setSortingEnabled(True)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + ROW_GAP_PX)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setStretchLastSection(True)
        table.horizontalHeader().setHighlightSections(False)
        named(table, "Events", "Choosing an event goes to its first frame.")
        table.chosen.connect(self._on_chosen)

    def clear(self) -> None:
        """Another input is open: what was found is not of it."""
        self._awaited = False
        self.form.draw_no_more()
        self.run.give_up()  # It ends after the frame it is at, which may take long.
        self._wait()
        self._listed = None
        self.refresh()
        self._say(finds_words(self._range_of()))

    def show_range(self) -> None:
        """Say which frames are chosen now; what is listed is of those that were looked through."""
        if self._listed is None and not self._is_at_work:
            self.refresh()

    @property
    def _is_at_work(self) -> bool:
        return self.run.is_running or self._errand is not None

    def shut(self) -> None:
        """End what runs, and close: the main window is closing."""
        self.run.shut()
        self._wait()
        self.close()

    # What lies over the pictures

    @property
    def marks(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Both ends of each line, and the area, that are set; nothing while the panel is hidden."""
        return self.form.marks if self.isVisible() else ((), ())

    def _on_drawing(self, what: str) -> None:
        """Say what to do, and afterwards what was said before."""
        if not what:
            self._say(self._said)
            return
        thing = "the line from end to end" if what == LINE else "a rectangle"
        self.message.setText(f"Drag {thing} in any picture; Esc gives up.")

    def showEvent(self, event: QShowEvent) -> None:
        """Show line and area."""
        super().showEvent(event)
        self.marks_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Show them no more."""
        super().hideEvent(event)
        self.form.draw_no_more()
        self.marks_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give up drawing before Esc closes the panel."""
        if event.key() == Qt.Key.Key_Escape and self.form.drawing:
            self.form.draw_no_more()
        else:
            super().keyPressEvent(event)

    # What is found

    def show_rules(self, rules: Rules) -> None:
        """Show what counts, and list by it, without telling."""
        if rules != self.form.rules()[0]:
            self.form.show_rules(rules)
            self.refresh()
            self.marks_changed.emit()

    def refresh(self) -> None:
        """List what counts by the rules that are chosen."""
        self.save.setEnabled(self._listed is not None and self._errand is None)
        rules, why = self.form.rules()
        if rules is None:
            self._say(why)
            return
        if self._listed is None:
            self.model.show([], [], 1, timed=False)
            if not self.run.is_running:
                self._say(finds_words(self._range_of()))
            return
        from core.events.found import count_over_lines  # noqa: PLC0415 - the engine is there by now

        found = self._listed.found
        events = found.kept(rules)
        counts, crossed = count_over_lines(events, rules)
        self.model.show(events, crossed, found.first, timed=found.timed)
        header = self.table.horizontalHeader()
        self.model.sort(header.sortIndicatorSection(), header.sortIndicatorOrder())
        kept = f"{len(events)} of {counted(len(found.events), 'event')}"
        where = "" if self._listed.written == ALL_FRAMES else f" in {_range_words(self._listed.written)}"
        self._say(f"{kept}{where}{crossings_words(counts.counts)}. A click goes there.")

    def _say(self, sentence: str) -> None:
        self._said = sentence
        self.message.setText(sentence)

    def _on_start(self) -> None:
        rules, why = self.form.rules()
        if rules is None:
            self._say(why)
            return
        self._awaited = True
        self._folder = QTemporaryDir()  # What is listed stays in its own, and can be saved until other events are.
        self._say("Looking for what moves… The window goes on meanwhile.")
        job = self._job_of(Path(self._folder.path()))
        self._written = job.written
        self.run.begin(job)

    def _on_not_found(self, sentence: str) -> None:
        if self._awaited:  # Else it was of another input.
            self._say(sentence)

    def _on_done(self, summary: Summary) -> None:
        from core.events.found import read_events  # noqa: PLC0415 - see above

        if not self._awaited:
            return  # It ended just as another input was opened.
        events, folder, written = summary.files[0], self._folder, self._written
        assert folder is not None
        self._send(Errand(lambda: _Listed(read_events(events), folder, written), "reading the events"), self._on_read)

    @on_own_thread
    def _on_read(self, read: _Listed) -> None:
        self._wait()
        if self._awaited:
            self._listed = read
            self.refresh()

    def _on_save(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Save the events in a folder", self._folder_of())
        if chosen:
            self.write(Path(chosen))

    def write(self, folder: Path) -> None:
        """Save what is listed into ``folder/events``."""
        from core.export.event_writer import write_found  # noqa: PLC0415 - see above

        listed, (rules, _) = self._listed, self.form.rules()
        if listed is not None and rules is not None:
            self._send(Errand(lambda: write_found(listed.found, folder, rules), "saving the events"), self._on_wrote)

    @on_own_thread
    def _on_wrote(self, final: Path) -> None:
        self._wait()
        self.refresh()
        self._say(f"Wrote {final}.")
        self.wrote.emit(str(final))

    @on_own_thread
    def _on_failed(self, sentence: str) -> None:
        self._wait()
        self.refresh()
        self._say(sentence)

    def _send(self, errand: Errand, on_done: Callable[..., None]) -> None:
        self._wait()
        listen(errand.done, on_done)
        listen(errand.failed, self._on_failed)
        self._errand = Background(errand, "events")
        self.save.setEnabled(False)
        self._errand.start()

    def _wait(self) -> None:
        errand, self._errand = self._errand, None
        if errand is not None:
            errand.wait()

    def _on_chosen(self, index: QModelIndex) -> None:
        self.chosen.emit(self.model.event_at(index.row()))
