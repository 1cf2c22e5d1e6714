"""Topics: weights of words, partitions compared, planted topics found again, and documents that lie in folders."""

import math

import numpy as np
import pytest

from core.bench.experiments import topics
from core.bench.experiments.base import finish
from core.bench.experiments.runs import fit
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from tests.reference import experiments as reference


def test_words_weigh_what_the_slow_twin_says():
    texts = [["a", "b", "a", "c"], ["a", "b"], ["b", "b", "c"], ["c", "a", "d"], ["d"]]
    found = topics.weighted(texts, ("one",), [0] * 5)
    assert set(found.words) == {"a", "b", "c"}, "d is in too few"
    for row, text in zip(found.V, texts, strict=True):
        for value, word in zip(row, found.words, strict=True):
            assert value == pytest.approx(reference.tf_idf(word, text, texts, topics.ABSENT), rel=1e-6)


def test_partitions_agree_on_as_many_pairs_as_the_slow_twin_counts():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 4, 40), rng.integers(0, 3, 40)
    assert topics.rand_index(one, other) == pytest.approx(reference.rand_index(one, other))
    assert topics.rand_index(one, (one + 1) % 4) == 1
    assert topics.rand_index(np.zeros(40, np.intp), one) < 0.5


def test_planted_topics_are_found_and_told_by_their_own_words():
    documents = topics.drawn(0)
    assert documents.V.min() == np.float32(topics.ABSENT)
    found = fit("b-kl", Layout(1, len(documents.words), Planes.GREY), documents.V, {"rank": 5, "content": "images"}, 0)
    assert topics.rand_index(found.encoding.H.argmax(axis=1), documents.labels) > 0.9
    mine = [
        [sum(word in topics.DRAWN[topic].split() for word in words) for topic in documents.topics]
        for words in topics.words_of(found.W, documents.words)
    ]
    assert sorted(np.argmax(mine, axis=1)) == list(range(5)), "each topic has a basis image of its own"
    assert np.max(mine, axis=1).min() >= topics.SHOWN - 1


def test_a_quick_run_shows_words_and_judges_no_drawn_documents():
    result = finish(topics.run(None, 0, True))
    assert all(len(words) == topics.SHOWN for words in result.figures["words"]["ol-kl"])
    assert [claim.holds for claim in result.claims] == 3 * [None]


def test_documents_are_read_from_a_folder_for_each_topic(tmp_path):
    for topic, words in (("sea", "wave sand beach"), ("hill", "rock path summit")):
        (tmp_path / topic).mkdir()
        for i in range(4):
            (tmp_path / topic / f"{i}.txt").write_text(f"{words} over 2 it", encoding="utf-8")
    found = topics.read(tmp_path)
    assert found.topics == ("hill", "sea")
    assert set(found.words) == {"wave", "sand", "beach", "rock", "path", "summit"}, "what all have tells nothing"
    assert found.labels.tolist() == [0] * 4 + [1] * 4
    assert found.V.max() == pytest.approx(math.log(2))
    (tmp_path / "sea" / "0.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CleanplateError, match="UTF-8"):
        topics.read(tmp_path)
    with pytest.raises(CleanplateError, match="no documents"):
        topics.read(tmp_path / "sea")
