"""The status bar: what goes on, how fast, how far, and how long it will take."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QStatusBar

from app.panels.controls import button, named
from app.rate_words import rate_words
from app.theme import set_role
from core.runtime.memory import resident_mib

WROTE_MS = 5000
"""How long it is said that a file was written."""

GAP = 6
"""Between two parts of the bar, as Qt leaves it, pixels."""


def format_time_left(seconds: float) -> str:
    """Return a time left in words, such as "1 min 20 s left"."""
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s left"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s left"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min left"


class StatusBar(QStatusBar):
    """State, frames per second, frames learnt, memory, progress, time left; zoom on the right.

    Where there is no room for all, what people need least is left out, and nothing is cut.

    Signals
    -------
    learn_on_requested() : a person wants learning to go on where it stopped
    """

    learn_on_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(10, 2, 10, 2)
        # What it says must not hold the window open: it is the bar that gives way.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._dot = QLabel("●")
        self._dot.setAccessibleName("State")
        self.state = self._label("What the engine is doing")
        self.learn_on = button(
            "Learn on (End)", "Learn on", "Go back to where learning stopped, and go on there. (End)", "link"
        )
        self.learn_on.clicked.connect(self.learn_on_requested)
        self._offers_learning = False
        self.rate = self._label("Frames processed per second, over the last second")
        self.learnt = self._label(
            "Frames processed since the run began, or since the project was opened. Left out is what a camera or a "
            "stream sent while the frame before was still worked on"
        )
        self.memory = self._label("Memory in use by the whole program")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedWidth(120)
        named(self.progress, "Progress", "How much of the input has been read, all passes together")
        self.left = self._label("Time left at the present rate")
        self.zoom = self._label("Zoom of the panes, which move together")
        self.export = self._label("Of the export; its panel opens by File, Export")
        self.addWidget(self._dot)
        for widget in (self.state, self.learn_on, self.rate, self.learnt, self.memory, self.progress, self.left):
            self.addWidget(widget)
        self.addPermanentWidget(self.export)
        self.addPermanentWidget(self.zoom)
        self._leaves_first = (self.zoom, self.memory, self.learnt, self.rate, self.left)
        self.messageChanged.connect(self._fit)
        self._exporting, self._closes, self._went = "", False, ""
        self._opening, self._work, self._going, self._lacks, self._state = "", "", "", "", ("", "muted")
        self.progress.hide()
        self.learn_on.hide()
        self.export.hide()
        self.show_state("Starting…", "muted")

    def show_state(self, text: str, role: str) -> None:
        """Show what goes on; ``role`` colours the dot."""
        self._state = text, role
        self._show_said()

    def offer_learning(self, on: bool) -> None:
        """Offer to go on where learning stopped: frames are looked at, which teach nothing."""
        if on != self._offers_learning:
            self._offers_learning = on
            self._fit()

    def show_opening(self, title: str) -> None:
        """Show in the place of the state what is being opened, while what is open goes on; empty: nothing any more."""
        self._opening = f"Opening {title}…" if title else ""
        self._show_said()

    def show_work(self, work: str) -> None:
        """Show long work between two frames in the place of the state until it is done; empty: it is."""
        self._work = work
        if work:  # Of frames; none comes meanwhile.
            self.forget_rate()
        self._show_said()

    def show_going(self, words: str, *, is_long: bool = False) -> None:
        """Show in the place of the state which frame is on its way, until it has come; empty: it has.

        ``is_long``: it takes long, and neither rate nor time left is true.
        """
        if is_long:
            self.forget_rate()
        if words != self._going:
            self._going = words
            self._show_said()

    def show_lack(self, words: str) -> None:
        """Show in the place of the state what is not known of the frame that is shown; empty: all is."""
        self._lacks = words
        self._show_said()

    def _show_said(self) -> None:
        said = self._opening or self._work or self._going
        text, role = (said, "good") if said else (self._lacks, "warn") if self._lacks else self._state
        if text == self.state.text() and role == self._dot.property("role"):
            return
        self.state.setText(text)
        self.state.setAccessibleName(text)
        set_role(self._dot, role)
        self._fit()

    def show_rate(self, fps: float, count: str, *, what: str = "frame") -> None:
        """Show how fast frames (or ``what`` else) go by (0: not known), how many there were, and the memory in use."""
        self._say(self.rate, rate_words(fps, what))
        self._say(self.learnt, count)
        mib = resident_mib()
        self._say(self.memory, f"memory {mib:.0f} MiB" if mib else "")

    def forget_rate(self) -> None:
        """Show neither rate nor time left: nothing comes."""
        self._say(self.rate, "")
        self._say(self.left, "")

    def show_progress(self, part: float | None, seconds_left: float | None) -> None:
        """Show how much is done, 0 to 1, and the time left; None hides them."""
        # Not over a message, such as what was written: the bar takes its place again when that goes.
        if part is None or not self.currentMessage():
            self.progress.setVisible(part is not None)
        if part is not None:
            self.progress.setValue(round(100 * part))
        self._say(self.left, format_time_left(seconds_left) if seconds_left is not None else "")

    def say_wrote(self, name: str) -> None:
        """Say for a while that a file was written."""
        self._say_a_while(f"Wrote {name}")

    def say_went(self, step: str, forward: bool) -> None:
        """Say for a while which step was done again, or taken back: it may be of a frame that is not shown."""
        self._went = self._say_a_while(f"Done again: {step}" if forward else f"Undone: {step}")

    def forget_went(self) -> None:
        """Say that no more: something else was done since."""
        if self._went and self.currentMessage() == self._went:
            self.clearMessage()

    def _say_a_while(self, sentence: str) -> str:
        """Say it for a while, and return it; where there is no room for all of it, its middle is left out."""
        room = self.contentsRect().width() - 2 * GAP
        said = self.fontMetrics().elidedText(sentence, Qt.TextElideMode.ElideMiddle, room)
        self.showMessage(said, WROTE_MS)
        return said

    def show_export(self, text: str) -> None:
        """Show how far an export is, or how it has ended; empty hides it."""
        self._exporting = text
        said = " · ".join(filter(None, (text, "then the window closes" if self._closes else "")))
        self.export.setVisible(bool(said))
        self._say(self.export, said)

    def show_closes(self, on: bool) -> None:
        """Show whether the window closes by itself when the export is done."""
        self._closes = on
        self.show_export(self._exporting)

    def show_zoom(self, percent: float) -> None:
        """Show the zoom, screen pixels for each picture pixel, percent."""
        self._say(self.zoom, f"zoom {percent:.0f} %, panes linked")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room now."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show everything that has room. Under a message nothing is shown, and this is done when that goes."""
        if self.currentMessage():
            return
        self.learn_on.setVisible(self._offers_learning)
        always = [self.export] * bool(self.export.text()) + [self.learn_on] * self._offers_learning
        shown = [self._dot, self.state, *always, *self._leaves_first]
        room = self.contentsRect().width() - sum(widget.sizeHint().width() + GAP for widget in shown)
        room -= self.progress.width() + GAP
        for label in self._leaves_first:
            label.setVisible(room >= 0)
            if room < 0:
                room += label.sizeHint().width() + GAP

    def _say(self, label: QLabel, text: str) -> None:
        if label.text() != text:
            label.setText(text)
            self._fit()

    @staticmethod
    def _label(tip: str) -> QLabel:
        label = QLabel()
        label.setToolTip(tip)
        label.setContentsMargins(0, 0, 10, 0)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return label
