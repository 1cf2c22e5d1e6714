"""The command ``bench activity``: how fast a whole input is looked through for its activity."""

from __future__ import annotations

import time

from app.cli.bench.shared import Input, print_results, progress
from app.cli.options import Json

HOUR = 25 * 3600
"""Frames of an hour of video."""


def activity(
    source: Input,
    as_json: Json = False,
) -> None:
    """Time the look through a whole input that fills the activity strip of the window."""
    from rich.console import Console  # noqa: PLC0415

    from core.io.input_spec import InputSpec  # noqa: PLC0415
    from core.io.sources import open_source  # noqa: PLC0415
    from core.session.overview import look_through  # noqa: PLC0415

    spec = InputSpec(source)
    opened = open_source(spec)
    layout, n_frames = opened.info.layout, opened.info.n_frames
    opened.close()
    with progress(Console(stderr=True), "activity") as show:
        started = time.perf_counter()
        curve = look_through(
            spec, lambda so_far: show(len(so_far.mean) * so_far.frames_a_bin, n_frames), lambda: False,
            (layout.width, layout.height),
        )  # fmt: skip
        seconds = time.perf_counter() - started
    frames = n_frames or len(curve.mean) * curve.frames_a_bin
    rate = frames / max(seconds, 1e-9)
    said = (
        f"{frames} frames of {layout.width}×{layout.height} in {seconds:.1f} s: {rate:.0f} a second, "
        f"an hour of video ({HOUR} frames) in {HOUR / rate / 60:.1f} minutes."
    )
    found = {"frames": frames, "width": layout.width, "height": layout.height}
    print_results(said, {**found, "seconds": round(seconds, 2), "fps": round(rate, 1)}, as_json=as_json)
