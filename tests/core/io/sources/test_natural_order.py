"""Names in natural order: quickly where they are numbered, and always as natsort has them."""

import itertools
from datetime import datetime, timedelta

import natsort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.io.sources.natural_order import gap_in, natural_order

PARTS = st.sampled_from(["a", "A", "cam1_", "", "-", " ", "é", "٣", "²", "7", "img"])
NAMES = st.builds(
    lambda before, number, width, after: f"{before}{number:0{width}d}{after}",
    PARTS, st.integers(0, 10**12), st.integers(1, 20), st.sampled_from([".png", ".jpg", "b.png", "", ".mp4"]),
)  # fmt: skip
SERIES = st.builds(
    lambda before, numbers: [f"{before}{number}.png" for number in numbers], PARTS, st.lists(st.integers(0, 10**17))
)
TWINS = st.lists(st.builds("a{:0{}d}.png".format, st.integers(0, 3), st.integers(1, 4)))
"""Among them are names that differ in nothing but leading zeros."""


@given(st.one_of(st.lists(NAMES), SERIES, st.lists(st.text(max_size=8))))
def test_the_order_is_that_of_natsort(names):
    assert natural_order(names) == natsort.natsorted(sorted(names))


@given(st.one_of(st.lists(NAMES), SERIES, TWINS), st.randoms(use_true_random=False))
def test_the_order_in_which_a_drive_lists_names_has_no_say(names, random):
    shuffled = random.sample(names, len(names))
    assert natural_order(shuffled) == natural_order(names)


@pytest.mark.parametrize("suffixes", [(".png",), (".png", ".jpg")])
def test_names_that_differ_in_leading_zeros_alone_have_one_order(suffixes):
    names = [f"a{number}{suffix}" for number in ("001", "01", "1") for suffix in suffixes]
    for listed in itertools.permutations(names):
        assert natural_order(list(listed)) == natural_order(names)


def test_numbers_decide_and_not_their_digits():
    assert natural_order(["f10.png", "f9.png", "f100.png"]) == ["f9.png", "f10.png", "f100.png"]


def numbered(numbers, form="f{:06}.png"):
    return [form.format(number) for number in numbers]


@pytest.mark.parametrize(
    ("numbers", "gap"),
    [
        ([*range(1, 5), *range(100, 104)], (4, 100)),
        ([*range(0, 500, 10), *range(2000, 2500, 10)], (490, 2000)),
        (range(0, 500, 10), None),  # A time-lapse, of which each tenth was kept.
        ([1, 2, 3, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18, 19], None),  # A camera dropped some.
        ([3, 40, 55, 190, 191, 700, 1500, 1501], None),  # A choice of images.
        ([100 * (s // 60) + s % 60 for s in range(180)], None),  # Minutes and seconds.
        ([10_000 * (s // 3600) + 100 * (s // 60 % 60) + s % 60 for s in range(3000, 9000, 5)], None),
        ([7], None),
        ([], None),
    ],
)
def test_a_gap_is_a_step_much_larger_than_the_usual_one(numbers, gap):
    assert gap_in(numbered(numbers)) == (None if gap is None else tuple(numbered(gap)))


def stamps(form, every, n=400, begin=datetime(2024, 1, 1, 20, 30)):
    return [f"cam_{(begin + i * every).strftime(form)}.jpg" for i in range(n)]


@pytest.mark.parametrize(
    "names",
    [
        stamps("%Y%m%d%H%M%S", timedelta(seconds=60), 900),
        stamps("%Y%m%d%H%M%S", timedelta(seconds=10), 2000),
        stamps("%Y%m%d%H%M", timedelta(minutes=5)),
        stamps("%Y%m%d", timedelta(days=1)),
        [name[:-7] + name[-4:] for name in stamps("%H%M%S%f", timedelta(milliseconds=100), 900)],
        [f"DSC{number:04d}.jpg" for number in (*range(500), *range(9500, 10_000))],
    ],
    ids=["past midnight", "each 10 s", "each 5 min", "daily", "milliseconds", "a counter that begins again"],
)  # fmt: skip
def test_dates_times_and_counters_that_begin_again_have_no_gaps(names):
    assert gap_in(natural_order(names)) is None


def test_long_counters_have_gaps():
    assert gap_in(numbered([*range(99_900, 100_000), *range(123_400, 123_500)])) == tuple(numbered((99_999, 123_400)))


@pytest.mark.parametrize("last", [99, 999])
def test_a_series_that_ends_with_nines_in_wider_names_is_no_counter_that_begins_again(last):
    numbers = [*range(1, 30), *range(50, last + 1)]
    assert gap_in(numbered(numbers)) == tuple(numbered((29, 50)))
    assert gap_in(numbered(numbers, f"f{{:0{len(str(last))}}}.png")) is None


def test_names_without_numbers_have_no_gaps():
    assert gap_in(["a.png", "b.png", "street1.png"]) is None
