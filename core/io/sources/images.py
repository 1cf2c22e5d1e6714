"""Folders of images, and single ones."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, Truth, Values, frame_from_image
from core.io.input_spec import FRAMES_FOLDER, frames_folder, title_of
from core.io.sources import failing
from core.io.sources.base import BaseSource, SourceInfo
from core.io.sources.image_scale import scale_in
from core.io.sources.label_names import labels_of
from core.io.sources.natural_order import gap_in, natural_order
from core.io.sources.no_images import without_images
from core.io.sources.notes import of_the_first
from core.io.sources.reading import (
    IMAGE_SUFFIXES,
    LastPicture,
    Picture,
    UnreachableError,
    Unreadable,
    may_differ,
    read_picture,
)
from core.io.sources.stack import STACK_SUFFIXES, n_pages
from core.io.sources.unusable import UnusableError
from core.runtime import stopping

_CHECKED_AHEAD = 5000
"""Files whose headers are compared before anything is read."""

_CHECKED_S, _CHECKED_ANYHOW = 2.0, 100
"""How long that may take, s, and how many are compared though it takes longer: headers of TIFF take a millisecond each,
and more on slow drives. A file that differs behind these is refused when it is read."""

_NUMBERED_AHEAD = 100_000
"""Files whose numbers are looked at: that takes a tenth of a second."""


def image_folder(folder: Path) -> ImageSource:
    """Open a folder of images in natural order (2 before 10).

    A folder that holds ``input/`` is opened there, and ``groundtruth/`` beside it gives the masks.
    """
    where = frames_folder(folder)
    try:
        names = image_names(where)
        if not names:
            raise without_images(folder, where)
    except OSError as error:
        raise failing.failed(f"The folder {folder}", error) from error
    truth = where.parent / "groundtruth" if where.name == FRAMES_FOLDER else None
    return ImageSource(title_of(str(folder.absolute())), where, names, truth)


def image_names(folder: Path) -> list[str]:
    """Return the names of the images in a folder, in natural order; hidden ones are none. Raises OSError."""
    with os.scandir(folder) as entries:
        names = [e.name for e in entries if e.name.lower().endswith(IMAGE_SUFFIXES) and not e.name.startswith(".")]
    return natural_order(names)


def image_file(path: Path) -> ImageSource:
    """Open a single image."""
    return ImageSource(path.name, path.parent, [path.name], None)


class ImageSource(BaseSource):
    """Image files of one size, in the order given. They have no rate: ``time_s`` is the place in the order.

    What the first readable file states of scale and interval, as ImageJ and OME write it, is that of all; then
    ``time_s`` goes by the interval.

    A damaged file is left out and counted in a warning; the frames after it keep their place, so that ``index`` always
    tells which file a frame is of. One that is gone, or on a drive that fails, is no damage, and an error. The first
    readable file decides on colour and bit depth; others are converted to them, and a warning says so.

    Parameters
    ----------
    title : str
    folder : Path
    names : list of str
        File names in the folder.
    truth : Path or None
        Folder of masks named like the images, or with their numbers.
    pictures : LastPicture, optional
        What reads the files; without it each is read anew whenever it is asked for.

    Raises
    ------
    CleanplateError
        No file can be read, or the files have different sizes (also from `frames`, where a header did not tell, or
        where a file cannot be had any more).
    """

    def __init__(
        self, title: str, folder: Path, names: list[str], truth: Path | None, pictures: LastPicture | None = None
    ) -> None:
        super().__init__()
        self._folder = folder
        self._names = names
        self._pictures = pictures
        self._bad: set[int] = set()
        self._first_bad: tuple[int, str] | None = None
        self._first, self._leader = self._find_first()
        self._masks = self._find_masks(truth) if truth else {}
        frame = frame_from_image(0, 0.0, self._leader.image, bit_depth=self._leader.bit_depth)
        scale = scale_in(folder / names[self._first])
        is_of_pages = self._check_pages()
        mixture = "" if scale is None else scale.mixture(len(names))
        if mixture:
            self._notes.say("axes", f"{title} {mixture}")
        self._info = SourceInfo(
            title, frame.layout, None, len(names), n_bytes=self._leader.n_bytes, files=tuple(names), is_counted=True,
            profile=self._leader.profile, calibration=scale, is_mixed=bool(mixture),
            interval_s=None if scale is None or is_of_pages else scale.interval_s,
        )  # fmt: skip
        self._check_sizes()
        self._check_numbers()

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from file ``first`` on."""
        for index in range(max(first, 0), len(self._names)):
            name = self._names[index]
            try:
                picture = self._read(self._folder / name)
            except Unreadable as reason:
                self._skip(index, str(reason))
                continue
            image = self._like_first(picture, name)
            time_s = index * (self._info.interval_s or 1.0)
            frame = frame_from_image(index, time_s, image, bit_depth=self._info.layout.bit_depth, name=name)
            mask = self._mask(name)
            yield frame if mask is None else replace(frame, truth=Truth(mask=mask))

    def _read(self, path: Path) -> Picture:
        """Read an image or a mask; raises `Unreadable` where it is damaged, and where it cannot be had an error."""
        try:
            return read_picture(path) if self._pictures is None else self._pictures.read(path)
        except UnreachableError as error:
            what = f"{path.name} in {path.parent}"
            if isinstance(error.reason, FileNotFoundError):
                raise UnusableError.of(
                    what, "is gone, or a link to what is gone", "put it back, or open the folder again without it"
                ) from error
            raise failing.failed(what, error.reason) from error
        except MemoryError as error:
            raise failing.no_room(path.name) from error

    def _find_first(self) -> tuple[int, Picture]:
        reasons: list[str] = []
        for index, name in enumerate(self._names):
            try:
                return index, self._read(self._folder / name)
            except Unreadable as reason:
                reasons.append(str(reason))
                self._skip(index, str(reason))
        if len(self._names) == 1:
            raise UnusableError.of(self._names[0], reasons[0], "choose another file")
        raise CleanplateError(
            f"None of the {len(self._names)} images in {self._folder} can be read: {self._names[0]} {reasons[0]}; "
            "mend them, or choose another folder."
        )

    def _find_masks(self, folder: Path) -> dict[str, Path]:
        found, unclear = labels_of(self._names, image_names(folder) if folder.is_dir() else [])
        if unclear:
            self._notes.say(
                "masks",
                f"{unclear[0]} and perhaps others have no mask: several images or masks in {folder.name} end in the "
                "same number; name masks like their images.",
            )
        return {name: folder / mask for name, mask in found.items()}

    def _check_pages(self) -> bool:
        """Say where the first file is a stack or an animation, of which only the first picture is read.

        Tells whether it is a stack.
        """
        name = self._names[self._first]
        if self._leader.is_animated:
            self._notes.say(
                "pages",
                f"{name} is an animation, and of each file in a folder only the first picture is read; open animations "
                "one by one.",
            )
        count = n_pages(self._folder / name) if name.lower().endswith(STACK_SUFFIXES) else 1
        if count > 1:
            self._notes.say(
                "pages",
                f"{name} has {count} pages, and of each file in a folder only the first is read; open stacks one by "
                "one, or give them all to cleanplate batch.",
            )
        return count > 1

    def _check_numbers(self) -> None:
        """Say where files seem to be missing, as the numbers of the others leave them out."""
        if gap := gap_in(self._names[:_NUMBERED_AHEAD]):
            self._notes.say(
                "gap",
                f"The files of {self._folder.name} go from {gap[0]} to {gap[1]}, as if those between were missing; "
                "they are read as if they followed each other.",
            )

    def _check_sizes(self) -> None:
        height, width = self._leader.image.shape[:2]
        until = monotonic() + _CHECKED_S
        for place, name in enumerate(self._names[self._first + 1 : self._first + _CHECKED_AHEAD]):
            if place >= _CHECKED_ANYHOW and monotonic() > until:
                return
            stopping.check()
            if may_differ(self._folder / name, (width, height)):
                # The header alone is no proof: the file may be damaged, and then it is left out.
                try:
                    self._check_size(self._read(self._folder / name).image, name)
                except Unreadable:
                    continue

    def _check_size(self, image: Values, name: str) -> None:
        height, width = self._leader.image.shape[:2]
        if image.shape[:2] != (height, width):
            raise CleanplateError(
                f"The images in {self._folder} differ in size: {self._names[self._first]} is {width}×{height}, "
                f"{name} is {image.shape[1]}×{image.shape[0]}; keep images of one size in a folder."
            )

    def _skip(self, index: int, reason: str) -> None:
        self._bad.add(index)
        if self._first_bad is None or index <= self._first_bad[0]:
            self._first_bad = index, reason
        first, why = self._first_bad
        name = f"{self._names[first]} in {self._folder.name}"
        self._notes.say("bad", of_the_first(len(self._bad), "image", "skipped", name, why))

    def _like_first(self, picture: Picture, name: str) -> Values:
        """Return the image in the colour and bit depth of the first one."""
        image = picture.image
        self._check_size(image, name)
        if picture.had_alpha:
            self._notes.say_once("alpha", f"{name} and perhaps others have an alpha channel, which is not used.")
        if picture.profile != self._leader.profile:
            self._notes.say_once(
                "profile",
                f"{name} and perhaps others have a colour profile, which results lack, as the first image has none."
                if self._leader.profile is None
                else f"{name} and perhaps others lack the colour profile of the first image, which results have: their "
                "colours may be a little off.",
            )
        if image.ndim != self._leader.image.ndim:
            wanted = "grey" if self._leader.image.ndim == 2 else "colour"
            self._notes.say_once("colour", f"{name} and perhaps others are shown in {wanted}, as the first image is.")
            how = cv2.COLOR_RGB2GRAY if image.ndim == 3 else cv2.COLOR_GRAY2RGB
            image = np.asarray(cv2.cvtColor(image, how), image.dtype)
        depth = self._info.layout.bit_depth
        if picture.bit_depth != depth:
            self._notes.say_once(
                "depth", f"{name} and perhaps others are converted to {depth} bits, as the first image has."
            )
            scaled = image.astype(np.float32) * np.float32(self._info.layout.white / ((1 << picture.bit_depth) - 1))
            image = np.rint(scaled).astype(self._info.layout.dtype)
        return image

    def _mask(self, name: str) -> NDArray[np.uint8] | None:
        path = self._masks.get(name)
        if path is None:
            return None
        try:
            image = self._read(path).image
        except Unreadable as reason:
            self._notes.say("mask", f"The mask {path.name} {reason}; it is left out.")
            return None
        mask = np.ascontiguousarray(image if image.ndim == 2 else image[:, :, 0])
        layout = self._info.layout
        if mask.dtype != np.uint8 or mask.shape != (layout.height, layout.width):
            self._notes.say("mask", f"The mask {path.name} does not fit its image; it is left out.")
            return None
        return mask.astype(np.uint8, copy=False)
