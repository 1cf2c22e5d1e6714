"""The marks of the timeline: handles for the in and out points, markers with their names, and what is painted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from app import theme
from app.views.painted_spans import PaintedSpans

HEIGHT = 15
"""Of the strip, pixels."""

HANDLE_PX = 5
"""Width of a handle, and of half a marker, pixels."""

NEAR_PX = 6
"""How near to a mark the pointer takes hold of it, pixels."""

KNOB_PX = 4
"""Half the width of the knob where learning stands, pixels."""

NAME_PX = 10
"""Height of the letters of a name, pixels."""

WITHIN = 0.3
"""Opacity of the band between the in and out points."""

FIRST, LAST, EITHER = 0, 1, 2
"""Handles; either of the two, where both lie at the same frame, until it is clear where it is dragged."""


class MarksStrip(QWidget):
    """A strip as wide as the slider below it. Frames are counted from 0.

    Signals
    -------
    frame_pressed(int) : the person pressed on this frame, or drags a handle over it
    range_dragged(int or None, int or None) : in and out points were dragged there; None: to the end of the input
    range_changed(int, int) : first and last frame between in and out points, while they are dragged too; -1, -1: none
    name_requested(int), removal_requested(int) : of the marker at this frame
    """

    frame_pressed = Signal(int)
    range_dragged = Signal(object, object)
    range_changed = Signal(int, int)
    name_requested = Signal(int)
    removal_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._n_frames, self._margin = 0, 0
        self._ends: list[int | None] = [None, None]
        self._markers: Mapping[int, str] = {}
        self._held: int | None = None
        self._learning: int | None = None
        self._painted = PaintedSpans()
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("In and out points, markers")
        theme.theme_changed().connect(self.update)
        self.show_marks(None, None, {})

    def sizeHint(self) -> QSize:
        """Return the height that it has, and a width that may be any."""
        return QSize(200, HEIGHT)

    def set_frames(self, n_frames: int, margin: int) -> None:
        """Say how many frames there are, and how much of the width is left out on either side, pixels."""
        self._n_frames, self._margin = n_frames, margin
        self._tell()

    def show_marks(self, first: int | None, last: int | None, markers: Mapping[int, str]) -> None:
        """Show in and out points (None: none) and the names of markers by their frames."""
        if self._held is None:
            self._ends = [first, last]
        self._markers = dict(sorted(markers.items()))
        self._tell()

    def show_learning(self, index: int | None) -> None:
        """Show where learning goes on, while other frames are looked at; None: nothing waits so."""
        self._learning = index
        self._tell()

    def show_painted(self, spans: Iterable[tuple[int, int]]) -> None:
        """Show which frames were painted by hand: first and last of each span."""
        self._painted = PaintedSpans(spans)
        self._tell()

    @property
    def ends(self) -> tuple[int, int]:
        """First and last frame between the in and out points."""
        final = max(self._n_frames - 1, 0)
        first, last = self._ends
        return min(first or 0, final), final if last is None else min(last, final)

    def place_of(self, index: int) -> float:
        """Return where a frame lies, pixels from the left."""
        return self._margin + (self.width() - 2 * self._margin) * index / max(self._n_frames - 1, 1)

    def frame_at(self, x: float) -> int:
        """Return the frame at a place, pixels from the left."""
        share = (x - self._margin) / max(self.width() - 2 * self._margin, 1)
        return min(max(round(share * (self._n_frames - 1)), 0), max(self._n_frames - 1, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is written as a bar between its handles, and flags with names."""
        if not self._n_frames:
            return
        colours, painter = theme.colours(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = (self.place_of(end) for end in self.ends)
        is_set = self._ends != [None, None]
        painter.fillRect(
            QRectF(self._margin, self.height() / 2 - 0.5, self.width() - 2 * self._margin, 1), QColor(colours.track)
        )
        if is_set:
            within = QColor(colours.accent)
            within.setAlphaF(WITHIN)
            painter.fillRect(QRectF(left, 1, right - left, self.height() - 2), within)
        if (learning := self._learning_at) is not None:
            self._draw_learning(painter, colours, self.place_of(learning))
        self._painted.draw(painter, self.place_of, self.height())
        self._draw_markers(painter, colours)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent if is_set else colours.muted))
        for place, inwards in ((left, 1), (right, -1)):
            tip = place + inwards * HANDLE_PX
            corners = [(place, 1), (tip, 1), (place + inwards * 2, 4), (place + inwards * 2, self.height() - 4)]
            corners += [(tip, self.height() - 1), (place, self.height() - 1)]
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))

    def _draw_learning(self, painter: QPainter, colours: theme.Colours, place: float) -> None:
        """Draw a line with a knob, which neither a handle nor a marker has."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.good))
        painter.drawRect(QRectF(place - 1, 0, 2, self.height()))
        painter.drawEllipse(QPointF(place, self.height() / 2), KNOB_PX, KNOB_PX)

    def _draw_markers(self, painter: QPainter, colours: theme.Colours) -> None:
        font = self.font()
        font.setPixelSize(NAME_PX)
        painter.setFont(font)
        places = [*(self.place_of(index) for index in self._markers), float(self.width())]
        for (place, following), name in zip(pairwise(places), self._markers.values(), strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.warn))
            flag = [QPointF(place - HANDLE_PX, 1), QPointF(place + HANDLE_PX, 1), QPointF(place, self.height() - 2)]
            painter.drawPolygon(QPolygonF(flag))
            room = QRectF(place + HANDLE_PX + 2, 0, following - place - 3 * HANDLE_PX, self.height())
            text = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, max(int(room.width()), 0))
            if len(text) > 1:
                painter.setPen(QColor(colours.text))
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a handle, or go to the marker or frame under the pointer."""
        if event.button() is not Qt.MouseButton.LeftButton or not self._n_frames:
            return
        x = event.position().x()
        marker = self._marker_at(x)
        self._held = self._handle_at(x) if marker is None else None
        if self._held is None:
            self.frame_pressed.emit(self._pressed_at(x) if marker is None else marker)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle that is held, and show the frame that it is at."""
        x = event.position().x()
        if self._held is None:
            near = self._marker_at(x) is None and self._handle_at(x) is not None
            self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)
            return
        first, last = self.ends
        index = self.frame_at(x)
        if self._held == EITHER and index != first:
            self._held = LAST if index > first else FIRST
        if self._held == EITHER:
            return
        index = min(index, last) if self._held == FIRST else max(index, first)
        if index != self.ends[self._held]:
            self._ends[self._held] = index
            self._tell()
            self.frame_pressed.emit(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the handle."""
        if event.button() is Qt.MouseButton.LeftButton and self._held is not None:
            self._held = None
            first, last = self.ends
            self.range_dragged.emit(first or None, None if last == self._n_frames - 1 else last)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Name the marker under the pointer."""
        marker = self._marker_at(event.position().x())
        if marker is not None:
            self.name_requested.emit(marker)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to name the marker under the pointer, or to take it away."""
        marker = self._marker_at(event.pos().x())
        if marker is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Name…").triggered.connect(lambda: self.name_requested.emit(marker))
        menu.addAction("Take away").triggered.connect(lambda: self.removal_requested.emit(marker))
        menu.popup(event.globalPos())

    def event(self, event: QEvent) -> bool:
        """Tell the name of the marker under the pointer, or that learning stands there, or what is painted there."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            marker = self._marker_at(event.pos().x())
            if marker is not None:
                QToolTip.showText(event.globalPos(), f"{self._markers[marker]} · frame {marker + 1}", self)
                return True
            learning = self._learning_at
            if learning is not None and abs(self.place_of(learning) - event.pos().x()) <= NEAR_PX:
                QToolTip.showText(event.globalPos(), _learning_words(learning), self)
                return True
            if painted := self._painted.tip(event.pos().x(), self.place_of, NEAR_PX):
                QToolTip.showText(event.globalPos(), painted, self)
                return True
        return super().event(event)

    def _handle_at(self, x: float) -> int | None:
        away = [abs(x - self.place_of(end)) for end in self.ends]
        if min(away) > NEAR_PX:
            return None
        return EITHER if away[FIRST] == away[LAST] else away.index(min(away))

    def _marker_at(self, x: float) -> int | None:
        near = [index for index in self._markers if abs(self.place_of(index) - x) <= NEAR_PX]
        return min(near, key=lambda index: abs(self.place_of(index) - x)) if near else None

    def _pressed_at(self, x: float) -> int:
        """Return the frame to go to: beside a bar its nearer end, which a pixel may hide among others."""
        index, span = self.frame_at(x), self._painted.near(x, self.place_of, NEAR_PX)
        return index if span is None else min(max(index, span[0]), span[1])

    @property
    def _learning_at(self) -> int | None:
        """Where learning goes on, as far as that is on the strip: behind the last frame another pass begins."""
        return None if self._learning is None or not self._n_frames else min(self._learning, self._n_frames - 1)

    def _tell(self) -> None:
        first, last = self.ends
        text = "Drag the handles: what lies between them is exported. (I and O)"
        if self._ends != [None, None]:
            text = f"Frames {first + 1} to {last + 1} are exported. Drag the handles, or press I and O."
        self.range_changed.emit(*(self.ends if self._ends != [None, None] else (-1, -1)))
        self.setToolTip(text)
        names = ", ".join(f"{name} at frame {index + 1}" for index, name in self._markers.items())
        learning = "" if (index := self._learning_at) is None else f" {_learning_words(index)}"
        painted = f" Painted by hand: {self._painted.words}." if self._painted.all else ""
        self.setAccessibleDescription(f"{text} Markers: {names or 'none'}.{learning}{painted}")
        self.update()


def _learning_words(index: int) -> str:
    return f"Learning stands at frame {index + 1}; the key End goes on there."
