"""Events of pieces follow each other under numbers of their own."""

from core.events.found import read_events, read_frames
from core.events.rules import Rules
from core.export.pieces.events import join_events
from tests.core.events.test_found import nothing, two_things, write


def test_events_are_numbered_on_after_a_piece_that_has_none(tmp_path):
    pieces = [
        write(tmp_path / str(start), n_frames, start=start, drawn=drawn)
        for start, n_frames, drawn in ((0, 12, two_things), (12, 5, nothing), (17, 20, two_things))
    ]
    join_events(pieces, tmp_path / "joined", Rules(), check=lambda: None)
    found = read_events(tmp_path / "joined").events
    assert [event.number for event in found] == [1, 2, 3, 4]
    assert [event.rows[[0, -1], 0].tolist() for event in found] == [[0, 11]] * 2 + [[17, 36]] * 2
    assert [frame.number for frame in read_frames(tmp_path / "joined")] == list(range(11, 48))
