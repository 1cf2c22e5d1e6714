import numpy as np

from core.export.pictures import confidence_picture


def test_never_seen_stays_apart_from_hardly_ever_seen():
    picture = confidence_picture(np.array([[0, 1e-6, 0.5, 1 - 1e-6, 1]], np.float32))
    assert picture.tolist() == [[0, 1, 128, 254, 255]]
