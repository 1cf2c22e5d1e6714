"""Masks of the papers' methods, default settings, one pass: about those of `fast`, or the panel says otherwise."""

from pathlib import Path

import pytest

from core import catalogue
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings

WITHIN = 0.03
AS_GOOD = ("opgd", "oadmm", "ol-huber")
OTHERS = ("onmfo", "robust-nmf", "truncated-cauchy")


def f_measure(key, source, frames, **view):
    opened = open_source(InputSpec(str(source), size=(160, 120), frames=frames, **view))
    try:
        *_, last = Session(opened, Settings(key)).run()
    finally:
        opened.close()
    return last.figures["f_measure"]


def test_masks_of_the_drawn_street_are_those_of_fast():
    expected = f_measure("fast", "sample:street", (1, 120), grey=True)
    for key in AS_GOOD:
        assert f_measure(key, "sample:street", (1, 120), grey=True) > expected - WITHIN, key


def test_masks_of_traffic_in_colour_are_those_of_fast(data):
    highway = Path(data) / "sequences" / "highway"
    expected = f_measure("fast", highway, (471, 670))
    for key in AS_GOOD:
        assert f_measure(key, highway, (471, 670)) > expected - WITHIN, key


@pytest.mark.parametrize("key", OTHERS)
def test_what_finds_less_says_what_it_is_for(key):
    assert "fast" in catalogue.row(key).suits
    assert all(not catalogue.row(good).suits for good in ("fast", *AS_GOOD))
