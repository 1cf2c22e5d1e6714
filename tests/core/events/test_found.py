"""Events that were written are read again, narrowed down and written anew."""

import json
import shutil
import tracemalloc

import pytest

from core.events.files import NAMES, EventFiles
from core.events.found import read_events, read_frames
from core.events.regions import find_regions
from core.events.rules import Rules
from core.events.tracker import Tracker
from core.export.pieces.events import join_events
from tests.core.events.drawn import HEIGHT, WIDTH, mask


def two_things(index):
    return mask((3 * index, 50, 12, 20), (5, 5, 9, 9))


def write(folder, n_frames, *, timed=True, first=11, start=0, pixel_um=None, drawn=two_things):
    """Write the events of frames from index ``start`` on of an input that is read from number ``first`` on."""
    rules = Rules()
    files, tracker = EventFiles(rules, WIDTH, HEIGHT, first=first, timed=timed, pixel_um=pixel_um), Tracker(rules)
    files.open(folder)
    for index in range(start, start + n_frames):
        files.add_frame(index, index / 25, f"{index + 1:06d} ],[.png")
        for event in tracker.update(index, index / 25, find_regions(drawn(index)))[1]:
            files.add_event(event)
    for event in tracker.finish():
        files.add_event(event)
    files.close()
    return folder


def contents(folder):
    return {name: (folder / name).read_bytes() for name in NAMES}


def nothing(_index):
    return mask()


@pytest.mark.parametrize("pixel_um", [None, (0.325, 0.65)])
@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize(("n_frames", "drawn"), [(40, None), (3, nothing), (0, nothing)])
def test_what_is_read_and_written_anew_by_the_same_rules_is_the_same(tmp_path, timed, n_frames, drawn, pixel_um):
    """Also where there are no events to tell whether frames have times."""
    options = {} if drawn is None else {"drawn": drawn}
    folder = write(tmp_path / "events", n_frames, timed=timed, pixel_um=pixel_um, **options)
    found = read_events(folder)
    assert found.timed is timed
    assert len(found.events) == (2 if drawn is None else 0)
    found.write(tmp_path / "again", Rules())
    assert contents(tmp_path / "again") == contents(folder)
    join_events([folder], tmp_path / "joined", Rules(), check=lambda: None)
    assert contents(tmp_path / "joined") == contents(folder)


def test_fewer_events_are_written_by_stricter_rules(tmp_path):
    read_events(write(tmp_path / "events", 40)).write(tmp_path / "again", Rules(smallest=100))
    data = json.loads((tmp_path / "again/events.json").read_text(encoding="utf-8"))
    assert [event["area_median"] for event in data["events"]] == [240]
    assert len(list(read_frames(tmp_path / "again"))) == 40


def test_memory_does_not_grow_with_the_frames_that_are_read(tmp_path):
    folders = {n_frames: tmp_path / str(n_frames) for n_frames in (20, 400, 4000)}
    for n_frames, folder in folders.items():
        files = EventFiles(Rules(), WIDTH, HEIGHT, first=11, timed=True)
        files.open(folder)
        for index in range(n_frames):
            files.add_frame(index, index / 25, f"{index + 1:06d}.png")
        files.close()

    def peak(n_frames):
        for name in ("again", "joined"):
            shutil.rmtree(tmp_path / name, ignore_errors=True)
        tracemalloc.start()
        try:
            read_events(folders[n_frames]).write(tmp_path / "again", Rules())
            join_events([folders[n_frames]], tmp_path / "joined", Rules(), check=lambda: None)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # What all of the process keeps, as its table of names, grows now and then amid a count, but not each time.
    peak(20)
    few = min(peak(400) for _ in range(3))
    assert any(peak(4000) < few + (64 << 10) for _ in range(3))
