"""Names in natural order: quickly where they are numbered, and always as natsort has them."""

import natsort
from hypothesis import given
from hypothesis import strategies as st

from core.io.sources.natural_order import natural_order

PARTS = st.sampled_from(["a", "A", "cam1_", "", "-", " ", "é", "٣", "²", "7", "img"])
NAMES = st.builds(
    lambda before, number, width, after: f"{before}{number:0{width}d}{after}",
    PARTS, st.integers(0, 10**12), st.integers(1, 20), st.sampled_from([".png", ".jpg", "b.png", "", ".mp4"]),
)  # fmt: skip
SERIES = st.builds(
    lambda before, numbers: [f"{before}{number}.png" for number in numbers], PARTS, st.lists(st.integers(0, 10**17))
)


@given(st.one_of(st.lists(NAMES), SERIES, st.lists(st.text(max_size=8))))
def test_the_order_is_that_of_natsort(names):
    assert natural_order(names) == natsort.natsorted(names)


def test_numbers_decide_and_not_their_digits():
    assert natural_order(["f10.png", "f9.png", "f100.png"]) == ["f9.png", "f10.png", "f100.png"]
