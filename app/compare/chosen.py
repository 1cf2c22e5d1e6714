"""Which methods are compared, each with its parameters, and the dialog in which a person sets these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from app.compare.method_settings import CompareSettings
from app.compare.view import MOST, CompareView
from core import catalogue
from core.scene.areas import Areas
from core.session.settings import Settings

if TYPE_CHECKING:
    from core.methods.base import MethodRow
    from core.parameter import Value

OFFERED = ("mog2", "opgd", "median", "knn")
OFFERED_FOR_IMAGES = ("oadmm", "opgd", "l21", "robust-nmf")
"""What a further column shows, the first that is not there yet; the same of an image set."""


@dataclass(frozen=True)
class Chosen:
    """A method of the comparison, and its parameters that differ from their defaults.

    Passes, seed, mask and areas are those of all; `app.engine.choice.Choice` has them too, for one run.
    """

    method: str
    values: Mapping[str, Value] = field(default_factory=dict)


class ChosenMethods(QObject):
    """The methods that are compared, which people choose in the columns of a view.

    Parameters
    ----------
    chosen : sequence of Chosen
        Those to begin with, two to four.
    view : CompareView
    mask_values : mapping
        Parameters of the mask, for all methods that have their mask made here.
    seed : int
    areas : Areas, optional
        What is excluded of the input.
    is_image_set : bool
        The input is taken for one: methods for such are proposed.

    Attributes
    ----------
    dialog : CompareSettings or None
        The parameters of one method, while a person sets them.

    Signals
    -------
    changed() : there are other methods
    values_changed() : a parameter is another
    """

    changed = Signal()
    values_changed = Signal()

    def __init__(
        self,
        chosen: Sequence[Chosen],
        view: CompareView,
        mask_values: Mapping[str, Value],
        seed: int,
        areas: Areas | None = None,
        *,
        is_image_set: bool = False,
    ) -> None:
        super().__init__(view)
        self._is_image_set = is_image_set
        self._chosen = list(chosen)
        self._view, self._mask_values, self._seed, self._areas = view, mask_values, seed, areas or Areas()
        self.dialog: CompareSettings | None = None
        view.method_chosen.connect(self._on_method)
        view.settings_requested.connect(self.open_settings)
        view.removal_requested.connect(self._on_removed)

    @property
    def all(self) -> tuple[Chosen, ...]:
        """The methods, from left to right."""
        return tuple(self._chosen)

    @property
    def rows(self) -> list[MethodRow]:
        """Their rows of the catalogue."""
        return [catalogue.row(one.method) for one in self._chosen]

    @property
    def is_full(self) -> bool:
        """Whether no further method can be compared."""
        return len(self._chosen) >= MOST

    def settings(self, passes: int) -> list[Settings]:
        """Return what is run of each."""
        return [
            Settings(one.method, {**self._mask_values, **one.values}, passes, self._seed, areas=self._areas)
            for one in self._chosen
        ]

    def add(self) -> None:
        """Compare with one more."""
        present = {one.method for one in self._chosen}
        offered = OFFERED_FOR_IMAGES if self._is_image_set else OFFERED
        self._chosen.append(Chosen(next(key for key in (*offered, *catalogue.METHODS) if key not in present)))
        self.changed.emit()

    def _on_method(self, column: int, key: str) -> None:
        if key != self._chosen[column].method:
            self.close_settings()
            self._chosen[column] = Chosen(key)
            self.changed.emit()

    def _on_removed(self, column: int) -> None:
        self.close_settings()
        del self._chosen[column]
        self.changed.emit()

    def open_settings(self, column: int) -> None:
        """Let a person set the parameters of a column's method."""
        self.close_settings()
        chosen = self._chosen[column]
        self.dialog = dialog = CompareSettings(catalogue.row(chosen.method), chosen.values, self._view.window())
        dialog.changed.connect(partial(self._on_values, column))
        below = self._view.columns[column].settings_button
        at = below.mapToGlobal(below.rect().bottomRight()) - QPoint(dialog.width(), 0)
        room = self._view.screen().availableGeometry().adjusted(0, 0, -dialog.width(), -dialog.height())
        # Below its button, but on the screen: the first column's would hang over the left edge.
        dialog.move(max(min(at.x(), room.right()), room.left()), max(min(at.y(), room.bottom()), room.top()))
        dialog.show()

    def close_settings(self) -> None:
        """Let nobody set parameters any more, until they are asked for again."""
        if self.dialog is not None:
            self.dialog.close()
            self.dialog.deleteLater()
            self.dialog = None

    def _on_values(self, column: int, values: Mapping[str, Value]) -> None:
        self._chosen[column] = Chosen(self._chosen[column].method, values)
        self.values_changed.emit()
