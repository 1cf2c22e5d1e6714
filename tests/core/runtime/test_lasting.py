"""What is made to stay is not looked through for garbage, and the rest still is."""

import gc
import weakref

import pytest

from core.runtime.lasting import lasting


class Ring:
    """Something that only a search for garbage can free."""

    def __init__(self):
        self.me = self


@pytest.fixture(autouse=True)
def _as_before():
    was_on = gc.isenabled()
    gc.enable()
    yield
    gc.unfreeze()
    if not was_on:
        gc.disable()


def test_what_is_made_inside_stays_and_what_is_made_later_is_freed():
    with lasting():
        assert not gc.isenabled()
        ring = Ring()
        stays = weakref.ref(ring)
        del ring
    assert gc.isenabled()
    ring = Ring()
    goes = weakref.ref(ring)
    del ring
    gc.collect()
    assert stays() is not None
    assert goes() is None


def test_it_is_as_it_was_after_an_error_and_where_nothing_was_looked_for_before():
    with pytest.raises(ImportError), lasting():
        raise ImportError
    assert gc.isenabled()
    gc.disable()
    with lasting():
        pass
    assert not gc.isenabled()
    gc.enable()
