"""The figures of the frame that is shown."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from app.panels.figures import FiguresPanel, noise_words
from tests.app.view_helpers import make_report


@pytest.mark.parametrize(
    ("noise", "white", "words"),
    [
        (2.13 / 255, 255, "2.1 of 255"),
        (0.2134 / 255, 255, "0.21 of 255"),
        (12.4 / 255, 255, "12 of 255"),
        (64.2 / 65535, 65535, "64 of 65535"),
        (123.4 / 1023, 1023, "123 of 1023"),
        (0.998 / 255, 255, "1.0 of 255"),
        (9.97 / 255, 255, "10 of 255"),
        (0.0, 255, "0.00 of 255"),
    ],
)
def test_noise_is_told_in_levels_of_a_depth_and_in_two_digits_at_least(noise, white, words):
    assert noise_words(noise, white) == words


@pytest.mark.parametrize(
    ("dtype", "bit_depth", "words"), [(np.uint8, None, "2.6 of 255"), (np.uint16, 12, "41 of 4095")]
)
def test_the_depth_is_that_of_the_input(qtbot, dtype, bit_depth, words):
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    panel.show_report(make_report(dtype=dtype, bit_depth=bit_depth, colour=False))
    assert panel.text("Noise σ") == words


def test_what_was_not_done_took_no_time_that_could_be_told(qtbot):
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    report = make_report()
    panel.show_report(replace(report, stages_ms={**report.stages_ms, "step": 0.0, "mask": 0.0}))
    assert (panel.text("Step"), panel.text("Mask")) == ("–", "–")
    panel.show_report(replace(report, stages_ms={**report.stages_ms, "step": 0.04, "mask": 17.2}))
    assert (panel.text("Step"), panel.text("Mask")) == ("0.0 ms", "17.2 ms")


def test_quality_is_shown_where_the_truth_is_known_and_else_has_no_rows(qtbot):
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    report = make_report()
    known = {"psnr_db": 31.24, "psnr_noisy_db": 12.5, "psnr_cleaned_db": 33.3, "relative_error": 0.071}
    rows = {"PSNR, input": "12.5 dB", "PSNR, background": "31.2 dB", "PSNR, cleaned": "33.3 dB", "Error": "7.1 %"}
    panel.show_report(replace(report, figures=known))
    assert {title: panel.text(title) for title in rows} == rows
    seen = {label.text() for label in panel.findChildren(QLabel) if not label.isHidden()}
    assert {*rows, *rows.values()} <= seen
    panel.show_report(replace(report, figures={}))
    seen = {label.text() for label in panel.findChildren(QLabel) if not label.isHidden()}
    assert seen.isdisjoint({*rows, *rows.values()})
