"""Short clips: cut where labels are, scored as if each were all there is."""

import cv2
import numpy as np

from core.bench import short
from core.bench.sequences import find_sequences
from tests.labelled import make_sequence


def test_clips_are_cut_where_labels_are_and_both_ways_are_scored(tmp_path):
    sequence = find_sequences(make_sequence(tmp_path / "street"))[0]
    told = []
    result = short.measure(sequence, lambda done, total: told.append((done, total)), length=20, n_cuts=2)
    labelled = sequence.labelled
    assert result.clips[0] == (labelled[0], labelled[0] + 19)
    assert all(first >= labelled[0] and last - first == 19 for first, last in result.clips)
    assert told[-1] == (len(result.clips), len(result.clips))
    assert 0 <= result.ours <= 1
    assert result.fixed > 0.3, "a square that moves by a pixel a frame is partly in the median"
    assert result.threshold in short.THRESHOLDS


def test_clips_lie_where_something_is_labelled(tmp_path):
    """Of the rest nothing is to be found, and nothing would be scored."""
    folder = make_sequence(tmp_path / "street")
    for path in (folder / "groundtruth").iterdir():
        if int(path.stem) < 30:
            cv2.imwrite(str(path), np.zeros((48, 64), np.uint8))
    sequence = find_sequences(folder)[0]
    result = short.measure(sequence, length=5, n_cuts=2)
    assert [first >= 27 for first, _ in result.clips] == [True, True]
    assert sequence.labelled[0] < 27
