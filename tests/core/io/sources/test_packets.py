"""Which packets after a seek are those of the index."""

import av
import numpy as np
import pytest

from core.io.sources.packets import Index

INDEX = Index(np.array([0, 40, 90], np.int64), np.array([900, 25, 31], np.int32))


def packet(n_bytes, stamp):
    made = av.Packet(n_bytes)
    made.pts = stamp
    return made


@pytest.mark.parametrize(("stamp", "n_bytes"), [(0, 900), (40, 25), (90, 31)])
def test_packets_of_the_index_are_known(stamp, n_bytes):
    assert INDEX.knows(packet(n_bytes, stamp))


@pytest.mark.parametrize(
    ("stamp", "n_bytes"), [(40, 24), (40, 31), (90, 25), (41, 25), (91, 31), (-1, 900), (None, 25)],
    ids=["the rest of it", "another's size", "the time of another", "between", "behind the end", "before", "no time"],
)  # fmt: skip
def test_what_carries_another_time_or_size_is_not(stamp, n_bytes):
    assert not INDEX.knows(packet(n_bytes, stamp))


def test_the_empty_packet_at_the_end_is_let_through():
    assert INDEX.knows(packet(0, None))
