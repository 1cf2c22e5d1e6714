"""Plots of what was measured; matplotlib draws them where it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.bench.convergence import Trace
from core.bench.experiments.base import Chart
from core.bench.methods import MethodResult
from core.bench.speed import Timing
from core.errors import CleanplateError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 10, 4.2
"""Inches."""

CURVES = 3.0
"""Height of the curves under the pictures of methods, inches."""

MOST_COLUMNS = 3

COLOURS = {"fast": "#0b6e4f", "MOG2": "#c8553d", "KNN": "#3d5a80"}


def available() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def check(path: Path) -> None:
    """Raise an error where a plot could not be saved, before hours are spent on measuring.

    Raises
    ------
    CleanplateError
        The folder does not exist, or the name's ending is no kind of picture.
    """
    if not path.absolute().parent.is_dir():
        raise CleanplateError(f"There is no folder {path.absolute().parent} for the plot; make it or name another.")
    if path.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise CleanplateError(f"A plot cannot be saved as {path.name!r}; end its name in .png, .svg or .pdf.")


def check_drawn(path: Path) -> None:
    """Raise an error where a plot could not be drawn and saved.

    Raises
    ------
    CleanplateError
        As `check`, and where matplotlib is not installed.
    """
    check(path)
    if not available():
        raise CleanplateError(
            "A plot needs matplotlib, which is not installed; python -m pip install matplotlib brings it, or leave out "
            "--plot."
        )


def speed(path: Path, timings: Sequence[Timing]) -> None:
    """Draw milliseconds a frame against pixels, at rank 3, grey and colour side by side."""
    figure = _figure()
    axes = figure.subplots(1, 2, sharey=True)
    for axis, colour in zip(axes, (False, True), strict=True):
        shown = sorted((t for t in timings if t.colour is colour and t.rank == 3), key=lambda t: t.width * t.height)
        megapixels = [t.width * t.height / 1e6 for t in shown]
        for name, times in (
            ("fast", [t.fast_ms for t in shown]), ("MOG2", [t.mog2_ms for t in shown]),
            ("KNN", [t.knn_ms for t in shown]),
        ):  # fmt: skip
            axis.loglog(megapixels, times, "o-", color=COLOURS[name], label=name)
        axis.set_xticks(megapixels, [f"{t.width}×{t.height}" for t in shown], rotation=20, fontsize=8)
        axis.set_xticks([], minor=True)
        _finish(axis, "colour (4:2:0)" if colour else "grey", "pixels")
    axes[0].set_ylabel("ms a frame")
    axes[0].legend(frameon=False)
    _save(figure, path)


def convergence(path: Path, title: str, traces: Sequence[Trace]) -> None:
    """Draw the objective against the seconds spent on learning, and against the samples learnt from."""
    figure = _figure()
    axes = figure.subplots(1, 2, sharey=True)
    for trace in traces:
        label = trace.name + ("" if trace.loss == "Huber" else " (own loss)")
        # The start took no time, which a logarithmic axis cannot show: it is where the first step began.
        axes[0].plot(trace.seconds[1:], trace.objectives[1:], ".-", label=label)
        axes[1].plot(trace.samples[1:], trace.objectives[1:], ".-")
    for axis, what in zip(axes, ("seconds of learning", "samples"), strict=True):
        axis.set_xscale("log")
        axis.set_yscale("log")
        _finish(axis, title, what)
    axes[0].set_ylabel("mean loss of all samples")
    axes[0].legend(frameon=False, fontsize=8)
    _save(figure, path)


def charts(path: Path, drawn: Sequence[Chart]) -> None:
    """Draw the charts of an experiment, at most three in a row; what is dashed is the paper's or a bound."""
    columns = min(len(drawn), MOST_COLUMNS)
    rows = -(-len(drawn) // columns)
    figure = _figure(rows)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    names = list(dict.fromkeys(curve.name for chart in drawn for curve in chart.curves))
    labelled: set[str] = set()
    for axis, chart in zip(axes, drawn, strict=False):
        for curve in chart.curves:
            axis.plot(
                curve.x, curve.y, "--" if curve.dashed else ".-", color=f"C{names.index(curve.name)}", linewidth=1.2,
                label=None if curve.name in labelled else curve.name,
            )  # fmt: skip
            labelled.add(curve.name)
        axis.set_xscale("log" if chart.log_x else "linear")
        axis.set_yscale("log" if chart.log_y else "linear")
        _finish(axis, chart.title, chart.x_label, plain=chart.log_y)
        axis.set_ylabel(chart.y_label)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    for axis in axes[len(drawn) :]:
        axis.set_visible(False)
    _save(figure, path)


def methods(path: Path, title: str, results: Sequence[MethodResult]) -> None:
    """Draw what each method made of one frame, and below the residual's curves: all methods in one plot."""
    example, columns = results[0].example, len(results) + 1
    height, width = example.picture.shape[:2]
    tile = WIDTH / columns * height / width + 0.2
    figure = _figure()
    figure.set_size_inches(WIDTH, 2 * tile + CURVES)
    grid = figure.add_gridspec(3, columns, height_ratios=(tile, tile, CURVES))
    _picture(figure.add_subplot(grid[0, 0]), example.picture, f"{title}, frame {example.index + 1}")
    for column, result in enumerate(results, 1):
        _picture(figure.add_subplot(grid[0, column]), result.example.background, result.title)
        _picture(figure.add_subplot(grid[1, column]), result.example.mask, "")
    axis = figure.add_subplot(grid[2, :])
    for result in results:
        axis.plot(*zip(*result.residuals, strict=True), linewidth=1.2, label=result.title)
    _finish(axis, "residual of luma (root mean square, 1 is white)", "frame", plain=False)
    axis.legend(frameon=False, fontsize=8)
    _save(figure, path)


def _picture(axis: Axes, picture: NDArray[np.generic], title: str) -> None:
    axis.imshow(picture, cmap="gray", vmin=0, vmax=255)
    axis.set_title(title, fontsize=8)
    axis.set_axis_off()


def _figure(rows: int = 1) -> Figure:
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional

    return Figure(figsize=(WIDTH, HEIGHT * rows), layout="constrained")


def _finish(axis: Axes, title: str, what: str, *, plain: bool = True) -> None:
    from matplotlib.ticker import LogFormatter  # noqa: PLC0415 - optional

    if plain:  # Plain numbers instead of powers of ten, and enough of them within a decade.
        axis.yaxis.set_major_formatter(LogFormatter())
        axis.yaxis.set_minor_formatter(LogFormatter(labelOnlyBase=False, minor_thresholds=(2, 0.5)))
    axis.set_title(title, fontsize=10)
    axis.set_xlabel(what)
    axis.grid(alpha=0.25)
    axis.spines[["top", "right"]].set_visible(False)


def _save(figure: Figure, path: Path) -> None:
    try:
        figure.savefig(path, dpi=110)
    except OSError as error:
        raise CleanplateError(f"The plot cannot be written to {path} ({error.strerror}); name another file.") from error
