"""Strokes go from run to run as they were painted, through methods whose planes say less of them."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine.kept_strokes import KeptStrokes
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings


@pytest.fixture
def begun():
    """Return what makes a session, which shows its first frame."""
    sources = []

    def made(painted=None):
        sources.append(open_source(InputSpec("sample:street", size=(64, 48), frames=(1, 8))))
        session = Session(sources[-1], replace(Settings(), painted=painted or {}))
        next(session.run())
        return session

    yield made
    for source in sources:
        source.close()


def paint(session, row):
    where = np.zeros((48, 64), bool)
    where[row : row + 6, 10:20] = True
    session.strokes.paint(next(session.source.frames()), foreground=where)


def is_same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_what_nobody_has_added_to_stays_as_it_was_painted(begun):
    kept, first, poorer = KeptStrokes(), begun(), begun()
    paint(first, 8)
    as_painted = kept.of(first)
    assert is_same(as_painted, first.strokes.painted)
    for run in ("the next", "the one after that"):
        kept.begin(poorer)  # It has none of them: that says less than a method of other planes does.
        assert is_same(kept.of(poorer), as_painted), run


def test_what_was_painted_since_or_forgotten_is_kept_instead(begun):
    kept, first = KeptStrokes(), begun()
    paint(first, 8)
    second = begun(kept.of(first))
    kept.begin(second)
    paint(second, 20)
    both = kept.of(second)
    assert is_same(both, second.strokes.painted)
    assert not is_same(both, first.strokes.painted)
    third = begun(both)
    kept.begin(third)
    third.strokes.forget()
    assert not kept.of(third)
