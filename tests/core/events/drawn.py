"""Masks of things that move, drawn where the truth is known."""

import numpy as np

HEIGHT, WIDTH = 120, 160


def mask(*boxes):
    """Return a mask in which boxes (x, y, width, height) are set."""
    drawn = np.zeros((HEIGHT, WIDTH), np.uint8)
    for x, y, width, height in boxes:
        drawn[max(y, 0) : y + height, max(x, 0) : x + width] = 255
    return drawn
