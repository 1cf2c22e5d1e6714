"""One contract, and every row of the catalogue held to it."""

import gc
import tracemalloc
from functools import cache

import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes

LAYOUTS = {
    "grey": Layout(12, 16, Planes.GREY),
    "RGB": Layout(10, 12, Planes.RGB),
    "YCC420": Layout(11, 13, Planes.YCC420, full_range=False),
    "16 bits": Layout(12, 16, Planes.GREY, 16),
    "2x2": Layout(2, 2, Planes.RGB),
    "1x1": Layout(1, 1, Planes.GREY),
}
SIGNS_FREE = {"orpca"}
"""Methods whose dictionary may be negative."""

BEGINS_ANEW = {"mog2", "knn"}
"""OpenCV does not let these models be read out: their states hold the background image only."""

rows = pytest.mark.parametrize("key", catalogue.METHODS)
layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())


def build(key, layout, seed=0, **chosen):
    row = catalogue.row(key)
    return row.build(layout, {**row.defaults(), **chosen}, seed)


def has_rank(key):
    return "rank" in catalogue.row(key).defaults()


def scene(layout, n, seed=0):
    """Vectors of a textured scene with noise and a bright thing that passes."""
    rng = np.random.default_rng(seed)
    still = 0.2 + 0.5 * rng.random(layout.n_values)
    for t in range(n):
        v = still + 0.01 * rng.standard_normal(still.size)
        v[t % still.size :: max(still.size // 3, 1)] = 0.95
        yield layout.quantise(v)


def assert_sane(split, method, v, layout):
    unit = v if v.dtype == np.float32 else v / layout.white
    for array in (split.background, split.residual, split.h, method.W):
        assert np.isfinite(array).all()
    assert np.isfinite(split.objective)
    np.testing.assert_allclose(split.background + split.residual, unit, atol=1e-5)
    assert split.background.shape == split.residual.shape == (layout.n_values,)
    assert (split.background.dtype, split.h.dtype) == (np.float32, np.float64)
    assert split.outliers is None or split.outliers.shape == (layout.n_values,)
    assert method.W.shape == (layout.n_values, method.W.shape[1])


@rows
@layouts
def test_splits_add_up_and_stay_finite_and_nonnegative(key, layout):
    method = build(key, layout)
    for v in scene(layout, 14):
        kept = v.copy()
        split = method.step(v)
        assert_sane(split, method, v, layout)
        assert np.array_equal(v, kept), "the input was written to"
        if key not in SIGNS_FREE:
            assert method.W[: layout.signed_from].min() >= 0
            assert split.h.min() >= 0


@rows
@layouts
@pytest.mark.parametrize("level", [0.0, 1.0], ids=["black", "white"])
def test_black_and_white_frames_do_no_harm(key, layout, level):
    flat = np.full(layout.n_values, level * layout.white).astype(layout.dtype)
    method = build(key, layout)
    for v in (flat, flat, *scene(layout, 6), flat, flat):
        assert_sane(method.step(v), method, v, layout)
        assert key in SIGNS_FREE or method.W[: layout.signed_from].min() >= 0
    assert_sane(method.transform(flat), method, flat, layout)


@rows
@pytest.mark.parametrize("name", ["RGB", "YCC420"])
def test_what_is_told_of_automatic_parameters_is_in_force(key, name):
    method, listed = build(key, LAYOUTS[name]), {p.name: p for p in catalogue.row(key).parameters}
    for v in scene(LAYOUTS[name], 6):
        method.step(v)
    told = method.automatic
    assert all(np.isfinite(value) for value in told.values())
    assert told.keys() <= listed.keys()
    if listed.get("rank") is not None and listed["rank"].automatic:
        assert told["rank"] == method.W.shape[1]
    for parameter, value in told.items():
        if method.values[parameter] is not None:
            assert value == method.values[parameter]


@rows
def test_float_vectors_in_units_of_white_are_taken_as_well_as_samples(key):
    layout = LAYOUTS["grey"]
    samples, floats = build(key, layout), build(key, layout)
    for v in scene(layout, 8):
        unit = v * np.float32(1 / layout.white)
        a, b = samples.step(v), floats.step(unit)
        assert_sane(b, floats, unit, layout)
        np.testing.assert_allclose(a.background, b.background, atol=1e-4)


@rows
def test_the_same_seed_gives_the_same_result(key):
    layout = LAYOUTS["RGB"]
    results = []
    for _ in range(2):
        method = build(key, layout, seed=7)
        results.append([method.step(v).background for v in scene(layout, 9)] + [method.W.copy()])
    for a, b in zip(*results, strict=True):
        assert np.array_equal(a, b)


@rows
def test_splits_own_their_arrays(key):
    layout = LAYOUTS["grey"]
    method = build(key, layout)
    frames = list(scene(layout, 12))
    splits = [method.step(v) for v in frames]
    state = [method.W, *method.state().values()]
    for split in [*splits, method.transform(frames[0])]:
        for array in (split.background, split.residual, split.outliers, split.h):
            if array is not None:
                assert not any(np.shares_memory(array, other) for other in [*state, *frames])
    fresh = build(key, layout)
    for v, split in zip(frames, splits, strict=True):
        assert np.array_equal(fresh.step(v).background, split.background), "a later step changed an earlier split"


@rows
def test_transform_learns_nothing(key):
    layout = LAYOUTS["grey"]
    method = build(key, layout)
    frames = list(scene(layout, 10))
    for v in frames[:7]:
        method.step(v)
    before = method.state()
    splits = [method.transform(frames[8]) for _ in range(2)]
    for name, array in method.state().items():
        assert np.array_equal(array, before[name]), name
    assert np.array_equal(splits[0].background, splits[1].background)


@rows
def test_an_empty_model_says_so(key):
    layout = LAYOUTS["grey"]
    with pytest.raises(CleanplateError, match="empty"):
        build(key, layout).transform(next(scene(layout, 1)))


@rows
def test_a_state_goes_on_as_if_nothing_had_happened(key):
    layout = LAYOUTS["grey"]
    chosen = {"warm_up": 0}
    method, other = build(key, layout, **chosen), build(key, layout, **chosen)
    frames = list(scene(layout, 24))
    for v in frames[:10]:
        method.step(v)
    state = method.state()
    kept = {name: array.copy() for name, array in state.items()}
    other.load(state)
    assert np.array_equal(method.transform(frames[10]).background, other.transform(frames[10]).background)
    for v in frames[10:]:
        background = method.step(v).background
        assert np.array_equal(background, other.step(v).background) or key in BEGINS_ANEW
    for name, array in state.items():
        assert np.array_equal(array, kept[name]), f"{name} was written after it was handed out"


def test_the_contract_finds_a_parameter_in_every_row():
    for row in catalogue.METHODS.values():
        assert len({p.name for p in row.parameters}) == len(row.parameters) > 0
        for parameter in row.parameters:
            assert parameter.check(parameter.default) == parameter.default
            assert parameter.help.endswith(".")


@rows
def test_every_live_parameter_can_change_while_it_runs(key):
    layout = LAYOUTS["grey"]
    frames = list(scene(layout, 6))
    for parameter in catalogue.row(key).parameters:
        if not parameter.live:
            continue
        if parameter.kind is bool:
            values = [not parameter.default, parameter.default]
        elif parameter.kind is str:
            values = [*parameter.choices, parameter.default]
        else:
            values = [parameter.low, parameter.high, parameter.default]
        small = {"rank": 3} if has_rank(key) and parameter.name != "rank" else {}  # As fast as it can be.
        method = build(key, layout, **small)
        method.step(frames[0])
        for value in values:
            method.set(parameter.name, parameter.check(value))
            for v in frames[1:]:
                assert_sane(method.step(v), method, v, layout)
        assert method.values[parameter.name] == parameter.default


@rows
def test_columns_can_go_one_by_one(key):
    layout = LAYOUTS["grey"]
    method = build(key, layout, **({"rank": 3} if has_rank(key) else {}))
    frames = list(scene(layout, 9))
    for v in frames[:5]:
        method.step(v)
    for left in (2, 1, 1) if has_rank(key) else (1,):  # What has no rank has one column, which stays.
        method.drop(0)
        assert method.W.shape[1] == left == method.values.get("rank", 1)
        assert_sane(method.step(frames[5]), method, frames[5], layout)


def steady_growth(step, frames, enough, stretches=8):
    """Return the bytes that 40 steps leave allocated, in the stretch that leaves least; the first that is ``enough``.

    What grows with the steps grows in every stretch. What is older than the measure and replaced only now and then,
    so that it counts from then on, caches that fill, and what a runner's threads hold grow less and less.
    """
    least, before = np.inf, None
    for v in frames * 8:
        step(v)  # Lists of free objects fill.
    gc.collect()
    gc.freeze()  # What is there already is of no interest, and looking through it takes most of the time.
    tracemalloc.start()
    try:
        for v in frames:
            step(v)
        for _ in range(stretches + 1):
            gc.collect()
            held = tracemalloc.get_traced_memory()[0]
            if before is not None:
                least = min(least, held - before)
            if least < enough:
                break
            before = held
            for v in frames * 4:
                step(v)
    finally:
        tracemalloc.stop()
    return least


@rows
def test_memory_does_not_grow_with_steps(key):
    layout = LAYOUTS["grey"]
    # A batch method keeps as many frames as it was told to. What a step takes grows with the rank and with the steps of
    # its solver, what stays must not.
    few = {"encode_steps": 3, **({"rank": 3} if has_rank(key) else {})}
    method = build(key, layout, warm_up=0, frames=8, **few)
    frames = list(scene(layout, 10))
    two_vectors = 2 * 4 * layout.n_values
    assert steady_growth(method.step, frames, two_vectors) < two_vectors, "less than two float32 vectors in 40 steps"


def test_that_measure_finds_one_coefficient_kept_per_step():
    layout = LAYOUTS["grey"]
    method, kept, vector = build("fast", layout, warm_up=0), [], 4 * layout.n_values
    frames = list(scene(layout, 10))
    assert steady_growth(lambda v: kept.append(method.step(v).h), frames, 2 * vector) > 3 * vector


# -- batch methods: what is learnt from the set that the steps gathered

batch_rows = pytest.mark.parametrize("key", [row.key for row in catalogue.METHODS.values() if row.kind == "batch"])


def gathered(key, layout, n=8, **chosen):
    method, frames = build(key, layout, **{"rank": 3, **chosen}), list(scene(layout, n))
    for v in frames:
        method.step(v)
    return method, frames


@batch_rows
@layouts
def test_iterations_give_sane_splits_of_the_set_and_of_others(key, layout):
    method, frames = gathered(key, layout, iterations=4, tolerance=1e-9)
    flat = [np.full(layout.n_values, level, layout.dtype) for level in (0, layout.white)]
    for v in flat:
        method.step(v)
    for i, v in enumerate((frames[2], *flat)):
        found = method.improve(2 if i == 0 else 7 + i)
        assert np.isfinite(found.objective)
        assert (found.iteration, found.n_iterations) == (i + 1, 4)
        assert_sane(found.split, method, v, layout)
        if key not in SIGNS_FREE:
            assert method.W.min() >= 0
            assert found.split.h.min() >= 0
    method.fit()
    assert method.finished
    for v in (frames[0], *flat):
        assert_sane(method.transform(v), method, v, layout)


@batch_rows
def test_iterations_are_the_same_for_the_same_seed_and_survive_in_the_state(key):
    layout = LAYOUTS["RGB"]
    (method, frames), (other, _) = (gathered(key, layout, iterations=5) for _ in range(2))
    assert method.fit() == other.fit()
    loaded = build(key, layout, rank=1)
    loaded.load(method.state())
    assert loaded.finished
    for one in (other, loaded):
        assert np.array_equal(one.W, method.W)
        assert np.array_equal(one.transform(frames[1]).background, method.transform(frames[1]).background)


@batch_rows
def test_a_frame_that_comes_after_the_iterations_joins_the_set(key):
    layout = LAYOUTS["grey"]
    method, frames = gathered(key, layout, iterations=12)
    method.fit()
    for v in frames[:3]:
        method.step(v)
    assert not method.finished
    found = method.improve(10)
    assert found.iteration == 1
    assert_sane(found.split, method, frames[2], layout)


@batch_rows
def test_parameters_and_columns_can_change_between_iterations(key):
    layout = LAYOUTS["grey"]
    for parameter in (p for p in catalogue.row(key).parameters if p.live):
        method, frames = gathered(key, layout)
        method.improve()
        for value in (parameter.choices or (parameter.low, parameter.high)) if parameter.kind is not bool else (0, 1):
            method.set(parameter.name, parameter.check(value))
            assert_sane(method.improve().split, method, frames[0], layout)
        method.drop(1)
        assert_sane(method.improve().split, method, frames[0], layout)
        assert method.W.shape[1] == 2


@cache
def learnt(key, chosen):
    """What a method makes of a small scene with chosen values (name, value): its dictionary and every residual."""
    method = build(key, LAYOUTS["RGB"], **dict(chosen))
    residuals = [method.step(v).residual for v in scene(LAYOUTS["RGB"], 12)]
    if method.as_batch is not None:
        method.as_batch.fit()
        residuals = [method.transform(v).residual for v in scene(LAYOUTS["RGB"], 12)]
    return method.W.tobytes(), np.stack(residuals).tobytes()


def one_by_one(choices):
    """Return combinations with every choice once beside the first of all others, and the last of all together."""
    firsts = tuple(those[0] for those in choices)
    each = [(*firsts[:i], one, *firsts[i + 1 :]) for i, those in enumerate(choices) for one in those]
    return dict.fromkeys([*each, tuple(those[-1] for those in choices)])


DEPENDENT = [
    (key, p)
    for p, key in {p: row.key for row in reversed(catalogue.METHODS.values()) for p in row.parameters}.items()
    if p.acts_with
]
"""Each parameter once, of the first method that has it."""


@pytest.mark.parametrize(("key", "parameter"), DEPENDENT, ids=[f"{key}-{p.name}" for key, p in DEPENDENT])
def test_a_parameter_that_is_said_to_have_no_effect_has_none_and_else_has_one(key, parameter):
    row = catalogue.row(key)
    other = "1" if parameter.is_list else parameter.high
    # Parameters beside it that let it be seen: some outliers, more groups than one, no start.
    seen = {"rank": 8, "lam": 0.05} if "h_penalty" in row.defaults() else {}
    seen |= {"warm_up": 2, "learn_every": 1} if key == "fast" else {}
    seen |= {"iterations": 20} if "iterations" in row.defaults() else {}
    conditions = [next(p for p in row.parameters if p.name == name) for name, _ in parameter.acts_with]
    told = set()
    for values in one_by_one([condition.choices or (True, False) for condition in conditions]):
        chosen = {**seen, **{condition.name: value for condition, value in zip(conditions, values, strict=True)}}
        acts = parameter.acts({**row.defaults(), **chosen})
        changed = {**chosen, parameter.name: other}
        found, otherwise = (learnt(key, tuple(sorted(these.items()))) for these in (chosen, changed))
        assert (found != otherwise) == acts, values
        told.add(acts)
    assert told == {True, False}
