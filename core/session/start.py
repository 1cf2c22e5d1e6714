"""What a session begins with: method, mask and corrections, fresh or as a model has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from core import catalogue
from core.frames.frame import Planes
from core.io.sources.base import Source, SourceInfo
from core.io.sources.room import check_cells
from core.io.sources.views import Rgb
from core.methods.base import Method, MethodRow
from core.methods.content import CONTENT, IMAGES
from core.parameter import Value
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.head_weights import Weights
from core.scene.tuning import SETTLED_FRAMES
from core.session.content import decided, is_film
from core.session.image_set import ImageSet
from core.session.model import Model
from core.session.settings import Settings
from core.session.values_as_read import ValuesAsRead

FEW_PICTURES = 5
"""What passes is mostly in the same place in less than half of so many: their median is the scene."""

MANY_FOR_PICTURES, GOOD_FOR_PICTURES = 0.5, 0.25
"""Basis images to one picture of an image set: many, and about as many as remove most of the noise. Of faces with salt
and pepper in a tenth of their pixels `opgd` makes 19.1 dB of 40 with 10 basis images, 19.0 with 15, 18.2 with 25 and
16.9 with 49; of 16 it makes 17.5 with 4 or 7, 17.1 with 10 and 15.6 with 49."""


@dataclass(frozen=True)
class Start:
    """Method, mask and corrections before the first frame.

    Attributes
    ----------
    row : MethodRow
        Of the method.
    source : Source
        As the method sees it.
    image_set : ImageSet
        How it is read.
    values : mapping
        Of every parameter, by name, as chosen; a model has the basis images that it has.
    as_read : ValuesAsRead
        Those of the model, if there is one.
    decided : mapping
        Values of parameters that were left to the input to decide, by name.
    method : Method
    foreground : Foreground
        With the lessons of what was painted.
    corrections : Corrections
        What was painted, now or for the model.
    notes : list of str
        What of the model, or of what was painted, is ignored, and whether there is little to learn from.
    """

    row: MethodRow
    source: Source
    image_set: ImageSet
    values: Mapping[str, Value]
    as_read: ValuesAsRead
    decided: Mapping[str, Value]
    method: Method
    foreground: Foreground
    corrections: Corrections
    notes: list[str]


def begin(
    source: Source, settings: Settings, model: Model | None, weights: Weights | None = None, *, learning: bool
) -> Start:
    """Return what a session of these settings begins with; where it learns, it may read the first frames.

    Parameters
    ----------
    source : Source
    settings : Settings
        Their values come before those of the model, whose method holds.
    model : Model, optional
    weights : Weights, optional
        Of the mask's head; those that come with the program unless others are tried.
    learning : bool
        It does not just apply the model.

    Raises
    ------
    CleanplateError
        The model is of other frames than the source's, or the settings do not fit the method.
    """
    row, decoded_layout = catalogue.row(model.method if model else settings.method), source.info.layout
    if source.info.layout.planes is Planes.YCC420 and not row.for_video:
        source = Rgb(source)
    if model:
        source = model.with_contrast(source)
        model.check_layout(source.info.layout)
    layout = source.info.layout
    notes: list[str] = []
    values = catalogue.complete(row, {**(model.values if model else {}), **settings.values})
    own = {p.name: values[p.name] for p in row.parameters}
    found = decided(own, source) if learning else {}
    image_set = ImageSet({**values, **found}, source, settings.seed)
    method = row.build(layout, {**own, **found}, settings.seed)
    foreground = Foreground(layout, {p.name: values[p.name] for p in catalogue.MASK_PARAMETERS}, weights)
    check_cells(source.info, math.prod(foreground.cells))
    if model:
        method.load(model.method_state)
        foreground.load(model.mask_state)
        if foreground.lacks_noise:
            notes.append("The model is of another cell size: the noise of the mask is learnt anew.")
        values.update((name, value) for name, value in method.values.items() if name == "rank")
    elif learning and row.for_video:
        notes += _few_frames(source.info)
    if learning and not model and {**own, **found}.get(CONTENT.name) == IMAGES:
        rank = own.get("rank") or method.automatic.get("rank")
        notes += _many_basis_images(source.info, None if rank is None else int(rank))
    corrections = Corrections(layout)
    painted = settings.painted or (model.mask_state if model else {})
    if not corrections.load(painted, decoded_layout):
        notes.append("What was painted by hand is of frames of another size or of other colours: it is left out.")
    foreground.load_lessons(painted)
    as_read = ValuesAsRead(model.values, method.values.get("rank")) if model else ValuesAsRead()
    return Start(row, image_set.view(source), image_set, values, as_read, found, method, foreground, corrections, notes)


def _few_frames(info: SourceInfo) -> list[str]:
    """Return a sentence, or none, on an input of few frames.

    More frames are few where they are counts, in which what is missed is hardly seen either; a single page of them is
    not expected to show movement.
    """
    n = info.n_frames
    if n is None:
        return []
    if info.layout.is_measured and 1 < n < SETTLED_FRAMES:
        return [
            f"The input has {n} frames, in which a background can hardly be told: what does not move by more than its "
            "own width in them is not in the masks."
        ]
    if not 0 < n < FEW_PICTURES or (info.layout.is_measured and not info.files):
        return []
    one, more = ("frame", "more of the film") if is_film(info) else ("picture", "more of the same scene")
    if n == 1:
        return [
            f"Only one {one} is read, and there is nothing to compare it with: its plate is the {one} itself; read "
            f"{FEW_PICTURES} or {more}."
        ]
    return [
        f"Only {n} {one}s are read, too few to tell what passes from what stays: what is in the same place in half "
        f"of them is in the plate; read {FEW_PICTURES} or {more}."
    ]


def _many_basis_images(info: SourceInfo, rank: int | None) -> list[str]:
    """Return a sentence, or none, on more basis images than so few pictures can teach anything but their noise."""
    n = info.n_frames
    if rank is None or n is None or info.live or n < FEW_PICTURES or rank <= MANY_FOR_PICTURES * n:
        return []
    few = round(n * GOOD_FOR_PICTURES)
    return [
        f"There are {rank} basis images for {n} pictures, so noise is learnt, too: where it is to be removed, lower "
        f"Rank K to about {few} (--set rank={few})."
    ]
