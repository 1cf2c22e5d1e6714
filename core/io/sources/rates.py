"""Frames a second of a film: what it was recorded at, and what that comes to where its rate varies."""

from __future__ import annotations

import math
from fractions import Fraction

import av

FPS = (1e-3, 1e6)
"""Frames per second that a file may declare: of a slow time lapse, and of the fastest cameras."""

USUAL_FPS = 25.0
"""Rate of files that declare none, or one that no camera has."""

VARIES = Fraction(101, 100)
"""A film has this many times fewer frames than its rate says, or more, where the rate varies.

At a constant rate the last frame's length, which many writers leave out, changes the mean: by 1 % in 100 frames.
"""


def nominal_rate(stream: av.VideoStream) -> Fraction:
    """Return the rate that all frames fit: of a camera that goes from 24 to 30 frames a second, 120."""
    return _plausible(stream.guessed_rate or stream.average_rate)


def mean_rate(stream: av.VideoStream) -> Fraction:
    """Return the frames a second of a film on average, which is its nominal rate unless that varies."""
    nominal, mean = nominal_rate(stream), _plausible(stream.average_rate)
    return mean if stream.average_rate and nominal > VARIES * mean else nominal


def usual_rate(rate: Fraction) -> Fraction:
    """Return the rate of television that another rate stands for: Matroska's, in whole nanoseconds, is beside it."""
    usual = Fraction(1000 * math.ceil(rate), 1001)
    return usual if abs(rate / usual - 1) < 5e-7 else rate


def _plausible(declared: Fraction | None) -> Fraction:
    low, high = FPS
    return usual_rate(declared) if declared and low <= declared <= high else Fraction(USUAL_FPS)
