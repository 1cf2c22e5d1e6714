"""Colours as tokens, for dark and light, and those of marks over pictures, which are the same in both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Token = Literal["text", "disabled", "on_accent", "on_chip", "link", "warn", "bad"]
"""What an icon is drawn in: some of the names of `Colours`."""

MaskTint = Literal["red", "green", "magenta", "yellow"]


@dataclass(frozen=True)
class Colours:
    """Every colour of the window. Text on each ground it is used on keeps a contrast of 4.5 or more (WCAG AA).

    Attributes
    ----------
    window, panel, raised, hover, pressed, pane : str
        Grounds, from the window's own to a control's, and the ground behind a picture.
    line, line_strong : str
        Rules between parts, outlines of controls.
    text, muted, disabled : str
        Words, captions, what cannot be used now.
    accent, accent_hover, on_accent, link : str
        The ground of what is chosen, words on it, and words that act.
    good, warn, bad : str
        States, and curves.
    track, knob : str
        Of sliders.
    curves : tuple of str
        Of plots; told apart also by people who do not see all colours.
    chip, chip_hover, on_chip : str
        The ground of words over pictures, the same under the pointer, and the words; they can be read on any picture.
    """

    window: str
    panel: str
    raised: str
    hover: str
    pressed: str
    pane: str
    line: str
    line_strong: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    on_accent: str
    link: str
    good: str
    warn: str
    bad: str
    track: str
    knob: str
    curves: tuple[str, ...]
    chip: str
    chip_hover: str
    on_chip: str

    def of(self, token: Token) -> str:
        """Return the colour that a token stands for."""
        return {
            "text": self.text, "disabled": self.disabled, "on_accent": self.on_accent, "on_chip": self.on_chip,
            "link": self.link, "warn": self.warn, "bad": self.bad,
        }[token]  # fmt: skip


DARK = Colours(
    window="#1b1e22", panel="#212529", raised="#2d3238", hover="#383e45", pressed="#434a52", pane="#121417",
    line="#121417", line_strong="#3d444c", text="#e8eaed", muted="#9aa2ab", disabled="#666d75",
    accent="#2b6be0", accent_hover="#2f6fe3", on_accent="#ffffff", link="#74abfa",
    good="#3fd495", warn="#f2a63b", bad="#ff7b72", track="#3a4047", knob="#eceef0",
    curves=("#74abfa", "#f2a63b", "#3fd495", "#e887c4", "#b79cf5", "#f3e26b", "#5fd0e6", "#ff8a7a"),
    chip="rgba(18, 21, 25, 215)", chip_hover="#3a4047", on_chip="#f1f3f5",
)  # fmt: skip

LIGHT = Colours(
    window="#eef0f2", panel="#f7f8f9", raised="#e3e6ea", hover="#d8dce1", pressed="#cbd0d7", pane="#dfe2e6",
    line="#d5d9de", line_strong="#b9bfc7", text="#1d2126", muted="#555d67", disabled="#9aa1aa",
    accent="#1f5fd6", accent_hover="#1a53bd", on_accent="#ffffff", link="#174fb5",
    good="#0b7048", warn="#8a5200", bad="#b3261e", track="#c9ced5", knob="#ffffff",
    curves=("#1f5fd6", "#a85f00", "#0b7048", "#b3307f", "#6a3fc4", "#766a00", "#0a6f86", "#b3261e"),
    chip="rgba(247, 248, 249, 225)", chip_hover="#d8dce1", on_chip="#1d2126",
)  # fmt: skip

MASK_TINTS: Mapping[MaskTint, tuple[int, int, int]] = {
    "red": (235, 52, 60), "green": (0, 200, 60), "magenta": (214, 64, 220), "yellow": (250, 225, 0),
}  # fmt: skip
"""RGB of the mask drawn over a picture, as people choose: some scenes are red themselves."""

UNSEEN_TINT = (255, 0, 255)
"""RGB of what was never seen: no plate and no scene has this colour."""

BACKGROUND_TINT = (64, 156, 255)
"""RGB of what is painted as background; foreground is painted in the colour of the mask."""

KEEP_TINT = (63, 212, 149)
"""RGB of areas that are kept as they are; those that are never foreground have the colour of painted background."""

EVENT_TINT = (255, 194, 10)
"""RGB of the line that events are counted over and of their area: everyone tells it from the blue of areas."""

MARK, MARK_EDGE = "#ffffff", "#000000"
"""Lines over a picture, and the darker line under them, with which they show on any picture."""

MARK_SHADE = "#96000000"
"""The softer edge of a long line."""

DIM = "#78000000"
"""Over the part of a picture that is left out."""
