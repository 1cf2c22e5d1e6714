"""The images that the papers' experiments run on: CBCL, ORL, extended Yale B, and drawn faces where there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import natsort
import numpy as np
from numpy.typing import NDArray

from core.bench.faces import cbcl
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes, Values
from core.io.sources.reading import Unreadable, read_picture
from core.io.sources.samples.faces import N_FACES, face

ORL_FOLDERS = (Path("faces", "orl"), Path("orl"), Path())
YALE_FOLDERS = (Path("faces"), Path())


@dataclass(frozen=True)
class FaceSet:
    """Images as vectors.

    Attributes
    ----------
    title : str
        Such as "ORL faces".
    layout : Layout
        Of one image.
    V : (n, F) float32
        One image a row, units of white.
    labels : (n,) intp, optional
        Whose face it is, from 0; None where that is not known.
    names : tuple of str
        Of the files, without their ending; empty where there are none.
    """

    title: str
    layout: Layout
    V: NDArray[np.float32]
    labels: NDArray[np.intp] | None = None
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The set in a few words: what, how many, of what size."""
        return f"{len(self.V)} {self.title} of {self.layout.width}×{self.layout.height} pixels"

    def take(self, places: NDArray[np.intp]) -> FaceSet:
        """Return some of the images, in the order of ``places``."""
        labels = None if self.labels is None else self.labels[places]
        return replace(self, V=self.V[places], labels=labels, names=tuple(self.names[i] for i in places if self.names))

    def first(self, n: int) -> FaceSet:
        """Return the first ``n`` images, or all where there are fewer."""
        return self.take(np.arange(min(n, len(self.V))))


def drawn_faces(n: int = N_FACES, size: tuple[int, int] | None = None, seed: int = 0) -> FaceSet:
    """Return the faces of ``sample:faces``, scaled to ``size`` (width, height) where one is given."""
    images = (_in_white(frame.image(), frame.layout.bit_depth) for frame in (face(seed, index) for index in range(n)))
    return _face_set("drawn faces", images, size, None)


def load_cbcl(data: Path) -> FaceSet:
    """Return the CBCL faces in a folder (``faces/cbcl.mat`` or ``cbcl.mat``), each scaled to maximum 1.

    Raises
    ------
    CleanplateError
        The file is not there or damaged.
    """
    layout, X = cbcl(data)
    return FaceSet("CBCL faces", layout, X / X.max(axis=1, keepdims=True))


def load_orl(data: Path, size: tuple[int, int] | None = None) -> FaceSet:
    """Return the ORL faces in a folder, in the order of persons, scaled to ``size`` (width, height) where given.

    They lie in ``faces/orl``, ``orl`` or the folder itself, as ``s1_1.pgm`` or ``s1/1.pgm``: person, then picture.

    Raises
    ------
    CleanplateError
        There are none, or one cannot be read.
    """
    found = next((files for folder in ORL_FOLDERS if (files := _orl_files(data / folder))), None)
    if not found:
        raise CleanplateError(f"There are no ORL faces in {data}; put them in faces/orl, named s1_1.pgm to s40_10.pgm.")
    persons = sorted({person for person, _ in found})
    labels = np.array([persons.index(person) for person, _ in found], np.intp)
    return _face_set("ORL faces", _pictures(path for _, path in found), size, labels)


def load_yale(data: Path, subject: int | None = None, size: tuple[int, int] | None = None) -> FaceSet:
    """Return the pictures of one person of the extended Yale B set, one for each light, scaled where ``size`` is given.

    They lie in ``faces/yaleB02`` or ``yaleB02``, 02 being the person; the room's own light (Ambient) is left out.

    Parameters
    ----------
    data : Path
    subject : int, optional
        Which person; the first that is there where not given.
    size : (width, height), optional

    Raises
    ------
    CleanplateError
        There are none, or one cannot be read.
    """
    name = "yaleB[0-9][0-9]" if subject is None else f"yaleB{subject:02d}"
    folders = natsort.natsorted(p for folder in YALE_FOLDERS for p in (data / folder).glob(name) if p.is_dir())
    for folder in folders:
        if files := [p for p in natsort.natsorted(folder.glob("*.pgm")) if "Ambient" not in p.name]:
            found = _face_set(f"pictures of Yale B subject {int(folder.name[5:])}", _pictures(files), size, None)
            return replace(found, names=tuple(p.stem for p in files))
    raise CleanplateError(
        f"There is no {name.replace('[0-9][0-9]', '02')} in {data}; put its .pgm files in faces/yaleB02."
    )


def _orl_files(folder: Path) -> list[tuple[int, Path]]:
    """Return person and file of each face, in the order of persons and pictures."""
    found = []
    for path in natsort.natsorted([*folder.glob("s*_*.pgm"), *folder.glob("s*/*.pgm")]):
        if match := re.fullmatch(r"s(\d+)[_/]\d+", path.relative_to(folder).with_suffix("").as_posix()):
            found.append((int(match[1]), path))
    return found


def _pictures(paths: Iterable[Path]) -> Iterable[NDArray[np.float32]]:
    """Read pictures (H, W) in grey, units of white."""
    for path in paths:
        try:
            picture = read_picture(path)
        except Unreadable as reason:
            raise CleanplateError(f"{path} {reason}; fetch it again.") from reason
        image = picture.image
        grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), image.dtype)
        yield _in_white(grey, picture.bit_depth)


def _in_white(image: Values, bit_depth: int) -> NDArray[np.float32]:
    return np.asarray(image.astype(np.float32) / np.float32((1 << bit_depth) - 1), np.float32)


def _face_set(
    title: str,
    images: Iterable[NDArray[np.float32]],
    size: tuple[int, int] | None,
    labels: NDArray[np.intp] | None,
) -> FaceSet:
    """Return images (H, W), units of white, as vectors: all of one size, that of the first where none is given."""
    rows: list[NDArray[np.float32]] = []
    for image in images:
        size = size or (image.shape[1], image.shape[0])
        fits = (image.shape[1], image.shape[0]) == size
        rows.append(
            (image if fits else np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.float32)).ravel()
        )
    assert size is not None
    return FaceSet(title, Layout(size[1], size[0], Planes.GREY), np.stack(rows), labels)
