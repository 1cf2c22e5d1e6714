"""What to write, of which frames, in which form and where: the choices of an export."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.panels.controls import button, caption, heading, keep_wheel_off, named
from app.panels.export_offer import Offered
from app.panels.frame_box import FrameBox
from core.io.home import expanded

DEFAULT_SAVE = ("plate", "mask", "cleaned")
IMAGE_SET_SAVE = ("background",)
"""What is written unless a person chooses: of one scene, and of an image set."""

USUAL_FPS = 25.0
"""Frames a second in films of what has no rate, unless a person says."""

MOST_PASSES = 100
"""As many as can be chosen for the window."""


@dataclass(frozen=True)
class Wanted:
    """What a person chose to be written.

    Attributes
    ----------
    output : Path
    save : tuple of str
        Keys of `core.export.products.PRODUCTS`.
    frames : (first, last)
        Counted from 1, both included; None: from the start, to the end.
    format : str
        Key of `core.export.products.FORMATS`.
    overwrite : bool
    quality : str
        Key of `core.export.products.QUALITIES`.
    passes : int or None
        How often the input is read; None: as often as is usual for what is saved.
    speed : str
        Key of `core.export.products.SPEEDS`.
    fps : float or None
        Frames a second in films of what has no rate; None: 25, or the input's own.
    names : str
        Key of `core.export.frame_names.NAMES`.
    """

    output: Path
    save: tuple[str, ...]
    frames: tuple[int | None, int | None]
    format: str
    overwrite: bool
    quality: str = "high"
    passes: int | None = None
    speed: str = "fast"
    fps: float | None = None
    names: str = "numbers"


class ExportForm(QWidget):
    """The choices. What would be written with them is shown by the panel around this form.

    Parameters
    ----------
    offered : Offered
    folder : str
        Where to write, to begin with.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(self, offered: Offered, folder: str) -> None:
        super().__init__()
        self._offered, self._has_rate, self._is_stack, self._is_image_set = offered, True, False, False
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
        self._add_folder(grid, folder)
        self.format.currentIndexChanged.connect(self._show_what_fits)
        self._show_what_fits()
        rows.addLayout(grid)
        self.overwrite = QCheckBox("Replace what is there already")
        named(self.overwrite, "Replace what is there already", "Old results are kept until the new ones are complete.")
        self.overwrite.toggled.connect(self.changed)

    def _products(self, products: dict[str, str]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(4)
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(1, 1)
        self.checks: dict[str, QCheckBox] = {}
        for i, (key, about) in enumerate(products.items()):
            check = QCheckBox(key.capitalize())
            check.setChecked(key in DEFAULT_SAVE)
            named(check, key.capitalize(), f"Write {about}.")
            check.toggled.connect(self._show_no_scene)
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

    def _add_coding(self, grid: QGridLayout) -> None:
        offered, work = self._offered, "How much work the encoder takes to make films small."
        by_file = "What the images are called: by their number, or as the files or the frames of the input."
        self.quality, self._quality_title = self._add_choice(
            grid, 1, "Quality", offered.qualities, "Masks decode exactly at each quality."
        )
        self.speed, self._speed_title = self._add_choice(grid, 2, "Speed", offered.speeds, work)
        self.names, self._names_title = self._add_choice(grid, 4, "Names", offered.names, by_file)

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
        self.fps, self._rate_title = QDoubleSpinBox(), QLabel("Frame rate")
        self.fps.setKeyboardTracking(False)
        self.fps.setRange(0.01, 1000)
        self.fps.setValue(USUAL_FPS)
        self.fps.setSuffix(" a second")
        self.fps.setMinimumWidth(96)
        self.fps.lineEdit().setTextMargins(4, 0, 0, 0)
        named(self.fps, "Frame rate", "Frames a second in the film: images and stacks have no rate of their own.")
        self.fps.valueChanged.connect(self.changed)
        keep_wheel_off(self.fps)
        grid.addWidget(self._rate_title, 3, 0)
        grid.addWidget(self.fps, 3, 1, Qt.AlignmentFlag.AlignLeft)

    def _show_what_fits(self) -> None:
        """Show the choices that the format and the input leave."""
        form = self.format.currentData()
        shown: tuple[tuple[bool, tuple[QWidget, ...]], ...] = (
            (form in self._offered.coded, (self.quality, self._quality_title, self.speed, self._speed_title)),
            (form not in self._offered.films and not self._is_stack, (self.names, self._names_title)),
            (form in self._offered.films and not self._has_rate, (self._rate_title, self.fps)),
        )
        for fits, widgets in shown:
            for widget in widgets:
                widget.setVisible(fits)

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
            box.lineEdit().setTextMargins(4, 0, 0, 0)  # Qt leaves out the padding where a box has buttons.
            box.valueChanged.connect(partial(self._keep_order, box))
            box.valueChanged.connect(self.changed)
        keep_wheel_off(self.first, self.last)
        self.frames_title = QLabel("Frames")
        grid.addWidget(self.frames_title, 5, 0)
        grid.addWidget(self.frames_row, 5, 1, 1, 2)

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
        self.passes.lineEdit().setTextMargins(4, 0, 0, 0)
        about = "How often the input is read; automatic: as in the window, and files at least twice. Once is faster."
        named(self.passes, "Passes", about)
        self.passes.valueChanged.connect(self.changed)
        keep_wheel_off(self.passes)
        self.passes_title = QLabel("Passes")
        grid.addWidget(self.passes_title, 6, 0)
        grid.addWidget(self.passes, 6, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_folder(self, grid: QGridLayout, folder: str) -> None:
        self.folder = QLineEdit(folder)
        named(self.folder, "Folder", "Where results are written; it is made if it is not there.")
        self.folder.textChanged.connect(self.changed)
        browse = button("Choose…", "Choose a folder", "Choose the folder for the results.")
        browse.clicked.connect(self._on_browse)
        grid.addWidget(QLabel("Folder"), 7, 0)
        grid.addWidget(self.folder, 7, 1)
        grid.addWidget(browse, 7, 2)

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
    def wanted(self) -> Wanted:
        """What is chosen."""
        first, last = self.first.value(), self.last.value()
        return Wanted(
            expanded(self.folder.text()),
            tuple(key for key, check in self.checks.items() if check.isChecked()),
            (first if first > 1 else None, last or None),
            self.format.currentData(),
            self.overwrite.isChecked(),
            self.quality.currentData(),
            self.passes.value() or None,
            self.speed.currentData(),
            None if self._has_rate or self.fps.value() == USUAL_FPS else self.fps.value(),
            self.names.currentData(),
        )

    def show_save(self, save: Collection[str]) -> None:
        """Choose what is written, without telling."""
        with QSignalBlocker(self):
            for key, check in self.checks.items():
                check.setChecked(key in save)

    def show_passes(self, passes: int | None) -> None:
        """Choose how often the input is read, without telling; None: automatic."""
        with QSignalBlocker(self.passes):
            self.passes.setValue(passes or 0)

    def show_wanted(self, wanted: Wanted) -> None:
        """Show choices, of an input that `show_input` tells of later, without telling."""
        for end in (self.first, self.last):
            with QSignalBlocker(end):
                end.set_length(None)
        self.show_frames(wanted.frames)
        with QSignalBlocker(self):
            self.folder.setText(str(wanted.output))
            self.show_save(wanted.save)
            for box, key in (
                (self.format, wanted.format), (self.quality, wanted.quality), (self.speed, wanted.speed),
                (self.names, wanted.names),
            ):  # fmt: skip
                box.setCurrentIndex(max(box.findData(key), 0))
            self.fps.setValue(wanted.fps or USUAL_FPS)
            self.passes.setValue(wanted.passes or 0)

    def show_input(self, n_frames: int | None, *, live: bool, has_rate: bool) -> None:
        """Offer frames that the input has, none where it is a camera, and a rate where it has none."""
        self._has_rate = has_rate
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
        """Say how often the input is read while that is automatic; offer names, but not for pages of one file."""
        self._is_stack = is_stack
        self._show_what_fits()
        if not self.passes.value():
            self.passes.setSpecialValueText(f"automatic: {passes}")

    def show_frames(self, frames: tuple[int | None, int | None]) -> None:
        """Choose the frames that are written, without telling."""
        for box, frame in zip((self.first, self.last), frames, strict=True):
            with QSignalBlocker(box):
                box.setValue(frame or box.minimum())

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the results", self.folder.text())
        if chosen:
            self.folder.setText(chosen)
