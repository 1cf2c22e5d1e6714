"""Who separates a stack with the usual settings is told of the preset for particles, where that would help."""

import contextlib
from itertools import islice

import numpy as np
import pytest
import tifffile

from core import catalogue
from core.export.preset import built_in_presets
from core.session import particles
from core.session.content import FOR_IMAGES, N_FRAMES
from core.session.particles import FOR_PARTICLES
from core.session.session import Session
from core.session.settings import Settings
from tests.core.session.test_particles import drawn, scored
from tests.small_inputs import opened

PAGES = np.random.default_rng(3).integers(900, 1000, (12, 40, 60)).astype(np.uint16)
OF_8_BITS = (PAGES >> 2).astype(np.uint8)


def is_told(path, settings=None, **options):
    """Whether a session of a stack that is written so says it."""
    if "pages" in options:
        tifffile.imwrite(path, options.pop("pages"), **{"photometric": "minisblack", **options})
    return FOR_PARTICLES in Session(opened(path), settings or Settings()).warnings


@pytest.fixture
def stack(tmp_path):
    return tmp_path / "a.tif"


def test_what_the_preset_sets_is_what_is_taken_for_chosen():
    preset = built_in_presets()["microscopy"]
    assert (preset.method, preset.values.keys()) == (particles.METHOD, particles.SET_BY_PRESET)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"pages": PAGES}, True),
        ({"pages": PAGES[:9]}, False),
        ({"pages": PAGES, "imagej": True, "metadata": {"axes": "TYX", "unit": "um", "finterval": 0.5}}, True),
        ({"pages": PAGES, "imagej": True, "metadata": {"axes": "ZYX"}}, True),
        ({"pages": PAGES, "imagej": True, "metadata": {"axes": "ZYX", "spacing": 0.5}}, False),
        ({"pages": PAGES, "ome": True, "metadata": {"axes": "ZYX"}}, False),
        ({"pages": PAGES.reshape(6, 2, 40, 60), "imagej": True, "metadata": {"axes": "TCYX"}}, False),
        ({"pages": OF_8_BITS}, False),
        ({"pages": OF_8_BITS, "imagej": True, "resolution": (5, 5), "metadata": {"axes": "TYX", "unit": "um"}}, True),
        ({"pages": OF_8_BITS, "resolution": (400, 400), "resolutionunit": "inch"}, False),
        ({"pages": OF_8_BITS, "imagej": True, "resolution": (5, 5), "metadata": {"unit": "yard"}}, False),
        ({"pages": np.stack([PAGES] * 3, axis=-1), "photometric": "rgb"}, False),
    ],
    ids=["deep", "few pages", "timed", "what ImageJ calls slices", "depths", "depths of OME", "channels", "8 bits",
         "8 bits of a microscope", "scanned", "of an unknown unit", "colours"],
)  # fmt: skip
def test_a_stack_that_may_show_particles_is_told_of(stack, options, told):
    assert is_told(stack, **options) == told


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (Settings(values={"park": 0}), True),
        (Settings(values={"cell": 2}), False),
        (Settings(values={"sensitivity": 50}), False),
        (Settings("median"), False),
        (built_in_presets()["microscopy"].settings(), False),
    ],
)
def test_who_has_chosen_something_else_is_not(stack, settings, told):
    assert is_told(stack, settings, pages=PAGES) == told


def test_neither_is_who_applies_a_model_nor_of_images_in_a_folder(stack, tmp_path):
    assert is_told(stack, pages=PAGES)
    session = Session(opened(stack), Settings())
    list(session.run())
    assert FOR_PARTICLES not in Session(opened(stack), Settings(), session.model()).warnings
    folder = tmp_path / "images"
    folder.mkdir()
    for number, page in enumerate(PAGES):
        tifffile.imwrite(folder / f"{number:02d}.tif", page)
    assert not is_told(folder)


def test_a_series_of_images_that_states_its_scale_is_told_of_as_a_stack_is(tmp_path):
    for number, page in enumerate(PAGES):
        tifffile.imwrite(tmp_path / f"{number:02d}.tif", page, imagej=True, resolution=(5, 5), metadata={"unit": "um"})
    assert is_told(tmp_path)


def test_different_pictures_are_told_of_as_such_alone(stack):
    pages = np.random.default_rng(4).integers(0, 60_000, (N_FRAMES + 4, 5, 6)).astype(np.uint16)
    tifffile.imwrite(stack, np.kron(pages, np.ones((12, 12), np.uint16)), photometric="minisblack")
    session = Session(opened(stack), Settings())
    with contextlib.closing(session.run()) as reports:
        for _ in islice(reports, N_FRAMES + 2):
            pass
        assert session.warnings == [FOR_IMAGES]


def test_the_usual_settings_miss_what_the_preset_finds(tmp_path):
    frames, where = drawn(24, size=(200, 260))
    usual = catalogue.complete(catalogue.row(particles.METHOD), {})
    assert scored(tmp_path, frames, where, **{name: usual[name] for name in particles.SET_BY_PRESET})[0] < 0.5
    assert scored(tmp_path, frames, where)[0] > 0.95
