"""Places on the timeline: in and out points, between which is written, markers with names, and what is painted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.views.timeline import Timeline
    from app.window.commands.export import ExportCommands
    from app.window.commands.input import InputCommands
    from app.window.dialogs import FileDialogs
    from app.window.shown_frame import ShownFrame
    from core.project.document import Marker
    from core.scene.masks.strokes import Span, Stroke


class MarkCommands(QObject):
    """Sets in and out points and markers at the frame that is shown; goes from one to the next, and to what is painted.

    Frames are counted from 0 here, and from 1 in what is kept of them.

    Parameters
    ----------
    input_ : InputCommands
    export : ExportCommands
        Holds the in and out points: they are the frames that it writes.
    shown_frame : ShownFrame
        Says which frame is shown.
    dialogs : FileDialogs
        Ask for a name.
    parent : QObject

    Attributes
    ----------
    markers : tuple of Marker
        In the order of their frames, one a frame.

    Signals
    -------
    changed() : there are other markers
    """

    changed = Signal()

    def __init__(
        self,
        input_: InputCommands,
        export: ExportCommands,
        shown_frame: ShownFrame,
        dialogs: FileDialogs,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._input, self._export, self._shown_frame, self._dialogs = input_, export, shown_frame, dialogs
        self._timeline: Timeline | None = None
        self.markers: tuple[Marker, ...] = ()
        self._painted: frozenset[Span] = frozenset()
        export.changed.connect(self._tell)
        input_.another_opened.connect(self._on_another)
        input_.changed.connect(self._tell)

    def attach(self, timeline: Timeline) -> None:
        """Show the marks on the timeline, which is there now, and let people drag and choose them there."""
        self._timeline = timeline
        timeline.marks.range_dragged.connect(self.set_range)
        timeline.marks.name_requested.connect(self.name)
        timeline.marks.removal_requested.connect(self.toggle)
        self._tell()

    # In and out points

    def set_in(self) -> None:
        """Let what is written begin with the frame that is shown; it ends there too where it ended before."""
        self._set_end(0)

    def set_out(self) -> None:
        """Let what is written end with the frame that is shown; it begins there too where it began behind."""
        self._set_end(1)

    def _set_end(self, which: int) -> None:
        index = self._shown()
        if index is not None:
            ends = list(self._range)
            ends[which] = index
            other = ends[1 - which]
            if other is not None and (other < index) == (which == 0) and other != index:
                ends[1 - which] = None
            self.set_range(*ends)

    def clear_range(self) -> None:
        """Write all frames."""
        self.set_range(None, None)

    def set_range(self, first: int | None, last: int | None) -> None:
        """Write these frames, both included, from 0; None leaves an end open."""
        self._export.set_written((first + 1 if first else None, None if last is None else last + 1))

    @property
    def _range(self) -> tuple[int | None, int | None]:
        first, last = self._export.written
        return None if first is None else first - 1, None if last is None else last - 1

    # Markers

    def toggle(self, index: int | None = None) -> None:
        """Set a marker at a frame, by default the one that is shown, or take it away."""
        index = self._shown() if index is None else index
        if index is not None:
            there = self._at(index)
            self._change(there, None if there else self._marker(index, self._free_name()))

    def name(self, index: int | None = None) -> None:
        """Ask for the name of the marker at a frame, by default the one that is shown, which is set if need be."""
        index = self._shown() if index is None else index
        if index is None:
            return
        there = self._at(index)
        before = there.name if there else self._free_name()
        name = self._dialogs.line("Name the marker", f"Name of the marker at frame {index + 1}:", before)
        if name is not None:
            self.rename(index, name)

    def rename(self, index: int, name: str) -> None:
        """Give the marker at a frame a name; set it where there is none."""
        from core.project.document import MOST_NAME  # noqa: PLC0415 - the engine is there by now

        self._change(self._at(index), self._marker(index, name.strip()[:MOST_NAME] or "Marker"))

    def show_painted(self, strokes: Sequence[Stroke]) -> None:
        """Show which frames are painted for themselves; of what is learnt, the frame that it was painted on."""
        painted = frozenset(stroke.frames or (stroke.index, stroke.index) for stroke in strokes)
        if painted != self._painted:
            self._painted = painted
            self._tell()

    def next(self) -> None:
        """Go to the next marker, in or out point, or painted frame."""
        self._go(1)

    def previous(self) -> None:
        """Go to the one before."""
        self._go(-1)

    def show(self, markers: Sequence[Marker]) -> None:
        """Show these markers, without telling."""
        self.markers = tuple(sorted(markers, key=lambda one: one.frame))
        self._tell()

    def _go(self, direction: int) -> None:
        index = self._shown_frame.index
        if index is not None and self._timeline is not None:
            places = {marker.frame - 1 for marker in self.markers} | {first for first, _ in self._painted}
            places |= {end for end in self._range if end is not None}
            ahead = [place for place in places if (place - index) * direction > 0]
            if ahead:
                self._timeline.go_to(min(ahead, key=lambda place: abs(place - index)))

    def _shown(self) -> int | None:
        """Return the number of the frame that is shown, where the input has places to be marked."""
        info = self._input.info
        return None if info is None or info.live or self._input.awaits_view else self._shown_frame.index

    def _at(self, index: int) -> Marker | None:
        return next((marker for marker in self.markers if marker.frame == index + 1), None)

    def _free_name(self) -> str:
        """Return a name with the first number that no marker has."""
        taken = {marker.name for marker in self.markers}
        return next(name for number in count(1) if (name := f"Marker {number}") not in taken)

    def _marker(self, index: int, name: str) -> Marker:
        from core.project.document import Marker  # noqa: PLC0415 - the engine is there by now

        return Marker(frame=index + 1, name=name)

    def _change(self, gone: Marker | None, new: Marker | None) -> None:
        from core.project.document import MOST_MARKERS  # noqa: PLC0415 - the engine is there by now

        kept = [marker for marker in self.markers if marker != gone][:MOST_MARKERS]
        self.show(kept if new is None else [*kept[: MOST_MARKERS - 1], new])
        self.changed.emit()

    def _on_another(self, is_earlier_work: bool) -> None:
        """Forget the marks of the input that was open; earlier work has brought its own markers."""
        self._painted = frozenset()  # Known again with the first frame.
        if not is_earlier_work:
            self.show(())

    def _tell(self) -> None:
        if self._timeline is not None:
            markers = {marker.frame - 1: marker.name for marker in self.markers}
            self._timeline.marks.show_marks(*self._range, markers)
            self._timeline.marks.show_painted(self._painted)
