"""Model files: whatever is learnt comes back, and whatever happens to the bytes is one sentence."""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.scene.masks.foreground import Foreground
from core.scene.masks.parameters import MASK_PARAMETERS
from core.session.model import Model

LAYOUTS = st.builds(
    Layout, st.integers(1, 40), st.integers(1, 40), st.sampled_from(Planes), st.integers(8, 16), st.booleans(),
    st.sampled_from(["bt601", "bt709"]),
)  # fmt: skip
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.]{0,8}", fullmatch=True)
NUMBERS = arrays(
    st.sampled_from([np.float32, np.float64, np.int64, np.uint8, np.bool_]), array_shapes(min_dims=0, max_side=4)
)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
MODELS = st.builds(
    Model, st.text(), st.dictionaries(st.text(), VALUES, max_size=4), LAYOUTS,
    st.dictionaries(NAMES, NUMBERS, max_size=3), st.dictionaries(NAMES, NUMBERS, max_size=3),
)  # fmt: skip


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
@given(MODELS)
def test_whatever_a_model_holds_comes_back(model):
    assert_equal(read(written(model)), model)


MODEL = Model(
    "fast", {"rank": 3, "sensitivity": 5.0}, Layout(6, 8, Planes.RGB),
    {"W": np.arange(432, dtype=np.float32).reshape(3, 144), "n": np.array(7)}, {"flicker": np.ones((1, 1), np.float32)},
)  # fmt: skip
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
    whole = written(replace(MODEL, method_state={"W": np.zeros((3, 30_000), np.float32)}))
    read(whole)
    with pytest.raises(CleanplateError, match="damaged"):
        read(whole.replace(b"(3, 30000)", b"(1, 30000)"))


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
    np.testing.assert_allclose(second.noise_scale() / other.white, first.noise_scale() / layout.white, rtol=1e-5)
    first.load(second.state())
    for name, array in first.state().items():
        np.testing.assert_allclose(array, learnt[name], rtol=1e-5)
