"""Right of the panes: the method, its parameters, presets and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.panels.controls import Column, button, caption, named
from app.panels.figures import FiguresPanel
from app.panels.method_chooser import MethodChooser
from app.panels.narrow_list import NarrowList
from app.panels.parameters import ParameterForm

if TYPE_CHECKING:
    from core.catalogue import MethodGroup
    from core.methods.base import MethodRow

TAKEN_FOR = {
    "scene": "Taken for one scene, by its kind or how alike its frames are: few basis images, from the median on.",
    "images": "Taken for an image set, as its frames differ: many basis images, no warm-up.",
}
"""What is said of an input, by what it was decided to show."""


OWN = "Own settings"
"""What the list of presets shows where the settings are those of none."""


class MethodPanel(Column):
    """Everything about how the scene is learnt, built from the catalogue.

    Signals
    -------
    method_chosen(str) : key of another method
    changed(Parameter, object) : a parameter of the method was set
    reset_requested() : all parameters back to their defaults
    preset_chosen(str) : name of a preset that comes with the program
    load_preset_requested(), save_preset_requested()
    """

    method_chosen = Signal(str)
    changed = Signal(object, object)
    reset_requested = Signal()
    preset_chosen = Signal(str)
    load_preset_requested = Signal()
    save_preset_requested = Signal()

    def __init__(self, width: int = 288) -> None:
        super().__init__("Method", width)
        self._rows: Mapping[str, MethodRow] = {}
        self.chooser = MethodChooser()
        named(self.chooser, "Method", "How the scene is learnt; choosing another one starts again.")
        self.chooser.activated.connect(self._on_method)
        self.paper = caption("Preparing the engine…")
        self.notice = QLabel()
        self.notice.setProperty("role", "caption")
        self.notice.setWordWrap(True)
        self.notice.hide()
        self.content = caption()
        self.content.hide()
        self.form = ParameterForm("method")
        self.form.changed.connect(self.changed)
        self.reset = button(
            "Reset to defaults", "Reset all parameters", "Set every parameter of method and mask back.", "link"
        )
        self.reset.clicked.connect(self.reset_requested)
        self.add_section("Method", self.chooser, self.paper, self.content, self.form, self.notice, _left(self.reset))
        self.add_section("Preset", self._presets())
        self.figures = FiguresPanel()
        self.add_section("Figures", self.figures)
        self.rows.addStretch(1)

    @property
    def key(self) -> str:
        """Key of the method chosen."""
        return self.chooser.currentData() or "fast"

    def build(self, groups: Sequence[MethodGroup], key: str) -> None:
        """Fill the chooser from the catalogue and show one method with its defaults."""
        self._rows = {row.key: row for group in groups for row in group.rows}
        self.chooser.fill(groups)
        self.show_method(key)

    def show_method(self, key: str) -> None:
        """Show a method with its defaults, without telling."""
        from core import catalogue  # noqa: PLC0415 - numba; imported on the worker's thread by the time there are rows

        row = self._rows[key]
        self.chooser.choose(key)
        self.paper.setText(f"{row.paper}. {row.summary} {row.suits}".strip())
        self.form.build(catalogue.listed_parameters(row))
        self.show_notice("")

    def set_presets(self, names: list[str]) -> None:
        """Offer the presets that come with the program."""
        self.preset.clear()
        self.preset.addItem("Defaults")
        self.preset.addItems(names)
        self.preset.setCurrentIndex(0)  # Which Qt leaves open where there is a text for that.

    def show_preset(self, index: int) -> None:
        """Show which preset the settings are those of, without telling; -1: of none."""
        self.preset.setCurrentIndex(index)

    def show_notice(self, text: str) -> None:
        """Say something about the last change, such as that it started the run anew."""
        self.notice.setText(text)
        self.notice.setVisible(bool(text))

    def show_content(self, content: str) -> None:
        """Say what the input is taken for, ``"scene"`` or ``"images"``; empty: nothing was decided."""
        self.content.setText(TAKEN_FOR.get(content, ""))
        self.form.show_decided({"content": content or None})
        self.content.setVisible(content in TAKEN_FOR)

    def _presets(self) -> QWidget:
        holder = QWidget()
        rows, row = QVBoxLayout(holder), QHBoxLayout()
        for part in (rows, row):
            part.setContentsMargins(0, 0, 0, 0)
            part.setSpacing(6)
        self.preset = NarrowList()
        self.preset.addItem("Defaults")
        self.preset.setPlaceholderText(OWN)
        named(self.preset, "Preset", "Method and parameters that suit a kind of scene, set at once.")
        self.preset.activated.connect(lambda i: self.preset_chosen.emit(self.preset.itemText(i)))
        load = button("Load…", "Load a preset", "Set method and parameters from a file.")
        save = button("Save…", "Save a preset", "Write method and parameters to a file, also for the command line.")
        load.clicked.connect(self.load_preset_requested)
        save.clicked.connect(self.save_preset_requested)
        row.addWidget(load)
        row.addWidget(save)
        rows.addWidget(self.preset)
        rows.addLayout(row)
        return holder

    def _on_method(self, index: int) -> None:
        self.method_chosen.emit(self.chooser.itemData(index))


def _left(widget: QWidget) -> QWidget:
    """Return a holder that keeps a widget at its own width, at the left."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(widget)
    row.addStretch(1)
    return holder
