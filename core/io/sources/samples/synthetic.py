"""Samples that are computed, with ground truth."""

from __future__ import annotations

from collections.abc import Callable, Generator

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.sources.base import SourceInfo
from core.io.sources.samples import faces, street


class SampleSource:
    """Frames that are a pure function of their index: seeking costs nothing, and each is the same every time.

    Parameters
    ----------
    info : SourceInfo
    render : callable
        ``render(index)`` gives the frame.
    """

    def __init__(self, info: SourceInfo, render: Callable[[int], Frame]) -> None:
        self._info = info
        self._render = render

    @property
    def info(self) -> SourceInfo:
        """What is known: everything."""
        return self._info

    @property
    def warnings(self) -> list[str]:
        """None, ever."""
        return []

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from frame ``first`` on."""
        for index in range(max(first, 0), self._info.n_frames or 0):
            yield self._render(index)

    def close(self) -> None:
        """Nothing to do."""


def _street(seed: int) -> SampleSource:
    return SampleSource(
        SourceInfo("Street", street.LAYOUT, street.FPS, street.N_FRAMES, is_counted=True), street.painted(seed).frame
    )


def _faces(seed: int) -> SampleSource:
    return SampleSource(
        SourceInfo("Faces", faces.LAYOUT, None, faces.N_FACES, is_counted=True), lambda index: faces.face(seed, index)
    )


_SAMPLES: dict[str, tuple[str, Callable[[int], SampleSource]]] = {
    "street": (
        "A street with cars, people, a swaying tree and changing light; foreground and scene are known",
        _street,
    ),
    "faces": ("Drawn faces made of parts, for basis images and denoising", _faces),
}


def list_samples() -> dict[str, str]:
    """Return what each sample shows, by its name after ``sample:``."""
    return {name: text for name, (text, _) in _SAMPLES.items()}


def check_sample(name: str) -> None:
    """Raise an error that lists the samples where none is called so."""
    if name not in _SAMPLES:
        raise CleanplateError(f"There is no sample {name!r}; choose one of {', '.join(_SAMPLES)}.")


def open_sample(name: str, seed: int) -> SampleSource:
    """Return a sample, or raise an error that lists them."""
    check_sample(name)
    return _SAMPLES[name][1](seed)
