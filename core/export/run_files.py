"""What there is once a run: basis and model."""

from __future__ import annotations

from pathlib import Path

from core.export.pictures import basis_pictures
from core.export.products import BASIS_DIGITS
from core.frames.frame import Layout
from core.io.publishing.refusals import writing
from core.io.sinks.images import PngSequence
from core.session.report import to_size
from core.session.session import Session

ONCE = frozenset({"basis", "model"})
"""The products that there is one of, made of what was learnt when all frames have been seen."""


def write_learnt(product: str, session: Session, final: Path, new: Path, full: Layout) -> None:
    """Write what a session has learnt, away from its final place.

    Parameters
    ----------
    product : str
        In `ONCE`.
    session : Session
    final : Path
        Of the product: see `core.export.products.place`.
    new : Path
        Where to write; must be there.
    full : Layout
        Of original frames: pictures get their size.
    """
    if product == "model":
        with writing(final):
            session.model().write(new / final.name)
        return
    sink = PngSequence(final)
    sink.open(new)
    for k, picture in enumerate(basis_pictures(session.basis(), session.layout)):
        sink.write(k + 1, 0.0, to_size(picture, full), f"{k + 1:0{BASIS_DIGITS}d}")
    sink.close()
