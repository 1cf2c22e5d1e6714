"""What can be plotted over the number of the frame."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """What one plot shows.

    Attributes
    ----------
    key, title, unit : str
        The unit is empty for pure numbers.
    help : str
        One sentence.
    factor : float
        From what is appended to what is shown.
    from_zero : bool
        The vertical axis starts at 0.
    """

    key: str
    title: str
    unit: str
    help: str
    factor: float = 1.0
    from_zero: bool = False


QUANTITIES = (
    Quantity("objective", "Objective", "loss", "The method's loss of each frame: falls while the scene is learnt"),
    Quantity(
        "residual", "Residual", "% of white", "How far the background is from the input (root mean square)", 100.0
    ),
    Quantity("h", "Coefficients", "weight", "How much of each basis image the frame holds, one curve each"),
    Quantity("fps", "Speed", "frames/s", "Frames processed in a second", from_zero=True),
)
