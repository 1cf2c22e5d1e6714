"""A stroke over the largest mistake, and what it does for the frames after it."""

import cv2
import numpy as np
import pytest

from core.bench import strokes
from core.bench.sequences import find_sequences
from core.errors import CleanplateError
from tests.labelled import FIRST, LAST, make_sequence


def find(folder):
    return find_sequences(folder)[0]


def test_what_is_painted_is_where_the_mask_was_wrong_and_holds_from_then_on(tmp_path):
    """A stain that is always there and is labelled as foreground is found by nobody, until it is painted."""
    folder = make_sequence(tmp_path / "street")
    for path in (folder / "groundtruth").iterdir():
        truth = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        truth[36:46, 20:40] = 255
        cv2.imwrite(str(path), truth)
    told = []
    result = strokes.measure(find(folder), lambda done, total: told.append((done, total)))
    stain = np.zeros(result.mistake.where.shape, bool)
    stain[36:46, 20:40] = True
    assert FIRST <= result.mistake.number <= (FIRST + LAST) // 2 + 1
    assert not result.mistake.is_background
    np.testing.assert_array_equal(result.mistake.where, stain)
    assert result.after > result.before + 0.2
    assert result.as_data()["pixels"] == 200
    assert told[-1] == (80, 80)


def test_only_pixels_that_are_scored_are_mistakes():
    truth = np.zeros((8, 8), np.uint8)
    truth[2:4, 2:8], truth[6:8] = 255, 170
    mask = np.zeros((8, 8), np.uint8)
    mask[:2, :2] = mask[6:8] = 255
    for is_background, n in ((True, 4), (False, 12)):
        where, size = strokes._largest_mistake(mask, truth, is_background=is_background)
        assert size == n == np.count_nonzero(where)


def test_where_nothing_is_wrong_nothing_can_be_painted(tmp_path):
    folder = make_sequence(tmp_path / "street")
    for path in (folder / "groundtruth").iterdir():
        cv2.imwrite(str(path), np.full((48, 64), 170, np.uint8))
    with pytest.raises(CleanplateError, match="nothing to paint"):
        strokes.measure(find(folder))
