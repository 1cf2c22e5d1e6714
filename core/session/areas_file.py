"""Areas in a file of their own: JSON as a project holds them, or a picture that was painted elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import msgspec
import numpy as np

from core.errors import CleanplateError
from core.frames.frame import Values
from core.io.publishing.single_file import replacing
from core.io.regular_file import read_regular
from core.io.sinks.images import png_bytes
from core.io.sources.reading import IMAGE_SUFFIXES, Unreadable, read_picture
from core.scene.area_maps import draw_areas
from core.scene.areas import CODES, FARTHEST, Areas
from core.untrusted_json import UnreadableJsonError, decoded, names_in

MOST_BYTES = 2 << 20
"""As many points as areas may have take half of it."""

NEVER_FROM, KEEP_FROM = 0.75, 0.25
"""How bright a picture of areas is, as a part of white, from which on nothing is ever foreground, and it is kept."""

NEAR, NEARLY_ALL = 1 / 16, 0.95
"""How far from black, white or its one grey a pixel of such a picture may be, of white, and how many of them are no
farther: the rest are soft edges."""

SHADES = np.zeros(max(CODES.values()) + 1, np.uint8)
"""How bright each code is in a picture that is written, of 255."""
SHADES[CODES["keep"]], SHADES[CODES["never"]] = 128, 255


def read_areas(path: Path) -> Areas:
    """Return the areas in a file.

    A picture is as large as the input: white is never foreground, a middle grey is kept as it is, black is no area;
    soft edges between them are what they are nearest to.

    Raises
    ------
    CleanplateError
        There is no such file, or it holds no areas.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        return _from_json(path)
    if suffix in IMAGE_SUFFIXES:
        return _from_picture(path)
    if not os.path.exists(path):
        raise CleanplateError(f"There is no file {path} of areas; check the path.")
    raise CleanplateError(f"Areas cannot be read from {path}; give a .json file, or a picture such as .png.")


def holds_areas(path: Path) -> bool:
    """Tell whether a JSON file is of areas, by the names in it; such as can be used or not."""
    try:
        return not names_in(read_regular(path, MOST_BYTES)).isdisjoint({"shapes", "codes"})
    except (OSError, CleanplateError):
        return False


def write_areas(areas: Areas, path: Path, size: tuple[int, int]) -> None:
    """Write areas so that `read_areas` gives the same, complete or not at all.

    Parameters
    ----------
    areas : Areas
    path : Path
        ``.json`` keeps shapes as they are; ``.png`` is the picture of them all.
    size : (width, height)
        Of the whole input, pixels; kept in the file.

    Raises
    ------
    CleanplateError
        The name has another suffix, a JSON file cannot hold so much, or the disk refuses.
    """
    suffix = path.suffix.lower()
    if suffix == ".json":
        packed = msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(areas, size=size)), indent=2) + b"\n"
        if len(packed) > MOST_BYTES:
            raise CleanplateError(f"These areas come from a picture that is too large for {path.name}; save a .png.")
    elif suffix == ".png":
        packed = areas_picture(areas, size)
    else:
        raise CleanplateError(f"Areas cannot be written as {path.name}; give it the suffix .json or .png.")
    with replacing(path) as beside:
        beside.write_bytes(packed)


def areas_picture(areas: Areas, size: tuple[int, int]) -> bytes:
    """Return the picture of all areas as PNG, as `read_areas` takes it; ``size`` is of the whole input, pixels."""
    return png_bytes(SHADES[draw_areas(areas, *size)])


def _from_json(path: Path) -> Areas:
    try:
        return decoded(read_regular(path, MOST_BYTES), Areas)
    except FileNotFoundError:
        raise CleanplateError(f"There is no file {path} of areas; check the path.") from None
    except OSError as error:
        raise CleanplateError(f"The areas {path} cannot be read ({error.strerror}); choose another file.") from error
    except UnreadableJsonError as error:
        raise CleanplateError(f"{path} holds no areas that can be used ({error}); correct or replace it.") from error
    except CleanplateError as error:
        raise CleanplateError(f"{path} cannot be used: {str(error)[:1].lower()}{str(error)[1:]}") from error


def _from_picture(path: Path) -> Areas:
    try:
        picture = read_picture(path)
    except Unreadable as error:
        raise CleanplateError(f"The picture of areas {path} {error}; give another.") from error
    white = (1 << picture.bit_depth) - 1
    colours = picture.image
    image: Values = colours if colours.ndim == 2 else np.asarray(cv2.cvtColor(colours, cv2.COLOR_RGB2GRAY))
    height, width = image.shape
    if max(height, width) > FARTHEST:
        raise CleanplateError(f"The picture of areas {path} is larger than any input; give another.")
    if not _is_of_areas(colours, image, white):
        raise CleanplateError(
            f"{path} is no picture of areas, which is black (no area), one grey between (kept as it is) and white "
            f"(never foreground), and hardly anything else; give another, or draw them in the window."
        )
    codes = np.full(image.shape, CODES["none"], np.uint8)
    codes[image >= KEEP_FROM * white] = CODES["keep"]
    codes[image >= NEVER_FROM * white] = CODES["never"]
    return Areas(size=(width, height), codes=codes.tobytes())


def _is_of_areas(picture: Values, grey: Values, white: int) -> bool:
    """Tell whether nearly all pixels of a picture, given also in grey, are black, white or one grey between."""
    n_pixels, near = grey.size, int(NEAR * white)
    if picture.ndim == 3:
        grey = grey[np.ptp(picture, axis=2) <= near]
    up_to = np.append(0, np.cumsum(np.bincount(grey.ravel(), minlength=white + 1)))
    first, last = int(KEEP_FROM * white), int(NEVER_FROM * white)
    greys = np.arange(first, last)
    n_grey = (up_to[np.minimum(greys + near + 1, last)] - up_to[np.maximum(greys - near, first)]).max()
    return bool(up_to[near + 1] + n_grey + up_to[-1] - up_to[white - near] >= NEARLY_ALL * n_pixels)
