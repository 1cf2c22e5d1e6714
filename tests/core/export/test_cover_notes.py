"""What is said where masks cover much of the picture."""

import cv2
import numpy as np
import pytest
import tifffile

from core.export.cover_notes import CoverNotes
from core.export.job import run_job
from core.export.job_spec import Job
from core.io.sources import InputSpec


def notes(*shares):
    cover = CoverNotes()
    for number, share in enumerate(shares, 1):
        mask = np.zeros((10, 100), np.uint8)
        mask.reshape(-1)[: round(1000 * share)] = 255
        cover.add(number, mask)
    return cover.notes()


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([0.33] * 40, None),
        (
            [0.0] * 4 + [0.34] * 5 + [0.1],
            "In 5 of 10 frames, from frame 5 on, over a third of the picture is foreground.",
        ),
        ([0.34] * 4 + [0.0] * 6, None),
        ([0.9] * 10 + [0.0] * 90, None),
        ([0.0] * 89 + [0.9] * 11, "In 11 of 100 frames, from frame 90 on, over a third of the picture is foreground."),
    ],
)
def test_it_is_said_where_many_frames_are_covered_so_and_from_which_on(shares, said):
    assert notes(*shares) == [] if said is None else [note for note in notes(*shares) if note.startswith(said)]
    assert len(notes(*shares)) == (said is not None)


@pytest.mark.parametrize(("step", "is_said"), [(0, False), (9, True)])
def test_a_run_says_that_a_camera_moved_too_fast(tmp_path, step, is_said):
    rng = np.random.default_rng(0)
    wide = cv2.resize(rng.uniform(30, 220, (12, 90)).astype(np.float32), (720, 96), interpolation=cv2.INTER_CUBIC)
    lefts = step * np.maximum(0, np.arange(50) - 10)
    pictures = [np.clip(wide[:, x : x + 128] + rng.normal(0, 1, (96, 128)), 0, 255) for x in lefts]
    tifffile.imwrite(
        tmp_path / "pan.tif", np.stack(pictures).astype(np.uint8), metadata={"fps": 25.0, "axes": "TYX"}, imagej=True
    )
    summary = run_job(Job(InputSpec(str(tmp_path / "pan.tif")), tmp_path / "out", save=("mask",)))
    assert any("the camera may move or zoom" in note for note in summary.warnings) == is_said
