"""A stroke as the window has it: pixels of the original picture, which a session wants at its working size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.scene.masks.strokes import Span
    from core.session.report import Report
    from core.session.session import Session


@dataclass(frozen=True, eq=False)
class Painting:
    """What a person has painted on a report.

    Attributes
    ----------
    report : Report
    where : (H, W) bool
        Pixels of the original picture.
    is_background : bool
        What was painted them.
    frames : Span, optional
        These are corrected and no others, and nothing is learnt from it.
    """

    report: Report
    where: NDArray[np.bool_]
    is_background: bool
    frames: Span | None

    def put_on(self, session: Session) -> Report | None:
        """Let a session take it for true, which reads what the report is of."""
        import cv2  # noqa: PLC0415 - takes a while

        size = (session.layout.width, session.layout.height)
        share = cv2.resize(self.where.view(np.uint8) * np.uint8(255), size, interpolation=cv2.INTER_AREA)
        # Half of a pixel within a broad stroke, and half of what is to be had along one that is thinner than a pixel.
        most = cv2.dilate(share, np.ones((3, 3), np.uint8))
        painted = (share > 0) & (2 * share.astype(np.int32) >= most)
        background, foreground = (painted, None) if self.is_background else (None, painted)
        return session.strokes.paint(self.report.frame, background, foreground, frames=self.frames)
