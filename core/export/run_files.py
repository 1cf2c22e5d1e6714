"""What there is once a run, not once a frame: plate, confidence, basis and model."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from core.export.pictures import basis_pictures, confidence_picture, full_depth
from core.export.products import BASIS_DIGITS, place
from core.frames.colour import ColourStandard
from core.frames.frame import Frame
from core.io.colour_profile import ColourProfile
from core.io.publishing.refusals import writing
from core.io.sinks.images import PngSequence, png_bytes
from core.session.report import to_size
from core.session.session import Session


class RunFiles:
    """Writes what a session has learnt, away from its final places.

    Parameters
    ----------
    new : Path
        Where to write; must be there.
    folder : Path
        Of the final places.
    form : str
        Key of `core.export.products.FORMATS`.
    standard : ColourStandard, optional
    profile : ColourProfile, optional
        What the samples of the plate stand for.
    """

    def __init__(
        self,
        new: Path,
        folder: Path,
        form: str,
        standard: ColourStandard | None = None,
        profile: ColourProfile | None = None,
    ) -> None:
        self._new, self._folder, self._form = new, folder, form
        self._standard, self._profile = standard, profile

    def write(self, product: str, session: Session, full: Frame) -> None:
        """Write plate, confidence, basis or model; pictures get the size of the original frame ``full``."""
        if product == "plate":
            plate = to_size(full_depth(session.plate(), session.layout.bit_depth), full)
            self._write_bytes("plate", png_bytes(plate, self._standard, self._profile))
        elif product == "confidence":
            size = (full.layout.width, full.layout.height)
            # Never seen and hardly ever seen are different things: sizes change without mixing them.
            picture = cv2.resize(confidence_picture(session.confidence()), size, interpolation=cv2.INTER_NEAREST)
            self._write_bytes("confidence", png_bytes(np.asarray(picture, np.uint8)))
        elif product == "basis":
            self._write_basis(session, full)
        elif product == "model":
            final = place("model", self._folder, self._form)
            with writing(final):
                session.model().write(self._new / final.name)

    def _write_basis(self, session: Session, full: Frame) -> None:
        sink = PngSequence(place("basis", self._folder, self._form), digits=BASIS_DIGITS)
        sink.open(self._new)
        for k, picture in enumerate(basis_pictures(session.basis(), session.layout)):
            sink.write(k + 1, 0.0, to_size(picture, full))
        sink.close()

    def _write_bytes(self, product: str, packed: bytes) -> None:
        final = place(product, self._folder, self._form)
        with writing(final):
            (self._new / final.name).write_bytes(packed)
