"""What is said of the colours of a film when it is opened, where they are not the usual ones."""

from __future__ import annotations

from collections.abc import Container

from core.frames.colour import ColourStandard

CONSTANT_LUMINANCE = 10
"""The tag of libavutil of a matrix that mixes light before its curve is applied: there are hardly any such films."""

_OF_EACH_SCENE = {
    "DOVI_RPU_BUFFER": "Dolby Vision", "DOVI_METADATA": "Dolby Vision", "DYNAMIC_HDR_PLUS": "HDR10+",
    "DYNAMIC_HDR_VIVID": "HDR Vivid",
}  # fmt: skip
"""Side data of libav that tells players how to show each scene, and whose it is. It holds for the pictures as they
were, and nothing here writes it."""


def colour_notes(name: str, standard: ColourStandard, matrix: int, side_data: Container[str]) -> list[str]:
    """Return sentences for people.

    Parameters
    ----------
    name : str
        Of the film.
    standard : ColourStandard
        What its samples are taken to stand for.
    matrix : int
        Tag of its first frame.
    side_data : container of str
        Names of what that frame has beside its samples.
    """
    notes = []
    if standard.is_high_range:
        notes.append(
            f"{name} is of high dynamic range ({standard.title}), and so are results; the window shows it as ordinary "
            "screens can."
        )
    if matrix == CONSTANT_LUMINANCE:
        notes.append(f"{name} is of constant luminance, which is read as the usual kind: colours are a little off.")
    lost = sorted({title for key, title in _OF_EACH_SCENE.items() if key in side_data})
    if lost:
        notes.append(f"{name} has data of {' and '.join(lost)}, which results lack: players show them by the rest.")
    return notes
