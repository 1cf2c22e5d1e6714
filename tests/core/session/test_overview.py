"""The look through a whole input."""

import threading
import time
from itertools import islice

import numpy as np

from core.events.activity import Activity
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.scene.areas import Areas, Shape
from core.session import overview
from core.session.overview import look_through, small_size
from tests.cut_film import EACH, FIRSTS, SIZE, write_cut_film
from tests.patience import ends

SPEC = InputSpec("sample:street", frames=(1, 250))


def test_frames_are_looked_at_small_in_their_own_shape():
    assert small_size(160, 120) is None
    width, height = small_size(1920, 1080)
    assert width * height <= 160 * 120 * 1.01
    assert abs(width / height - 16 / 9) < 0.02


def test_activity_is_known_for_every_frame_and_shows_that_something_passes():
    told = []
    curve = look_through(SPEC, told.append, lambda: False, (480, 270))
    assert len(curve.mean) == 250
    assert np.isfinite(curve.mean).all()
    assert curve.high.max() > 0.01
    assert [len(one.mean) for one in told] == [100, 200]


def test_frames_of_another_scene_that_were_compared_with_the_one_before_do_not_count(tmp_path):
    film = write_cut_film(tmp_path / "cut.mkv", len(FIRSTS))
    curve = look_through(InputSpec(str(film)), lambda curve: None, lambda: False, SIZE)
    known = np.isfinite(curve.mean)
    assert len(known) == EACH * len(FIRSTS)
    assert not known[[first - 1 for first in FIRSTS[1:]]].any()
    assert known.mean() > 0.85
    assert 0.02 < curve.high[known].max() < 0.12, "of the block that passes, 576 of 12288 pixels"


def test_it_ends_where_it_is_told_to():
    calls = []
    curve = look_through(SPEC, lambda curve: None, lambda: calls.append(1) or len(calls) > 200, (480, 270))
    assert 5 < len(curve.mean) < 200, "it is asked for each frame, and while it waits"


def test_it_ends_while_an_input_gives_no_frame(monkeypatch):
    goes_on, seen_at, add = threading.Event(), [], Activity.add

    def stalls(spec, given_up):
        source = open_source(spec, given_up)
        read = source.frames

        def frames(first=0):
            yield from islice(read(first), 5)
            goes_on.wait()

        source.frames = frames
        return source

    def noted(activity, *given):
        add(activity, *given)
        seen_at.append(time.monotonic())

    monkeypatch.setattr(overview, "open_source", stalls)
    monkeypatch.setattr(Activity, "add", noted)
    try:
        curve = look_through(
            SPEC, lambda curve: None, lambda: len(seen_at) == 5 and time.monotonic() - seen_at[-1] > 1, (480, 270)
        )
        ended = time.monotonic()
    finally:
        goes_on.set()
    assert len(curve.mean) == 5
    assert ended - seen_at[-1] < 20, "it waits for the frame"
    for thread in threading.enumerate():
        if thread.name == "decode":
            ends(thread)


def test_what_moves_where_nothing_is_ever_foreground_does_not_count():
    whole = ((0, 0), (480, 0), (480, 270), (0, 270))
    spec = InputSpec("sample:street", frames=(1, 60))
    nowhere = look_through(spec, lambda curve: None, lambda: False, (480, 270), Areas((Shape("never", whole),)))
    kept = look_through(spec, lambda curve: None, lambda: False, (480, 270), Areas((Shape("keep", whole),)))
    assert len(nowhere.mean) == 60
    assert nowhere.high.max() == 0
    assert kept.high.max() > 0.01
