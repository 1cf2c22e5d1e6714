"""The measure of cleaned frames: what is left counts, what is gone does not."""

import numpy as np
import pytest

from core.bench import cleaned, scores
from core.bench.opencv_subtractors import grey, read_for_opencv
from core.bench.sequences import NothingToScoreError, find_sequences
from tests.labelled import empty_sequence, make_sequence


@pytest.fixture(scope="module")
def sequence(tmp_path_factory):
    return find_sequences(make_sequence(tmp_path_factory.mktemp("data") / "street"))[0]


def test_frames_as_they_are_are_left_and_the_scene_is_not(sequence):
    untouched, empty = cleaned.Truth(sequence), cleaned.Truth(sequence)
    looks = {n: grey(read_for_opencv(sequence.inputs[n - 1])).astype(np.float32) for n in untouched.numbers}
    scene = looks[min(looks)]
    for number, look in looks.items():
        hidden = sequence.truth(number) > 20
        scene = np.where(hidden, scene, look)
    for number, look in looks.items():
        untouched.count(number, look, look)
        empty.count(number, look + 30, scene + 30)
    assert untouched.score().left > 25
    assert empty.score().left == 0, "a frame may be lighter as a whole"
    assert empty.score().age < 4


def test_a_sequence_in_which_nothing_is_hidden_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(scores, "open_source", lambda _: pytest.fail("it is read"))
    with pytest.raises(NothingToScoreError, match="nothing to score"):
        cleaned.measure(find_sequences(empty_sequence(tmp_path / "empty"))[0])


def test_two_passes_leave_next_to_nothing_of_a_square_that_passes(sequence):
    result = cleaned.measure(sequence)
    assert result.n_scored == len(sequence.labelled)
    assert result.score.left < 8
    data = cleaned.as_data([result])
    assert data["mean"] == result.score.as_data()
    assert set(data["sequences"]["street"]) == {"left", "age", "n_scored"}
