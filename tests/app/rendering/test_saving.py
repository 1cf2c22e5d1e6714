from dataclasses import replace

import cv2
import numpy as np
import pytest
import tifffile

from app.rendering.picture_kinds import KINDS
from app.rendering.saving import data_of, write_data
from core.errors import CleanplateError
from core.io.calibration import Calibration
from tests.app.rendering.test_picture_kinds import LOGITS
from tests.app.view_helpers import SQUARE, make_report

SCALE = Calibration("imagej", ((40, 13), (40, 13)), 1, (), {"unit": "um"})


def test_an_image_set_has_no_cleaned_data():
    with pytest.raises(CleanplateError, match="no scene behind"):
        data_of(replace(make_report(), is_image_set=True), "cleaned")


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"confidence"}))
def test_the_data_of_every_kind_come_back_from_a_tiff_with_the_scale(tmp_path, kind, colour):
    data = data_of(replace(make_report(dtype=np.uint16, colour=colour), logits=LOGITS), kind)
    assert data.shape[:2] == (90, 120)
    write_data(tmp_path / "data.tif", data, SCALE)
    with tifffile.TiffFile(tmp_path / "data.tif") as file:
        assert np.array_equal(file.asarray(), data)
        assert file.asarray().dtype == data.dtype
        assert file.pages[0].tags["XResolution"].value == (40, 13)
        assert "unit=um" in file.pages[0].description


def test_differences_keep_sign_and_depth():
    assert np.unique(data_of(make_report(dtype=np.uint16, colour=False), "residual")[SQUARE]).tolist() == [-190 * 256]
    outliers = data_of(make_report(), "outliers")
    assert outliers[SQUARE].max() < -180
    outliers[SQUARE] = 0
    assert not outliers.any()


def test_png_holds_16_bits_and_says_what_it_cannot_hold(tmp_path):
    report = make_report(dtype=np.uint16)
    write_data(tmp_path / "a.png", data_of(report, "input"))
    back = cv2.imread(str(tmp_path / "a.png"), cv2.IMREAD_UNCHANGED)
    assert np.array_equal(back[..., ::-1], report.input_image)
    with pytest.raises(CleanplateError, match="tif"):
        write_data(tmp_path / "b.png", data_of(report, "residual"))
    with pytest.raises(CleanplateError, match="tif or png"):
        write_data(tmp_path / "c.jpg", data_of(report, "input"))
    with pytest.raises(CleanplateError, match="probability"):
        data_of(report, "probability")
