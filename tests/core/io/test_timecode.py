"""Time codes, counted as an editor counts them."""

import pytest

from core.io.timecode import Timecode


def counted(rate, drops, minutes):
    """Write down each number of so many minutes, one by one, without those that are left out."""
    mark = ";" if drops else ":"
    return [
        f"{m // 60:02d}:{m % 60:02d}:{s:02d}{mark}{f:02d}"
        for m in range(minutes) for s in range(60) for f in range(rate)
        if not (drops and m % 10 and s == 0 and f < rate // 15)
    ]  # fmt: skip


@pytest.mark.parametrize(("rate", "drops"), [(24, False), (25, False), (30, False), (30, True), (60, True)])
def test_frames_are_numbered_one_after_another(rate, drops):
    wanted = counted(rate, drops, 61)
    start = Timecode(0, rate, drops)
    assert [str(start.after(k)) for k in range(len(wanted))] == wanted
    for k in (0, 1, 60 * rate, len(wanted) - 1):
        assert Timecode.of(wanted[k], rate) == start.after(k)


def test_dropped_numbers_keep_up_with_the_clock():
    assert str(Timecode.of("01:00:00;00", 29.97).after(107892)) == "02:00:00;00"
    assert str(Timecode.of("00:00:59;29", 29.97).after(1)) == "00:01:00;02"
    assert str(Timecode.of("00:09:59.29", 29.97).after(1)) == "00:10:00;00"


def test_after_midnight_the_day_begins_anew():
    assert str(Timecode.of("23:59:59:24", 25).after(1)) == "00:00:00:00"
    assert str(Timecode.of("23:59:59;29", 29.97).after(1)) == "00:00:00;00"


@pytest.mark.parametrize(
    ("text", "fps"),
    [("", 25), ("10 o'clock", 25), ("01:00:00:25", 25), ("24:00:00:00", 25), ("01:60:00:00", 25), ("01:00:00;02", 25),
     ("1:00:00:00", 25), ("01:00:00:00", 0.2)],
)  # fmt: skip
def test_what_is_no_time_code_of_such_a_film_is_none(text, fps):
    assert Timecode.of(text, fps) is None
