"""A picture as samples, plane by plane: what video decodes to, and what goes into films as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from core.frames.frame import Frame, Layout, Planes, Values
from core.runtime.cached import cached


@dataclass(frozen=True)
class PlanarPicture:
    """A vector of samples that is a picture.

    Attributes
    ----------
    samples : (F,) uint8 or uint16
        Never written again.
    layout : Layout
        Of the samples.
    """

    samples: Values
    layout: Layout

    @staticmethod
    def of(frame: Frame) -> PlanarPicture:
        """Return what a frame shows."""
        return PlanarPicture(frame.values, frame.layout)

    @cached
    def image(self) -> Values:
        """As screens and files of images have it: see `Layout.image`."""
        return self.layout.image(self.samples)

    def resized(self, height: int, width: int) -> PlanarPicture:
        """Return it enlarged or reduced, itself where that is its size.

        Planes are averaged over the area of a new pixel (``cv2.INTER_AREA``) where they shrink and interpolated where
        they grow.
        """
        if (height, width) == (self.layout.height, self.layout.width):
            return self
        layout = replace(self.layout, height=height, width=width)
        out = np.empty(layout.n_values, self.samples.dtype)
        for index, (rows, columns) in enumerate(layout.shapes):
            plane = self.layout.plane(self.samples, index)
            how = cv2.INTER_AREA if rows <= plane.shape[0] and columns <= plane.shape[1] else cv2.INTER_LINEAR
            cv2.resize(plane, (columns, rows), layout.plane(out, index), interpolation=how)
        return PlanarPicture(out, layout)

    def expanded(self) -> PlanarPicture:
        """Return it in planes of full range, grey or RGB at full size; itself where it has them."""
        layout = self.layout
        if layout.planes is not Planes.YCC420 and layout.full_range:
            return self
        samples = self.image if layout.planes is Planes.GREY else self.image.transpose(2, 0, 1)
        return PlanarPicture(np.ascontiguousarray(samples).ravel(), layout.expanded())


def alike(one: PlanarPicture, other: PlanarPicture) -> tuple[PlanarPicture, PlanarPicture]:
    """Return two pictures of the same scene in planes of one kind: their own, or those of full range."""
    kinds = {(x.layout.planes, x.layout.full_range, x.layout.matrix) for x in (one, other)}
    return (one, other) if len(kinds) == 1 else (one.expanded(), other.expanded())
