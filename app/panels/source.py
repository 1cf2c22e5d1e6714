"""Left of the panes: the input, the view of it that the method works on, and the mask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QWidget

from app.count_words import counted
from app.focus import leave_keys
from app.panels.controls import Column, Facts, Segmented, button, named
from app.panels.corruption import CorruptionForm
from app.panels.parameters import ParameterForm
from app.rate_words import span_words
from core.io.input_spec import LEAST_SIDE

if TYPE_CHECKING:
    from core.io.corruption import Corruption
    from core.io.sources.base import SourceInfo
    from core.parameter import Parameter

SCALES = (1.0, 0.5, 0.25)
"""Working scales that can be chosen."""

Region = tuple[int, int, int, int]

INDENT = "\u2002"
"""Before the text of a button with a menu: Qt leaves out the padding there."""


class SourcePanel(Column):
    """What is read and how.

    Signals
    -------
    view_changed() : colour, scale or corruption was changed; the input must be opened anew
    draw_region_requested(), clear_region_requested()
    mask_changed(Parameter, object) : a parameter of the mask was set
    """

    view_changed = Signal()
    draw_region_requested = Signal()
    clear_region_requested = Signal()
    mask_changed = Signal(object, object)

    def __init__(self, width: int = 268) -> None:
        super().__init__("Source", width)
        self.kind = QPushButton(f"{INDENT}Open…")
        leave_keys(self.kind)
        named(self.kind, "Source", "Open another input: a file, a folder, a camera, a stream or a sample.")
        self.kind.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.kind.setStyleSheet("QPushButton { text-align: left; padding: 5px 10px; }")
        self.facts = Facts(
            [
                ("Size", "Width and height of the input, pixels."),
                ("Rate", "Frames per second of the input, or the time from one to the next."),
                ("Length", "Number of frames and duration, as far as the input tells."),
                ("Depth", "Bits of a sample, and whether there is colour."),
            ]
        )
        self.add_section("Source", self.kind, self.facts)
        self.colour = Segmented(
            [
                ("Colour", "Learn from all colours: finds more, takes longer."),
                ("Grey", "Learn from brightness only: faster."),
            ],
            "Work on",
        )
        self.scale = Segmented(
            [
                ("Full size", "Learn at the size of the input."),
                ("½", "Learn at half the size: about four times as fast, masks a little coarser."),
                ("¼", "Learn at a quarter of the size: fastest, coarse masks."),
            ],
            "Working size",
        )
        self.colour.chosen.connect(lambda _i: self.view_changed.emit())
        self.scale.chosen.connect(lambda _i: self.view_changed.emit())
        self.region_row = self._region_row()
        self.add_section("Work on", self.colour, self.scale, self.region_row)
        self.corruption = CorruptionForm()
        self.corruption.changed.connect(self.view_changed)
        self.add_section("Add corruption (demo)", self.corruption)
        self.mask_form = ParameterForm("mask")
        self.mask_form.changed.connect(self.mask_changed)
        self.add_section("Mask", self.mask_form)
        self.rows.addStretch(1)
        self.show_region(None)

    @property
    def grey(self) -> bool:
        """True where the input is read in grey."""
        return self.colour.index == 1

    def fit_scale(self, width: int, height: int) -> float:
        """Return the working size as a part of what is so large; one too small to work in gives way to the next."""
        fits = [s for s in SCALES if s == 1 or round(min(width, height) * s) >= LEAST_SIDE]
        scale = min(s for s in fits if s >= SCALES[self.scale.index])
        self.scale.choose(SCALES.index(scale))
        return scale

    def set_open_menu(self, menu: QMenu) -> None:
        """Give the chooser its menu."""
        self.kind.setMenu(menu)

    def set_view_enabled(self, on: bool) -> None:
        """Let people choose how to look at the input; there must be one."""
        for widget in (self.colour, self.scale, self.region_row, self.corruption):
            widget.setEnabled(on)

    def build_mask(self, parameters: Iterable[Parameter]) -> None:
        """Make the controls of the mask from the catalogue."""
        self.mask_form.build(parameters)

    def show_kind(self, text: str) -> None:
        """Say what kind of input is open."""
        self.kind.setText(f"{INDENT}{text}")

    def show_source(self, info: SourceInfo, *, original: tuple[int, int], is_grey: bool) -> None:
        """Show what is known of the input.

        Parameters
        ----------
        original : (width, height)
            Before region and working size.
        is_grey : bool
            Has the input no colour of its own?
        """
        self.facts.show_fact("Size", f"{original[0]} × {original[1]}")
        self.facts.show_fact("Rate", _rate(info))
        self.facts.show_fact("Length", _length(info))
        self.facts.show_fact("Depth", f"{info.layout.bit_depth} bit, {'grey' if is_grey else 'colour'}")
        self.colour.setEnabled(not is_grey)
        if is_grey:
            self.colour.choose(1)

    def reset_view(self) -> None:
        """Go back to the whole input in its own colours, without telling."""
        self.colour.setEnabled(True)
        self.colour.choose(0)
        self.scale.choose(0)
        self.corruption.reset()
        self.show_region(None)

    def show_view(self, region: Region | None, scale: float, corruption: Corruption | None, *, grey: bool) -> None:
        """Show how the input is looked at, without telling; of the working scales the nearest."""
        self.reset_view()
        self.colour.choose(int(grey))
        self.scale.choose(min(range(len(SCALES)), key=lambda i: abs(SCALES[i] - scale)))
        self.show_region(region)
        if corruption is not None:
            self.corruption.show_corruption(corruption)

    def show_region(self, region: Region | None) -> None:
        """Show the region of interest; None is the whole picture."""
        text = "whole picture" if region is None else f"{region[2]} × {region[3]}"
        place = "" if region is None else f"Its upper left corner is at x {region[0]}, y {region[1]}."
        named(self.region, f"Region: {text}", place)
        self.region.setText(text)
        self.clear_region.setVisible(region is not None)

    def _region_row(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 4, 0, 0)
        row.setSpacing(6)
        title = QLabel("Region")
        self.region = QLabel()
        self.region.setProperty("role", "caption")
        draw = button("draw", "Draw a region", "Draw the part of the picture to work on, on the input pane.", "link")
        draw.clicked.connect(self.draw_region_requested)
        self.clear_region = button("clear", "Clear the region", "Work on the whole picture again.", "link")
        self.clear_region.clicked.connect(self.clear_region_requested)
        row.addWidget(title)
        row.addWidget(self.region, 1)
        row.addWidget(draw)
        row.addWidget(self.clear_region)
        return holder


def _length(info: SourceInfo) -> str:
    if info.live:
        return "live"
    if info.n_frames is None:
        return "not known"
    lasts = ""
    if info.fps:
        lasts = f", {info.n_frames / info.fps:.1f} s"
    elif info.interval_s:
        lasts = f", {span_words(info.n_frames * info.interval_s)}"
    return f"{counted(info.n_frames)}{lasts}"


def _rate(info: SourceInfo) -> str:
    if not info.is_rate_told:
        return "not told"
    if info.fps:
        return f"{info.fps:.4g} frames/s"
    return f"one every {span_words(info.interval_s)}" if info.interval_s else "still images"
