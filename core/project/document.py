"""The readable part of a project: JSON of a fixed form, held against what it may be, as it may come from strangers."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from core.errors import CleanplateError, quoted
from core.events.rules import Rules
from core.export.frame_names import DEFAULT_NAMES, NAMES
from core.export.job_spec import LEAST_FPS, MOST_FPS
from core.export.products import DEFAULT_FORMAT, FORMATS, PRODUCTS, QUALITIES, SPEEDS
from core.io.corruption import Corruption
from core.io.input_spec import ALL_FRAMES, MAX_SIDE, FrameRange, InputSpec, Region, Size, check_frames
from core.io.sinks.video import DEFAULT_QUALITY, DEFAULT_SPEED
from core.scene.areas import Areas
from core.seed import LARGEST_SEED
from core.session.plan import MOST_PASSES, check_passes
from core.session.settings import Settings, checked_settings
from core.untrusted_json import Geometry, Name, Side

MOST_NAME = 200
"""Characters of a marker's name."""

MOST_UNUSED = 1000
"""More basis images than a method may have."""

MOST_MARKERS = 1000
"""Far more than a timeline shows."""

DataName = Annotated[str, Meta(pattern=r"^[a-z]{1,16}-[0-9a-f]{12}\.(npz|png)$", max_length=64)]
"""Of a file in the folder beside the document: no path."""

Number = Annotated[int, Meta(ge=0, le=10**12)]


class _Part(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A part of a document."""


class ProjectInput(_Part, kw_only=True, frozen=True):
    """What is read, and the view of it.

    Attributes
    ----------
    path : str
        As `core.io.input_spec.InputSpec` has it; of a file or folder it is absolute.
    beside : str
        The same path from the project's folder on; empty where there is no such path, or it is no file.
    original : (width, height), optional
        Of the input before region and working size, pixels, where known.
    n_frames : int, optional
        Frames that are read, as the input told when it was opened.
    frames_per_s : float, optional
        See `core.io.sources.base.SourceInfo`.
    grey, size, roi, frames, corruption, seed
        As `core.io.input_spec.InputSpec` has them.
    """

    path: Annotated[Name, Meta(min_length=1)]
    beside: Name = ""
    original: tuple[Side, Side] | None = None
    n_frames: Number | None = None
    frames_per_s: Annotated[float, Meta(gt=0)] | None = None
    grey: bool = False
    size: Size | None = None
    roi: Region | None = None
    frames: FrameRange = ALL_FRAMES
    corruption: Corruption | None = None
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] = 0

    def spec(self) -> InputSpec:
        """Return what is read; raises CleanplateError where a value can fit no input."""
        return InputSpec(self.path, self.grey, self.size, self.roi, self.frames, self.corruption, self.seed)


def input_of(
    spec: InputSpec, original: Size | None = None, n_frames: int | None = None, frames_per_s: float | None = None
) -> ProjectInput:
    """Return what is read as a part of a document; what else is known of it is as `ProjectInput` has it."""
    return ProjectInput(
        path=spec.path, original=original, n_frames=n_frames, frames_per_s=frames_per_s, grey=spec.grey,
        size=spec.size, roi=spec.roi, frames=spec.frames, corruption=spec.corruption, seed=spec.seed,
    )  # fmt: skip


class ExportChoice(_Part, kw_only=True, frozen=True):
    """What is written, of which frames and how; see `core.export.job_spec.Job`.

    Attributes
    ----------
    folder : str
        Where to, to begin with; empty where nobody has chosen.
    beside : str
        The same path from the project's folder on; empty where there is no such path, or it was not saved yet.
    passes : int or None
        How often the input is read; None: as often as is usual for what is saved.
    save, format, quality, speed, fps, written, names
        As in a job.
    """

    folder: Name = ""
    beside: Name = ""
    save: Annotated[tuple[str, ...], Meta(max_length=len(PRODUCTS))] = ("plate", "mask", "cleaned")
    format: str = DEFAULT_FORMAT
    quality: str = DEFAULT_QUALITY
    speed: str = DEFAULT_SPEED
    fps: Annotated[float, Meta(ge=LEAST_FPS, le=MOST_FPS)] | None = None
    written: FrameRange = ALL_FRAMES
    passes: int | None = None
    names: str = DEFAULT_NAMES

    def check(self) -> None:
        """Raise CleanplateError where no export can be so."""
        choices = (
            (self.save, PRODUCTS), ([self.format], FORMATS), ([self.quality], QUALITIES), ([self.speed], SPEEDS),
            ([self.names], NAMES),
        )  # fmt: skip
        for chosen, known in choices:
            for key in chosen:
                if key not in known:
                    raise CleanplateError(f"the export asks for {quoted(key)}, which there is not")
        check_frames(*self.written)
        if self.passes is not None:
            check_passes(self.passes)


class Marker(_Part, kw_only=True, frozen=True):
    """A place that a person marked.

    Attributes
    ----------
    frame : int
        Counted from 1, as the frames that are written.
    name : str
    """

    frame: Annotated[int, Meta(ge=1, le=10**12)]
    name: Annotated[str, Meta(max_length=MOST_NAME)] = ""


class WindowLayout(_Part, kw_only=True, frozen=True):
    """How the window lies.

    Attributes
    ----------
    geometry : str
        Place and size, in hexadecimal digits, as Qt gives them; empty: not known.
    split : (upper, lower) or None
        Heights, pixels.
    source_panel, method_panel, bottom_panel : bool
        Shown.
    enlarged : int or None
        Number of the pane that fills the middle, from 0.
    panes : tuple of str
        Keys of the pictures that the panes show; empty: the usual ones.
    """

    geometry: Geometry = ""
    split: tuple[Annotated[int, Meta(ge=0, le=MAX_SIDE)], Annotated[int, Meta(ge=0, le=MAX_SIDE)]] | None = None
    source_panel: bool = True
    method_panel: bool = True
    bottom_panel: bool = True
    enlarged: Annotated[int, Meta(ge=0, le=15)] | None = None
    panes: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(max_length=16)] = ()


class DataNames(_Part, kw_only=True, frozen=True, omit_defaults=True):
    """Names of the files in the folder beside the document; None where there is nothing of the kind.

    Attributes
    ----------
    strokes : str or None
        What was painted by hand, with the frames it holds for.
    learnt : str or None
        What the window had learnt when it was saved: it goes on from there. An export learns anew.
    frame : str or None
        What the frame that was processed last showed.
    model : str or None
        A model that is applied: nothing is learnt.
    picture : str or None
        A small picture of what was shown.
    areas : str or None
        The picture of the areas, under their shapes.
    """

    strokes: DataName | None = None
    learnt: DataName | None = None
    frame: DataName | None = None
    model: DataName | None = None
    picture: DataName | None = None
    areas: DataName | None = None

    @property
    def all(self) -> frozenset[str]:
        """The names that there are."""
        return frozenset(name for name in msgspec.structs.astuple(self) if name)


class Progress(_Part, kw_only=True, frozen=True):
    """How far the window had come, beside the frame.

    Attributes
    ----------
    pass_index : int
        In which pass, from 0.
    is_finished : bool
        It had come to the end of the last one.
    unused : tuple of int, or None
        Basis images, from 0, that no frame had used; None: not known.
    """

    pass_index: Annotated[int, Meta(ge=0, lt=MOST_PASSES)] = 0
    is_finished: bool = False
    unused: Annotated[tuple[Number, ...], Meta(max_length=MOST_UNUSED)] | None = None


class Document(_Part, kw_only=True, frozen=True):
    """All of a project that is readable.

    Attributes
    ----------
    version : int
        Of the file format: 2 knows `progress`, 3 where the folder of the export lies beside the project, the
        length and rate of the input, and what was not used.
    input : ProjectInput
    method : str
        Key of a row of the catalogue.
    values : dict
        Parameters of method and mask that differ from their defaults, by name; null is automatic.
    passes : int
        How often the window reads the input.
    areas : Areas
        What is excluded of the input. On the disk its picture lies beside the document.
    events : Rules
        What counts as an event, in pixels of the results.
    position : int
        Number of the frame that was processed last, from 0.
    progress : Progress
    shown : int or None
        Number of the frame that was looked at, where that was another.
    export : ExportChoice
        What it writes lies between the in and out points of the timeline.
    markers : tuple of Marker
        In the order of their frames, one a frame.
    layout : WindowLayout
    data : DataNames
    saved_as : str
        In a recovery file: the project that it is of; empty where that was never saved.
    """

    version: Literal[1, 2, 3] = 3
    input: ProjectInput
    method: str = "fast"
    values: dict[str, float | int | bool | str | None] = {}
    passes: int = 1
    areas: Areas = Areas()
    events: Rules = Rules()
    position: Number = 0
    progress: Progress = Progress()
    shown: Number | None = None
    export: ExportChoice = ExportChoice()
    markers: Annotated[tuple[Marker, ...], Meta(max_length=MOST_MARKERS)] = ()
    layout: WindowLayout = WindowLayout()
    data: DataNames = DataNames()
    saved_as: Name = ""

    def settings(self) -> Settings:
        """Return checked settings, of one seed with the input.

        Raises
        ------
        CleanplateError
            The catalogue has no such method or parameter, or a value is out of range.
        """
        settings = checked_settings(self.method, self.values, self.passes, self.input.seed)
        return replace(settings, areas=self.areas)
