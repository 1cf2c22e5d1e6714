"""A film with cuts has a plate for each scene, wherever it is run; one without has what it always had."""

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.pieces.join import join_pieces
from core.export.plan import estimate
from core.io.sources import InputSpec, open_source
from core.session.settings import Settings
from tests.cut_film import EACH, FIRSTS, NAMES, backdrop, write_cut_film


@pytest.fixture(scope="module")
def of_three_scenes(tmp_path_factory):
    return write_cut_film(tmp_path_factory.mktemp("film") / "cut.mkv", 3)


@pytest.fixture(scope="module")
def of_one_scene(tmp_path_factory):
    return write_cut_film(tmp_path_factory.mktemp("film") / "whole.mkv", 1)


def job(source, output, *save, frames=(None, None), **more):
    settings = Settings(passes=more.pop("passes", 2))
    return Job(InputSpec(str(source), frames=frames), output, save or ("plate", "confidence"), settings, **more)


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def error_of(path, scene):
    """Mean difference of a plate from the truth of a scene, grey levels."""
    return np.abs(cv2.imread(str(path), -1).astype(float) - backdrop(scene)).mean()


@pytest.fixture(scope="module")
def run(of_three_scenes, tmp_path_factory):
    folder = tmp_path_factory.mktemp("run") / "out"
    return folder, run_job(job(of_three_scenes, folder, "plate", "mask", "confidence", format="mkv"))


def test_each_plate_is_that_of_its_own_scene(run):
    folder, summary = run
    assert sorted(tree(folder)) == sorted(
        ["mask.mkv", *(f"{kind}-by-scene/{name}" for kind in ("plate", "confidence") for name in NAMES)]
    )
    for scene, name in enumerate(NAMES):
        errors = [error_of(folder / "plate-by-scene" / name, other) for other in range(3)]
        assert errors[scene] < 1.5, "grey levels"
        assert min(errors[:scene] + errors[scene + 1 :]) > 10
        seen = cv2.imread(str(folder / "confidence-by-scene" / name), -1)
        assert seen[:20].min() > 200, "nothing passes there"
        assert seen[32:52, 20:100].max() < 255, "something passes there"
    assert summary.files == [folder / name for name in ("plate-by-scene", "mask.mkv", "confidence-by-scene")]
    assert summary.scenes == FIRSTS
    assert [text for text in summary.warnings if "for each of 3 scenes" in text and NAMES[1] in text]


def test_the_plate_of_a_scene_is_that_of_its_frames_alone(run, of_three_scenes, tmp_path):
    summary = run_job(job(of_three_scenes, tmp_path / "alone", "plate", frames=(61, 120)))
    assert sorted(tree(tmp_path / "alone")) == ["plate.png"]
    alone, among = (
        cv2.imread(str(path), -1) for path in (tmp_path / "alone/plate.png", run[0] / "plate-by-scene" / NAMES[1])
    )
    assert np.abs(alone.astype(float) - among).mean() < 0.5, "grey levels"
    assert summary.scenes == (61,)


def test_a_film_without_cuts_has_one_plate_under_its_usual_name(of_one_scene, tmp_path):
    summary = run_job(job(of_one_scene, tmp_path / "out"))
    assert sorted(tree(tmp_path / "out")) == ["confidence.png", "plate.png"]
    assert error_of(tmp_path / "out/plate.png", 0) < 1.5, "grey levels"
    assert not [text for text in summary.warnings if "scene" in text]
    assert [path.name for path in summary.files] == ["plate.png", "confidence.png"]


def test_scenes_are_found_and_have_plates_in_a_single_pass_too(of_three_scenes, tmp_path):
    run_job(job(of_three_scenes, tmp_path, "plate", passes=1))
    assert sorted(tree(tmp_path)) == [f"plate-by-scene/{name}" for name in NAMES]
    assert all(error_of(tmp_path / "plate-by-scene" / name, scene) < 3 for scene, name in enumerate(NAMES))


@pytest.mark.parametrize(
    ("written", "names"),
    [((70, 110), ["plate.png"]), ((10, 61), [f"plate-by-scene/{name}" for name in NAMES[:2]]), ((1, 5), ["plate.png"])],
)
def test_plates_are_written_of_the_scenes_of_which_frames_are(run, of_three_scenes, tmp_path, written, names):
    run_job(job(of_three_scenes, tmp_path, "plate", written=written))
    found = tree(tmp_path)
    assert sorted(found) == names
    whole = [tree(run[0])[f"plate-by-scene/{name}"] for name in NAMES]
    first = (written[0] - 1) // EACH
    assert list(found.values()) == whole[first : first + len(names)], "the same bytes"


def test_numbers_are_those_of_the_whole_input(of_three_scenes, tmp_path):
    summary = run_job(job(of_three_scenes, tmp_path, "plate", frames=(31, 120)))
    assert sorted(tree(tmp_path)) == ["plate-by-scene/000031.png", "plate-by-scene/000061.png"]
    assert summary.scenes == (31, 61)


def test_results_of_either_kind_are_in_the_way_and_replaced_by_either(of_three_scenes, of_one_scene, tmp_path):
    for source, name in ((of_one_scene, "plate.png"), (of_three_scenes, "plate-by-scene"), (of_one_scene, "plate.png")):
        run_job(job(source, tmp_path, "plate", passes=1, overwrite=True))
        assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == [name]
        with pytest.raises(CleanplateError, match=f"Output exists: .*{name}"):
            run_job(job(of_one_scene, tmp_path, "plate", passes=1))
        wanted = job(of_one_scene, tmp_path, "plate")
        [planned] = estimate(wanted, open_source(wanted.input).info.layout, EACH)
        assert [path.name for path in planned.present] == [name]


def test_pieces_give_the_plates_that_one_run_gives(of_three_scenes, tmp_path):
    """Pieces of 50 frames that run in over 30; the last cut is where a piece begins, and found as that runs in."""
    for number, written in enumerate(((1, 57), (58, 120), (121, None)), 1):
        run_job(
            job(
                of_three_scenes, tmp_path / f"parts/{number:04d}", "plate", "confidence", "times", written=written,
                run_in=30,
            )
        )  # fmt: skip
    assert not list((tmp_path / "parts").rglob("plate.png"))
    summary = join_pieces(job(of_three_scenes, tmp_path / "out"), tmp_path / "parts")
    assert sorted(tree(tmp_path / "out")) == sorted(
        f"{kind}-by-scene/{name}" for kind in ("plate", "confidence") for name in NAMES
    )
    assert summary.scenes == FIRSTS
    for scene, name in enumerate(NAMES):
        assert error_of(tmp_path / "out/plate-by-scene" / name, scene) < 2.5, "grey levels"


def test_pieces_of_one_scene_give_one_plate(of_one_scene, tmp_path):
    for number, written in enumerate(((1, 30), (31, None)), 1):
        output = tmp_path / f"parts/{number:04d}"
        run_job(job(of_one_scene, output, "plate", "confidence", "times", written=written, run_in=20))
    summary = join_pieces(job(of_one_scene, tmp_path / "out"), tmp_path / "parts")
    assert sorted(tree(tmp_path / "out")) == ["confidence.png", "plate.png"]
    assert [path.name for path in summary.files] == ["plate.png", "confidence.png"]
    assert error_of(tmp_path / "out/plate.png", 0) < 2
