import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt

from app import theme
from app.rendering.signed import signed, signed_picture
from app.rendering.tone_mapping import Levels
from app.views.contrast import Contrast
from app.views.histogram import HistogramDialog
from app.views.pane import ImagePane
from tests.app.view_helpers import hover, mouse, saver_of

PICTURE = np.random.default_rng(0).integers(20, 200, (90, 120)).astype(np.uint8)


@pytest.fixture
def pane(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = ImagePane("Input")
    qtbot.addWidget(made)
    made.resize(240, 180)
    made.show_image(PICTURE)
    return made


@pytest.fixture
def dialog(pane, qtbot):
    made = HistogramDialog(pane)
    with qtbot.waitExposed(made):
        made.show()
    return made


def x_of(dialog, sample):
    area = dialog.plot.rect().adjusted(8, 4, -8, -18)
    return area.left() + sample / 256 * area.width()


def test_it_counts_what_the_pane_shows_and_follows_it(dialog, pane):
    assert dialog.plot.histogram.counts[0].tolist() == np.bincount(PICTURE.ravel(), minlength=256).tolist()
    pane.show_image(np.full((90, 120), 7, np.uint8))
    dialog.refresh()
    assert dialog.plot.histogram.counts[0, 7] == PICTURE.size
    pane.show_image(None)
    dialog.refresh()
    assert dialog.plot.histogram is None
    assert dialog.table().csv() == "sample,pixels\n"


def test_a_line_that_is_dragged_sets_black_or_white(dialog, pane):
    for start, end in ((0, 60), (255, 180)):
        mouse(dialog.plot, QEvent.Type.MouseButtonPress, (x_of(dialog, start), 30))
        mouse(dialog.plot, QEvent.Type.MouseMove, (x_of(dialog, end), 30), held=Qt.MouseButton.LeftButton)
        mouse(dialog.plot, QEvent.Type.MouseButtonRelease, (x_of(dialog, end), 30), held=Qt.MouseButton.NoButton)
    levels = pane.contrast.levels
    assert pane.contrast.choice is Contrast.BY_HAND
    assert levels.low == pytest.approx(60, abs=2)
    assert levels.high == pytest.approx(180, abs=2)
    assert (dialog.low.value(), dialog.high.value()) == (levels.low, levels.high)
    assert pane.header.display_chip.text() == f"display: {levels.low} to {levels.high}"


def test_boxes_slider_and_buttons_set_what_they_say(dialog, pane):
    dialog.low.setValue(50)
    dialog.high.setValue(150)
    assert pane.contrast.levels == Levels(50, 150)
    dialog.gamma_slider.setValue(-100)
    assert pane.contrast.gamma == pytest.approx(0.2)
    assert dialog.gamma.value() == pytest.approx(0.2)
    dialog.gamma.setValue(1.0)
    assert dialog.gamma_slider.value() == 0
    dialog.tables.setCurrentIndex(dialog.tables.findData("viridis"))
    dialog.tables.activated.emit(dialog.tables.currentIndex())
    assert pane.contrast.table == "viridis"
    dialog.own.setChecked(True)
    assert pane.contrast.own
    pane.contrast.menu.choices[Contrast.FULL].trigger()
    assert (dialog.low.value(), dialog.high.value()) == (0, 255)


def test_black_stays_below_white(dialog, pane):
    dialog.high.setValue(100)
    dialog.low.setValue(180)
    assert (pane.contrast.levels.low, pane.contrast.levels.high) == (180, 181), "what is typed is in force"
    dialog.high.setValue(50)
    assert (pane.contrast.levels.low, pane.contrast.levels.high) == (49, 50)
    assert (dialog.low.value(), dialog.high.value()) == (49, 50)


def test_differences_are_set_in_their_own_values(dialog, pane):
    picture = signed_picture(np.random.default_rng(0).integers(-90, 60, (90, 120)), 255)
    pane.show_image(picture, scale=signed(255))
    dialog.refresh()
    assert dialog.low.value() == -dialog.high.value() < 0
    dialog.low.setValue(-40)
    assert pane.contrast.scale.value(pane.contrast.levels.low) == -40
    assert dialog.tables.currentData() == "red-blue"
    assert dialog.plot.histogram.edges[0] < -40


def test_pointing_counts(dialog):
    hover(dialog.plot, (x_of(dialog, 100.5), 30))
    assert dialog.reading.text() == f"100: {np.count_nonzero(PICTURE == 100)} px"
    QEvent_leave = QEvent(QEvent.Type.Leave)
    dialog.plot.leaveEvent(QEvent_leave)
    assert dialog.reading.text().strip() == ""


def test_counts_are_saved_as_picture_drawing_and_numbers(dialog, tmp_path, qtbot):
    saver = saver_of(dialog)
    for name in ("h.png", "h.svg", "h.csv"):
        with qtbot.waitSignal(saver.wrote) as wrote:
            dialog.menu.save(tmp_path / name)
        assert wrote.args == [name]
    saver.shut()
    drawn = (tmp_path / "h.svg").read_text()
    assert "<polygon" in drawn
    assert "<polyline" in drawn
    assert len((tmp_path / "h.csv").read_text().splitlines()) == 257
