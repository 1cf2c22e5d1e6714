"""Training examples as they come up: the method, the mask and its feedback run as in a session, the head among them.

What the head sees depends on what it said of earlier frames: noise is learnt where it found nothing, and what it covers
teaches the background nothing. So examples are recorded in the closed loop, with the weights that are to be improved.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.frames.frame import Frame, Layout
from core.frames.motion import AT_REST, Motion
from core.frames.moved import moved_labels
from core.frames.split import Split
from core.io.sources.base import Source
from core.scene.masks.cells import CellGrid
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.head_weights import Weights
from core.scene.stabiliser import STEADY
from core.session.alignment import Aligner, unseen
from core.session.feedback import MaskFeedback
from core.session.plan import Stage, stages_of_passes
from core.session.scene_follower import SceneFollower
from core.training.examples import Example, make_example
from core.training.labelled import NOT_SCORED

METHOD = "fast"
"""The method that the head ships with; the others leave differences of the same kind."""

FIRST = 3
"""Frames before this one have nothing to be compared with."""

A_PASS = 12
"""Examples of a clip's pass, about: frames close to each other are alike."""


def record(source: Source, weights: Weights, passes: int = 1, n_examples: int = A_PASS) -> Iterator[Example]:
    """Yield examples of a labelled input.

    Parameters
    ----------
    source : Source
        Its frames carry labels as `core.frames.frame.Truth`; those without, and those of which nothing is scored, are
        only run through.
    weights : Weights
        Of the head in the loop.
    passes : int
        As in `core.session.settings.Settings`. Each gives other frames.
    n_examples : int
        Of a pass, about.
    """
    loop = Loop(source.info.layout, weights)
    for frame, stage, asked in _turns(loop, source, passes, n_examples):
        example = loop.take(frame, stage, asked=asked)
        if example is not None:
            yield example


def _turns(loop: Loop, source: Source, passes: int, n: int) -> Iterator[tuple[Frame, Stage, bool]]:
    """Yield each frame of each pass, which is begun, and whether it is one of the ``n``, about, that are asked for."""
    every = max(FIRST, (source.info.n_frames or 1) // n)
    for stage in stages_of_passes(passes, learns_in_last=True):
        loop.begin(stage)
        for frame in source.frames():
            turn = frame.index + FIRST * stage.pass_index
            yield frame, stage, frame.index >= FIRST and turn % every == 0


class Loop:
    """What a session does with each frame of a still scene, and what the head goes by meanwhile.

    Parameters
    ----------
    layout : Layout
    weights : Weights
    """

    def __init__(self, layout: Layout, weights: Weights) -> None:
        row = catalogue.row(METHOD)
        values = catalogue.complete(row, {})
        self._layout, self._grid = layout, CellGrid(layout)
        self._method = row.build(layout, {p.name: values[p.name] for p in row.parameters}, 0)
        self._foreground = Foreground(layout, {p.name: values[p.name] for p in catalogue.MASK_PARAMETERS}, weights)
        corrections = Corrections(layout)
        self._scenes = SceneFollower(layout, self._method, self._foreground, corrections, makes_masks=False)
        self._feedback = MaskFeedback(layout, self._method, self._foreground, corrections, self._scenes)
        self._aligner = Aligner(layout, float(values[STEADY.name] or 0))
        self._last: Split | None = None

    def begin(self, stage: Stage) -> None:
        """Begin a pass."""
        if stage.refines and self._last is not None:
            self._scenes.go_on_in(self._scenes.end_pass(self._last.samples(self._layout)))
        self._scenes.begin_pass(stage)

    def take(self, frame: Frame, stage: Stage, *, asked: bool) -> Example | None:
        """Learn from the next frame; return the example that it gives, if it is asked for one and gives any."""
        found = self._aligner.align(frame, self._last, learns=stage.method_learns, begun=self._scenes.now.begun)
        if found.rebased is not None:
            self._scenes.rebase(found.rebased.background, found.rebased.by, found.rebased.before)
        learns, values = not found.is_lost, found.scene.values
        split = self._method.step(values) if learns else self._method.transform(values)
        example = None
        if asked and learns and frame.truth is not None and frame.truth.mask is not None:
            evidence = self._foreground.evidence(found.scene, split.samples(self._layout))
            example = make_example(evidence, _aligned(frame.truth.mask, found.camera.motion), self._grid)
        self._feedback.mask(found.scene, split, unseen(found.camera, all_of_it=found.is_lost), learns=learns)
        self._last = split
        return example


def _aligned(labels: NDArray[np.uint8], motion: Motion) -> NDArray[np.uint8]:
    """Return labels (H, W) where the scene has what they tell of, to the nearest pixel; nothing is scored beyond."""
    return labels if motion == AT_REST else moved_labels(labels, motion, NOT_SCORED)
