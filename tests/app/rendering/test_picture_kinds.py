from dataclasses import replace

import numpy as np
import pytest

from app.rendering.picture_kinds import KINDS, STANDARD, draw, known
from app.rendering.report_images import Pictures
from core.frames.split import DenseSplit
from core.scene.masks.cell_logits import CellLogits
from core.session.phase import Phase
from tests.app.view_helpers import SQUARE, make_report

LOGITS = CellLogits(np.linspace(-9, 9, 45 * 60, dtype=np.float32).reshape(45, 60), 2)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("colour", [False, True])
def test_the_residual_is_input_minus_background_with_its_sign(dtype, colour):
    unit = 1 if dtype == np.uint8 else 256
    pictures = Pictures(make_report(dtype=dtype, colour=colour))
    values = (pictures.residual.astype(int) - pictures.differences.zero) * pictures.differences.step
    assert np.abs(values[SQUARE] - -190 * unit).max() <= pictures.differences.step
    values[SQUARE] = 0
    assert np.abs(values).max() <= pictures.differences.step


def test_outliers_are_those_of_the_method_and_else_the_residual_in_the_mask():
    report = make_report()
    assert np.array_equal(Pictures(report).outliers, Pictures(report).residual), "elsewhere it is 0"
    split, layout = report.split, report.frame.layout
    found = np.zeros(layout.n_values, np.float32)
    for index in range(3):
        layout.plane(found, index)[10:20, 5:9] = 0.5
    own = replace(report, split=DenseSplit(split.background, split.residual, found, split.h, 1.0))
    pictures = Pictures(own)
    values = pictures.outliers.astype(int) - pictures.differences.zero
    assert (values[10:20, 5:9] == 128).all()
    assert np.count_nonzero(values) == 40


def test_probability_is_shown_where_a_head_was_asked():
    assert Pictures(make_report()).probability is None
    found = Pictures(replace(make_report(), logits=LOGITS)).probability
    assert found.shape == (90, 120)
    assert (found[0, 0], found[-1, -1]) == (0, 255)
    assert abs(int(found[45, 60]) - 128) < 5


def test_nothing_is_drawn_that_means_nothing_yet():
    pictures = Pictures(replace(make_report(), phase=Phase.GATHERING))
    draw(pictures, KINDS)
    assert {"input", "mask"} <= vars(pictures).keys()
    assert not {"background", "residual", "matte"} & vars(pictures).keys()


def test_what_was_kept_is_shown_and_the_usual_in_place_of_what_there_is_not():
    assert known(()) == STANDARD
    assert known(["residual", "nonsense"]) == ("residual", *STANDARD[1:])
    assert len(known(["input"] * 20)) == 6
