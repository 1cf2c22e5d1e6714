import av
import numpy as np
import pytest

from core.io.sources.packets import Index


def packet(stamp, n_bytes):
    made = av.Packet(bytes(n_bytes))
    made.pts = stamp
    return made


@pytest.mark.parametrize(
    ("stamp", "n_bytes", "known"),
    [(40, 900, True), (120, 70, True), (40, 899, False), (40, 70, False), (80, 70, False), (160, 70, False),
     (None, 900, False), (None, 0, True)],
)  # fmt: skip
def test_a_packet_is_known_by_its_time_stamp_and_its_size(stamp, n_bytes, known):
    index = Index(np.array([0, 40, 120], np.int64), np.array([2000, 900, 70], np.int32))
    assert index.knows(packet(stamp, n_bytes)) == known
