"""What there is once a run, not once a frame: plate, confidence, basis and model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from core.export.products import basis_pictures, confidence_picture, full_depth, place
from core.frames.frame import Frame
from core.io.sinks.base import Partial, writing
from core.io.sinks.images import PngSequence, png_bytes
from core.session.report import to_size
from core.session.session import Session


class RunFiles:
    """Writes what a session has learnt beside its final places.

    Parameters
    ----------
    folder : Path
        Must be there.
    products : sequence of str
        Of plate, confidence, basis and model.
    form : str
        Key of `core.export.products.FORMATS`.

    Attributes
    ----------
    partials : list of Partial
        What was begun, to be published or discarded.
    """

    def __init__(self, folder: Path, products: Sequence[str], form: str) -> None:
        self._folder, self._products, self._form = folder, tuple(products), form
        self.partials: list[Partial] = []

    def write(self, session: Session, full: Frame) -> None:
        """Write everything; pictures get the size of the original frame ``full``."""
        if "plate" in self._products:
            plate = to_size(full_depth(session.plate(), session.layout.bit_depth), full)
            self._write_bytes("plate", png_bytes(plate))
        if "confidence" in self._products:
            size = (full.layout.width, full.layout.height)
            # Never seen and hardly ever seen are different things: sizes change without mixing them.
            picture = cv2.resize(confidence_picture(session.confidence()), size, interpolation=cv2.INTER_NEAREST)
            self._write_bytes("confidence", png_bytes(np.asarray(picture, np.uint8)))
        if "basis" in self._products:
            self._write_basis(session, full)
        if "model" in self._products:
            beside = self._beside("model")
            with writing(beside.final):
                session.model().write(beside.path)

    def discard(self) -> None:
        """Remove what was written."""
        for partial in self.partials:
            partial.discard()

    def _write_basis(self, session: Session, full: Frame) -> None:
        sink = PngSequence(place("basis", self._folder, self._form), digits=2)
        self.partials.append(sink.partial)
        sink.open()
        for k, picture in enumerate(basis_pictures(session.basis(), session.layout)):
            sink.write(k + 1, 0.0, to_size(picture, full))
        sink.close()

    def _write_bytes(self, product: str, packed: bytes) -> None:
        beside = self._beside(product)
        with writing(beside.final):
            beside.path.write_bytes(packed)

    def _beside(self, product: str) -> Partial:
        """Return the place beside the final one where a single file is to be written."""
        beside = Partial(place(product, self._folder, self._form))
        self.partials.append(beside)
        return beside
