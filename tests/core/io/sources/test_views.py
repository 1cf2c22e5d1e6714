from dataclasses import replace

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources import Corruption
from core.io.sources.ranged import Ranged
from core.io.sources.views import Corrupted, Cropped, Grey, Scaled
from tests.core.io.sources.numbered import Numbered
from tests.films import assert_seeks_exactly, write_film
from tests.small_inputs import opened


@pytest.mark.parametrize("planes", Planes)
@pytest.mark.parametrize("roi", [(0, 0, 9, 7), (2, 2, 4, 4), (3, 1, 5, 4), (8, 6, 1, 1), (1, 5, 8, 2)])
def test_crop_keeps_size_and_the_right_samples(planes, roi):
    inner = Numbered(Layout(7, 9, planes))
    source = Cropped(inner, roi)
    frame = next(source.frames())
    x, y, width, height = roi
    if planes is Planes.YCC420:
        x, y = 2 * (x // 2), 2 * (y // 2)
    assert (source.info.layout.width, source.info.layout.height) == (width, height)
    assert frame.layout == source.info.layout
    luma = frame.layout.plane(frame.values, 0)
    np.testing.assert_array_equal(luma, np.add.outer(10 * np.arange(y, y + height), np.arange(x, x + width)))
    if planes is Planes.YCC420:
        for index in (1, 2):
            chroma = frame.layout.plane(frame.values, index)
            assert chroma[0, 0] == 10 * (y // 2) + x // 2
            assert chroma.shape == ((height + 1) // 2, (width + 1) // 2)
    np.testing.assert_array_equal(frame.truth.mask, inner.mask()[y : y + height, x : x + width])
    np.testing.assert_array_equal(frame.truth.clean, frame.values)


@pytest.mark.parametrize("roi", [(-1, 0, 3, 3), (0, 0, 10, 3), (0, 0, 0, 3), (5, 5, 3, 3), (100, 0, 1, 1)])
def test_regions_outside_are_one_sentence(roi):
    with pytest.raises(CleanplateError, match=r"does not lie in the picture of 9×7|lies in no picture"):
        Cropped(Numbered(Layout(7, 9, Planes.GREY)), roi)


def test_grey_of_video_is_its_luma_and_keeps_its_levels():
    layout = Layout(7, 9, Planes.YCC420, 10, full_range=False, matrix="bt709")
    frame = next(Grey(Numbered(layout)).frames())
    assert frame.layout == replace(layout, planes=Planes.GREY)
    np.testing.assert_array_equal(frame.values, Numbered(layout).values()[:63])
    np.testing.assert_array_equal(frame.truth.clean, frame.values)


@pytest.mark.parametrize("depth", [8, 16])
def test_grey_of_rgb_is_luma(depth):
    layout = Layout(1, 1, Planes.RGB, depth)
    inner = Numbered(layout)
    inner.values = lambda: np.array([200, 100, 50], layout.dtype)
    assert next(Grey(inner).frames()).values == [round(0.299 * 200 + 0.587 * 100 + 0.114 * 50)]


@pytest.mark.parametrize("planes", Planes)
@pytest.mark.parametrize("size", [(8, 6), (4, 4), (16, 12), (5, 3), (20, 3)])
def test_scale_keeps_means_labels_and_the_original(planes, size):
    inner = Numbered(Layout(12, 16, planes))
    frame = next(Scaled(inner, size).frames())
    assert (frame.layout.width, frame.layout.height) == size
    assert frame.values.shape == (frame.layout.n_values,)
    assert frame.original.layout == inner.info.layout
    np.testing.assert_array_equal(frame.full.values, inner.values())
    for index in range(len(frame.layout.shapes)):
        mean = frame.layout.plane(frame.values, index).mean()
        assert mean == pytest.approx(inner.info.layout.plane(inner.values(), index).mean(), abs=1.5)
    assert frame.truth.mask.shape == (size[1], size[0])
    assert set(np.unique(frame.truth.mask)) <= {0, 170}
    np.testing.assert_array_equal(frame.truth.clean, frame.values)


def test_halving_averages_four_pixels():
    inner = Numbered(Layout(4, 4, Planes.GREY, 16))
    np.testing.assert_array_equal(next(Scaled(inner, (2, 2)).frames()).values, [6, 8, 26, 28])  # 5.5 rounds to 6


def test_impossible_sizes_are_one_sentence():
    with pytest.raises(CleanplateError, match="0×4 is not possible"):
        Scaled(Numbered(Layout(4, 4, Planes.GREY)), (0, 4))


def test_closing_a_view_closes_what_it_reads():
    inner = Numbered(Layout(4, 4, Planes.GREY))
    Scaled(Grey(Cropped(Ranged(inner, 1, 2), (0, 0, 2, 2))), (1, 1)).close()
    assert inner.info.title == "closed"


def test_order_is_range_region_grey_corruption_size():
    corruption = Corruption("salt-and-pepper", 0.2, seed=4)
    source = opened(
        "sample:street", grey=True, size=(30, 20), roi=(11, 20, 60, 40), frames=(5, 30), corruption=corruption, seed=4
    )
    assert source.info.n_frames == 26
    frame = next(source.frames(3))
    assert frame.index == 3
    plain = next(opened("sample:street", seed=4).frames(7))
    by_hand = plain.image()[20:60, 11:71]
    original = frame.original
    assert original.layout == Layout(40, 60, Planes.GREY)
    luma = by_hand @ [0.299, 0.587, 0.114]
    np.testing.assert_allclose(original.truth.clean.reshape(40, 60), luma, atol=0.6)
    changed = original.values != original.truth.clean
    assert 0.15 < changed.mean() < 0.25
    assert set(original.values[changed]) == {0, 255}
    assert frame.layout == Layout(20, 30, Planes.GREY)


def test_views_of_video_seek_exactly(tmp_path):
    path = write_film(tmp_path / "film.mkv", 60)
    corruption = Corruption("uniform", 0.3)
    source = opened(path, size=(20, 16), roi=(3, 5, 40, 31), frames=(4, 58), corruption=corruption)
    assert_seeks_exactly(source, [1, 20, 35, 54])


def test_corruption_of_a_view_depends_on_the_frame_alone():
    source = Corrupted(Numbered(Layout(20, 20, Planes.GREY)), Corruption())
    third = list(source.frames())[3]
    np.testing.assert_array_equal(third.values, next(source.frames(3)).values)


def test_what_is_known_is_made_anew_only_where_it_has_changed():
    """It is asked for with every frame."""
    inner = Numbered(Layout(16, 16, Planes.GREY), 9)
    view = Scaled(Cropped(Ranged(inner, 2, 7), (0, 0, 8, 8)), (4, 4))
    known = view.info
    assert view.info is known
    assert (known.n_frames, known.layout.width, known.corner) == (6, 4, (0, 0))
    inner.info = replace(inner.info, n_frames=4)
    assert (view.info.n_frames, view.info.layout.width) == (3, 4)
