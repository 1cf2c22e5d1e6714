"""Whether frames show one scene or an image set: what automatic values of many methods go by."""

from __future__ import annotations

from collections.abc import Mapping

from core.frames.frame import Layout
from core.nmf.initialisation import looks_like_video
from core.parameter import Parameter, Value

SCENE, IMAGES = "scene", "images"

CONTENT = Parameter(
    "content", "Frames show", None,
    help="One scene (video), or each something else (an image set): rank, memory and start go by it; automatic: by the "
    "kind of input and how alike its frames are.", effect="scene: few basis images, from the median on", kind=str,
    choices=(SCENE, IMAGES), automatic=True, live=False,
)  # fmt: skip

OF_IMAGE_SETS = ((CONTENT.name, (IMAGES, None)),)
"""While it is automatic, it may be an image set."""

UNIT_MAXIMUM = Parameter(
    "unit_maximum", "Scale to maximum 1", False,
    help="Each image is scaled so that its brightest value is white, as papers do with faces, and results show it so; "
    "for image sets only.", effect="on: dark images count as much as bright ones", kind=bool, live=False, advanced=True,
    acts_with=OF_IMAGE_SETS,
)  # fmt: skip
SHUFFLE = Parameter(
    "shuffle", "Shuffle", False,
    help="Passes before the last take the images in another order each, so that none is always learnt first; for image "
    "sets, and two passes or more.", effect="on: the order of files matters less", kind=bool, live=False, advanced=True,
    acts_with=OF_IMAGE_SETS,
)  # fmt: skip
IMAGE_SET_PARAMETERS = (UNIT_MAXIMUM, SHUFFLE)
"""How an image set is read; of every method that asks for the content."""


def shows_scene(values: Mapping[str, Value], layout: Layout) -> bool:
    """Return whether frames show one scene; where nobody has looked at them, by their layout."""
    chosen = values.get(CONTENT.name)
    return looks_like_video(layout) if chosen is None else chosen == SCENE
