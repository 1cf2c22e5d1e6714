"""What a run is to read, do and write, and what can be said against it before anything is read."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from core import catalogue
from core.errors import CleanplateError
from core.events.rules import Rules
from core.export.frame_names import DEFAULT_NAMES, NAMES
from core.export.output_check import check_output, keep_apart, keep_input
from core.export.product_sinks import check_encoders
from core.export.products import DEFAULT_FORMAT, FORMATS, PRODUCTS, QUALITIES, SPEEDS, STACK, possible_places
from core.io.home import expanded
from core.io.input_spec import ALL_FRAMES, FrameRange, InputSpec, check_frames, why_too_small
from core.io.sinks.video import DEFAULT_QUALITY, DEFAULT_SPEED, STILL_FPS, Coding
from core.io.sources import IMAGE_SUFFIXES, OPENABLE, VIDEO_SUFFIXES, check_presence, file_kind
from core.session.plan import check_passes
from core.session.settings import Settings

LEAST_FPS, MOST_FPS = 0.01, 1000
"""Pictures a second that films can have: one in 100 s; containers and encoders have room for a thousand."""


def usual_passes(source: InputSpec, *, applies_model: bool = False) -> int:
    """Return how often an input is read unless a person says: twice, where it is no camera.

    Who stands in the first frames is known to be no part of the scene when all was seen once.

    Parameters
    ----------
    source : InputSpec
    applies_model : bool
        A model is applied, which is done in one pass.
    """
    return 1 if source.is_live or applies_model else 2


def chosen_passes(wanted: int | None, settings: int, source: InputSpec, *, model: bool) -> int:
    """Return how often a job reads its input.

    Parameters
    ----------
    wanted : int or None
        What was asked for; None: as often as the settings say, and no less often than `usual_passes`.
    settings : int
        Passes of the settings.
    source : InputSpec
    model : bool
        A model is applied.
    """
    return max(settings, usual_passes(source, applies_model=model)) if wanted is None else wanted


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
    quality, speed : str
        Keys of `core.export.products.QUALITIES` and `SPEEDS`: of films in `core.export.products.CODED`; other formats
        have one alone.
    fps : float, optional
        Pictures a second in films of an input that has no rate of its own; 25 by default.
    model : Path, optional
        Apply this model and learn nothing.
    overwrite : bool
        Replace results that are there already, once the new ones are complete.
    rules : Rules
        What counts as an event, in pixels of the results.
    written : (first, last)
        Of the frames that are read, those whose pictures are written, counted from 1, both included; None leaves an
        end open. All that are read are learnt from: pictures are those of a job that writes all of them.
    start : Path, optional
        Go on learning from this model.
    run_in : int, optional
        Read only so many frames before the first that is written, and none after the last: a piece of a long run.
    spread : int, optional
        Read only so many frames, from places all over the input (`core.io.sources.spread`).
    names : str
        Key of `core.export.frame_names.NAMES`: of images, what those of each frame are called.
    """

    input: InputSpec
    output: Path
    save: tuple[str, ...] = ("plate", "mask", "cleaned")
    settings: Settings = field(default_factory=Settings)
    format: str = DEFAULT_FORMAT
    quality: str = DEFAULT_QUALITY
    speed: str = DEFAULT_SPEED
    fps: float | None = None
    model: Path | None = None
    overwrite: bool = False
    rules: Rules = field(default_factory=Rules)
    written: FrameRange = ALL_FRAMES
    names: str = DEFAULT_NAMES
    start: Path | None = None
    run_in: int | None = None
    spread: int | None = None

    @property
    def n_skipped(self) -> int:
        """Frames at the start of the input that are not read."""
        return 0 if self.run_in is None else max(0, (self.written[0] or 1) - 1 - self.run_in)

    @property
    def stored_as(self) -> str:
        """The format, or `core.export.products.STACK` where TIFF images of a TIFF file become one."""
        if self.format != "tiff" or not self.input.is_file:
            return self.format
        path = expanded(self.input.path)
        return STACK if file_kind(path) is OPENABLE["stack"] and not os.path.isdir(path) else self.format

    @property
    def coding(self) -> Coding:
        """How films are coded; with what is heard beside their frames where these are a film's.

        Pieces of a long run have no sound: it is copied when they are joined.
        """
        path = expanded(self.input.path)
        is_film = self.input.is_file and file_kind(path) is OPENABLE["video"]
        sounds = is_film and self.run_in is None and not os.path.isdir(path)
        return Coding(self.quality, self.speed, self.fps or STILL_FPS, path if sounds else None)

    def check(self) -> None:
        """Raise a `CleanplateError` where it is clear before anything is read that the run must fail."""
        if self.format not in FORMATS:
            raise CleanplateError(f"There is no format {self.format!r}; choose one of {', '.join(FORMATS)}.")
        if self.quality not in QUALITIES:
            raise CleanplateError(f"There is no quality {self.quality!r}; choose one of {', '.join(QUALITIES)}.")
        if self.speed not in SPEEDS:
            raise CleanplateError(f"There is no speed {self.speed!r}; choose one of {', '.join(SPEEDS)}.")
        if self.names not in NAMES:
            raise CleanplateError(f"Pictures cannot be named by {self.names!r}; choose one of {', '.join(NAMES)}.")
        if self.fps is not None and not LEAST_FPS <= self.fps <= MOST_FPS:
            raise CleanplateError(
                f"The frame rate cannot be {self.fps:g}; it is {LEAST_FPS} to {MOST_FPS} pictures a second."
            )
        if too_small := why_too_small(self.input):
            raise CleanplateError(too_small)
        check_encoders(self.save, self.format)
        if not self.save:
            raise CleanplateError(f"Nothing would be saved; choose from {', '.join(PRODUCTS)}.")
        for product in self.save:
            if product not in PRODUCTS:
                raise CleanplateError(f"There is no result {product!r}; choose from {', '.join(PRODUCTS)}.")
        check_passes(self.settings.passes)
        check_frames(*self.written)
        self._check_part()
        catalogue.complete(catalogue.row(self.settings.method), self.settings.values)
        if self.input.seed != self.settings.seed:
            raise CleanplateError(
                f"The input has the random seed {self.input.seed}, the settings {self.settings.seed}; "
                f"give both the same."
            )
        check_presence(self.input)
        finals = [path for product in self.save for path in possible_places(product, self.output, self.stored_as)]
        if self.input.is_file:
            source = expanded(self.input.path)
            keep_input(source, finals)
            read = IMAGE_SUFFIXES if self.input.follow_min is None else (*IMAGE_SUFFIXES, *VIDEO_SUFFIXES)
            keep_apart(source, self.output, finals, read)
        check_output(self.output, finals, overwrite=self.overwrite)

    def _check_part(self) -> None:
        if self.model is not None and self.start is not None:
            raise CleanplateError("A model is either applied (--model) or gone on from (--start); leave one out.")
        if (self.run_in is not None or self.spread is not None) and self.input.is_live:
            raise CleanplateError(
                f"{self.input.path} is read as it comes, frame after frame; leave out --run-in and --spread."
            )
        if (self.run_in or 0) < 0 or (self.spread is not None and self.spread < 1):
            raise CleanplateError("Frames to run in are 0 or more (--run-in), those to read 1 or more (--spread).")
