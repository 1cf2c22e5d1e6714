"""A look through a whole input at a small size: how much of each frame moves."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace

from core.events.activity import Activity, ActivityCurve
from core.io.input_spec import InputSpec, Size
from core.io.sources import open_source
from core.runtime.stopping import StoppedError, stops_when
from core.scene.areas import Areas
from core.session.session import Session
from core.session.settings import Settings

N_PIXELS = 160 * 120
"""Size of the frames that are looked at, pixels: a person in the middle distance is a dozen rows high then."""

TELL_FRAMES = 100
"""Frames between two accounts of how far it has come."""


def small_size(width: int, height: int) -> Size | None:
    """Return the size at which frames are looked at, pixels; None where they are small already."""
    scale = (N_PIXELS / (width * height)) ** 0.5
    return (max(round(width * scale), 1), max(round(height * scale), 1)) if scale < 1 else None


def look_through(
    spec: InputSpec,
    tell: Callable[[ActivityCurve], None],
    cancelled: Callable[[], bool],
    original: Size,
    areas: Areas | None = None,
) -> ActivityCurve:
    """Return the activity of an input, as the default method sees it.

    Every frame is read and looked at, for what is learnt depends on the frames between.

    Parameters
    ----------
    spec : InputSpec
        No camera.
    tell : callable
        Called now and then with what is known so far.
    cancelled : callable
        Asked between frames, and while one is waited for; True ends it.
    original : (width, height)
        Of the input, pixels.
    areas : Areas, optional
        Where they say that nothing is ever foreground, what moves does not count.

    Raises
    ------
    CleanplateError
        The input cannot be read, or areas were made for one of another size.
    CancelledError
        It was ended before the input was open.
    """
    size = small_size(*spec.region_size(original))
    source = open_source(spec if size is None else replace(spec, size=size), cancelled)
    activity, settings = Activity(source.info.n_frames), Settings(seed=spec.seed, areas=areas or Areas())
    try:
        with stops_when(cancelled), contextlib.closing(Session(source, settings).run()) as reports:
            for n, report in enumerate(reports, 1):
                if cancelled():
                    break
                activity.add(report.frame.index, report.foreground_share, report.scene_first)
                if n % TELL_FRAMES == 0:
                    tell(activity.curve())
    except StoppedError:
        pass  # In the midst of a frame, or while none came.
    finally:
        source.close()
    return activity.curve()
