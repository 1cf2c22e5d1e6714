"""What to write, of which frames, in which form and where: the choices of an export."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app import theme
from app.folders import nearest_folder
from app.panels.controls import button, caption, heading, keep_wheel_off, named
from app.panels.export_offer import Offered
from app.panels.film_words import depth_words, pace_words
from app.panels.frame_box import FrameBox
from app.panels.rate_box import RateBox
from app.theme import pad_text
from core.export.products import HAVE_ALPHA, SOUNDING
from core.io.home import expanded
from core.io.sinks.video import STILL_FPS
from core.project.document import ExportChoice

MOST_PASSES = 100
"""As many as can be chosen for the window."""

KEEP_ALL = ("png", "tiff", "mkv")
"""Formats that keep all bits of a sample."""

MOST_OFF = 1e-4
"""By how much of it a rate may be off to be the one that was recorded: it is typed with few decimals."""


class ExportForm(QWidget):
    """A view of what is chosen. What would be written with that is shown by the panel around this form.

    Parameters
    ----------
    offered : Offered
    choice : ExportChoice
        What is chosen to begin with.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(self, offered: Offered, choice: ExportChoice) -> None:
        super().__init__()
        self._offered, self._has_rate, self._is_stack, self._is_image_set = offered, True, False, False
        self._bit_depth = 8
        self._levels: tuple[int, int] | None = None
        self._interval_s: float | None = None
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(heading("What to write"))
        rows.addLayout(self._products(offered.products))
        self.no_scene = caption(offered.no_scene)
        self.no_scene.hide()
        rows.addWidget(self.no_scene)
        rows.addWidget(heading("As"))
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        self._add_format(grid, offered.formats)
        self._add_coding(grid)
        self._add_rate(grid)
        self._add_frames(grid)
        self._add_passes(grid)
        self._add_folder(grid)
        self.format.currentIndexChanged.connect(self._show_what_fits)
        self._show_what_fits()
        rows.addLayout(grid)
        self.overwrite = QCheckBox("Replace what is there already")
        named(self.overwrite, "Replace what is there already", "Old results are kept until the new ones are complete.")
        self.overwrite.toggled.connect(self.changed)
        self.show_choice(choice)

    def _products(self, products: dict[str, str]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(4)
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(1, 1)
        self.checks: dict[str, QCheckBox] = {}
        for i, (key, about) in enumerate(products.items()):
            check = QCheckBox(key.capitalize())
            heard = " A film of it has the sound of the input." if key in SOUNDING else ""
            named(check, key.capitalize(), f"Write {about}.{heard}")
            check.toggled.connect(self._show_no_scene)
            check.toggled.connect(self._show_alpha)
            check.toggled.connect(self.changed)
            grid.addWidget(check, i, 0)
            grid.addWidget(caption(about), i, 1)
            self.checks[key] = check
        return grid

    def show_content(self, *, is_image_set: bool) -> None:
        """Say of an image set what means nothing there, where such is chosen."""
        self._is_image_set = is_image_set
        self._show_no_scene()

    def _show_no_scene(self) -> None:
        shows_plate = any(self.checks[key].isChecked() for key in self._offered.of_plate)
        self.no_scene.setVisible(self._is_image_set and shows_plate)

    def _add_format(self, grid: QGridLayout, formats: dict[str, str]) -> None:
        self.format = QComboBox()
        for key, about in formats.items():
            self.format.addItem(about, key)
        named(self.format, "Format", "How the pictures of every frame are stored; the plate is always a PNG.")
        self.format.activated.connect(self.changed)
        keep_wheel_off(self.format)
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1, 1, 2)
        self.depth_note, self.alpha_note = caption(), caption()
        theme.set_role(self.depth_note, "warn")
        notes = QVBoxLayout()
        for note in (self.depth_note, self.alpha_note):
            notes.addWidget(note)
        grid.addLayout(notes, 1, 1, 1, 2)

    def _add_coding(self, grid: QGridLayout) -> None:
        offered, work = self._offered, "How much work the encoder takes to make films small."
        by_file = "What the images are called: by their number, or as the files or the frames of the input."
        self.quality, self._quality_title = self._add_choice(
            grid, 2, "Quality", offered.qualities, "Masks decode exactly at each quality."
        )
        self.speed, self._speed_title = self._add_choice(grid, 3, "Speed", offered.speeds, work)
        self.names, self._names_title = self._add_choice(grid, 5, "Names", offered.names, by_file)

    def _add_choice(
        self, grid: QGridLayout, row: int, title: str, choices: dict[str, str], about: str
    ) -> tuple[QComboBox, QLabel]:
        box, label = QComboBox(), QLabel(title)
        for key, words in choices.items():
            box.addItem(f"{key.capitalize()}: {words}", key)
        named(box, title, about)
        box.activated.connect(self.changed)
        keep_wheel_off(box)
        grid.addWidget(label, row, 0)
        grid.addWidget(box, row, 1, 1, 2)
        return box, label

    def _add_rate(self, grid: QGridLayout) -> None:
        self.fps, self._rate_title = RateBox(), QLabel("Frame rate")
        self.fps.setValue(STILL_FPS)
        self.fps.setMinimumWidth(96)
        pad_text(self.fps)
        named(self.fps, "Frame rate", "Frames a second in the film: images and stacks have no rate of their own.")
        self.fps.valueChanged.connect(self.changed)
        keep_wheel_off(self.fps)
        self.fps.valueChanged.connect(self._show_pace)
        self.pace = caption()
        self.pace.setWordWrap(False)
        self.as_recorded = button("As recorded", "As recorded", "Play the film as slowly as it was recorded.", "link")
        self.as_recorded.clicked.connect(self._on_as_recorded)
        row = QHBoxLayout()
        for widget in (self.fps, self.pace, self.as_recorded):
            row.addWidget(widget)
        row.addStretch(1)
        grid.addWidget(self._rate_title, 4, 0)
        grid.addLayout(row, 4, 1, 1, 2)

    def _show_pace(self) -> None:
        """Say how fast the film shows what was recorded at an interval, and offer to show it so."""
        is_said = self._interval_s is not None and self.fps.isVisibleTo(self)
        if self._interval_s is not None:
            self.pace.setText(pace_words(self.fps.value(), self._interval_s))
        self.pace.setVisible(is_said)
        recorded = 1 / self._interval_s if self._interval_s else 0.0
        can_be = self.fps.minimum() <= recorded <= self.fps.maximum()
        self.as_recorded.setVisible(is_said and can_be and abs(self.fps.value() - recorded) > MOST_OFF * recorded)

    def _on_as_recorded(self) -> None:
        assert self._interval_s is not None
        self.fps.setValue(1 / self._interval_s)

    def _show_what_fits(self) -> None:
        """Show the choices that the format and the input leave."""
        form = self.format.currentData()
        is_pages = self._is_stack and form == self._offered.as_stack[0]
        shown: tuple[tuple[bool, tuple[QWidget, ...]], ...] = (
            (form in self._offered.coded, (self.quality, self._quality_title, self.speed, self._speed_title)),
            (form not in self._offered.films and not is_pages, (self.names, self._names_title)),
            (form in self._offered.films and not self._has_rate, (self._rate_title, self.fps)),
        )
        for fits, widgets in shown:
            for widget in widgets:
                widget.setVisible(fits)
        self._show_pace()
        self._show_depth(form)
        self._show_alpha()

    def _show_depth(self, form: str) -> None:
        """Say what becomes of samples that are deeper than those of the film that is chosen."""
        bits = self._offered.bits
        keep_all = [self.format.itemText(self.format.findData(key)) for key in KEEP_ALL]
        said = depth_words(bits[form], self._bit_depth, self._levels, keep_all) if form in bits else ""
        self.depth_note.setText(said)
        self.depth_note.setVisible(bool(said))

    def _show_alpha(self) -> None:
        """Say how the foreground is stored where the film that is chosen has no alpha."""
        form = self.format.currentData()
        lacks = form in self._offered.films and form not in HAVE_ALPHA and self.checks["foreground"].isChecked()
        if lacks:
            words = f"{self.format.currentText()} has no transparency: the foreground is a ProRes 4444 film (.mov)."
            self.alpha_note.setText(words)
        self.alpha_note.setVisible(lacks)

    def _add_frames(self, grid: QGridLayout) -> None:
        self.first, self.last = FrameBox(1), FrameBox(0)
        self.last.setSpecialValueText("the end")
        about = "The first frame to be written, counted from 1; what comes before is learnt from."
        named(self.first, "First frame", about)
        named(self.last, "Last frame", "The last frame to be written; 0 is the end of the input.")
        self.frames_row = QWidget()
        row = QHBoxLayout(self.frames_row)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.first, QLabel("to"), self.last):
            row.addWidget(widget)
        row.addStretch(1)
        for box in (self.first, self.last):
            box.setMinimumWidth(96)
            pad_text(box)
            box.valueChanged.connect(partial(self._keep_order, box))
            box.valueChanged.connect(self.changed)
        keep_wheel_off(self.first, self.last)
        self.frames_title = QLabel("Frames")
        grid.addWidget(self.frames_title, 6, 0)
        grid.addWidget(self.frames_row, 6, 1, 1, 2)

    def _keep_order(self, moved: FrameBox, _frame: int) -> None:
        """Take the other end along where one was moved past it."""
        other = self.last if moved is self.first else self.first
        if 0 < self.last.value() < self.first.value():
            with QSignalBlocker(other):
                other.setValue(moved.value())

    def _add_passes(self, grid: QGridLayout) -> None:
        self.passes = QSpinBox()
        self.passes.setKeyboardTracking(False)
        self.passes.setRange(0, MOST_PASSES)
        self.passes.setSpecialValueText("automatic")
        self.passes.setMinimumWidth(self.passes.fontMetrics().horizontalAdvance("automatic: 00") + 40)
        pad_text(self.passes)
        about = "How often the input is read; automatic: as in the window, and files at least twice. Once is faster."
        named(self.passes, "Passes", about)
        self.passes.valueChanged.connect(self.changed)
        keep_wheel_off(self.passes)
        self.passes_title = QLabel("Passes")
        grid.addWidget(self.passes_title, 7, 0)
        grid.addWidget(self.passes, 7, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_folder(self, grid: QGridLayout) -> None:
        self.folder = QLineEdit()
        named(self.folder, "Folder", "Where results are written; it is made if it is not there.")
        self.folder.textChanged.connect(self.changed)
        browse = button("Choose…", "Choose a folder", "Choose the folder for the results.")
        browse.clicked.connect(self._on_browse)
        grid.addWidget(QLabel("Folder"), 8, 0)
        grid.addWidget(self.folder, 8, 1)
        grid.addWidget(browse, 8, 2)

    def ask_for_folder(self) -> None:
        """Let another folder be typed over the one that is named."""
        self.folder.setFocus()
        self.folder.selectAll()

    def take_typed(self) -> None:
        """Take up a number that is still being typed: the click that asks for what is chosen leaves it the keys."""
        for box in (self.first, self.last, self.passes, self.fps):
            box.interpretText()

    @property
    def fault_of_folder(self) -> str:
        """Why nothing can be written into what is named, in a sentence; empty where it can be a folder."""
        typed = self.folder.text()
        if not typed.strip():
            return "Name a folder for the results."
        return "No folder can have this name: a character in it is NUL." if "\0" in typed else ""

    @property
    def choice(self) -> ExportChoice:
        """What is chosen for the input: no rate where it has one of its own."""
        return replace(self.chosen, fps=None) if self._has_rate else self.chosen

    @property
    def chosen(self) -> ExportChoice:
        """What is chosen for any input: a rate too, which the next one may lack."""
        first, last = self.first.value(), self.last.value()
        return ExportChoice(
            folder="" if self.fault_of_folder else str(expanded(self.folder.text())),
            save=tuple(key for key, check in self.checks.items() if check.isChecked()),
            format=self.format.currentData(),
            quality=self.quality.currentData(),
            speed=self.speed.currentData(),
            fps=None if self.fps.value() == STILL_FPS else self.fps.value(),
            written=(first if first > 1 else None, last or None),
            passes=self.passes.value() or None,
            names=self.names.currentData(),
        )

    def show_choice(self, choice: ExportChoice) -> None:
        """Show what is chosen, for an input that `show_input` tells of later, without telling."""
        for end, frame in zip((self.first, self.last), choice.written, strict=True):
            with QSignalBlocker(end):  # Both are right, and none takes the other along.
                end.set_length(None)
                end.setValue(frame or end.minimum())
        with QSignalBlocker(self):
            if choice.folder != self.chosen.folder:  # Else it stays as it was typed.
                self.folder.setText(choice.folder)
            for key, check in self.checks.items():
                check.setChecked(key in choice.save)
            for box, key in (
                (self.format, choice.format), (self.quality, choice.quality), (self.speed, choice.speed),
                (self.names, choice.names),
            ):  # fmt: skip
                box.setCurrentIndex(max(box.findData(key), 0))
            self.fps.setValue(choice.fps or STILL_FPS)
            self.passes.setValue(choice.passes or 0)

    def show_input(
        self, n_frames: int | None, *, live: bool, has_rate: bool, interval_s: float | None = None,
        bit_depth: int = 8, levels: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        """Offer frames that the input has, none where it is a camera, and a rate where it has none.

        Parameters
        ----------
        n_frames : int or None
        live, has_rate : bool
        interval_s : float or None
            Between two frames, where that is said of frames that have no rate.
        bit_depth : int
            Of a sample.
        levels : (black, white) or None
            Of an input whose samples are counts of light.
        """
        self._has_rate, self._interval_s = has_rate, interval_s
        self._bit_depth, self._levels = bit_depth, levels
        self._show_what_fits()
        for box in (self.first, self.last):
            with QSignalBlocker(box):
                box.set_length(n_frames)
                if live:
                    box.setValue(box.minimum())
        if live:
            with QSignalBlocker(self.passes):
                self.passes.setValue(0)
        for widget in (self.frames_title, self.frames_row, self.passes_title, self.passes):
            widget.setVisible(not live)

    def show_job(self, passes: int, *, is_stack: bool) -> None:
        """Say how often the input is read while that is automatic, and what TIFF is of a stack: it has no names."""
        self._is_stack = is_stack
        tiff, as_stack = self._offered.as_stack
        self.format.setItemText(self.format.findData(tiff), as_stack if is_stack else self._offered.formats[tiff])
        self._show_what_fits()
        if not self.passes.value():
            self.passes.setSpecialValueText(f"automatic: {passes}")

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the results", nearest_folder(self.folder.text()))
        if chosen:
            self.folder.setText(chosen)
            self.folder.setFocus()  # Enter is for what was chosen now, not to choose again.
