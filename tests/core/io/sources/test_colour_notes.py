"""What is said of colours that are not the usual ones."""

import pytest

from core.frames.colour import BT709, BT2020, HLG, PQ, STANDARDS, ColourStandard
from core.io.sources.colour_notes import CONSTANT_LUMINANCE, colour_notes


def of_high_range(transfer):
    return ColourStandard("bt2020", BT2020, transfer)


@pytest.mark.parametrize("standard", [*STANDARDS.values(), ColourStandard("bt709", 12, BT709)])
def test_what_is_kept_and_shown_as_it_was_is_not_told_of(standard):
    assert colour_notes("a.mov", standard, 1, {"DISPLAYMATRIX", "MASTERING_DISPLAY_METADATA"}) == []


@pytest.mark.parametrize(("transfer", "title"), [(HLG, "BT.2020, HLG"), (PQ, "BT.2020, PQ")])
def test_high_dynamic_range_is_told_of_with_its_curve(transfer, title):
    (told,) = colour_notes("a.mov", of_high_range(transfer), 9, ())
    assert f"a.mov is of high dynamic range ({title})" in told


def test_constant_luminance_is_told_of():
    (told,) = colour_notes("a.mov", STANDARDS["bt2020"], CONSTANT_LUMINANCE, ())
    assert "a.mov is of constant luminance" in told


@pytest.mark.parametrize(
    ("beside", "title"),
    [(["DOVI_RPU_BUFFER", "DOVI_METADATA"], "data of Dolby Vision,"), (["DYNAMIC_HDR_PLUS"], "data of HDR10+,"),
     (["DOVI_METADATA", "DYNAMIC_HDR_PLUS"], "data of Dolby Vision and HDR10+,")],
)  # fmt: skip
def test_data_of_each_scene_that_is_lost_is_told_of_once(beside, title):
    _, told = colour_notes("a.mov", of_high_range(PQ), 9, beside)
    assert title in told
