"""What a screen shows of wide colour and high dynamic range, against the numbers and formulae of ITU-R."""

import numpy as np
import pytest

from app.rendering import tone_mapping, wide_colour
from app.rendering.tone_mapping import Levels
from app.rendering.wide_colour import WideColour
from core.frames.colour import (
    BT2020,
    BT2020_10_BITS,
    DCI_P3,
    DISPLAY_P3,
    HLG,
    PQ,
    STANDARDS,
    ColourStandard,
)

TO_BT2020 = np.array([[0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956]])
"""RGB of BT.709 as light, in BT.2020 (BT.2087)."""


def wide(transfer, primaries=BT2020, white=1023):
    return WideColour(ColourStandard("bt2020", primaries, transfer), white)


@pytest.mark.parametrize(("light", "hlg", "pq"), [(203, 0.75, 0.58), (26, 0.38, 0.38), (1000, 1.0, 0.75)])
def test_curves_have_the_levels_of_bt2408(light, hlg, pq):
    """White paper, the grey card of 18 %, and the brightest that HLG shows."""
    assert wide_colour.hlg_signal(np.array([float(light)])) == pytest.approx(hlg, abs=0.005)
    assert wide_colour.pq_light(np.array([pq])) == pytest.approx(light, rel=0.03)
    assert wide(PQ).signal(np.array([pq * 1023])) == pytest.approx(hlg, abs=0.005)
    assert wide(HLG).signal(np.array([hlg * 1023])) == pytest.approx(hlg)


def test_the_curve_of_hlg_joins_its_two_parts():
    around = wide_colour.hlg_signal(1000 * (1 / 12 + np.array([-1e-6, 1e-6])) ** 1.2)
    np.testing.assert_allclose(around, 0.5, atol=1e-4)


def test_primaries_of_bt2020_become_those_of_bt709_as_bt2087_says():
    np.testing.assert_allclose(wide_colour.to_bt709(BT2020) @ TO_BT2020, np.eye(3), atol=2e-4)
    for primaries in (BT2020, DCI_P3, DISPLAY_P3):
        np.testing.assert_allclose(wide_colour.to_bt709(primaries).sum(1), 1, atol=1e-6)
    assert np.abs(wide_colour.to_bt709(DISPLAY_P3) @ TO_BT2020 - np.eye(3)).max() > 0.1


@pytest.mark.parametrize("standard", [None, STANDARDS["bt601"], STANDARDS["bt709"]])
def test_usual_colours_are_shown_as_they_are(standard):
    assert WideColour.of(standard, 255) is None


def muted(n=500):
    """Light of a scene (1, n, 3) in BT.709: what is not far from grey."""
    rng = np.random.default_rng(1)
    grey = rng.uniform(0.02, 0.9, (n, 1)) ** 2
    return np.clip(grey * rng.uniform(0.6, 1.4, (n, 3)), 0, 1)[None]


def hlg(scene):
    """The signal of a scene's light from 0 to 1 (BT.2100, table 5: the OETF)."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), a * np.log(np.maximum(12 * scene - b, 1e-9)) + c)


def pq(light):
    """The signal of light in cd/m² (BT.2100, table 4: the inverse EOTF)."""
    y = (light / 10_000) ** 0.1593017578125
    return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375


def coded(scene, transfer):
    """Samples of 10 bits of a scene's light in BT.2020; of PQ at 1000 cd/m², each colour by the exponent of HLG."""
    own = scene @ TO_BT2020.T
    return np.rint(1023 * (hlg(own) if transfer == HLG else pq(1000 * own**1.2))).astype(np.uint16)


@pytest.mark.parametrize("transfer", [HLG, PQ])
def test_colours_are_shown_as_an_hlg_film_in_bt709_would_be(transfer):
    scene = muted()
    wanted, samples = 255 * hlg(scene), coded(scene, transfer)
    off = np.abs(tone_mapping.to_8_bit(samples, Levels(0, 1023), wide=wide(transfer)) - wanted)
    assert off.mean() < 1.2
    assert off.max() < 12
    plain = np.abs(tone_mapping.to_8_bit(samples, Levels(0, 1023)) - wanted)
    half = tone_mapping.to_8_bit(samples, Levels(0, 1023), wide=wide(transfer, primaries=DISPLAY_P3))
    assert plain.mean() > 2 * off.mean(), "shown as they are they would be paler"
    assert np.abs(half - wanted).mean() > 1.5 * off.mean(), "other primaries would be wrong"


@pytest.mark.parametrize("transfer", [HLG, PQ, BT2020_10_BITS])
@pytest.mark.parametrize(("dtype", "white"), [(np.uint8, 255), (np.uint16, 1023), (np.uint16, 65535)])
def test_greys_keep_their_order_and_have_no_colour(transfer, dtype, white):
    ramp = np.linspace(0, white, 300).astype(dtype)[None]
    shown = tone_mapping.to_8_bit(np.dstack([ramp] * 3), Levels(0, white), wide=wide(transfer, white=white))
    alone = tone_mapping.to_8_bit(ramp, Levels(0, white), wide=wide(transfer, white=white))
    assert np.ptp(shown.astype(int), axis=2).max() == 0
    np.testing.assert_array_equal(shown[..., 0], alone)
    assert (np.diff(alone.astype(int)) >= 0).all()
    assert (alone[0, 0], alone[0, -1]) == (0, 255)


@pytest.mark.parametrize("transfer", [HLG, PQ])
def test_contrast_is_set_in_samples_of_the_input(transfer):
    ramp = np.arange(1024, dtype=np.uint16)[None]
    shown = tone_mapping.to_8_bit(ramp, Levels(300, 700), wide=wide(transfer))
    assert np.flatnonzero(shown[0] == 0)[-1] == pytest.approx(300, abs=2)
    assert np.flatnonzero(shown[0] == 255)[0] == pytest.approx(700, abs=3)
    brighter = tone_mapping.to_8_bit(ramp, Levels(300, 700), 0.5, wide(transfer))
    assert brighter[0, 450] > shown[0, 450] + 20
    beyond = tone_mapping.to_8_bit(ramp, Levels(900, 1000), wide=wide(transfer))
    assert set(beyond[0, :900]) == {0}
