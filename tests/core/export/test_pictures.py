import numpy as np
import pytest

from core.export.pictures import confidence_picture, full_depth
from core.io.sinks.images import png_bytes
from core.io.sources.reading import read_picture


def test_never_seen_stays_apart_from_hardly_ever_seen():
    picture = confidence_picture(np.array([[0, 1e-6, 0.5, 1 - 1e-6, 1]], np.float32))
    assert picture.tolist() == [[0, 1, 128, 254, 255]]


@pytest.mark.parametrize(
    ("bit_depth", "expected"),
    [
        (9, [0, 128, 65407, 65535]), (10, [0, 64, 65471, 65535]), (12, [0, 16, 65519, 65535]),
        (15, [0, 2, 65533, 65535]), (16, [0, 1, 65534, 65535]),
    ],
)  # fmt: skip
def test_white_of_any_depth_is_white_in_a_file(bit_depth, expected, tmp_path):
    white = (1 << bit_depth) - 1
    samples = np.array([[0, 1, white - 1, white]], np.uint16)
    (tmp_path / "levels.png").write_bytes(png_bytes(full_depth(samples, bit_depth)))
    read = read_picture(tmp_path / "levels.png").image
    assert read.tolist() == [expected]
    np.testing.assert_array_equal(read >> (16 - bit_depth), samples, "nothing is lost")
