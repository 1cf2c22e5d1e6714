"""Every row of the catalogue, and the mask, held to the schema of what they save."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.head_weights import shipped
from core.scene.masks.lessons import DESCRIBED, Lesson, Sample
from core.scene.masks.lessons_schema import state_of
from core.scene.masks.parameters import MASK_PARAMETERS
from core.state_schema import MisfitError
from tests.learnt_models import drawn_frames, learnt_model

LAYOUT = Layout(10, 12, Planes.RGB)
VALUES = {p.name: p.default for p in MASK_PARAMETERS}
HUGE = {"f": 1e30, "i": 2**60, "u": 2**63 - 1}


def _mask_state():
    rng = np.random.default_rng(0)
    cells = [Sample.unpacked(rng.random((n, DESCRIBED + 3), dtype=np.float32)) for n in (4, 9, 2, 0)]
    lessons = [Lesson(True, 3, cells[0], cells[1]), Lesson(False, 3, cells[2], cells[3])]
    return {
        **learnt_model("fast", LAYOUT, painted=True).mask_state, **state_of(lessons, LAYOUT, shipped()),
    }  # fmt: skip


def _of(key):
    """The schema of a row, or of the mask, and a state of it."""
    if key == "mask":
        return Foreground.schema(LAYOUT, VALUES).joined(Corrections.schema(LAYOUT)), _mask_state()
    model = learnt_model(key, LAYOUT)
    return catalogue.row(key).schema(LAYOUT, model.values), dict(model.method_state)


def _replaced(array, value):
    changed = np.atleast_1d(array.copy())
    changed.flat[0] = value
    return changed.reshape(array.shape)


def _wrong(array, spec):
    """Whatever else an array may be, by what was done to it."""
    for axis in range(array.ndim):
        if array.shape[axis]:
            yield f"7 times along axis {axis}", np.repeat(array, 7, axis)
            yield f"longer along axis {axis}", np.concatenate([array, array.take([0], axis)], axis)
    if array.shape != array.T.shape:
        yield "transposed", array.T
    yield "another axis", array[None]
    for dtype in {np.float32, np.float64, np.int64, np.uint8, np.complex64, ">f4"} - {spec.dtype}:
        if np.dtype(dtype) != array.dtype:
            with np.errstate(invalid="ignore"):
                yield f"of type {dtype}", array.astype(dtype)
    if not array.size or array.dtype == np.bool_:
        return
    first, kind = spec.ranges[0], array.dtype.kind
    if kind == "f":
        yield "NaN", _replaced(array, np.nan)
        yield "negative infinity", _replaced(array, -np.inf)
        if not first.or_infinite:
            yield "infinity", _replaced(array, np.inf)
    if first.low >= 0 and kind != "u" and np.isfinite(first.low):
        yield "-1", _replaced(array, -1)
    if kind == "f" or np.iinfo(array.dtype).max > first.high:
        yield "huge", _replaced(array, min(HUGE[kind], np.iinfo(array.dtype).max) if kind != "f" else HUGE[kind])


def _is_refused(schema, state):
    try:
        schema.check(state)
    except MisfitError:
        return True
    return False


@pytest.mark.parametrize("key", [*catalogue.METHODS, "mask"])
def test_what_is_learnt_fits_and_nothing_else_does(key):
    schema, state = _of(key)
    schema.check(state)
    n_tried = 0
    for name, array in state.items():
        for what, changed in _wrong(array, schema.arrays[name]):
            assert _is_refused(schema, {**state, name: changed}), f"{name} {what} was taken"
            n_tried += 1
        if frozenset([name]) not in schema.together:  # What may be absent by itself is.
            with pytest.raises(MisfitError, match=name):
                schema.check({other: kept for other, kept in state.items() if other != name})
    with pytest.raises(MisfitError, match="surplus should not be there"):
        schema.check({**state, "surplus": np.zeros(3)})
    assert n_tried > 8 * len(state)


LAYOUTS = [
    Layout(12, 16, Planes.GREY), LAYOUT, Layout(11, 13, Planes.YCC420, full_range=False),
    Layout(12, 16, Planes.GREY, 16), Layout(12, 16, Planes.GREY, 16, used=0.4, pedestal=20000),
    Layout(2, 2, Planes.RGB), Layout(1, 1, Planes.GREY),
]  # fmt: skip


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_every_layout_and_black_and_white_frames_fit(key):
    row = catalogue.row(key)
    choices = [{}, *({name: v} for name, v in (("auto_rank", True), ("lone_pixels", False)) if name in row.defaults())]
    for layout in LAYOUTS:
        for chosen in choices:
            values = {**row.defaults(), **chosen}
            method = row.build(layout, values, 0)
            for level in (0, 1, 0.5):
                for _ in range(5):
                    method.step(np.full(layout.n_values, level * layout.white).astype(layout.dtype))
                    row.schema(layout, values).check(method.state())
                if method.as_batch:
                    method.as_batch.improve()
                    row.schema(layout, values).check(method.state())


@pytest.mark.parametrize("content", ["scene", "images"])
@pytest.mark.parametrize("key", [key for key in catalogue.METHODS if "content" in catalogue.row(key).defaults()])
def test_the_rank_of_what_frames_show_and_each_frame_of_the_warm_up_fit(key, content):
    row = catalogue.row(key)
    values = {**row.defaults(), "content": content}
    method = row.build(LAYOUTS[0], values, 0)
    schema = row.schema(LAYOUTS[0], values)
    schema.check(method.state())
    for v in drawn_frames(LAYOUTS[0], 9):
        method.step(v)
        schema.check(method.state())


MOST = 200
"""Of what is counted: 10000 rounds take ten seconds, and change no array's shape."""


@pytest.mark.parametrize("key", catalogue.METHODS)
def test_a_change_while_it_runs_fits_the_values_in_force(key):
    row = catalogue.row(key)
    frames, values = drawn_frames(LAYOUTS[0], 24), {**row.defaults(), "warm_up": 0}
    learnt = row.build(LAYOUTS[0], values, 0)
    for v in frames[:23]:
        learnt.step(v)
    for parameter in filter(lambda one: one.live, row.parameters):
        method = row.build(LAYOUTS[0], values, 0)
        method.load(learnt.state())
        high = max(parameter.low, min(parameter.high, MOST)) if parameter.kind is int else parameter.high
        ends = parameter.choices or (parameter.low, high)
        for value in (not parameter.default,) if parameter.kind is bool else ends:
            method.set(parameter.name, parameter.check(value))
            row.schema(LAYOUTS[0], method.values).check(method.state())
            method.step(frames[23])
            row.schema(LAYOUTS[0], method.values).check(method.state())
        if "rank" in row.defaults():
            method.drop(0)
            row.schema(LAYOUTS[0], method.values).check(method.state())


def test_a_misfit_says_which_array_and_what_it_should_be():
    schema, state = _of("fast")
    for name, changed, sentence in (
        ("W", np.repeat(state["W"], 7, 1), "W has the shape 3×2520, not 3×360"),
        ("h", np.repeat(state["h"], 7), "h has the shape 21, not 3"),
        ("A", state["A"].astype(np.float32), "A is of type float32, not float64"),
        ("usage", _replaced(state["usage"], -1), "usage holds -1, and may be from 0 to 1e+24"),
        ("scalars", _replaced(state["scalars"], np.nan), "scalars holds what is no finite number"),
    ):
        with pytest.raises(MisfitError) as caught:
            schema.check({**state, name: changed})
        assert str(caught.value) == sentence
