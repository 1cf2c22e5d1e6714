"""The plots alone, fed thirty times a second: ``python -m examples.plots [light]``."""

import sys

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.theme import apply_theme
from app.views.plots import PlotsView

if __name__ == "__main__":
    app = QApplication(sys.argv)
    apply_theme(app, "light" if "light" in sys.argv else "dark")
    plots, noise, frames = PlotsView(), np.random.default_rng(0), iter(range(10**9))

    def frame() -> None:
        """Append what one more frame could have given."""
        n = next(frames)
        h = 1 + 0.3 * np.sin(n / (20 + 9 * np.arange(6)))
        plots.append(n, objective=20 + 200 * np.exp(-n / 90), residual=0.02, h=h, fps=noise.normal(110, 3))

    plots.build()
    timer = QTimer(interval=33)
    timer.timeout.connect(frame)
    timer.start()
    plots.resize(420, 190)
    plots.show()
    sys.exit(app.exec())
