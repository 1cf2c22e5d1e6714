"""Which frames teach the mask, and of which picture figures are."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.io.sources import InputSpec, open_source
from core.session import stage_loop
from core.session.alignment import Aligner
from core.session.feedback import MaskFeedback
from core.session.session import Session
from core.session.settings import Settings

N_FRAMES = 8


@pytest.fixture
def street():
    source = open_source(InputSpec("sample:street", frames=(1, N_FRAMES), size=(96, 72)))
    yield source
    source.close()


def test_a_frame_that_is_lost_teaches_the_mask_nothing(street, monkeypatch):
    align, mask, taught = Aligner.align, MaskFeedback.mask, []

    def aligned(self, frame, *asked, **more):
        return replace(align(self, frame, *asked, **more), is_lost=frame.index == 5)

    def masked(self, *asked, learns):
        taught.append(learns)
        return mask(self, *asked, learns=learns)

    monkeypatch.setattr(Aligner, "align", aligned)
    monkeypatch.setattr(MaskFeedback, "mask", masked)
    list(Session(street, Settings("fast")).run())
    assert taught == [index != 5 for index in range(N_FRAMES)]


def test_figures_are_of_frames_as_the_camera_saw_them(street, monkeypatch):
    asked = []
    seen = SimpleNamespace(split="of the camera", finished_mask="seen by it")
    monkeypatch.setattr(stage_loop, "to_camera_frame", lambda report, frame: seen)
    monkeypatch.setattr(stage_loop.metrics.RunningScore, "update", lambda self, *shown: asked.append(shown))
    frames = [report.frame for report in Session(street, Settings("fast")).run()]
    assert [(split, mask) for _, split, mask in asked] == [("of the camera", "seen by it")] * N_FRAMES
    assert all(frame.truth is given.truth for frame, (given, _, _) in zip(frames, asked, strict=True))
