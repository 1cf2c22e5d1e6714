"""Noise of known kind put on clean images, so that what the method removes can be seen and measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.panels.controls import caption, named
from app.panels.narrow_list import NarrowList
from app.panels.parameters import ParameterForm

if TYPE_CHECKING:
    from core.io.corruption import Corruption

KINDS = {
    "": "None",
    "salt-and-pepper": "Salt and pepper",
    "occlusion": "Occlusion",
    "laplace": "Laplace noise",
    "uniform": "Uniform noise, U[a, b]",
}
"""Kinds of corruption by key, in words for people."""

SETTLE_MS = 300
"""A slider that is being dragged opens the input anew only when it rests."""


class CorruptionForm(QWidget):
    """Kind, density and seed.

    Signals
    -------
    changed() : the input must be opened anew
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        self.kind = NarrowList()
        for key, text in KINDS.items():
            self.kind.addItem(text, key)
        named(
            self.kind,
            "Corruption",
            "Add synthetic noise to clean images; the figures then tell how well it is removed.",
        )
        self.form = ParameterForm("corruption")
        self.hint = caption(
            "PSNR is shown under Figures: higher is better. “Faces, denoise” is a preset for image sets."
        )
        rows.addWidget(self.kind)
        rows.addWidget(self.form)
        rows.addWidget(self.hint)
        self.hint.hide()
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self.changed)
        self.kind.activated.connect(self._on_kind)
        self.form.changed.connect(lambda _p, _v: self._settle.start())

    @property
    def corruption(self) -> Corruption | None:
        """The corruption chosen, or None.

        Raises
        ------
        CleanplateError
            The values do not fit each other.
        """
        from core.io.corruption import Corruption  # noqa: PLC0415 - see below

        kind = self.kind.currentData()
        return Corruption.from_values({"kind": kind, **self.form.values}) if kind else None

    def reset(self) -> None:
        """Choose none, without telling."""
        self._settle.stop()
        self.kind.setCurrentIndex(0)
        self._show_kind("")

    def show_corruption(self, corruption: Corruption) -> None:
        """Show a corruption, without telling."""
        self._settle.stop()
        self.kind.setCurrentIndex(self.kind.findData(corruption.kind))
        self._show_kind(corruption.kind)
        self.form.show_values(corruption.values())

    def _on_kind(self, _index: int) -> None:
        self._settle.stop()  # What was to be opened with it is opened with the kind.
        self._show_kind(self.kind.currentData())
        self.changed.emit()

    def _show_kind(self, kind: str) -> None:
        from core.io.corruption import PARAMETERS, USES  # noqa: PLC0415 - numba comes with it; the engine is there by now

        names = (*USES[kind], "share", "seed") if kind else ()
        self.form.build([p for p in PARAMETERS if p.name in names])
        self.hint.setVisible(bool(kind))
