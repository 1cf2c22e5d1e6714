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
    names : tuple of str
        Of its curves, where each has one.
    hint : str
        Shown while there are no curves, instead of what is shown of others.
    """

    key: str
    title: str
    unit: str
    help: str
    factor: float = 1.0
    from_zero: bool = False
    names: tuple[str, ...] = ()
    hint: str = ""


QUANTITIES = (
    Quantity("objective", "Objective", "loss", "The method's loss of each frame: falls while the scene is learnt"),
    Quantity(
        "residual", "Residual", "% of white", "How far the background is from the input (root mean square)", 100.0
    ),
    Quantity("h", "Coefficients", "weight", "How much of each basis image the frame holds, one curve each"),
    Quantity("fps", "Speed", "frames/s", "Frames processed in a second", from_zero=True),
    Quantity(
        "profile", "Profile", "samples", "What the marked pixel or region shows over time: the mean of its luma",
        names=("input", "background", "residual"),
        hint="Measured from here on, of each frame that is processed: play on (End, then Space)",
    ),
)  # fmt: skip

COMPARED = (
    Quantity(
        "residual", "Residual", "% of white", "How far each background is from the input (root mean square of luma)",
        100.0,
    ),
    Quantity("psnr_db", "PSNR", "dB", "How near each background is to the clean image: higher is better"),
    Quantity(
        "relative_error", "Error", "% of the norm", "How far each background is from the clean images, so far", 100.0,
        from_zero=True,
    ),
    Quantity("f_measure", "F", "", "How well each mask agrees with the truth, so far: 1 is perfect", from_zero=True),
    Quantity("ms", "Time", "ms a frame", "Step and mask of each frame", from_zero=True),
)  # fmt: skip
"""What methods are compared by, one curve each; but for the first and the last only where the truth is known."""
