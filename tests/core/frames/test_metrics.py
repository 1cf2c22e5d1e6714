import importlib.util
from types import ModuleType

import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes, Truth
from core.frames.metrics import RunningScore, confusion, detection, psnr_db
from core.frames.split import DenseSplit

LAYOUT = Layout(4, 5, Planes.GREY)
LABELS = (0, 50, 85, 170, 255)


def split_of(background):
    background = np.asarray(background, np.float32).ravel()
    return DenseSplit(background, np.zeros_like(background), None, np.ones(1), 0.0)


def frame_of(values, truth):
    return Frame(0, 0.0, np.asarray(values, np.uint8).ravel(), LAYOUT, truth)


def counted(mask, truth):
    """The convention of changedetection.net, pixel by pixel."""
    hit = false = missed = 0
    for found, label in zip(mask.ravel() > 127, truth.ravel(), strict=True):
        if label in (85, 170):
            continue
        hit += found and label == 255
        false += found and label != 255
        missed += not found and label == 255
    return [hit, false, missed]


def random_masks(seed=0, shape=(40, 50)):
    rng = np.random.default_rng(seed)
    return rng.choice(np.array([0, 255], np.uint8), shape), rng.choice(np.array(LABELS, np.uint8), shape)


def test_confusion_counts_by_the_convention():
    mask, truth = random_masks()
    assert confusion(mask, truth).tolist() == counted(mask, truth)


@pytest.mark.parametrize(
    ("label", "found", "expected"),
    [(255, 255, [1, 0, 0]), (255, 0, [0, 0, 1]), (0, 255, [0, 1, 0]), (50, 255, [0, 1, 0]), (50, 0, [0, 0, 0]),
     (85, 255, [0, 0, 0]), (170, 255, [0, 0, 0]), (170, 0, [0, 0, 0])],
)  # fmt: skip
def test_shadow_is_background_and_grey_labels_are_not_scored(label, found, expected):
    assert confusion(np.array([[found]], np.uint8), np.array([[label]], np.uint8)).tolist() == expected


def test_it_agrees_with_the_script_that_scores_labelled_sequences(data):
    script = data.parent / "score" / "masks.py"
    if not script.is_file():
        pytest.skip("the scoring script is absent: it lies beside the folder of real data")
    spec = importlib.util.spec_from_file_location("score_masks", script)
    theirs: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    for seed in range(5):
        mask, truth = random_masks(seed)
        assert confusion(mask, truth).tolist() == theirs.confusion(mask, truth).tolist()


def test_f_measure_adds_up_over_frames():
    score, total = RunningScore(), np.zeros(3)
    for seed in range(4):
        mask, truth = random_masks(seed, (4, 5))
        figures = score.update(frame_of(np.zeros(20), Truth(mask=truth)), split_of(np.zeros(20)), mask)
        total += counted(mask, truth)
        hit, false, missed = total
        precision, recall = hit / (hit + false), hit / (hit + missed)
        f = 2 * precision * recall / (precision + recall)
        assert figures == pytest.approx({"f_measure": f, "precision": precision, "recall": recall})


def test_no_foreground_found_or_there_is_no_division_by_zero():
    empty = np.zeros((4, 5), np.uint8)
    figures = RunningScore().update(frame_of(empty, Truth(mask=empty)), split_of(empty), empty)
    assert figures == {"f_measure": 0, "precision": 0, "recall": 0}


def test_psnr_of_a_known_error():
    clean = np.full(1000, 100, np.uint8)
    noisy = clean.copy()
    noisy[::10] += 20
    assert psnr_db(noisy, clean, 255) == pytest.approx(10 * np.log10(255**2 / 40))
    assert psnr_db(clean / 255, noisy / 255) == pytest.approx(psnr_db(noisy, clean, 255))
    assert np.isfinite(psnr_db(clean, clean, 255))


def test_bytes_are_not_subtracted_as_bytes():
    assert psnr_db(np.array([0], np.uint8), np.array([255], np.uint8), 255) == pytest.approx(0)


def test_figures_come_only_from_what_is_known():
    clean = np.full(20, 100, np.uint8)
    noisy = np.where(np.arange(20) % 2, 110, 90).astype(np.uint8)
    mask = np.zeros((4, 5), np.uint8)
    assert RunningScore().update(frame_of(noisy, None), split_of(clean / 255), mask) == {}
    figures = RunningScore().update(frame_of(noisy, Truth(clean=clean)), split_of(clean / 255 + 0.01), mask)
    assert figures["psnr_noisy_db"] == pytest.approx(10 * np.log10(255**2 / 100))
    assert figures["psnr_db"] == pytest.approx(40, abs=0.01)
    assert figures["relative_error"] == pytest.approx(2.55 / 100, abs=1e-4)
    assert set(figures) == {"psnr_noisy_db", "psnr_db", "relative_error"}


def test_the_relative_error_is_that_of_all_images_together():
    rng = np.random.default_rng(0)
    clean, found = rng.integers(0, 256, (5, 20)).astype(np.uint8), rng.random((5, 20)).astype(np.float32)
    score = RunningScore()
    for x, b in zip(clean, found, strict=True):
        figures = score.update(frame_of(x, Truth(clean=x)), split_of(b), np.zeros((4, 5), np.uint8))
    expected = np.linalg.norm(255 * found.astype(float) - clean) / np.linalg.norm(clean)
    assert figures["relative_error"] == pytest.approx(expected, rel=1e-5)


def test_video_in_luma_and_chroma_is_scored_as_the_picture_that_it_is():
    video = Layout(4, 6, Planes.YCC420, full_range=False)
    rgb = Layout(4, 6, Planes.RGB)
    rng = np.random.default_rng(1)
    values, clean = (rng.integers(60, 180, video.n_values).astype(np.uint8) for _ in range(2))
    empty = np.zeros((4, 6), np.uint8)
    one = RunningScore().update(Frame(0, 0.0, values, video, Truth(clean=clean)), split_of(values / 255), empty)
    values, clean = (video.image(x).transpose(2, 0, 1).ravel() for x in (values, clean))
    other = RunningScore().update(Frame(0, 0.0, values, rgb, Truth(clean=clean)), split_of(values / 255), empty)
    assert one == pytest.approx(other, rel=1e-4)


def test_a_background_brighter_than_white_counts_as_white():
    white = np.full(20, 255, np.uint8)
    figures = RunningScore().update(
        frame_of(white, Truth(clean=white)), split_of(np.full(20, 1.5)), np.zeros((4, 5), np.uint8)
    )
    assert figures["psnr_db"] > 100


def test_detection_is_what_was_found_of_what_is_there():
    found = detection(np.array([6, 2, 4]))
    assert found == (6 / 8, 6 / 10, 2 / (8 / 6 + 10 / 6))
    assert detection(np.zeros(3, np.int64)) == (0, 0, 0)
    swapped = detection(np.array([6, 4, 2]))
    assert (swapped.precision, swapped.recall, swapped.f_measure) == (found.recall, found.precision, found.f_measure)
