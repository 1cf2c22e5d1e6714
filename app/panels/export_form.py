"""What to write, of which frames, in which form and where: the choices of an export."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

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

from app.panels.controls import button, caption, heading, keep_wheel_off, named

DEFAULT_SAVE = ("plate", "mask", "cleaned")

FILM_WITH_QUALITY = "mp4"
"""The format that has a choice of quality; all others are lossless, but for the foreground of this one."""

MOST_PASSES = 100
"""As many as can be chosen for the window."""

MOST_FRAMES = 10**9
"""Largest number that can be typed where the length of the input is not known."""


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
    """

    output: Path
    save: tuple[str, ...]
    frames: tuple[int | None, int | None]
    format: str
    overwrite: bool
    quality: str = "high"
    passes: int | None = None


class ExportForm(QWidget):
    """The choices. What would be written with them is shown by the panel around this form.

    Parameters
    ----------
    products, formats, qualities : dict
        What can be written, how, and how well films are, by key with a few words about each.
    folder : str
        Where to write, to begin with.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(
        self, products: dict[str, str], formats: dict[str, str], qualities: dict[str, str], folder: str
    ) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(heading("What to write"))
        rows.addLayout(self._products(products))
        rows.addWidget(heading("As"))
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        self._add_format(grid, formats)
        self._add_quality(grid, qualities)
        self._add_frames(grid)
        self._add_passes(grid)
        self._add_folder(grid, folder)
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
            check.toggled.connect(self.changed)
            grid.addWidget(check, i, 0)
            grid.addWidget(caption(about), i, 1)
            self.checks[key] = check
        return grid

    def _add_format(self, grid: QGridLayout, formats: dict[str, str]) -> None:
        self.format = QComboBox()
        for key, about in formats.items():
            self.format.addItem(about, key)
        named(self.format, "Format", "How the pictures of every frame are stored; the plate is always a PNG.")
        self.format.activated.connect(self.changed)
        keep_wheel_off(self.format)
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1, 1, 2)

    def _add_quality(self, grid: QGridLayout, qualities: dict[str, str]) -> None:
        self.quality, title = QComboBox(), QLabel("Quality")
        for key, about in qualities.items():
            self.quality.addItem(f"{key.capitalize()}: {about}", key)
        named(self.quality, "Quality", "How good H.264 films are. Masks decode exactly at each quality.")
        self.quality.activated.connect(self.changed)
        keep_wheel_off(self.quality)
        grid.addWidget(title, 1, 0)
        grid.addWidget(self.quality, 1, 1, 1, 2)

        def show() -> None:
            for widget in (title, self.quality):
                widget.setVisible(self.format.currentData() == FILM_WITH_QUALITY)

        self.format.currentIndexChanged.connect(show)
        show()

    def _add_frames(self, grid: QGridLayout) -> None:
        self.first, self.last = QSpinBox(), QSpinBox()
        self.first.setRange(1, MOST_FRAMES)
        self.last.setRange(0, MOST_FRAMES)
        self.last.setSpecialValueText("the end")
        named(
            self.first,
            "First frame",
            "The first frame to be written, counted from 1; what comes before is learnt from.",
        )
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
            box.valueChanged.connect(self.changed)
        keep_wheel_off(self.first, self.last)
        self.frames_title = QLabel("Frames")
        grid.addWidget(self.frames_title, 2, 0)
        grid.addWidget(self.frames_row, 2, 1, 1, 2)

    def _add_passes(self, grid: QGridLayout) -> None:
        self.passes = QSpinBox()
        self.passes.setRange(0, MOST_PASSES)
        self.passes.setSpecialValueText("automatic")
        self.passes.setMinimumWidth(self.passes.fontMetrics().horizontalAdvance("automatic: 00") + 40)
        self.passes.lineEdit().setTextMargins(4, 0, 0, 0)
        about = "How often the input is read; automatic: as in the window, but twice for plate, matte and cleaned."
        named(self.passes, "Passes", about)
        self.passes.valueChanged.connect(self.changed)
        keep_wheel_off(self.passes)
        self.passes_title = QLabel("Passes")
        grid.addWidget(self.passes_title, 3, 0)
        grid.addWidget(self.passes, 3, 1, Qt.AlignmentFlag.AlignLeft)

    def _add_folder(self, grid: QGridLayout, folder: str) -> None:
        self.folder = QLineEdit(folder)
        named(self.folder, "Folder", "Where results are written; it is made if it is not there.")
        self.folder.textChanged.connect(self.changed)
        browse = button("Choose…", "Choose a folder", "Choose the folder for the results.")
        browse.clicked.connect(self._on_browse)
        grid.addWidget(QLabel("Folder"), 4, 0)
        grid.addWidget(self.folder, 4, 1)
        grid.addWidget(browse, 4, 2)

    @property
    def wanted(self) -> Wanted:
        """What is chosen."""
        first, last = self.first.value(), self.last.value()
        return Wanted(
            Path(self.folder.text()).expanduser(),
            tuple(key for key, check in self.checks.items() if check.isChecked()),
            (first if first > 1 else None, max(first, last) if last else None),
            self.format.currentData(),
            self.overwrite.isChecked(),
            self.quality.currentData(),
            self.passes.value() or None,
        )

    def show_wanted(self, wanted: Wanted) -> None:
        """Show choices, without telling."""
        first, last = wanted.frames
        with QSignalBlocker(self):
            self.folder.setText(str(wanted.output))
            for key, check in self.checks.items():
                check.setChecked(key in wanted.save)
            self.format.setCurrentIndex(max(self.format.findData(wanted.format), 0))
            self.quality.setCurrentIndex(max(self.quality.findData(wanted.quality), 0))
            self.first.setValue(first or 1)
            self.last.setValue(last or 0)
            self.passes.setValue(wanted.passes or 0)

    def show_length(self, n_frames: int | None, live: bool) -> None:
        """Offer frames that the input has; where it is a camera, none can be chosen."""
        for box in (self.first, self.last):
            with QSignalBlocker(box):
                box.setMaximum(n_frames or MOST_FRAMES)
                if live:
                    box.setValue(box.minimum())
        if live:
            with QSignalBlocker(self.passes):
                self.passes.setValue(0)
        for widget in (self.frames_title, self.frames_row, self.passes_title, self.passes):
            widget.setVisible(not live)

    def show_passes(self, passes: int) -> None:
        """Say how often the input is read while that is automatic."""
        if not self.passes.value():
            self.passes.setSpecialValueText(f"automatic: {passes}")

    def all_frames(self) -> None:
        """Choose the whole input, without telling: another one is open."""
        for box in (self.first, self.last):
            with QSignalBlocker(box):
                box.setValue(box.minimum())

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the results", self.folder.text())
        if chosen:
            self.folder.setText(chosen)
