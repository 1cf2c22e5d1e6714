"""Excluded areas: the tools that draw them, their bar, and what they tell the worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.errors import CleanplateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QAbstractButton

    from app.engine.worker import Worker
    from app.panels.areas import AreaBar
    from app.panels.banner import Banner
    from app.views.panes import PanesView
    from app.views.tools.area_board import Point
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from core.scene.areas import Areas, Kind

KINDS: tuple[Kind, ...] = ("never", "keep", "none")
"""What the bar draws, in its order."""


class AreaCommands(QObject):
    """Knows the areas of what is open, and lets people draw them.

    Parameters
    ----------
    worker : Worker
    choice : RunChoice
        Holds the areas: what is run and exported goes by it.
    input_ : InputCommands
        Says which part of the input is shown.
    bar : AreaBar
    switch : QAbstractButton
        On while people draw.
    banner : Banner
    parent : QObject

    Signals
    -------
    changed() : the areas are others
    """

    changed = Signal()

    def __init__(
        self,
        worker: Worker,
        choice: RunChoice,
        input_: InputCommands,
        bar: AreaBar,
        switch: QAbstractButton,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._choice, self._input = worker, choice, input_
        self._bar, self._switch, self._banner = bar, switch, banner
        self._panes: PanesView | None = None
        switch.toggled.connect(self._on_switch)
        bar.changed.connect(self._apply)
        bar.closed.connect(self._put_away)
        bar.clear_requested.connect(self.remove_all)
        input_.changed.connect(self._on_input)

    def attach(self, panes: PanesView) -> None:
        """Show and draw areas on the panes, which are there now."""
        self._panes = panes
        board = panes.areas.board
        panes.areas.drawn.connect(self._on_drawn)
        board.reshaped.connect(self._on_reshaped)
        board.removed.connect(self._on_removed)
        board.thickened.connect(self._bar.slider.thicken)
        board.left.connect(self._put_away)
        self._apply()
        self._show()

    @property
    def areas(self) -> Areas:
        """What is excluded of what is open."""
        from core.scene.areas import Areas  # noqa: PLC0415 - light, but not before the window is painted

        return self._choice.areas or Areas()

    def set_areas(self, areas: Areas) -> None:
        """Exclude these and no others from the next frame on; the frame that is held shows it at once."""
        if areas != self.areas:
            self._choice.areas = areas
            self._worker.set_areas(areas)
            self._show()
            self.changed.emit()

    def remove_all(self) -> None:
        """Exclude nothing any more."""
        from core.scene.areas import Areas  # noqa: PLC0415 - see above

        self.set_areas(Areas())

    def _on_drawn(self, points: tuple[Point, ...], thickness: int) -> None:
        from core.scene.areas import Shape  # noqa: PLC0415 - see above

        kind = KINDS[self._bar.kind.index]
        self._change(lambda areas: areas.with_shape(Shape(kind, points, float(thickness))))

    def _on_reshaped(self, number: int, points: tuple[Point, ...]) -> None:
        self._change(lambda areas: areas.reshaped(number, points))

    def _on_removed(self, number: int) -> None:
        self._change(lambda areas: areas.without(number))

    def _change(self, change: Callable[[Areas], Areas]) -> None:
        """Set what a change gives, or say why there can be no such areas; what is shown may be of another input."""
        if self._input.info_for("draw areas") is None:
            self._show()
            return
        try:
            self.set_areas(change(self.areas))
        except CleanplateError as error:
            self._banner.show_error(str(error))

    def _put_away(self) -> None:
        self._switch.setChecked(False)

    def _on_switch(self, on: bool) -> None:
        if self._panes is not None:
            self._panes.setFocus()  # So that Esc reaches it.
        self._bar.setVisible(on)
        self._apply()

    def _apply(self) -> None:
        from app.views.tools.area_board import Drawing  # noqa: PLC0415 - needs OpenCV

        if self._panes is not None:
            drawing = Drawing(KINDS[self._bar.kind.index], self._bar.brush_size)
            self._panes.areas.draw_with(drawing if self._switch.isChecked() else None)

    def _on_input(self) -> None:
        if self._choice.areas is not None:
            self._worker.set_areas(self._choice.areas)  # They may be others than when it began to open.
        self._show()

    def _show(self) -> None:
        info = self._input.info
        if self._panes is not None:
            self._panes.areas.show_areas(self.areas, (0, 0) if info is None else info.corner)
