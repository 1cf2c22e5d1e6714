import numpy as np
import pytest

from app.rendering.signed import Scale, signed, signed_picture, unsigned


@pytest.mark.parametrize("white", [255, 1023, 4095, 32767, 65535])
def test_every_difference_comes_back_to_within_a_step_and_zero_exactly(white):
    scale = signed(white)
    values = np.array([[-white, -1, 0, 1, white // 3, white]])
    back = [scale.value(int(sample)) for sample in signed_picture(values, white)[0]]
    assert np.abs(np.array(back) - values[0]).max() <= scale.step - 1
    assert back[2] == 0
    assert scale.is_signed
    assert scale.top <= 65535


def test_up_to_15_bits_nothing_is_rounded():
    assert signed(255) == Scale(256, 1, 511)
    assert signed(32767).step == 1


def test_fractions_are_rounded_and_what_lies_beyond_is_cut():
    picture = signed_picture(np.array([[-0.4, 0.6, 1e6, -1e6]], np.float32), 255)
    assert picture.tolist() == [[256, 257, 511, 0]]


def test_a_value_has_the_sample_that_stands_for_it():
    for scale in (unsigned(255), signed(255), signed(65535)):
        assert scale.value(scale.sample(100)) == 100
        assert scale.sample(10**6) == scale.top
    assert not unsigned(65535).is_signed
