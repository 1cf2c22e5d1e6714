import cv2
import numpy as np

from core.training import sheet
from core.training.scene import drawn_clip


def test_a_sheet_shows_each_clip_beside_its_labels(tmp_path, monkeypatch):
    out = tmp_path / "sheet.png"
    monkeypatch.setattr("sys.argv", ["sheet", str(out), "--seeds", "0:3", "--columns", "2", "--at", "0,0.1"])
    sheet.main()
    made = cv2.imread(str(out))
    width, height = sheet.CELL
    assert made.shape == (2 * height, 2 * 4 * width, 3)
    assert made.max() > 0


def test_labels_are_laid_over_and_deep_samples_stretched():
    frames = [next(drawn_clip(seed, (64, 48), 2).frames()) for seed in range(40)]
    deep = next(frame for frame in frames if frame.picture.dtype == np.uint16)
    assert np.ptp(sheet.cell(deep, overlay=False)) > 60
    marked = next(frame for frame in frames if (frame.labels == 255).mean() > 0.05)
    assert (sheet.cell(marked, overlay=True) != sheet.cell(marked, overlay=False)).any()
