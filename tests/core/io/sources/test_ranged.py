import pytest

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources.ranged import Ranged
from tests.core.io.sources.numbered import Numbered


def test_range_counts_from_one_and_starts_anew():
    source = Ranged(Numbered(Layout(4, 4, Planes.GREY)), 3, 5)
    assert source.info.n_frames == 3
    assert [(f.index, round(f.time_s, 6)) for f in source.frames()] == [(0, 0.0), (1, 0.1), (2, 0.2)]
    assert [(f.index, round(f.time_s, 6)) for f in source.frames(2)] == [(2, 0.2)]
    assert list(source.frames(3)) == []


@pytest.mark.parametrize(
    ("limits", "count"), [((None, 4), 4), ((4, None), 7), ((10, 10), 1), ((2, 99), 9), ((None, None), 10)]
)
def test_range_may_be_open(limits, count):
    source = Ranged(Numbered(Layout(4, 4, Planes.GREY)), *limits)
    assert len(list(source.frames())) == source.info.n_frames == count


def test_range_seeks_first_and_still_starts_time_at_zero():
    source = Ranged(Numbered(Layout(4, 4, Planes.GREY)), 4, None)
    assert next(source.frames(2)).time_s == pytest.approx(0.2)


def test_frames_know_when_they_are_in_the_whole_input():
    outer = Ranged(Ranged(Numbered(Layout(4, 4, Planes.GREY)), 3, 9), 2, None)
    assert [round(frame.input_s, 6) for frame in outer.frames(1)] == pytest.approx([0.4, 0.5, 0.6, 0.7, 0.8])


def test_a_range_of_a_range_numbers_its_frames_as_the_whole_input_does():
    outer = Ranged(Ranged(Numbered(Layout(4, 4, Planes.GREY)), 3, 9), 2, None)
    assert outer.info.n_before == 3
    numbers = [(outer.info.number_of(frame.index), round(10 * frame.input_s)) for frame in outer.frames()]
    assert numbers == [(index + 1, index) for index in range(3, 9)]


def test_range_keeps_the_places_of_skipped_frames():
    source = Ranged(Numbered(Layout(4, 4, Planes.GREY), skipped=(4, 7)), 3, 8)
    assert [f.index for f in source.frames()] == [0, 1, 3, 4]


def test_the_frame_behind_the_last_is_not_read():
    """It may be long in coming, or be what cannot be read."""
    source, given = Numbered(Layout(4, 4, Planes.GREY)), []
    all_frames = source.frames
    source.frames = lambda first: (given.append(frame.index) or frame for frame in all_frames(first))
    assert [frame.index for frame in Ranged(source, 3, 5).frames()] == [0, 1, 2]
    assert given == [2, 3, 4]


@pytest.mark.parametrize("limits", [(0, 3), (5, 4), (-1, None), (None, 0)])
def test_impossible_ranges_are_one_sentence(limits):
    with pytest.raises(CleanplateError, match="FIRST:LAST"):
        Ranged(Numbered(Layout(4, 4, Planes.GREY)), *limits)


def test_range_behind_the_end_is_one_sentence():
    with pytest.raises(CleanplateError, match=r"numbered has no frame 11; .*\.$"):
        list(Ranged(Numbered(Layout(4, 4, Planes.GREY)), 11, None).frames())
