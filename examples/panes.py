"""The six panes alone, with a drawn street: ``python -m examples.panes``."""

import sys

import cv2
import numpy as np
from PySide6.QtWidgets import QApplication

from app.theme import apply_theme
from app.views.panes import PanesView
from core.frames.frame import frame_from_image
from core.frames.split import DenseSplit
from core.session.report import Report


def drawn_report(height: int = 720, width: int = 976, deep: bool = False) -> Report:
    """Return the report of one frame: a ramp of colours with a disc that passes."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    still = np.stack([x / width, y / height, 0.5 + 0.2 * np.sin(x / 30)], axis=-1)
    if deep:
        still = 0.02 + 0.03 * still[..., 2]
    mask = np.zeros((height, width), np.uint8)
    cv2.circle(mask, (width // 3, height // 2), height // 7, 255, -1)
    cv2.rectangle(mask, (width * 2 // 3, height // 3), (width * 3 // 4, height * 2 // 3), 255, -1)
    seen = still.copy()
    seen[mask > 0] = 0.08
    white, dtype = (65535, np.uint16) if deep else (255, np.uint8)
    frame = frame_from_image(0, 0.0, np.rint(seen * white).astype(dtype))
    vector = still.ravel() if deep else np.ascontiguousarray(still.transpose(2, 0, 1)).ravel()
    residual = frame.values / np.float32(white) - vector
    return Report(frame, DenseSplit(vector, residual, None, np.ones(1), 0.0), mask, 0, 1, 1, 1, 0.01, {})


if __name__ == "__main__":
    app = QApplication(sys.argv)
    apply_theme(app, "light" if "light" in sys.argv else "dark")
    view = PanesView()
    view.resize(1000, 700)
    view.show_report(drawn_report(deep="deep" in sys.argv))
    view.show()
    sys.exit(app.exec())
