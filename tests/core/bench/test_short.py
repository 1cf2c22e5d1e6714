"""Short clips: cut where labels are, scored as if each were all there is."""

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
