from dataclasses import replace

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.masks.parameters import MASK_PARAMETERS, PIXELS_A_HOLE, PIXELS_A_REGION, MaskSettings

LAYOUT = Layout(300, 400, Planes.RGB)
DEFAULTS = {p.name: p.default for p in MASK_PARAMETERS}


def test_automatic_sizes_grow_with_the_picture_and_chosen_ones_do_not():
    automatic = MaskSettings.of(DEFAULTS, LAYOUT)
    assert (automatic.smallest_region, automatic.smallest_hole) == (
        120_000 // PIXELS_A_REGION,
        120_000 // PIXELS_A_HOLE,
    )
    chosen = MaskSettings.of({**DEFAULTS, "smallest": 7, "holes": 0}, LAYOUT)
    assert (chosen.smallest_region, chosen.smallest_hole) == (7, 0)


@pytest.mark.parametrize("sensitivity", [1, 50, 99])
def test_automatic_holes_are_filled_where_they_are_nearly_foreground_and_chosen_ones_by_size_alone(sensitivity):
    settings = MaskSettings.of({**DEFAULTS, "sensitivity": sensitivity}, LAYOUT)
    assert settings.doubt == pytest.approx(settings.bar - 1.5)
    for holes in (0, 400):
        assert MaskSettings.of({**DEFAULTS, "sensitivity": sensitivity, "holes": holes}, LAYOUT).doubt == np.inf


def test_every_parameter_has_its_effect_on_the_settings():
    grey = replace(LAYOUT, planes=Planes.GREY)
    plain = MaskSettings.of(DEFAULTS, grey)
    for parameter in MASK_PARAMETERS:
        other = parameter.high if parameter.low == parameter.default else parameter.low
        other = not parameter.default if parameter.kind is bool else other
        other = parameter.choices[0] if parameter.choices else other
        assert MaskSettings.of({**DEFAULTS, parameter.name: other}, grey) != plain, parameter.name


def test_a_sensitivity_is_the_probability_that_is_too_little_as_a_logit():
    bars = [MaskSettings.of({**DEFAULTS, "sensitivity": s}, LAYOUT).bar for s in (1, 25, 50, 75, 99)]
    np.testing.assert_allclose(bars, np.log([99, 3, 1, 1 / 3, 1 / 99]), rtol=1e-5, atol=1e-6)
