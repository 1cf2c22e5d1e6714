"""What the figures of a run say, and which loss of frames is an error."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.job_spec import Job
from core.export.run_loop import RunLoop
from core.io.input_spec import InputSpec
from core.session.phase import Phase


class Writer:
    """Takes all reports until its disk is full."""

    saved, events, scenes, write_ms = frozenset({"mask"}), None, (), ()
    is_full = False

    def __init__(self):
        self.notes = []

    def write(self, report):
        pass


def reports(n_of_passes, began_s=0.0):
    """Yield a report a second for each frame of each pass."""
    for pass_index, n_frames in enumerate(n_of_passes):
        for index in range(n_frames):
            frame = SimpleNamespace(index=index, time_s=began_s + index, n_missed=0)
            yield SimpleNamespace(
                frame=frame, pass_index=pass_index, n_passes=len(n_of_passes), n_done=index + 1, iteration=None,
                stages_ms={}, is_image_set=True, mask=np.zeros((6, 8), np.uint8), phase=Phase.LEARNING,
            )  # fmt: skip


def ran(coming, writer, *, live):
    full = SimpleNamespace(width=8, height=6)
    info = SimpleNamespace(
        title="Camera", live=live, is_counted=False, fps=None, n_frames=None, is_timed=True, full=full
    )  # fmt: skip
    session = SimpleNamespace(
        source=SimpleNamespace(info=info), run=lambda n_skipped: coming, row=SimpleNamespace(key="fast"), warnings=[],
        control=SimpleNamespace(is_stopped=False, stop=lambda: None), decided={},
    )  # fmt: skip
    loop = RunLoop(session, writer, Job(InputSpec("in"), Path("out"), ("mask",)), None, None)
    loop.run()
    return loop


def test_a_live_input_may_show_less_than_it_was_learnt_from():
    assert ran(reports([3, 2]), Writer(), live=True).summary(1.0, []).frames == 2
    with pytest.raises(CleanplateError, match="gave 3 frames and then 2"):
        ran(reports([3, 2]), Writer(), live=False)


def test_how_much_was_recorded_counts_from_its_first_frame_whatever_the_clock_says():
    writer = Writer()
    loop = ran(reports([68], began_s=86_400.0), writer, live=True)
    writer.is_full = True
    assert loop.summary(1.0, []).cut_short.startswith("The disk is full: recorded until 0:01:07;")
