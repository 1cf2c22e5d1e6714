"""What a run is to read, do and write, and what can be said against it before anything is read."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core import catalogue
from core.errors import CleanplateError
from core.events.files import NAMES
from core.events.rules import Rules
from core.export.products import FORMATS, PRODUCTS, QUALITIES, place
from core.io.input_spec import InputSpec
from core.io.sinks.video import DEFAULT_QUALITY
from core.session.plan import check_passes
from core.session.settings import Settings

BETTER_TWICE = frozenset({"plate", "matte", "cleaned"})
"""Products that show the scene behind what passes, or mix with it: it is known better when all was seen once."""

WRITTEN = re.compile("|".join([r"\d+\.(png|tif)", *map(re.escape, NAMES)]))
"""Names of the files in a folder that a sequence, or events, may replace."""


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
        catalogue.complete(catalogue.row(self.settings.method), self.settings.values)
        if self.input.seed != self.settings.seed:
            raise CleanplateError(
                f"The input has the random seed {self.input.seed}, the settings {self.settings.seed}; "
                f"give both the same."
            )
        self._check_output()

    def _check_output(self) -> None:
        source = Path(self.input.path)
        present = []
        for product in self.save:
            final = place(product, self.output, self.format)
            if source.exists() and final.exists() and _inside(source, final):
                raise CleanplateError(
                    f"{final} holds the input, so it cannot be replaced; choose another output folder."
                )
            if final.exists() or final.is_symlink():
                present.append(final)
        if present and not self.overwrite:
            names = ", ".join(str(path) for path in present)
            raise CleanplateError(f"Output exists: {names}; choose another folder or allow overwriting (--overwrite).")
        for final in present:
            if final.is_dir() == bool(final.suffix):
                kind = "folder" if final.is_dir() else "file"
                raise CleanplateError(f"{final} is a {kind} that no run wrote, so it is not replaced; move it away.")
            if final.is_dir() and (foreign := _foreign(final)):
                raise CleanplateError(
                    f"{final} holds other things too ({foreign}), so it is not replaced; choose another folder."
                )
        step = self.output
        while not step.exists() and step != step.parent:
            step = step.parent
        if not step.is_dir():
            raise CleanplateError(f"{step} is a file, so results cannot be written below it; choose a folder.")
        if not os.access(step, os.W_OK | os.X_OK):
            raise CleanplateError(f"{step} cannot be written to; choose another folder or change its permissions.")


def _inside(path: Path, folder: Path) -> bool:
    path, folder = path.resolve(), folder.resolve()
    return path == folder or folder in path.parents


def _foreign(folder: Path) -> str | None:
    """Return the name of something in a folder that no sequence has, if there is any."""
    with os.scandir(folder) as entries:
        return next((e.name for e in entries if not WRITTEN.fullmatch(e.name)), None)
