"""How the window looks: colours as tokens, one style sheet for light and dark, and icons tinted to match.

Widgets name their part in the look with a dynamic property ``role``, which the style sheet knows:

* ``QLabel``: ``heading`` (small capitals over a section), ``caption`` (muted, small), ``title`` (the name of the
  application), ``value`` (a number on a chip, tabular figures), ``number`` (the same without a chip), ``chip`` and
  ``chip-number`` (words and numbers over a picture), ``good``, ``warn`` and ``bad`` (coloured words).
* ``QPushButton`` and ``QToolButton``: ``primary`` (the one thing to do next), ``link`` (a word that acts), ``segment``
  (one of a few choices side by side, checkable), ``word`` (one of a few headings to choose from, checkable), ``chip``
  (over a picture), ``flat`` (an icon without a frame).
* ``QFrame`` and ``QWidget``: ``panel`` (a ground a little lighter than the window's), ``bar`` (the same, for bars),
  ``rule`` (a thin line). A bare ``QWidget`` also needs the attribute ``WA_StyledBackground``.

Use `set_role` where the role changes while the widget is shown.
"""

from app.theme.apply import Mode, apply_theme, colours, mask_tint, pad_text, set_mask_tint, set_role, theme_changed
from app.theme.fonts import caption_font, number_font
from app.theme.icons import icon, icon_names
from app.theme.palette import (
    BACKGROUND_TINT,
    DARK,
    DIM,
    EVENT_TINT,
    KEEP_TINT,
    LIGHT,
    MARK,
    MARK_EDGE,
    MARK_SHADE,
    MASK_TINTS,
    UNSEEN_TINT,
    Colours,
    MaskTint,
    Token,
)

__all__ = [
    "BACKGROUND_TINT", "DARK", "DIM", "EVENT_TINT", "KEEP_TINT", "LIGHT", "MARK", "MARK_EDGE", "MARK_SHADE",
    "MASK_TINTS", "UNSEEN_TINT", "Colours", "MaskTint", "Mode", "Token", "apply_theme", "caption_font", "colours",
    "icon", "icon_names", "mask_tint", "number_font", "pad_text", "set_mask_tint", "set_role", "theme_changed",
]  # fmt: skip
