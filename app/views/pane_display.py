"""Fills the panes that can be seen with what was chosen for them, and says what is under the pointer and measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.rendering.report_images import Pictures
from app.rendering.saving import data_of, write_data
from app.views.linked import Linked
from app.views.measuring import MeasureMode
from app.views.pane import ImagePane
from app.views.pane_choice import PaneChoice
from app.views.pane_contents import ConfidenceContent, SharedLevels
from app.views.pane_grid import PaneGrid
from core.io.calibration import Calibration, PixelSize
from core.session.report import Report


class PaneDisplay:
    """Shows the pictures of one report after another.

    Parameters
    ----------
    panes : sequence of ImagePane
    grid : PaneGrid
        Knows which of them can be seen.
    choice : PaneChoice
        Knows what each shows.
    linked : Linked
    measuring : MeasureMode
        Knows what is measured.

    Attributes
    ----------
    pictures : Pictures or None
        What is shown.
    """

    def __init__(
        self,
        panes: Sequence[ImagePane],
        grid: PaneGrid,
        choice: PaneChoice,
        linked: Linked,
        measuring: MeasureMode,
    ) -> None:
        self._panes, self._grid, self._choice = panes, grid, choice
        self._linked, self._measuring = linked, measuring
        confidence = choice.contents["confidence"]
        assert isinstance(confidence, ConfidenceContent)
        self._confidence = confidence
        self._levels = SharedLevels()
        self._size: tuple[int, int] | None = None
        self._calibration: Calibration | None = None
        self.pictures: Pictures | None = None

    @property
    def report(self) -> Report | None:
        """The report that is shown."""
        return None if self.pictures is None else self.pictures.report

    def show(self, report: Report, pictures: Pictures | None) -> None:
        """Show a report; where no pictures of it are given, they are made here, for the panes that are visible."""
        self.pictures = pictures or self._made(report)
        if self._size != self.pictures.size:
            self._size = self.pictures.size
            self._linked.forget()
            self.set_confidence(None)
            self._measuring.keep_within(self._size)
        self._levels.follow(self.pictures)
        self.feed()
        self.update_readouts()

    def clear(self) -> None:
        """Show nothing."""
        self.pictures, self._size = None, None
        self._linked.forget()
        self.set_confidence(None)
        for pane in self._panes:
            pane.show_image(None)
            pane.set_look(None)
            pane.set_readout("")
            pane.set_measured(())
            pane.probe.mark(None)

    def feed(self) -> None:
        """Show the pictures in the panes that can be seen: each is made when it is first asked for."""
        if self.pictures is not None:
            self._fill(self.pictures)
            self._linked.settle()

    def refine(self) -> None:
        """Where the pictures show too little now, make them here."""
        if self.pictures is not None and self.pictures.halvings > self._linked.halvings:
            self.pictures = self.pictures.finer(self._linked.halvings)
            self._fill(self.pictures)

    def _made(self, report: Report) -> Pictures:
        return Pictures(report, self._linked.halvings, self._measuring.region)

    def _fill(self, pictures: Pictures) -> None:
        for index in self._grid.visible:
            pane, content = self._panes[index], self._choice.content(index)
            if not pictures.has(self._choice.kinds[index]):
                continue  # The engine, which makes them, knows by now that it is wanted.
            content.fill(pane, pictures, self._levels)
            found = content.statistics(pictures) if self._measuring.region is not None else None
            pane.set_measured(() if found is None else found.words(self._pixel_size))

    def set_confidence(self, picture: NDArray[np.uint8] | None) -> None:
        """Show how often each pixel of the plate was seen, where that was chosen.

        Parameters
        ----------
        picture : (H, W) uint8, or None
            255 always, 0 never; at the working size. None where it is not known yet.
        """
        shown = self._choice.showing("confidence")
        self._confidence.confidence = picture if shown else None
        for index in shown:
            self._panes[index].set_title(self._confidence.title)
        if self.pictures is not None:
            for index in set(shown).intersection(self._grid.visible):
                self._confidence.fill(self._panes[index], self.pictures, self._levels)
            self.update_readouts()

    # Pixels

    def update_readouts(self) -> None:
        """Say what is under the pointer, in the panes that can be seen."""
        point = self._linked.point if self.pictures is not None else None
        for index in self._grid.visible:
            self._panes[index].set_readout("" if point is None else self.readout_text(index, *point))

    def readout_text(self, index: int, x: int, y: int) -> str:
        """Return what a pane says of a pixel of the original picture; nothing while there is no picture."""
        if self.pictures is None:
            return ""
        text = self._choice.content(index).pixel_text(self.pictures, x, y)
        says_where = index == self._grid.enlarged or self._choice.kinds[index] == "input"
        return f"x {x} y {y} · {text}".rstrip(" ·") if says_where else text

    # Scale and data

    def set_calibration(self, calibration: Calibration | None) -> None:
        """Show scale bars and areas for pictures of this scale, and save it with data; None: it is not known."""
        self._calibration = calibration
        for pane in self._panes:
            pane.scale_bar.set_size(self._pixel_size)

    @property
    def _pixel_size(self) -> PixelSize | None:
        return None if self._calibration is None else self._calibration.pixel_size

    def data_writer(self, index: int) -> Callable[[Path], None] | None:
        """Return what writes the data of a pane's picture, on any thread; None where there are none."""
        report, kind, calibration = self.report, self._choice.kinds[index], self._calibration
        if kind == "confidence":
            known = self._confidence.confidence
            return None if known is None else lambda path: write_data(path, known, calibration)
        return None if report is None else lambda path: write_data(path, data_of(report, kind), calibration)
