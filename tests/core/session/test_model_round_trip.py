"""Model files: whatever is learnt comes back, and whatever happens to the bytes is one sentence."""

import re
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.model import Model
from tests import strategies
from tests.learnt_models import learnt_model

LAYOUTS = st.builds(
    Layout, st.integers(1, 40), st.integers(1, 40), st.sampled_from(Planes), st.integers(8, 16), st.booleans(),
    st.sampled_from(["bt601", "bt709", "bt2020"]),
)  # fmt: skip
KEYS = [key for key in catalogue.METHODS if key != "median"]
"""Not the median: how many frames it keeps follows from how many it saw, and nobody draws that by chance."""


@st.composite
def models(draw):
    """Draw a model of any method, layout and values, that holds whatever its schema allows."""
    row, layout = catalogue.row(draw(st.sampled_from(KEYS))), draw(LAYOUTS)
    known = catalogue.parameters(row)
    names = draw(st.lists(st.sampled_from(list(known)), unique=True, max_size=4))
    values = {name: draw(strategies.value_of(known[name])) for name in names} | {"rank": draw(st.integers(1, 4))}
    values = catalogue.complete(row, {name: value for name, value in values.items() if name in known})
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Model(
        row.key,
        values,
        layout,
        drawn(draw, row.schema(layout, values), rng),
        drawn(draw, Foreground.schema(layout, {p.name: p.default for p in MASK_PARAMETERS}), rng),
    )


def drawn(draw, schema, rng):
    """Draw arrays that fit a schema; those that may be absent are."""
    chosen = {name: draw(st.sampled_from([min(allowed), max(allowed)])) for name, allowed in schema.sizes.items()}
    state = {}
    for name, spec in schema.arrays.items():
        if any(name in group for group in schema.together):
            continue
        shape = tuple(size if isinstance(size, int) else min(chosen[size], 9) for size in spec.shape)
        low, high = max(r.low for r in spec.ranges), min(1e9, *(r.high for r in spec.ranges), 1e9)
        numbers = np.full(shape, np.inf) if np.isinf(low) else rng.uniform(low, high, shape)
        whole = any(r.is_whole for r in spec.ranges)
        state[name] = np.array(np.floor(numbers) if whole else numbers).astype(spec.dtype)
    return state


def written(model):
    """The bytes of a model's file."""
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.npz")
        return (Path(folder) / "model.npz").read_bytes()


def read(data):
    """The model that is in the bytes of a file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.npz").write_bytes(data)
        return Model.load(Path(folder) / "model.npz")


def assert_equal(loaded, model):
    assert (loaded.method, loaded.values, loaded.layout) == (model.method, model.values, model.layout)
    assert [type(x) for x in loaded.values.values()] == [type(x) for x in model.values.values()]
    for got, wanted in ((loaded.method_state, model.method_state), (loaded.mask_state, model.mask_state)):
        assert list(got) == list(wanted)
        for name, array in wanted.items():
            assert got[name].dtype == array.dtype
            np.testing.assert_array_equal(got[name], array)


@settings(max_examples=25)
@given(models())
def test_whatever_a_model_holds_comes_back(model):
    assert_equal(read(written(model)), model)


MODEL = learnt_model("fast", Layout(6, 8, Planes.RGB))
WHOLE = written(MODEL)
PLACES = st.integers(0, len(WHOLE) - 1)


@settings(max_examples=200)
@given(st.lists(st.tuples(PLACES, st.integers(0, 255)), min_size=1, max_size=8), st.none() | PLACES)
def test_damaged_bytes_are_refused_or_do_no_harm(changes, end):
    data = bytearray(WHOLE)
    for place, byte in changes:
        data[place] = byte
    try:
        loaded = read(bytes(data[:end]))
    except CleanplateError:
        return
    assert_equal(loaded, MODEL)


def test_no_flag_of_the_archive_breaks_the_reading():
    records = [match.start() for match in re.finditer(b"PK", WHOLE)]
    for place in sorted({record + i for record in records for i in range(30)} & set(range(len(WHOLE)))):
        try:  # One of these says that an array is encrypted.
            loaded = read(WHOLE[:place] + bytes([WHOLE[place] ^ 1]) + WHOLE[place + 1 :])
        except CleanplateError:
            continue
        assert_equal(loaded, MODEL)


def test_an_array_that_says_it_is_shorter_than_it_is_is_refused():
    model = learnt_model("fast", Layout(100, 100, Planes.RGB))
    whole = written(model)
    assert_equal(read(whole), model)
    with pytest.raises(CleanplateError, match=r"damaged: method\.W declares 1\.2e\+05 bytes and has 360000"):
        read(whole.replace(b"(3, 30000)", b"(1, 30000)", 1))


@given(LAYOUTS, st.integers(0, 2**32), st.integers(8, 16))
def test_what_the_mask_learnt_comes_back_at_any_bit_depth(layout, seed, bit_depth):
    values = {p.name: p.default for p in MASK_PARAMETERS}
    first, rng = Foreground(layout, values), np.random.default_rng(seed)
    learnt = {
        name: (rng.random(array.shape) * layout.white).astype(array.dtype) if array.ndim else array
        for name, array in first.state().items()
    }
    first.load(learnt)
    assert all(np.array_equal(array, learnt[name]) for name, array in first.state().items())
    other = Layout(layout.height, layout.width, layout.planes, bit_depth, layout.full_range, layout.matrix)
    second = Foreground(other, values)
    second.load(first.state())
    assert second.noise == pytest.approx(first.noise, rel=1e-5)
    np.testing.assert_allclose(second.state()["variance"], first.state()["variance"], rtol=1e-5)
    first.load(second.state())
    for name, array in first.state().items():
        np.testing.assert_allclose(array, learnt[name], rtol=1e-5)
