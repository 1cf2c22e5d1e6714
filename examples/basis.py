"""The basis strip alone, with drawn images: ``python -m examples.basis [light]``."""

import sys

import numpy as np
from PySide6.QtWidgets import QApplication

from app.theme import apply_theme
from app.views.basis import BasisStrip

if __name__ == "__main__":
    app = QApplication(sys.argv)
    apply_theme(app, "light" if "light" in sys.argv else "dark")
    strip = BasisStrip()
    strip.resize(1000, 190)
    ramp = np.linspace(0, 255, 160).astype(np.uint8)
    strip.show_basis([np.tile(np.roll(ramp, 20 * k), (120, 1)) for k in range(8)], np.linspace(0, 1, 8))
    strip.show()
    sys.exit(app.exec())
