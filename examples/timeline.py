"""The timeline alone, playing 240 frames: ``python -m examples.timeline [light]``."""

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.theme import apply_theme
from app.views.timeline import Timeline

if __name__ == "__main__":
    app = QApplication(sys.argv)
    apply_theme(app, "light" if "light" in sys.argv else "dark")
    timeline, at = Timeline(), [0]
    timeline.set_range(240, 30.0)
    timer = QTimer(interval=33)

    def seek(index: int) -> None:
        """Go to a frame."""
        at[0] = index % 240
        timeline.set_position(at[0], at[0] / 30, 0, 1)

    def play(on: bool) -> None:
        """Run or hold the clock."""
        timeline.set_playing(on)
        timer.start() if on else timer.stop()

    timer.timeout.connect(lambda: seek(at[0] + 1))
    timeline.step_requested.connect(lambda: seek(at[0] + 1))
    timeline.seek_requested.connect(seek)
    timeline.play_toggled.connect(play)
    timeline.resize(900, 60)
    play(True)
    timeline.show()
    sys.exit(app.exec())
