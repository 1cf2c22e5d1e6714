"""Small controls that several panels are made of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.focus import leave_keys

SLIDER_PX = 60
"""Least length of a slider that stands beside other controls."""


def heading(text: str) -> QLabel:
    """Return a label that heads a section."""
    label = QLabel(text.upper())
    label.setProperty("role", "heading")
    label.setAccessibleName(text)
    return label


def caption(text: str = "") -> QLabel:
    """Return a small muted label that wraps."""
    label = QLabel(text)
    label.setProperty("role", "caption")
    label.setWordWrap(True)
    return label


def named(widget: QWidget, name: str, tip: str) -> QWidget:
    """Give a control the name that screen readers say and the tip that says what it does."""
    widget.setAccessibleName(name)
    widget.setAccessibleDescription(tip)
    widget.setToolTip(tip)
    return widget


def button(text: str, name: str, tip: str, role: str = "") -> QPushButton:
    """Return a push button with its name, tip and role."""
    made = QPushButton(text)
    leave_keys(made)
    if role:
        made.setProperty("role", role)
    named(made, name, tip)
    return made


def beside(*widgets: QWidget) -> QWidget:
    """Return widgets in a row, none narrower than it wants to be but sliders, which can still be dragged."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        widget.ensurePolished()
        widget.setMinimumWidth(SLIDER_PX if isinstance(widget, QSlider) else widget.sizeHint().width())
        row.addWidget(widget)
    row.addStretch(1)
    return holder


class Segmented(QWidget):
    """A few choices side by side, one of them chosen.

    Signals
    -------
    chosen(int) : the person chose another
    """

    chosen = Signal(int)

    def __init__(self, choices: Sequence[tuple[str, str]], name: str) -> None:
        """``choices``: the text of each, and its tip."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self._name, self._group = name, QButtonGroup(self)
        for i, (text, tip) in enumerate(choices):
            part = button("", "", "", "segment")
            part.setCheckable(True)
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._group.addButton(part, i)
            row.addWidget(part, 1)
            self.call(i, text, tip)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self.chosen)

    def call(self, index: int, text: str, tip: str) -> None:
        """Give a choice another text and tip."""
        part = self._group.button(index)
        part.setText(text)
        named(part, f"{self._name}: {text}", tip)

    @property
    def index(self) -> int:
        """Which is chosen, from 0."""
        return self._group.checkedId()

    def choose(self, index: int) -> None:
        """Choose without telling."""
        self._group.button(index).setChecked(True)


class Facts(QWidget):
    """Rows of a muted label and what it says, which may change."""

    def __init__(self, rows: Sequence[tuple[str, str]]) -> None:
        """``rows``: label and tip of each."""
        super().__init__()
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        form.setHorizontalSpacing(12)
        self._labels: dict[str, tuple[QLabel, QLabel]] = {}
        for title, tip in rows:
            left, right = QLabel(title), QLabel("–")
            left.setProperty("role", "muted")
            right.setProperty("role", "number")
            right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            right.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            for label in (left, right):
                label.setToolTip(tip)
            form.addRow(left, right)
            self._labels[title] = left, right

    def show_fact(self, title: str, text: str) -> None:
        """Say ``text`` in the row of ``title``."""
        right = self._labels[title][1]
        if right.text() != text:
            right.setText(text)
            right.setAccessibleName(f"{title}: {text}")

    def set_row_visible(self, title: str, visible: bool) -> None:
        """Show or hide a row."""
        for label in self._labels[title]:
            label.setVisible(visible)

    def text(self, title: str) -> str:
        """Return what the row of ``title`` says."""
        return self._labels[title][1].text()


class TallArea(QScrollArea):
    """Scrolls up and down alone: it is never narrower than what is in it, whatever the size of the font.

    Parameters
    ----------
    body : QWidget
        What is in it.
    width : int
        Least width, pixels.
    """

    def __init__(self, body: QWidget, width: int = 0) -> None:
        super().__init__()
        self._body, self._least = body, width
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(width)
        self.setWidget(body)

    def event(self, event: QEvent) -> bool:
        """Follow what is in it."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Polish):
            needed = self._body.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
            self.setMinimumWidth(max(self._least, needed))
        return super().event(event)

    def scroll_to(self, first: QWidget, last: QWidget) -> None:
        """Scroll down until the end of ``last`` is seen, or ``first`` is at the top: no further than is needed."""
        top, end = (part.mapTo(self._body, QPoint(0, y)).y() for part, y in ((first, 0), (last, last.height())))
        bar = self.verticalScrollBar()
        bar.setValue(max(bar.value(), min(top, end - self.viewport().height())))


class Column(TallArea):
    """A panel's column: as wide as told at least, scrolled where the window is too low."""

    def __init__(self, name: str, width: int) -> None:
        body = QWidget()
        body.setProperty("role", "panel")
        self.rows = QVBoxLayout(body)
        self.rows.setContentsMargins(14, 12, 14, 14)
        self.rows.setSpacing(6)
        super().__init__(body, width)
        self.setAccessibleName(name)
        self.setProperty("role", "panel")

    def add(self, *widgets: QWidget) -> None:
        """Add widgets one under the other."""
        for widget in widgets:
            self.rows.addWidget(widget)

    def add_section(self, title: str, *widgets: QWidget) -> QLabel:
        """Add a heading and what belongs to it; returns the heading."""
        if self.rows.count():
            self.rows.addSpacing(10)
        label = heading(title)
        self.add(label, *widgets)
        return label


class NoWheel(QObject):
    """Lets the mouse wheel scroll the panel instead of changing the control that happens to lie under it."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass the wheel on unless the control has the focus."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


def keep_wheel_off(*widgets: QWidget) -> None:
    """Let the wheel change these only when they have the focus, and never give it to them.

    Neither does a click on a list of choices, which would then take the window's keys (space, digits, letters).
    """
    for widget in widgets:
        is_list = isinstance(widget, QComboBox)
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_list else Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(NoWheel(widget))
