"""The measurements on labelled sequences: counted by the published conventions, on sequences made by hand."""

import functools
import importlib.util
import shutil
import warnings

import cv2
import numpy as np
import pytest

from core.bench import masks, plates, scores, sequences
from core.bench.contact_sheet import TILE, contact_sheet, write_sheet
from core.bench.opencv_subtractors import make_peers
from core.bench.sequences import find_sequences
from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings
from tests.labelled import FIRST, HEIGHT, LAST, UNLABELLED, WIDTH, N, labels_of, make_sequence


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "sequences"
    make_sequence(folder / "colour")
    make_sequence(folder / "grey", grey=True)
    return folder


@pytest.fixture(scope="module")
def results(folder):
    return [masks.measure(sequence) for sequence in find_sequences(folder)]


def script(data, name):
    path = data.parent / "score" / name
    if not path.is_file():
        pytest.skip("the scoring script is absent: it lies beside the folder of real data")
    spec = importlib.util.spec_from_file_location(f"score_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def masks_of(sequence, key):
    """Every mask of a method, made here without the bench."""
    source = open_source(InputSpec(str(sequence)))
    if key == "ours":
        return [report.full_mask for report in Session(source, Settings()).run()]
    peer = make_peers()[key.removesuffix("_median")]
    found = [peer.apply(cv2.imread(str(p), cv2.IMREAD_UNCHANGED)) for p in sorted((sequence / "input").iterdir())]
    return [cv2.medianBlur(mask, 5) for mask in found] if key.endswith("_median") else found


def scored_by_hand(found):
    hit = false = missed = 0
    for number in range(FIRST, LAST + 1):
        if number == UNLABELLED:  # has no labels
            continue
        for mask, label in zip(found[number - 1].ravel() > 127, labels_of(number).ravel(), strict=True):
            if label not in (85, 170):
                hit += mask and label == 255
                false += mask and label != 255
                missed += not mask and label == 255
    return hit / max(hit + false, 1), hit / max(hit + missed, 1), 2 * hit / max(2 * hit + false + missed, 1)


@pytest.mark.parametrize("key", masks.METHODS)
def test_masks_are_scored_over_the_labelled_frames_of_the_range(folder, results, key):
    for result, name in zip(results, ("colour", "grey"), strict=True):
        assert result.name == name
        assert result.n_scored == LAST - FIRST
        score = result.scores[key]
        assert (score.precision, score.recall, score.f) == pytest.approx(
            scored_by_hand(masks_of(folder / name, key)), abs=1e-9
        )
        assert score.ms > 0


@pytest.mark.parametrize("key", ["ours", "mog2", "knn_median"])
def test_masks_agree_with_the_script_that_judges(data, folder, results, tmp_path, key):
    theirs = script(data, "masks.py")
    for number, mask in enumerate(masks_of(folder / "colour", key), 1):
        cv2.imwrite(str(tmp_path / f"{number:06d}.png"), mask)
    expected = theirs.score(folder / "colour", tmp_path)
    found = results[0].scores[key].as_data()
    assert {name: found[name] for name in ("precision", "recall", "f")} == {
        name: expected[name] for name in ("precision", "recall", "f")
    }


def true_background_by_hand(sequence):
    images, hidden = [], []
    for number in range(FIRST - 10, N + 1):
        if number != UNLABELLED:
            images.append(cv2.imread(str(sequence / "input" / f"{number:06d}.png")).astype(float))
            hidden.append(labels_of(number) != 0)
    stack = np.stack(images)
    stack[np.stack(hidden)] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of pixels that are hidden in every frame
        return np.nanmedian(stack, axis=0)


@pytest.mark.parametrize("budget", [plates.BUDGET_BYTES, 1])
def test_the_true_background_is_the_median_of_what_is_labelled_so(folder, monkeypatch, budget):
    """Whole or row by row: the budget of memory changes nothing."""
    monkeypatch.setattr(plates, "BUDGET_BYTES", budget)
    for module, read in ((plates, "read_for_opencv"), (sequences, "_read_labels")):  # Each is read for each row.
        monkeypatch.setattr(module, read, functools.cache(getattr(module, read)))
    truth, seen, median = plates.backgrounds(find_sequences(folder, ["colour"])[0])
    expected = true_background_by_hand(folder / "colour")
    np.testing.assert_array_equal(seen, ~np.isnan(expected).any(axis=2))
    assert not seen[:4].any()
    assert seen[4:15].all()
    np.testing.assert_array_equal(truth[seen], expected[seen].astype(np.uint8))
    stack = np.stack([cv2.imread(str(p)) for p in sorted((folder / "colour" / "input").iterdir())])
    np.testing.assert_array_equal(median, np.median(stack, axis=0).astype(np.uint8))


def test_plates_agree_with_the_script_that_judges(data, folder):
    theirs = script(data, "plates.py")
    result = plates.measure(find_sequences(folder, ["colour"])[0], passes=2)
    session = Session(open_source(InputSpec(str(folder / "colour"))), Settings(passes=2))
    list(session.run())
    every = np.stack([cv2.imread(str(p)) for p in theirs.frames(folder / "colour")])
    expected = {"ours": session.plate()[..., ::-1], "median": np.median(every, axis=0)}
    for key, plate in expected.items():
        judged = theirs.score(folder / "colour", np.ascontiguousarray(plate))
        assert result.scores[key].as_data() == {"age": judged["age"], "peps": judged["peps"]}
    assert result.scores["ours"].peps < 1


def test_a_grey_sequence_has_a_plate_and_the_mean_counts_each_sequence_once(folder):
    results = [plates.measure(sequence, passes=1) for sequence in find_sequences(folder)]
    assert [set(r.scores) for r in results] == [set(plates.METHODS)] * 2
    mean = scores.means(results)["ours"]
    assert mean.age == pytest.approx(np.mean([r.scores["ours"].age for r in results]))
    assert set(scores.as_data(results)) == {"sequences", "mean"}


@pytest.mark.parametrize("names", ["{:06d}.png", "{}.png"])
def test_labels_are_of_the_image_of_their_number_wherever_numbers_begin(folder, tmp_path, names):
    """In the order in which the input is read: 2 before 10."""
    copy = tmp_path / "from0"
    for part in ("input", "groundtruth"):
        (copy / part).mkdir(parents=True)
        for path in (folder / "colour" / part).iterdir():
            shutil.copy(path, copy / part / names.format(int(path.stem) - 1))
    shutil.copy(folder / "colour" / "scored.txt", copy)
    sequence, told = find_sequences(copy)[0], find_sequences(folder / "colour")[0]
    source = open_source(InputSpec(str(copy)))
    assert [path.name for path in sequence.inputs] == [frame.name for frame in source.frames()]
    assert sequence.labelled == told.labelled
    for number in range(N + 2):
        np.testing.assert_equal(sequence.truth(number), told.truth(number))
    np.testing.assert_array_equal(sequence.truth(FIRST), labels_of(FIRST))
    np.testing.assert_array_equal(sequence.truth_of(sequence.inputs[LAST]), labels_of(LAST + 1))


def test_frames_that_are_not_there_are_not_scored(folder, tmp_path):
    copy = shutil.copytree(folder / "colour", tmp_path / "colour")
    (copy / "scored.txt").write_text(f"0 {N + 9}")
    sequence = find_sequences(copy)[0]
    assert sequence.labelled == [n for n in range(FIRST - 10, N + 1) if n != UNLABELLED]
    assert sequence.truth(0) is sequence.truth(N + 1) is None


def test_the_plate_error_is_counted_where_the_scene_is_known_only():
    truth, seen = np.full((4, 4), 100, np.uint8), np.ones((4, 4), np.bool_)
    plate = truth.copy()
    plate[0], plate[1, 0], plate[1, 1] = 0, 120, 121
    seen[0] = False
    score = plates.score(plate, truth, seen)
    assert score.age == pytest.approx(41 / 12)
    assert score.peps == pytest.approx(100 / 12)


def test_the_sheet_shows_the_frame_of_median_foreground_and_a_row_each(results, tmp_path):
    sheet = contact_sheet(results)
    rows = round(HEIGHT * TILE / WIDTH)
    assert sheet.shape[0] > 2 * rows
    assert sheet.shape[1] > 4 * TILE
    assert all((r.example.truth == labels_of(r.example.number)).all() for r in results)
    assert set(np.unique(results[0].example.mog2)) <= {0, 255}
    write_sheet(results, tmp_path / "sheet.png")
    np.testing.assert_array_equal(cv2.imread(str(tmp_path / "sheet.png"))[..., ::-1], sheet)
    assert [p.name for p in tmp_path.iterdir()] == ["sheet.png"]


def test_what_is_missing_is_said_in_a_sentence(folder, tmp_path):
    with pytest.raises(CleanplateError, match="no folder"):
        find_sequences(tmp_path / "nowhere")
    with pytest.raises(CleanplateError, match="holds no labelled sequence"):
        find_sequences(tmp_path)
    with pytest.raises(CleanplateError, match=r"no sequence beach in .*; there are colour, grey"):
        find_sequences(folder, ["beach"])
    assert [s.name for s in find_sequences(folder, ["grey"])] == ["grey"]
    assert [s.name for s in find_sequences(folder / "grey")] == ["grey"]
    assert [s.name for s in find_sequences(folder.parent)] == ["colour", "grey"], "of a folder that holds that one"
    copy = shutil.copytree(folder / "colour", tmp_path / "colour")
    (copy / "scored.txt").write_text("from the first")
    with pytest.raises(CleanplateError, match=r"scored\.txt cannot be read"):
        find_sequences(tmp_path)


def test_a_labelled_frame_that_cannot_be_read_is_no_score(folder, tmp_path):
    copy = shutil.copytree(folder / "colour", tmp_path / "colour")
    (copy / "input" / f"{FIRST + 5:06d}.png").write_bytes(b"no image")
    with pytest.raises(CleanplateError, match="Not all labelled frames"):
        masks.measure(find_sequences(tmp_path)[0])
