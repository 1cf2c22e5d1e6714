"""Numbers of the frame that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.panels.controls import Facts
from app.rate_words import took_words

if TYPE_CHECKING:
    from core.session.report import Report


def noise_words(noise: float, white: int) -> str:
    """Return what the noise is, a share of white, in levels of a depth: in two digits at least."""
    levels = noise * white
    n_decimals = 0 if levels >= 9.95 else 1 if levels >= 0.995 else 2
    return f"{levels:.{n_decimals}f} of {white}"


class FiguresPanel(Facts):
    """Foreground, noise, time of a step, and quality where the truth is known."""

    def __init__(self) -> None:
        super().__init__(
            [
                ("Foreground", "Share of the pixels that the mask marks."),
                ("Noise σ", "Typical noise of a background pixel, in levels of the input's depth: of 255 in 8 bit."),
                ("Step", "Time to learn from one frame and split it, without decoding and drawing."),
                ("Mask", "Time to make the mask of one frame."),
                ("F-measure", "How well the mask agrees with the truth so far: 1 is perfect."),
                ("PSNR, input", "How near the corrupted input is to the clean image: higher is better."),
                ("PSNR, background", "How near the recovered background is to the clean image: higher is better."),
                ("PSNR, cleaned", "How near the cleaned frame, as it is saved, is to the clean image."),
                ("Error", "‖X̂ − X‖ / ‖X‖: how far all backgrounds so far are from the clean images. Lower is better."),
            ]
        )
        self._show_truth({})

    def show_report(self, report: Report) -> None:
        """Show the figures of a report."""
        self.show_fact("Foreground", f"{100 * report.foreground_share:.1f} % of pixels")
        self.show_fact("Noise σ", noise_words(report.noise, report.frame.layout.white))
        for title, stage in (("Step", "step"), ("Mask", "mask")):
            took_ms = report.stages_ms[stage]  # 0 where it was not done: a frame that is only shown again.
            self.show_fact(title, took_words(took_ms) if took_ms else "–")
        self._show_truth(report.figures)

    def clear(self) -> None:
        """Say nothing: no frame is shown."""
        for title in ("Foreground", "Noise σ", "Step", "Mask"):
            self.show_fact(title, "–")
        self._show_truth({})

    def _show_truth(self, figures: dict[str, float]) -> None:
        f = figures.get("f_measure")
        self.set_row_visible("F-measure", f is not None)
        if f is not None:
            self.show_fact("F-measure", f"{f:.3f}")
        clean = figures.get("psnr_db")
        for title in ("PSNR, input", "PSNR, background", "Error"):
            self.set_row_visible(title, clean is not None)
        self.set_row_visible("PSNR, cleaned", "psnr_cleaned_db" in figures)
        if "psnr_cleaned_db" in figures:
            self.show_fact("PSNR, cleaned", f"{figures['psnr_cleaned_db']:.1f} dB")
        if clean is not None:
            self.show_fact("PSNR, input", f"{figures['psnr_noisy_db']:.1f} dB")
            self.show_fact("PSNR, background", f"{clean:.1f} dB")
            self.show_fact("Error", f"{100 * figures['relative_error']:.1f} %")
