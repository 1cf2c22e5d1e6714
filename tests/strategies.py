"""What Hypothesis draws: layouts, settings, inputs."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.corruption import PARAMETERS, USES, Corruption
from core.io.input_spec import MAX_SIDE, InputSpec
from core.session.settings import Settings

SIDES = st.integers(1, 12)
BIG = st.integers(1, 10**6 - 1)

layouts = st.builds(
    Layout,
    SIDES,
    SIDES,
    st.sampled_from(Planes),
    st.sampled_from([8, 9, 10, 12, 14, 16]),
    st.booleans(),
    st.sampled_from(["bt601", "bt709", "bt2020"]),
)


def samples(layout: Layout) -> st.SearchStrategy[np.ndarray]:
    """Draw a vector of samples (F,)."""
    return arrays.arrays(layout.dtype, layout.n_values, elements=st.integers(0, layout.white))


def value_of(parameter) -> st.SearchStrategy:
    """Draw a value that a parameter allows."""
    if parameter.kind is bool:
        allowed = st.booleans()
    elif parameter.is_list:
        numbers = st.lists(st.integers(int(parameter.low), int(parameter.high)), min_size=1, max_size=4)
        allowed = numbers.map(lambda found: ",".join(map(str, found)))
    elif parameter.kind is str:
        allowed = st.sampled_from(parameter.choices)
    elif parameter.kind is int:
        allowed = st.integers(int(parameter.low), int(parameter.high))
    else:
        allowed = st.floats(parameter.low, parameter.high)
    return allowed | st.none() if parameter.automatic else allowed


@st.composite
def settings(draw, seed=None):
    """Draw a method and some of its parameters."""
    row = draw(st.sampled_from(list(catalogue.METHODS.values())))
    known = catalogue.parameters(row)
    names = draw(st.lists(st.sampled_from(list(known)), unique=True, max_size=4))
    values = {name: draw(value_of(known[name])) for name in names}
    return Settings(row.key, values, draw(st.integers(1, 9)), draw(st.integers(0, 999)) if seed is None else seed)


@st.composite
def corruptions(draw, seed=None):
    """Draw a corruption whose numbers a command can say: those of its kind."""
    ranges = {p.name: value_of(p) for p in PARAMETERS}
    kind = draw(st.sampled_from(sorted(USES)))
    values = {name: draw(ranges[name]) for name in (*USES[kind], "share")}
    if kind == "uniform":
        values["low"], values["high"] = sorted((values["low"], values["high"]))
    return Corruption(kind, **values, seed=draw(ranges["seed"]) if seed is None else seed)


@st.composite
def frame_ranges(draw):
    """Draw a range of frames, open or closed at either end."""
    first, last = draw(st.none() | BIG), draw(st.none() | BIG)
    if last is not None and last < (first or 1):
        first, last = last, first
    return first, last


@st.composite
def input_specs(draw):
    """Draw an input that may not be there; its name does not begin as an option does."""
    seed = draw(st.integers(0, 999))
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    sides = st.integers(1, MAX_SIDE)
    return InputSpec(
        draw(st.text(letters, min_size=1).filter(lambda text: text.strip() and not text.startswith("-"))),
        grey=draw(st.booleans()),
        size=draw(st.none() | st.tuples(sides, sides)),
        roi=draw(st.none() | st.tuples(BIG, BIG, BIG, BIG)),
        frames=draw(frame_ranges()),
        corruption=draw(st.none() | corruptions(seed)),
        seed=seed,
    )
