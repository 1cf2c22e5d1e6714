"""Events as results of a run."""

import csv
import json
from dataclasses import replace

import av
import numpy as np
import pytest
import tifffile

from core.errors import CancelledError
from core.events.files import NAMES
from core.events.rules import Rules
from core.export.job import run_job
from core.export.job_spec import Job
from core.io.input_spec import InputSpec
from core.session.settings import Settings
from tests.cut_film import FIRSTS, write_cut_film

LINE = ((160.0, 239.0), (160.0, 0.0))


def job(folder, *save, **options):
    return Job(InputSpec("sample:street", size=(160, 90), frames=(21, 80)), folder, save, **options)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("street")
    run_job(job(folder, "events", "boxes", "mask", rules=Rules(lines=(LINE,))))
    return folder


def test_events_are_five_files_that_agree(done):
    assert sorted(path.name for path in (done / "events").iterdir()) == sorted(NAMES)
    data = json.loads((done / "events/events.json").read_text(encoding="utf-8"))
    coco = json.loads((done / "events/coco.json").read_text(encoding="utf-8"))
    with (done / "events/boxes.csv").open(newline="") as file:
        boxes = list(csv.DictReader(file))
    assert data["events"], "nothing moves in the sample"
    assert sum(len(event["boxes"]) for event in data["events"]) == len(boxes) == len(coco["annotations"])
    assert [image["id"] for image in coco["images"]] == list(range(21, 81))
    assert [image["file_name"] for image in coco["images"]] == sorted(p.name for p in (done / "mask").iterdir())
    with (done / "events/frames.csv").open(newline="") as file:
        counts = {int(row["frame"]): int(row["events"]) for row in csv.DictReader(file)}
    assert counts == {frame: sum(int(row["frame"]) == frame for row in boxes) for frame in range(21, 81)}
    times = {int(row["frame"]): float(row["time_s"]) for row in boxes}
    assert times == {frame: pytest.approx((frame - 1) / 30, abs=1e-3) for frame in times}, (
        "of the input, as numbers are"
    )
    assert all(event["last_frame"] - event["first_frame"] + 1 >= data["shortest"] for event in data["events"])


@pytest.mark.parametrize("options", [{"written": (5, 8)}, {"written": (5, 8), "names": "input"}])
def test_coco_names_the_pictures_as_they_are_named(tmp_path, options):
    run_job(job(tmp_path, "events", "mask", **options))
    images = json.loads((tmp_path / "events/coco.json").read_text(encoding="utf-8"))["images"]
    assert [image["file_name"] for image in images] == sorted(path.name for path in (tmp_path / "mask").iterdir())


@pytest.mark.parametrize("view", [{}, {"size": (30, 20)}, {"roi": (4, 4, 50, 30)}])
def test_tables_of_a_stack_with_a_scale_are_in_micrometres_too_in_whatever_size_it_is_worked_on(tmp_path, view):
    frames = np.full((12, 40, 60), 1000, np.uint16)
    for index in range(12):
        frames[index, 15:25, 6 + 3 * index : 16 + 3 * index] = 9000
    metadata = {"unit": "um", "axes": "TYX"}
    tifffile.imwrite(tmp_path / "a.tif", frames, imagej=True, resolution=(2, 2), metadata=metadata)
    run_job(Job(InputSpec(str(tmp_path / "a.tif"), **view), tmp_path / "out", ("events",), rules=Rules(shortest=2)))
    with (tmp_path / "out/events/boxes.csv").open(newline="") as file:
        boxes = list(csv.DictReader(file))
    assert boxes
    assert all(float(row["area_um2"]) == int(row["area"]) / 4 for row in boxes)
    assert all(float(row["width_um"]) == int(row["width"]) / 2 for row in boxes)


def test_boxes_of_deep_pictures_in_colour_are_drawn_at_their_depth(tmp_path):
    from core.io.sources.reading import read_picture

    deep = np.random.default_rng(0).integers(0, 1 << 16, (6, 40, 60, 3)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "stack.tif", deep, photometric="rgb")
    run_job(Job(InputSpec(str(tmp_path / "stack.tif")), tmp_path / "out", ("boxes",), rules=Rules(shortest=1)))
    assert read_picture(next((tmp_path / "out/boxes").iterdir())).image.dtype == np.uint16


@pytest.mark.parametrize("passes", [1, 2])
def test_no_event_goes_over_a_cut(tmp_path, passes):
    film = write_cut_film(tmp_path / "cut.mkv", len(FIRSTS))
    run_job(Job(InputSpec(str(film)), tmp_path / "out", ("events",), Settings(passes=passes)))
    events = json.loads((tmp_path / "out/events/events.json").read_text(encoding="utf-8"))["events"]
    scenes = [(np.searchsorted(FIRSTS, [one["first_frame"], one["last_frame"]], "right") - 1) for one in events]
    assert all(first == last for first, last in scenes)
    assert {first for first, _ in scenes} == {0, 1, 2}
    assert max(one["area_median"] for one in events) < 1500, "the block that passes, of 576 pixels"


def deep_grey(path):
    """Write counts from 2900 to 4000 of 65535, with a square of 6000 that moves; return them (T, H, W)."""
    frames = np.random.default_rng(0).integers(2900, 4000, (12, 60, 80)).astype(np.uint16)
    for index, frame in enumerate(frames):
        frame[10:20, 6 + 4 * index : 16 + 4 * index] = 6000
    tifffile.imwrite(path, frames, photometric="minisblack")
    return frames


@pytest.mark.parametrize("form", ["png", "tiff", "png16"])
def test_boxes_of_deep_pictures_in_grey_are_drawn_over_what_can_be_seen(tmp_path, form):
    from core.io.sources.reading import read_picture

    frames = deep_grey(tmp_path / "a.tif")
    low, high = np.percentile(frames, (1, 99))
    spec = InputSpec(str(tmp_path / "a.tif"))
    run_job(Job(spec, tmp_path / "out", ("boxes",), rules=Rules(shortest=1), format=form))
    if form == "tiff":
        pictures = tifffile.imread(tmp_path / "out/boxes.tif")
    else:
        pictures = np.array([read_picture(path).image for path in sorted((tmp_path / "out/boxes").iterdir())])
    assert pictures.dtype == (np.uint16 if form == "png16" else np.uint8)
    white = np.iinfo(pictures.dtype).max
    wanted = np.clip((frames[6] - low) / (high - low), 0, 1)
    shown = pictures[6] / white
    is_ground = (np.abs(shown - wanted[..., None]) < 0.01).all(axis=2)
    assert 0.6 < np.mean(is_ground) < 1, "all but boxes and numbers"
    assert np.ptp(shown, axis=2).max() > 0.5, "a box has a colour that is seen"


def test_boxes_of_a_part_of_a_stack_are_drawn_over_what_those_of_the_whole_are(tmp_path):
    deep_grey(tmp_path / "a.tif")
    whole = Job(InputSpec(str(tmp_path / "a.tif")), tmp_path / "whole", ("boxes",), rules=Rules(smallest=4000))
    run_job(whole)
    run_job(replace(whole, output=tmp_path / "part", written=(9, 12)))
    part, some = (sorted((tmp_path / name / "boxes").iterdir())[-4:] for name in ("part", "whole"))
    assert [path.read_bytes() for path in part] == [path.read_bytes() for path in some]


def test_boxes_lie_around_what_the_masks_show(done):
    from core.io.sources.reading import read_picture

    with (done / "events/boxes.csv").open(newline="") as file:
        boxes = list(csv.DictReader(file))
    assert len(boxes) > 60, "one thing at least in each frame"
    for row in boxes[:: len(boxes) // 20]:
        x, y, width, height, area = (int(row[key]) for key in ("x", "y", "width", "height", "area"))
        mask = read_picture(done / f"mask/{int(row['frame']) - 20:06d}.png").image
        within = mask[y : y + height, x : x + width] > 0
        assert within.shape == (height, width)
        assert 0 < area <= np.count_nonzero(within)
        for side in (within[0], within[-1], within[:, 0], within[:, -1]):
            assert side.any(), "it is no larger than what it lies around"


def test_boxes_are_drawn_into_a_picture_of_the_size_of_the_input(done):
    from core.io.sources.reading import read_picture

    pictures = sorted((done / "boxes").iterdir())
    assert len(pictures) == 60
    assert read_picture(pictures[-1]).image.ndim == 3


def test_boxes_alone_make_a_film(tmp_path):
    run_job(job(tmp_path, "boxes", format="mp4"))
    with av.open(str(tmp_path / "boxes.mp4")) as film:
        assert sum(1 for _ in film.decode(video=0)) == 60
    assert [path.name for path in tmp_path.iterdir()] == ["boxes.mp4"]


def test_a_run_that_is_cancelled_leaves_no_events(tmp_path):
    told = []
    with pytest.raises(CancelledError):
        run_job(job(tmp_path / "out", "events"), told.append, lambda: len(told) > 20)
    assert not (tmp_path / "out").exists()


def test_the_same_run_twice_gives_the_same_bytes_and_replaces_them(done, tmp_path):
    run_job(job(tmp_path, "events", rules=Rules(lines=(LINE,))))
    first = {name: (tmp_path / "events" / name).read_bytes() for name in NAMES}
    run_job(job(tmp_path, "events", rules=Rules(lines=(LINE,)), overwrite=True))
    assert {name: (tmp_path / "events" / name).read_bytes() for name in NAMES} == first
    assert {name: (done / "events" / name).read_bytes() for name in NAMES} == first
