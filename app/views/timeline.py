"""The timeline: first frame, play, step, loop, passes, and a slider that seeks to exactly the frame it shows."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.rendering.clock import time_text
from app.spoken import show_words
from app.theme import icon
from app.views.activity import ActivityStrip
from app.views.icon_button import icon_button
from app.views.marks import MarksStrip
from app.views.passes_box import PassesBox
from app.views.seek_slider import SeekSlider

_SEEK_EVERY_MS = 120

ICON_PX = 18
"""Of the buttons: a little larger than elsewhere, for they are what is used most."""

_PASS = "pass {} of"

_PAGE = 10
"""Frames by which the slider jumps where a second is not several frames."""


class Timeline(QWidget):
    """Where the run is, and the controls that move it. It only asks: whoever runs the session answers with the setters.

    Frames are counted from 0 in signals and setters, from 1 on screen.
    """

    play_toggled = Signal(bool)
    step_requested = Signal()
    seek_requested = Signal(int)
    loop_changed = Signal(bool)
    passes_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._n_frames: int | None = None
        self._per_s: float | None = None
        self._live = self._passes_fixed = False
        self._playing = False
        self._index, self._time_s = 0, 0.0
        self._asked: int | None = None
        self._seek_timer = QTimer(self, singleShot=True, interval=_SEEK_EVERY_MS)
        self._seek_timer.timeout.connect(self._send_seek)
        self._build()
        self._connect()
        self.set_range(None, None)
        self.set_playing(False)
        self.show_nothing()

    def _build(self) -> None:
        self.setAccessibleName("Timeline")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.first_button = icon_button(
            "first", "First frame", "Show the first frame; nothing is learnt again (Home)", ICON_PX
        )
        self.play_button = icon_button("play", "Play", "Play", ICON_PX)
        self.play_button.setProperty("role", "primary")
        self.play_button.setMinimumWidth(46)
        self.step_button = icon_button("step", "Step", "Process one frame, then pause", ICON_PX)
        self.loop_button = icon_button("loop", "Loop", "Start over when the input ends", ICON_PX)
        self.loop_button.setCheckable(True)
        self.loop_button.setText("loop")
        self.loop_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.slider = SeekSlider()
        self.slider.setAccessibleName("Position")
        self.slider.setToolTip(
            "Go to exactly the frame under the pointer; arrow keys move by one frame once Tab has come here"
        )
        self.position = QLabel()
        self.position.setProperty("role", "number")
        self.position.setAccessibleName("Time and frame")
        self.position.setToolTip("Time in the input · frame of how many")
        self.pass_label = QLabel()
        show_words(self.pass_label, _PASS.format(1))
        self.pass_label.setProperty("role", "caption")
        self.pass_label.setAccessibleName("Pass")
        self.passes = PassesBox()
        self.set_passes_fixed(False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 4, 12, 6)
        layout.setSpacing(8)
        for button in (self.first_button, self.play_button, self.step_button, self.loop_button):
            layout.addWidget(button)
        self.activity, self.marks = ActivityStrip(), MarksStrip()
        over = QVBoxLayout()
        over.setSpacing(0)
        over.addWidget(self.activity)
        over.addWidget(self.marks)
        over.addWidget(self.slider)
        layout.addLayout(over, 1)
        for widget in (self.position, self.pass_label, self.passes):
            layout.addWidget(widget)

    def _connect(self) -> None:
        self.first_button.clicked.connect(lambda: self.seek_requested.emit(0))
        self.play_button.clicked.connect(lambda: self.play_toggled.emit(not self._playing))
        self.step_button.clicked.connect(self.step_requested)
        self.loop_button.toggled.connect(self.loop_changed)
        self.passes.valueChanged.connect(self.passes_changed)
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(self._on_released)
        self.activity.pressed_at.connect(self._on_activity)
        self.marks.frame_pressed.connect(self.go_to)
        self.marks.range_changed.connect(self.activity.show_range)

    # What is shown

    def set_range(self, n_frames: int | None, frames_per_s: float | None, live: bool = False) -> None:
        """Say how long the input is.

        Parameters
        ----------
        n_frames : int or None
            None: not known; there is nothing to seek in.
        frames_per_s : float or None
            Of the scene, also where it is not played so. None: frames have no time, and none is shown.
        live : bool
            A camera: no seeking, no loop, no passes.
        """
        self._n_frames, self._per_s, self._live = n_frames, frames_per_s, live
        self.setEnabled(True)
        known = bool(n_frames) and not live
        is_beyond = n_frames is not None and self._index >= n_frames
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max((n_frames or 1) - 1, 0))
            if is_beyond:  # Of the input before; the first frame of this one comes in a moment.
                self._index, self._time_s = 0, 0.0
            if self._asked is not None and self._asked >= (n_frames or 0):
                self._asked = None
            if self._is_followed:
                self.slider.setValue(self._index)
            a_second = round(frames_per_s or 0)
            self.slider.setPageStep(a_second if a_second > 1 else _PAGE)
        self.slider.setEnabled(known)
        self.activity.set_frames(n_frames or 0, self.slider.margin)
        self.marks.set_frames((n_frames or 0) if known else 0, self.slider.margin)
        for widget in (self.first_button, self.loop_button):
            widget.setEnabled(not live)
        self.passes.setEnabled(not live and not self._passes_fixed)
        self._show_position(self._index, self._time_s)
        # Room for the longest text, so that nothing beside it moves.
        longest = self._position_text((n_frames or 100_000) - 1, (n_frames or 100_000) / (frames_per_s or 25.0))
        self.position.setMinimumWidth(self.position.fontMetrics().horizontalAdvance(longest) + 8)
        layout = self.layout()
        if layout is not None:
            layout.activate()  # It is as wide as that at once, and would lie over what is beside it until events come.

    def show_nothing(self) -> None:
        """No input is open."""
        show_words(self.position, "no input")
        self.setEnabled(False)

    def begin_another(self) -> None:
        """Forget the place in the input that was open: the first frame of another may take a while."""
        self._seek_timer.stop()
        self._index, self._time_s, self._asked = 0, 0.0, None
        show_words(self.pass_label, _PASS.format(1))
        self._follow()

    def set_position(self, index: int, time_s: float, pass_index: int, n_passes: int) -> None:
        """Say where the run is: frame (from 0), its time in seconds, and the pass (from 0) of how many."""
        self._index, self._time_s = index, time_s
        if self._n_frames is not None and index >= self._n_frames:
            # The container declared fewer frames than it holds.
            self.set_range(index + 1, self._per_s, self._live)
        show_words(self.pass_label, _PASS.format(pass_index + 1))
        self.passes.follow(n_passes)
        if self._asked == index:
            self._asked = None
        self._follow()

    def show_going_to(self, index: int | None) -> None:
        """Say which frame was sought and has not come yet; None: what was sought is there, or does not come."""
        if index == self._asked or self._is_moved_by_hand:
            return
        self._asked = index
        if index is None:
            self._follow()
            return
        with QSignalBlocker(self.slider):
            self.slider.setValue(index)
        self._show_position(index, index / self._per_s if self._per_s else 0.0)

    def _follow(self) -> None:
        """Show where the run is, unless a frame was sought: those from before still arrive."""
        if self._is_followed:
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._index)
            self._show_position(self._index, self._time_s)

    @property
    def _is_followed(self) -> bool:
        """Whether the slider goes with the run."""
        return self._asked is None and not self._is_moved_by_hand

    @property
    def _is_moved_by_hand(self) -> bool:
        return self._seek_timer.isActive() or self.slider.isSliderDown()

    def set_passes(self, n_passes: int) -> None:
        """Say how often the input will be read: another number was chosen elsewhere."""
        self.passes.choose(n_passes)

    def set_passes_fixed(self, fixed: bool) -> None:
        """Say whether the method decides itself how often the input is read."""
        self._passes_fixed = fixed
        self.passes.setEnabled(not self._live and not fixed)
        self.passes.setToolTip(
            "A batch method reads the input twice: to gather frames that it learns from, and to be applied"
            if fixed
            else "How often the input is read: earlier passes learn, the last one gives the results"
        )

    def set_playing(self, playing: bool) -> None:
        """Say whether the run goes on."""
        self._playing = playing
        name = "Pause" if playing else "Play"
        self.play_button.setIcon(icon("pause" if playing else "play", "on_accent"))
        self.play_button.setAccessibleName(name)
        self.play_button.setToolTip("Pause before the next frame" if playing else "Go on with the next frame")

    @property
    def playing(self) -> bool:
        """Whether the run goes on, as it was last said."""
        return self._playing

    def set_loop(self, on: bool) -> None:
        """Set the loop switch."""
        self.loop_button.setChecked(on)

    # Seeking

    def _on_slider(self, index: int) -> None:
        """Show the frame that would be sought at once; ask for it a few times a second while the slider moves."""
        self._asked = index
        self._show_position(index, index / self._per_s if self._per_s else 0.0)
        if not self._seek_timer.isActive():
            self._seek_timer.start()

    def go_to(self, index: int) -> None:
        """Seek frame ``index``, from 0."""
        self.slider.setValue(index)

    def _on_activity(self, x: float) -> None:
        if self.slider.isEnabled():
            self.slider.setValue(self.slider.value_at(x))

    def _on_released(self) -> None:
        if self._seek_timer.isActive():
            self._seek_timer.stop()
            self._send_seek()

    def _send_seek(self) -> None:
        if self._asked is not None:
            self.seek_requested.emit(self._asked)

    # Words

    def _position_text(self, index: int, time_s: float) -> str:
        total = None if self._live else self._n_frames
        # Figure-wide padding: the words beside the number stay where they are while it grows.
        count = f"{index + 1}" if total is None else f"{index + 1:>{len(str(total))}} / {total}"
        return f"{time_text(time_s)} · {count}" if self._per_s else f"frame {count}"

    def _show_position(self, index: int, time_s: float) -> None:
        text = self._position_text(index, time_s)
        show_words(self.position, text)
        self.slider.setAccessibleDescription(text)
