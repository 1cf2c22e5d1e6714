"""What there is once a run: basis and model."""

from __future__ import annotations

from pathlib import Path

from core.export.pictures import basis_pictures
from core.export.products import BASIS_DIGITS, place
from core.frames.frame import Layout
from core.io.publishing.refusals import writing
from core.io.sinks.images import PngSequence
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
    """

    def __init__(self, new: Path, folder: Path, form: str) -> None:
        self._new, self._folder, self._form = new, folder, form

    def write(self, product: str, session: Session, full: Layout) -> None:
        """Write basis or model; pictures get the size of original frames, whose layout is ``full``."""
        if product == "basis":
            self._write_basis(session, full)
        elif product == "model":
            final = place("model", self._folder, self._form)
            with writing(final):
                session.model().write(self._new / final.name)

    def _write_basis(self, session: Session, full: Layout) -> None:
        sink = PngSequence(place("basis", self._folder, self._form))
        sink.open(self._new)
        for k, picture in enumerate(basis_pictures(session.basis(), session.layout)):
            sink.write(k + 1, 0.0, to_size(picture, full), f"{k + 1:0{BASIS_DIGITS}d}")
        sink.close()
