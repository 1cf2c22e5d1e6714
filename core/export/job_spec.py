"""What a run is to read, do and write, and what can be said against it before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core import catalogue
from core.errors import CleanplateError
from core.events.rules import Rules
from core.export.output_check import check_output, keep_input
from core.export.products import FORMATS, PRODUCTS, QUALITIES, place
from core.io.input_spec import ALL_FRAMES, FrameRange, InputSpec, check_frames
from core.io.sinks.video import DEFAULT_QUALITY
from core.session.plan import check_passes
from core.session.settings import Settings

BETTER_TWICE = frozenset({"plate", "matte", "cleaned"})
"""Products that show the scene behind what passes, or mix with it: it is known better when all was seen once."""


def usual_passes(save: Sequence[str], source: InputSpec, *, applies_model: bool = False) -> int:
    """Return how often an input is read unless a person says: twice for what gains by it, where it is no camera.

    Parameters
    ----------
    save : sequence of str
        Keys of `core.export.products.PRODUCTS`.
    source : InputSpec
    applies_model : bool
        A model is applied, which is done in one pass.
    """
    return 2 if not BETTER_TWICE.isdisjoint(save) and not source.is_camera and not applies_model else 1


def chosen_passes(wanted: int | None, settings: int, save: Sequence[str], source: InputSpec, *, model: bool) -> int:
    """Return how often a job reads its input.

    Parameters
    ----------
    wanted : int or None
        What was asked for; None: as often as the settings say, and no less often than `usual_passes`.
    settings : int
        Passes of the settings.
    save, source, model
        As `usual_passes` takes them.
    """
    return max(settings, usual_passes(save, source, applies_model=model)) if wanted is None else wanted


@dataclass(frozen=True)
class Job:
    """What to read, what to do with it, and what to write where.

    Attributes
    ----------
    input : InputSpec
        Results show its region at its original size, whatever the working size; its seed is that of the settings.
    output : Path
        Folder for the results.
    save : tuple of str
        Keys of `core.export.products.PRODUCTS`.
    settings : Settings
    format : str
        Key of `core.export.products.FORMATS`.
    quality : str
        Key of `core.export.products.QUALITIES`: of H.264 films; other formats have one alone.
    model : Path, optional
        Apply this model and learn nothing.
    overwrite : bool
        Replace results that are there already, once the new ones are complete.
    rules : Rules
        What counts as an event, in pixels of the results.
    written : (first, last)
        Of the frames that are read, those whose pictures are written, counted from 1, both included; None leaves an
        end open. All that are read are learnt from: pictures are those of a job that writes all of them.
    """

    input: InputSpec
    output: Path
    save: tuple[str, ...] = ("plate", "mask", "cleaned")
    settings: Settings = field(default_factory=Settings)
    format: str = "png"
    quality: str = DEFAULT_QUALITY
    model: Path | None = None
    overwrite: bool = False
    rules: Rules = field(default_factory=Rules)
    written: FrameRange = ALL_FRAMES

    def check(self) -> None:
        """Raise a `CleanplateError` where it is clear before anything is read that the run must fail."""
        if self.format not in FORMATS:
            raise CleanplateError(f"There is no format {self.format!r}; choose one of {', '.join(FORMATS)}.")
        if self.quality not in QUALITIES:
            raise CleanplateError(f"There is no quality {self.quality!r}; choose one of {', '.join(QUALITIES)}.")
        if not self.save:
            raise CleanplateError(f"Nothing would be saved; choose from {', '.join(PRODUCTS)}.")
        for product in self.save:
            if product not in PRODUCTS:
                raise CleanplateError(f"There is no result {product!r}; choose from {', '.join(PRODUCTS)}.")
        check_passes(self.settings.passes)
        check_frames(*self.written)
        catalogue.complete(catalogue.row(self.settings.method), self.settings.values)
        if self.input.seed != self.settings.seed:
            raise CleanplateError(
                f"The input has the random seed {self.input.seed}, the settings {self.settings.seed}; "
                f"give both the same."
            )
        finals = [place(product, self.output, self.format) for product in self.save]
        if not (self.input.is_sample or self.input.is_camera):
            keep_input(_home(self.input.path), finals)
        check_output(self.output, finals, overwrite=self.overwrite)


def _home(path: str) -> Path:
    """Return a path as sources read it: a person's home for ``~``."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)
