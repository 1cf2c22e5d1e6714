"""What screen readers say of labels: a fixed name, and the words that change beside it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from app.compare.column import CompareColumn
from app.spoken import show_words
from app.views.plots import PlotsView
from app.views.timeline import Timeline

pytestmark = pytest.mark.usefixtures("qapp")

NAME, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Description


def said_of(label):
    read = QAccessible.queryAccessibleInterface(label)
    return read.text(NAME), read.text(DESCRIPTION)


@pytest.mark.parametrize("textFormat", [Qt.TextFormat.AutoText, Qt.TextFormat.RichText])
def test_words_are_read_beside_the_name_which_would_hide_them(textFormat):
    label = QLabel(accessibleName="Value", textFormat=textFormat)
    show_words(label, "1 < 2" if textFormat is Qt.TextFormat.AutoText else "<span style='color: red'>1</span> &lt; 2")
    assert said_of(label) == ("Value", "1 < 2")


def test_figures_of_a_comparison_plots_and_time_are_read():
    column, plots, timeline = CompareColumn(0, (), ("mask",)), PlotsView(), Timeline()
    column.show_nothing()
    plots.append(0, objective=2.0)
    plots.refresh()
    timeline.set_range(12, None, False)
    timeline.set_position(3, 0.0, 1, 2)
    assert said_of(column.times) == ("Time", "")
    assert said_of(plots.unit)[1] == "loss over frames read"
    assert said_of(plots.reading)[1] == "2 loss"
    assert said_of(timeline.position) == ("Time and frame", "frame  4 / 12")
    assert said_of(timeline.pass_label) == ("Pass", "pass 2 of")
