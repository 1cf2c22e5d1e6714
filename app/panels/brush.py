"""The bar of the brush: what is painted, how thick, for which frames, and how to take it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from app.focus import leave_space
from app.panels.controls import Segmented, beside, button, keep_wheel_off, named
from app.panels.frame_box import FrameBox
from app.panels.thickness import ThicknessSlider
from app.panels.wrapping import Wrapping

BACKGROUND, FOREGROUND = 0, 1

LEARNT, SPAN, THIS_FRAME = range(3)
"""For which frames a stroke holds: those that it is learnt for, or some."""

LEARNT_WORDS = {
    True: ("All frames", "It is learnt: the same mistake is corrected elsewhere and in all frames. (T)"),
    False: (
        "From here on",
        "It is learnt: the same mistake is corrected elsewhere. What you paint is held from this frame on. (T)",
    ),
}
"""What strokes that are learnt are said to hold for, by whether they are background; and the tip."""


class BrushBar(QFrame):
    """Controls of the brush with which people correct the mask; hidden while nobody paints.

    Signals
    -------
    changed() : something else is painted, or as thick as another brush
    span_chosen() : strokes are for a span from now on, whose ends may be suggested
    undo_requested(), forget_requested(), closed()
    """

    changed = Signal()
    span_chosen = Signal()
    undo_requested = Signal()
    forget_requested = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.kind = Segmented(
            [
                ("Background", "What you paint is scene: it leaves the mask, is learnt, and stays out of the mask."),
                ("Foreground", "What you paint is foreground: it stays in the mask until it leaves; it is not learnt."),
            ],
            "Brush",
        )
        self.kind.setToolTip("Paint where a mistake is seen: input, foreground, mask, matte, cleaned, probability.")
        self.kind.chosen.connect(self._on_kind)
        self.slider = ThicknessSlider("Brush size")
        self.slider.valueChanged.connect(self.changed)
        self.holds = Segmented(
            [
                LEARNT_WORDS[True],
                ("Span", "It corrects the frames from one to another, and nothing is learnt from it."),
                ("This frame", "It corrects the frame that is shown, and nothing is learnt from it. (T)"),
            ],
            "Stroke holds for",
        )
        self.holds.chosen.connect(self._on_holds)
        self.first, self.last = _frame_box("First frame of the span"), _frame_box("Last frame of the span")
        self.span = beside(self.first, QLabel("to"), self.last)
        self.span.hide()
        self.undo = button("Undo", "Undo", "Take the last step back: a stroke, or what was set since. (Ctrl+Z)")
        self.undo.clicked.connect(self.undo_requested)
        self.forget = button("Forget all", "Forget all strokes", "Remember nothing of what was painted on this input.")
        self.forget.clicked.connect(self.forget_requested)
        self.done = button("Done", "Done", "Put the brush away; what was painted is kept. (Esc)")
        self.done.clicked.connect(self.closed)
        self._groups = (
            beside(QLabel("Paint"), self.kind),
            beside(QLabel("Size"), self.slider, self.slider.words),
            beside(QLabel("Holds for"), self.holds),
            self.span,
            beside(self.undo, self.forget, self.done),
        )
        self._controls = Wrapping(*self._groups)
        rows = QHBoxLayout(self)
        rows.setContentsMargins(14, 6, 14, 6)
        rows.addWidget(self._controls)
        self.hide()

    @property
    def paints_background(self) -> bool:
        """Whether background is painted."""
        return self.kind.index == BACKGROUND

    @property
    def teaches(self) -> bool:
        """Whether strokes are learnt from, and are for no certain frames."""
        return self.holds.index == LEARNT

    def frames_for(self, index: int) -> tuple[int, int] | None:
        """Return the frames that a stroke on a frame is for, counted from 0, both included; None: it is learnt."""
        if self.holds.index == SPAN:
            first, last = sorted((self.first.value() - 1, self.last.value() - 1))
            return first, last
        return None if self.teaches else (index, index)

    def holds_on(self, index: int | None) -> bool:
        """Tell whether a stroke on a frame, counted from 0, is for that frame too; also where none is shown (None)."""
        if index is None:
            return True
        frames = self.frames_for(index)
        return frames is None or frames[0] <= index <= frames[1]

    def show_span(self, first: int, last: int) -> None:
        """Show the ends of the span, counted from 0."""
        self.first.setValue(first + 1)
        self.last.setValue(last + 1)

    def toggle_learning(self) -> None:
        """Let strokes be learnt from, or where they are that already be for the frame that is shown."""
        self.holds.choose(THIS_FRAME if self.teaches else LEARNT)
        self._on_holds()

    def _on_kind(self) -> None:
        self.holds.call(LEARNT, *LEARNT_WORDS[self.paints_background])
        self.changed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Leave the height for the boxes of a span, which are taller: as they come, the pictures below stay."""
        for group in self._groups:  # Whichever row they come into.
            group.setMinimumHeight(self.span.sizeHint().height())
        super().showEvent(event)

    def _on_holds(self) -> None:
        spans = self.holds.index == SPAN
        if spans and self.span.isHidden():
            self.span_chosen.emit()
        self.span.setVisible(spans)
        self._controls.arrange()


def _frame_box(name: str) -> FrameBox:
    """Return a box for the number of a frame, counted from 1."""
    box = FrameBox(1)
    box.setButtonSymbols(FrameBox.ButtonSymbols.NoButtons)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setFixedWidth(box.fontMetrics().horizontalAdvance("0000000") + 16)
    named(box, name, f"{name}, counted from 1, this one included.")
    leave_space(box)
    keep_wheel_off(box)
    return box
