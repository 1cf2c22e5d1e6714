"""Films at video levels whose shadows lie below black: what stands still there is background."""

import msgspec
import numpy as np
import pytest

from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.model import HEADER, Model
from core.session.session import Session
from core.session.settings import Settings
from tests.films import write_planes

HEIGHT, WIDTH, N = 120, 160, 40
SHADOW = np.s_[HEIGHT // 2 :, : WIDTH // 2]
INSIDE = np.s_[HEIGHT // 2 + 4 :, : WIDTH // 2 - 4]
"""The shadow, and of it what no cell of its border shows."""
BT709, VIDEO_LEVELS = 1, 1


def write(path, dark, pix_fmt="yuv420p"):
    """Write a still scene with noise, half of whose left side shows ``dark`` of 255; somebody passes above."""
    rng, unit = np.random.default_rng(0), 4 if pix_fmt.endswith("10le") else 1
    still = np.repeat(np.repeat(rng.uniform(60, 180, (HEIGHT // 4, WIDTH // 4)), 4, 0), 4, 1)
    still[SHADOW] = dark
    neutral = np.full((HEIGHT // 2, WIDTH // 2), 128 * unit)
    dtype = np.uint16 if unit > 1 else np.uint8

    def pictures():
        for t in range(N):
            luma = still + rng.standard_normal(still.shape)
            luma[15:40, 3 * t - 20 if 3 * t > 20 else 0 : max(3 * t - 8, 0)] = 220
            yield [np.rint(luma * unit).clip(0, 256 * unit - 1).astype(dtype)] + [neutral.astype(dtype)] * 2

    return write_planes(path, pix_fmt, (WIDTH, HEIGHT), pictures(), colour=(BT709, VIDEO_LEVELS))


def luma(layout, values):
    return layout.plane(values, 0)[INSIDE].astype(float)


@pytest.mark.parametrize(("dark", "pix_fmt"), [(2, "yuv420p"), (8, "yuv420p10le"), (18, "yuv420p")])
def test_still_shadows_are_background_and_no_foreground(tmp_path, dark, pix_fmt):
    source = open_source(InputSpec(str(write(tmp_path / "film.mkv", dark, pix_fmt))))
    unit, n_found = 1 << (source.info.layout.bit_depth - 8), 0
    for report in Session(source, Settings(passes=2)).run():
        layout = report.frame.layout
        assert not layout.full_range
        off = luma(layout, report.background.samples) - luma(layout, report.frame.values)
        assert np.abs(off).mean() < 1.5 * unit, report.frame.index
        assert (report.mask[INSIDE] > 0).mean() < 0.01, report.frame.index
        off = luma(layout, report.cleaned.samples) - luma(layout, report.frame.values)
        assert np.abs(off).mean() < 1.5 * unit, report.frame.index
        n_found += (report.mask[15:40] > 0).any()
    assert n_found > N


def header_of(path):
    with np.load(path) as file:
        return msgspec.json.decode(file[HEADER].tobytes())


@pytest.mark.parametrize(("dark", "version"), [(4, 4), (30, 1)])
def test_a_model_says_whether_its_light_counts_from_below_black_and_is_applied(tmp_path, dark, version):
    film, path = write(tmp_path / "film.mkv", dark), tmp_path / "model.npz"
    session = Session(open_source(InputSpec(str(film))), Settings())
    for _ in session.run():
        pass
    session.model().save(path)
    assert header_of(path)["version"] == version
    for report in Session(open_source(InputSpec(str(film))), Settings(), Model.load(path)).run():
        layout = report.frame.layout
        off = luma(layout, report.background.samples) - luma(layout, report.frame.values)
        assert np.abs(off).mean() < 1.5
        assert (report.mask[INSIDE] > 0).mean() < 0.01
