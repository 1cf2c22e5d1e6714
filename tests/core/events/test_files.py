"""Events as files that other programs read."""

import csv
import json

import pytest

from core.events.files import NAMES, EventFiles
from core.events.regions import find_regions
from core.events.rules import Rules
from core.events.tracker import Tracker
from tests.core.events.drawn import HEIGHT, WIDTH, mask

LINE = ((80.0, 119.0), (80.0, 0.0))


@pytest.fixture
def folder(tmp_path):
    """Events of two that pass, one of them over a line, in frames 11 to 50 of an input."""
    return written(tmp_path / "events")


def written(folder, pixel_um=None, columns=range(0, 120, 3)):
    rules = Rules(lines=(LINE,))
    files, tracker = EventFiles(rules, WIDTH, HEIGHT, first=11, pixel_um=pixel_um), Tracker(rules)
    files.open(folder)
    for index, column in enumerate(columns):
        files.add_frame(index, index / 25, f"{index + 1:06d}.png")
        for event in tracker.update(index, index / 25, find_regions(mask((column, 50, 12, 20), (5, 5, 9, 9))))[1]:
            files.add_event(event)
    for event in tracker.finish():
        files.add_event(event)
    files.close()
    return folder


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_tables_have_a_row_for_each_event_and_for_each_box(folder):
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    events, boxes = rows(folder / "events.csv"), rows(folder / "boxes.csv")
    walker = next(row for row in events if row["area_median"] == "240.0")
    assert (walker["first_frame"], walker["last_frame"], walker["frames_seen"]) == ("11", "50", "40")
    assert (walker["first_s"], walker["last_s"], walker["line_1"]) == ("0.0", "1.56", "forward")
    assert len(events) == 2
    assert len(boxes) == 80
    assert [row["frame"] for row in boxes if row["event"] == walker["event"]] == [str(i) for i in range(11, 51)]


def test_a_row_for_each_frame_has_how_many_events_are_seen_in_it_and_their_area(tmp_path):
    files, tracker = EventFiles(Rules(shortest=1), WIDTH, HEIGHT, first=11), Tracker(Rules(shortest=1))
    files.open(tmp_path / "events")
    shown = [(), ((5, 5, 9, 9),), ((5, 5, 9, 9), (60, 60, 10, 10)), ()]
    for index, drawn in enumerate(shown):
        files.add_frame(index, index / 4, "a.png")
        for event in tracker.update(index, index / 4, find_regions(mask(*drawn)))[1]:
            files.add_event(event)
    for event in tracker.finish():
        files.add_event(event)
    files.close()
    assert [list(row.values()) for row in rows(tmp_path / "events/frames.csv")] == [
        ["11", "0.0", "0", "0"], ["12", "0.25", "1", "81"], ["13", "0.5", "2", "181"], ["14", "0.75", "0", "0"],
    ]  # fmt: skip


def test_where_the_scale_is_known_what_is_in_pixels_stands_in_micrometres_too(folder, tmp_path):
    scaled = written(tmp_path / "scaled", pixel_um=(0.5, 0.25))
    for name in ("events.csv", "boxes.csv", "frames.csv"):
        plain, both = rows(folder / name), rows(scaled / name)
        assert [{key: row[key] for key in plain[0]} for row in both] == plain, "no column changes its place or meaning"
        assert not any("_um" in key for key in plain[0])
    walker = next(row for row in rows(scaled / "events.csv") if row["area_median"] == "240.0")
    across = float(walker["to_x"]) - float(walker["from_x"])
    assert float(walker["area_median_um2"]) == float(walker["area_largest_um2"]) == 30
    assert float(walker["to_x_um"]) - float(walker["from_x_um"]) == across * 0.5 == float(walker["path_length_um"])
    assert float(walker["to_y_um"]) == float(walker["to_y"]) * 0.25
    box = next(row for row in rows(scaled / "boxes.csv") if row["area"] == "240" and row["frame"] == "21")
    assert [float(box[f"{name}_um"]) for name in ("x", "y", "width", "height")] == [15, 12.5, 6, 5]
    assert float(box["area_um2"]) == 30
    assert float(rows(scaled / "frames.csv")[0]["area_um2"]) == (240 + 81) * 0.125
    assert json.loads((scaled / "events.json").read_text(encoding="utf-8"))["pixel_size_um"] == [0.5, 0.25]


def test_json_says_the_same(folder):
    data = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    assert data["lines"] == [{"from": [80, 119], "to": [80, 0], "forward": 1, "backward": 0}]
    assert [len(event["boxes"]) for event in data["events"]] == [40, 40]
    assert [event["event"] for event in data["events"]] == [1, 2]
    assert data["frames"] == 40


def test_who_comes_back_over_a_line_counts_each_way_in_every_file(tmp_path):
    folder = written(tmp_path / "back", columns=[*range(0, 120, 3), *range(120, 0, -3)])
    assert [row["line_1"] for row in rows(folder / "events.csv")] == ["", "forward backward"]
    data = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    assert [(line["forward"], line["backward"]) for line in data["lines"]] == [(1, 1)]
    assert [event["crossed"] for event in data["events"]] == [[""], ["forward backward"]]


def test_coco_has_what_its_readers_ask_for(folder):
    data = json.loads((folder / "coco.json").read_text(encoding="utf-8"))
    assert {image["id"] for image in data["images"]} == set(range(11, 51))
    assert data["images"][0] == {
        "id": 11, "file_name": "000001.png", "width": WIDTH, "height": HEIGHT, "frame": 11, "time_s": 0.0,
    }  # fmt: skip
    annotations = data["annotations"]
    assert len({one["id"] for one in annotations}) == len(annotations) == 80
    assert {one["image_id"] for one in annotations} <= {image["id"] for image in data["images"]}
    assert {one["category_id"] for one in annotations} == {kind["id"] for kind in data["categories"]}
    assert {one["track_id"] for one in annotations} == {1, 2}
    still = [one for one in annotations if one["area"] == 81]
    assert all(one["bbox"] == [5, 5, 9, 9] and one["iscrowd"] == 0 for one in still)


def test_what_cannot_be_written_out_does_not_keep_files_from_being_let_go_of(tmp_path):
    files = EventFiles(Rules(), WIDTH, HEIGHT)
    files.open(tmp_path / "events")

    class Full:
        def close(self):
            raise OSError(28, "No space left on device")

    files._coco.close()
    files._coco = Full()
    files.release()


def test_without_events_the_files_are_there_and_empty(tmp_path):
    files = EventFiles(Rules(), WIDTH, HEIGHT, timed=False)
    files.open(tmp_path / "events")
    files.add_frame(0, 0.0, "a.png")
    files.close()
    assert json.loads((tmp_path / "events/events.json").read_text())["events"] == []
    coco = json.loads((tmp_path / "events/coco.json").read_text())
    assert coco["annotations"] == []
    assert coco["images"][0]["time_s"] is None
    assert coco["images"][0]["file_name"] == "a.png"
    assert rows(tmp_path / "events/boxes.csv") == []
