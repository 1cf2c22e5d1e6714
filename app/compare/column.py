"""One method of a comparison: its name, its pictures, its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.compare.snapshot import ColumnShown
from app.panels.controls import button
from app.panels.method_chooser import MethodChooser
from app.rate_words import took_words
from app.rendering.picture_kinds import KINDS
from app.spoken import show_words
from app.theme import colours, theme_changed
from app.views.icon_button import icon_button
from app.views.pane import ImagePane
from core.session.phase import Phase
from core.session.report import Report

if TYPE_CHECKING:
    from core.catalogue import MethodGroup

UPPER, LOWER = range(2)
"""The rows of panes."""


class CompareColumn(QWidget):
    """A column.

    Parameters
    ----------
    number : int
        From 0; its curves have the colour of this number.
    groups : sequence of MethodGroup
    kinds : sequence of str
        Keys of what its panes show, from the upper one down.

    Signals
    -------
    method_chosen(str) : the key of another method
    use_requested() : a person wants to go on with this method in the main window
    settings_requested() : a person wants to set the method's parameters
    removal_requested() : a person does not want this column any more
    """

    method_chosen = Signal(str)
    use_requested = Signal()
    settings_requested = Signal()
    removal_requested = Signal()

    def __init__(self, number: int, groups: Sequence[MethodGroup], kinds: Sequence[str]) -> None:
        super().__init__()
        self.panes = tuple(ImagePane(KINDS[key].title, KINDS[key].hint) for key in kinds)
        self.chooser = MethodChooser()
        self.chooser.fill(groups)
        self.chooser.activated.connect(lambda i: self.method_chosen.emit(self.chooser.itemData(i)))
        self._dot = QLabel("●")
        self.use_button = button(
            "Use", "Use this method", "Go on with this method and its parameters in the main window."
        )
        self.use_button.clicked.connect(self.use_requested)
        self.settings_button = icon_button("settings", "Parameters", "Set this method's parameters.", 16)
        self.settings_button.clicked.connect(self.settings_requested)
        self.remove_button = icon_button("close", "Remove", "Compare without this method.", 16)
        self.remove_button.clicked.connect(self.removal_requested)
        for flat in (self.settings_button, self.remove_button):
            flat.setProperty("role", "flat")
        self.times = QLabel(" ")
        self.quality = QLabel(" ")
        for label, name in ((self.times, "Time"), (self.quality, "Quality")):
            label.setProperty("role", "number")
            label.setAccessibleName(name)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        head = QHBoxLayout()
        head.setSpacing(4)
        for widget in (self._dot, self.chooser, self.use_button, self.settings_button, self.remove_button):
            head.addWidget(widget, int(widget is self.chooser))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addLayout(head)
        for pane in self.panes:
            rows.addWidget(pane, 1)
        words = QVBoxLayout()
        words.setContentsMargins(2, 0, 2, 0)
        words.setSpacing(1)
        words.addWidget(self.times)
        words.addWidget(self.quality)
        rows.addLayout(words)
        theme_changed().connect(self._dress)
        self.set_number(number)

    def set_number(self, number: int) -> None:
        """Say which column this is, from 0."""
        self._number = number
        self._dress()

    def set_method(self, key: str, about: str) -> None:
        """Show which method this is, without telling; ``about`` is its tip."""
        self.chooser.choose(key)
        self.chooser.setToolTip(about)
        for pane in self.panes:
            self._name(pane)

    def show_kind(self, row: int, key: str) -> None:
        """Show another kind of picture in a pane; nothing, until there is one."""
        pane = self.panes[row]
        pane.rename(KINDS[key].title, KINDS[key].hint)
        pane.set_title(pane.title)
        pane.show_image(None)
        pane.set_readout("")
        self._name(pane)

    def _name(self, pane: ImagePane) -> None:
        pane.setAccessibleName(f"{pane.title}, {self.title}")

    @property
    def title(self) -> str:
        """The method's name."""
        return self.chooser.currentText()

    def show_rows(self, visible: Sequence[int]) -> None:
        """Show some of the panes: `UPPER`, `LOWER`."""
        for row, pane in enumerate(self.panes):
            pane.setVisible(row in visible)
            pane.header.set_enlarged(len(visible) == 1)

    def show_figures(self, shown: ColumnShown) -> None:
        """Write what the method cost and how good it is, or how far its learning is."""
        times = times_words(*shown.ms)
        known = shown.report.figures
        quality = [
            text.format(factor * known[key]) for key, factor, text in (
                ("f_measure", 1, "F {:.3f}"), ("psnr_db", 1, "{:.1f} dB"), ("relative_error", 100, "error {:.1f} %"),
            ) if key in known
        ]  # fmt: skip
        show_words(self.times, _progress(shown.report) or ("waits for the others" if shown.waits else times))
        self.times.setToolTip("Median time of the last frames: to learn and split, and to make the mask")
        show_words(self.quality, " · ".join(quality) or " ")
        self.quality.setToolTip(
            "F: the mask against the truth so far. dB: PSNR of this background against the clean image. "
            "Error: ‖X̂ − X‖ / ‖X‖ of all backgrounds so far."
        )

    def show_nothing(self) -> None:
        """Empty the panes: another run begins."""
        for pane in self.panes:
            pane.show_image(None)
            pane.set_readout("")
        show_words(self.times, " ")
        show_words(self.quality, " ")

    def _dress(self) -> None:
        shades = colours().curves
        self._dot.setStyleSheet(f"color: {shades[self._number % len(shades)]}")


def _progress(report: Report) -> str:
    """Return how far the learning of a method is that learns before it is applied; empty where it does not."""
    if report.iteration is not None:
        return f"learning: iteration {report.iteration.number} of {report.iteration.at_most}"
    if report.phase is Phase.GATHERING:
        return f"gathering: frame {report.n_done}"
    if report.pass_index < report.n_passes - 1:
        return f"learning: pass {report.pass_index + 1} of {report.n_passes}, frame {report.n_done}"
    return ""


def times_words(step_ms: float, mask_ms: float) -> str:
    """Return what a frame costs in all, and of that the step and the mask."""
    step, mask = took_words(step_ms), took_words(mask_ms)
    whole = took_words(step_ms + mask_ms)
    if whole.endswith(" ms"):
        step, mask = step.removesuffix(" ms"), mask.removesuffix(" ms")
    return f"{whole}: step {step}, mask {mask}"
