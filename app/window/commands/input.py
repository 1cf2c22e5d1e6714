"""What is open, and the view of it that the left panel shows: whole or a region, in which size and colour."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.io.input_spec import InputSpec

if TYPE_CHECKING:
    from app.window.main_window import MainWindow
    from core.io.sources.base import SourceInfo

FIRST_SAMPLE = "sample:street"


class InputCommands(QObject):
    """Opens inputs and shows what is known of the one that is open.

    Parameters
    ----------
    window : MainWindow
    path : str, optional
        Input to open; the sample of a street when not given.

    Attributes
    ----------
    request : InputSpec
        What is open, or will be first.
    info : SourceInfo or None
        None until something is open.
    original : (width, height)
        Of the input, before region and working size.
    """

    def __init__(self, window: MainWindow, path: str | None) -> None:
        super().__init__(window)
        self._window = window
        self.request = InputSpec(path or FIRST_SAMPLE)
        self.info: SourceInfo | None = None
        self.original: tuple[int, int] = (0, 0)
        self._is_grey = False
        self._region: tuple[int, int, int, int] | None = None
        self._forgets_painted = False
        window.parts.source.set_view_enabled(False)

    def open_path(self, path: str) -> None:
        """Open an input; what is shown goes on until it is open."""
        self._window.parts.banner.clear()
        # The seed is that of the corruption, which is not taken along.
        self._window.worker.open(InputSpec(path), replace(self._window.running.choice, seed=0))

    def is_there(self, what: str) -> bool:
        """Return whether an input is open; say that there is nothing to ``what`` ("export") where none is."""
        if self.info is None:
            # An error: a warning would stay behind the one that says why nothing is open.
            self._window.parts.banner.show_error(f"There is nothing to {what} yet; open an input first.")
        return self.info is not None

    def reopen(self) -> None:
        """Open the same input anew with the view that the left panel shows."""
        from core.errors import CleanplateError  # noqa: PLC0415

        source = self._window.parts.source
        width, height = self._region[2:] if self._region else self.original
        scale = source.working_scale
        size = None if scale == 1 else (max(1, round(width * scale)), max(1, round(height * scale)))
        grey = source.grey and not self._is_grey
        try:
            corruption = source.corruption.corruption
            # One seed for everything random, as on the command line.
            seed = corruption.seed if corruption else 0
            request = InputSpec(self.request.path, grey, size, self._region, corruption=corruption, seed=seed)
        except CleanplateError as error:
            self._window.parts.banner.show_error(str(error))
            return
        self._forgets_painted = bool(self._window.worker.painted)
        self._window.worker.open(request, self._window.running.choice)

    def set_region(self, region: tuple[int, int, int, int] | None) -> None:
        """Work on a part of the picture, x, y, width and height in pixels of the input; None: on all of it."""
        self._region = region
        self._window.parts.source.show_region(region)
        self.reopen()

    def on_region_drawn(self, x: int, y: int, width: int, height: int) -> None:
        """Work on what was drawn on the picture that is shown, which may be a region itself."""
        left, top = self._region[:2] if self._region else (0, 0)
        self.set_region((left + x, top + y, width, height))

    def on_opened(self, info: SourceInfo, request: InputSpec) -> None:
        """Show what is open now."""
        source, remembered = self._window.parts.source, self._window.remembered
        if request.path != self.request.path or self.info is None:
            self._region = None
            source.reset_view()
            self.original = (info.layout.width, info.layout.height)
            self._is_grey = len(info.layout.shapes) == 1
            if not request.is_sample:
                remembered.add_recent(request.path)
        elif self._forgets_painted:
            self._window.parts.banner.show_warning(
                "What was painted by hand is forgotten: it belonged to the size, colour or region of before."
            )
        self._forgets_painted = False
        self.info, self.request = info, request
        if self._window.views is not None:
            self.show_source()

    def show_source(self) -> None:
        """Show what is known of the input, where one is open."""
        if self.info is None:
            return
        info, request, parts = self.info, self.request, self._window.parts
        kind = kind_of(request, info)
        parts.source.set_view_enabled(True)
        parts.source.show_kind(kind)
        parts.source.show_source(info, original=self.original, is_grey=self._is_grey)
        parts.top.show_title(f"{info.title} · {kind.lower()}" if request.is_sample else info.title)
        self._window.setWindowTitle(f"{info.title} – Cleanplate")
        self._window.views.timeline.set_range(info.n_frames, info.fps, info.live)
        parts.speed.setEnabled(bool(info.fps) and not info.live)
        self._window.files.refresh()


def kind_of(request: InputSpec, info: SourceInfo) -> str:
    """Return what kind of input is open, in a word or two."""
    if request.is_sample:
        return "Sample"
    if info.live:
        return "Camera"
    place = Path(request.path)
    if place.is_dir():
        return "Image folder"
    if place.suffix.lower() in (".tif", ".tiff"):
        return "TIFF stack"
    return "Video file" if info.fps else "Image"
