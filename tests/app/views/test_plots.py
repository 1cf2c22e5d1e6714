import gc
import weakref

import numpy as np
import pytest
from pyqtgraph import LegendItem, PlotDataItem
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QMenu

from app import theme
from app.rendering.curve_history import CAPACITY, CurveHistory
from app.views.curve_figure import SIZE, figure_of
from app.views.curve_menu import CurveTable
from app.views.curve_plot import CurvePlot, FrameAxis
from app.views.plots import PlotsView
from app.views.quantities import QUANTITIES
from app.views.run_curves import RunCurves
from tests.app.view_helpers import hover, mouse, saver_of

SVG_INCH = 90
"""Points of an inch, as Qt reads drawings."""


@pytest.fixture
def plots(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = PlotsView()
    made.build()
    qtbot.addWidget(made)
    made.resize(380, 180)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_menus_that_the_library_makes_go_with_the_plot(qapp):
    before = menus()
    plot = CurvePlot()
    item = plot.getPlotItem()  # Held by others, as the library does.
    assert len(menus()) > len(before), "there are none any more"
    plot.deleteLater()
    del plot
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert menus() <= before, "those of other plots may go meanwhile"
    del item


def menus():
    return {widget for widget in QApplication.allWidgets() if isinstance(widget, QMenu)}


def test_a_history_keeps_the_whole_run_in_a_bounded_number_of_points():
    history = CurveHistory()
    for n in range(25_000):
        history.append(n, np.array([n / 1000, 5.0]))
    assert CAPACITY / 2 <= history.x.size <= CAPACITY
    assert history.x[0] < 20
    assert history.x[-1] > 24_950
    np.testing.assert_allclose(history.y[0], history.x / 1000, rtol=1e-4)
    np.testing.assert_array_equal(history.y[1], 5.0)
    assert (np.diff(history.x) > 0).all()


def test_a_click_where_a_film_begins_anew_goes_to_a_frame_that_is_there():
    """A point of many frames holds the last of one pass and the first of the next: their mean is in the middle."""
    curves, n_frames = RunCurves([]), 3001
    for n in range(3 * n_frames):
        curves.append(n + 1, n % n_frames, {})
    for seam in (n_frames, 2 * n_frames):
        for x in range(seam - 20, seam + 20):
            frame = curves.frame_at(x, "h")
            assert min(abs(frame - (x - 1) % n_frames), n_frames - abs(frame - (x - 1) % n_frames)) <= 8
            assert not 20 < frame < n_frames - 30


def test_a_history_takes_a_rank_that_changes():
    history = CurveHistory()
    history.append(0, np.array([1.0, 2.0]))
    history.append(1, np.array([1.0, 2.0, 3.0]))
    history.append(2, np.array([1.0]))
    assert history.n_curves == 3
    np.testing.assert_array_equal(np.isnan(history.y), [[0, 0, 0], [0, 0, 1], [1, 0, 1]])


def spot(plots, x, y):
    """Return where on the plot a frame and a value are, in pixels."""
    return QPointF(plots.plot.mapFromScene(plots.plot.getPlotItem().getViewBox().mapViewToScene(QPointF(x, y))))


def shown_range(plots):
    """Return the ends of both axes, x then y."""
    QApplication.processEvents()
    plots.plot.grab()
    (x0, x1), (y0, y1) = np.round(plots.plot.getPlotItem().getViewBox().viewRange(), 9).tolist()
    return x0, x1, y0, y1


def test_frames_are_counted_in_whole_numbers(qapp):
    axis = FrameAxis("bottom")
    for high in (1, 3, 12, 250_000):
        assert min(step for step, _start in axis.tickSpacing(0, high, 400)) >= 1
    assert axis.tickStrings([100.0, 200.0, 300.0], 1, 100) == ["100", "200", "300"], "no word that reads as a value"
    # The library's own axis does not.
    assert min(step for step, _start in super(FrameAxis, axis).tickSpacing(0, 1, 400)) < 1


def test_until_the_plot_is_built_the_names_and_readings_are_there(qapp, qtbot):
    plots = PlotsView()
    qtbot.addWidget(plots)
    plots.append(0, objective=3.0)
    plots.append(1, objective=2.0)
    plots.refresh()
    assert plots.plot is None
    assert plots.reading.text() == "2 loss"
    plots.choose("h")
    plots.append(1, h=np.ones(2))
    plots.build()
    assert list(plots.plot.curves) == [0, 1]


def test_a_word_stands_where_there_is_no_curve_yet(plots):
    assert not plots.plot.isVisible()
    plots.append(0, objective=float("nan"))
    plots.refresh()
    assert not plots.plot.isVisible()
    plots.append(1, objective=1.0)
    plots.refresh()
    assert plots.hint.isVisible(), "a single point draws nothing"
    assert plots.reading.text() == "1 loss", "and is read all the same"
    plots.append(2, objective=1.0)
    plots.refresh()
    assert plots.plot.isVisible()
    plots.clear()
    assert not plots.plot.isVisible()


def test_a_profile_that_has_not_begun_says_how_to_get_one(plots):
    plots.append(1, objective=1.0)
    plots.append(2, objective=1.0)
    plots.offer_also("profile", on=True)
    plots.choose("profile")
    assert plots.hint.isVisible()
    assert plots.hint.text() == "Measured from here on, of each frame that is processed: play on (End, then Space)"
    plots.choose("h")
    assert plots.hint.text() == "Curves appear when frames are processed"
    plots.clear("Curves begin anew")
    assert plots.hint.text() == "Curves begin anew"


def test_reducing_a_curve_to_the_screen_keeps_its_spikes(plots):
    for n in range(2000):
        plots.append(n, objective={777: 9.0, 1501: -4.0}.get(n, 0.0))
    plots.refresh()
    shown_range(plots)
    x, y = next(item for item in plots.plot.getPlotItem().items if isinstance(item, PlotDataItem)).getData()
    assert x.size < 1500
    assert (y.max(), y.min()) == (9.0, -4.0)
    # The wrong variant, one point in so many, misses them.
    assert plots.plot.curves[0][::4].max() == 0


def test_a_click_goes_to_the_frame_and_a_double_click_does_not(plots, qtbot):
    for n in range(100):
        plots.append(n + 1, 300 + n, objective=50.0 + n)
    plots.refresh()
    shown_range(plots)
    at = spot(plots, 41, 90).toPoint()
    hover(plots.plot.viewport(), (at.x(), at.y()))
    with qtbot.waitSignal(plots.seek_requested) as sought:
        qtbot.mouseClick(plots.plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert sought.args[0] == pytest.approx(340, abs=1)
    assert plots.reading.text() == f"41 read, frame {sought.args[0] + 1} · 90 loss", (
        "what is at the axis, where it goes"
    )
    with qtbot.assertNotEmitted(plots.seek_requested, wait=2 * QApplication.doubleClickInterval()):
        qtbot.mouseClick(plots.plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
        qtbot.mouseDClick(plots.plot.viewport(), Qt.MouseButton.LeftButton, pos=at)


@pytest.mark.parametrize(
    ("first", "n_frames", "said"), [(0, 100, "frame 41 · 90"), (0, 9000, "frame 3"), (5, 100, "41 ")]
)
def test_the_reading_and_the_axis_count_alike(plots, first, n_frames, said):
    """From the first frame on the axis has the numbers of frames; points may be of several frames."""
    for n in range(n_frames):
        plots.append(n + 1, first + n, objective=90.0)
    plots.refresh()
    shown_range(plots)
    hover(plots.plot.viewport(), spot(plots, 41 * n_frames / 100, 90).toPoint().toTuple())
    assert plots.reading.text().startswith(said)
    assert ("read" in plots.reading.text()) == (first > 0)


def test_curves_are_copied_and_saved_as_they_are_shown(plots, qtbot, tmp_path):
    for n in range(3):
        plots.append(n + 1, h=np.array([0.5 * n, 2.0, 3.0][: 2 + (n > 1)]))
    plots.choose("h")
    shown_range(plots)
    expected = ["frames read", *(heading for heading in plots.table().headings[1:])]
    assert len(expected) == 4
    lines = plots.table().csv().splitlines()
    assert lines[0].split(",") == expected
    assert lines[1:] == ["1,0,2,", "2,0.5,2,", "3,1,2,3"]
    plots.menu.copy_values()
    assert QApplication.clipboard().text().splitlines()[3] == "3\t1\t2\t3"
    plots.menu.copy_picture()
    assert not QApplication.clipboard().pixmap().isNull()
    saver = saver_of(plots)
    for name, begins in (("a.csv", b"frames read,"), ("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("b", b"\x89PNG")):
        with qtbot.waitSignal(saver.wrote) as wrote:
            plots.menu.save(tmp_path / name)
        assert (tmp_path / wrote.args[0]).read_bytes().startswith(begins)
    saver.shut()


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.csv"])
def test_a_file_of_curves_shows_the_moment_in_which_it_was_asked_for(plots, tmp_path, name):
    for n in range(3):
        plots.append(n + 1, objective=50.0 + n)
    plots.refresh()
    wanted = []
    plots.save_requested.connect(wanted.append)
    plots.menu.save(tmp_path / name)
    plots.menu.save(tmp_path / name)
    assert not list(tmp_path.iterdir()), "it is written when there is time, elsewhere"
    before, after = tmp_path / f"before_{name}", tmp_path / f"after_{name}"
    wanted[0].write(before)
    plots.append(4, objective=500.0)
    plots.refresh()
    wanted[1].write(after)
    assert before.read_bytes() == after.read_bytes()


@pytest.mark.parametrize("name", ["a.bmp", "missing/a.csv"])
def test_what_cannot_be_saved_is_a_sentence_and_leaves_nothing(plots, qtbot, tmp_path, name):
    saver = saver_of(plots)
    with qtbot.waitSignal(saver.failed) as failed:
        plots.menu.save(tmp_path / name)
    saver.shut()
    assert failed.args[0].endswith(".")
    assert not list(tmp_path.iterdir())


def test_the_value_under_the_pointer_is_read_out(plots):
    for n in range(100):
        plots.append(n, objective=50.0 + n, h=np.array([1.0, 5.0 + n]))
    plots.refresh()
    shown_range(plots)
    hover(plots.plot.viewport(), spot(plots, 40, 90).toTuple())
    assert plots.reading.text() == "frames read 40 · 90 loss"
    plots.choose("h")
    shown_range(plots)
    hover(plots.plot.viewport(), spot(plots, 60, 60).toTuple())
    assert plots.plot.reading.curve == 1
    assert "frames read 60 basis" in plots.reading.text()
    assert "65 weight" in plots.reading.text()
    hover(plots.plot.viewport(), spot(plots, 60, 5).toTuple())
    assert (plots.plot.reading.curve, plots.plot.reading.value) == (0, 1.0)
    QApplication.sendEvent(plots.plot, QEvent(QEvent.Type.Leave))
    assert plots.plot.reading is None
    assert plots.reading.text().startswith("basis")


def test_the_wheel_zooms_in_time_and_a_double_click_shows_all_again(plots):
    for n in range(101):
        plots.append(n, objective=float(n))
    plots.refresh()
    assert shown_range(plots)[:2] == (0, 100)
    at = spot(plots, 80, 50)
    QApplication.sendEvent(
        plots.plot.viewport(),
        QWheelEvent(at, plots.plot.viewport().mapToGlobal(at), QPoint(), QPoint(0, 600), Qt.MouseButton.NoButton,
                    Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )  # fmt: skip
    x0, x1, y0, _y1 = shown_range(plots)
    assert 10 < x0 < 80 < x1 <= 100
    assert y0 > x0 - 10, "the height fits what is in sight"
    mouse(plots.plot.viewport(), QEvent.Type.MouseButtonDblClick, at.toTuple())
    mouse(plots.plot.viewport(), QEvent.Type.MouseButtonRelease, at.toTuple(), held=Qt.MouseButton.NoButton)
    assert shown_range(plots)[:2] == (0, 100)


def test_no_menu_opens_and_no_button_covers_the_curves(plots):
    plot = plots.plot.getPlotItem()
    assert not plot.menuEnabled()
    assert not plot.getViewBox().menuEnabled()
    assert plot.buttonsHidden


def test_speed_starts_at_nothing_and_the_rest_where_it_is(plots):
    for n in range(20):
        plots.append(n, fps=100.0 + n, objective=100.0 + n)
    plots.choose("fps")
    assert shown_range(plots)[2] == 0
    plots.choose("objective")
    assert 90 < shown_range(plots)[2] < 100


def test_each_quantity_is_chosen_by_its_name_and_has_a_unit(plots, qtbot):
    for quantity in QUANTITIES:
        button = plots.chooser.buttons[quantity.key]
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert plots.shown == quantity.key
        assert plots.unit.text() == f"{quantity.unit} over frames read"
        assert quantity.title in plots.plot.accessibleName()
        assert button.accessibleName()
        assert quantity.help in button.toolTip()


def test_the_newest_value_is_read_out_with_its_unit(plots, qtbot):
    for n in range(5):
        plots.append(n, objective=10.0 - n, residual=0.02, h=np.ones(3), fps=100.0 + n)
    plots.choose("fps")
    assert plots.reading.text() == "104 frames/s"
    plots.choose("residual")
    assert plots.reading.text() == "2 % of white"
    plots.choose("objective")
    assert plots.reading.text() == "6 loss"
    plots.clear()
    assert plots.reading.text() == ""


def test_values_that_are_not_known_are_left_out(plots):
    plots.append(0, fps=10.0)
    plots.append(1, objective=3.0)
    assert plots.history("fps").x.tolist() == [0]
    assert plots.history("objective").x.tolist() == [1]
    assert plots.history("h").x.size == 0


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_curves_are_drawn_in_the_colours_of_the_theme(plots, qapp, mode):
    theme.apply_theme(qapp, mode)
    for n in range(50):
        plots.append(n, h=np.array([1.0, 5.0]) + n / 100)
    plots.choose("h")
    shown_range(plots)
    image = plots.plot.grab().toImage()
    seen = [image.pixelColor(x, y).getRgb() for x in range(image.width()) for y in range(image.height())]
    for colour in theme.colours().curves[:2]:
        assert np.abs(np.array(seen) - QColor(colour).getRgb()).max(1).min() < 45, (
            "a smooth line: nearly the colour, not quite"
        )
    assert all(colour in plots.reading.text() for colour in theme.colours().curves[:2])


def test_of_many_coefficients_the_largest_are_drawn(plots):
    h = np.linspace(0, 1, 40)
    plots.append(0, h=h)
    plots.append(1, h=h)
    plots.choose("h")
    assert len(plots.plot.curves) == 8
    assert plots.reading.text().endswith("of 40")
    assert set(plots.plot.curves) == set(range(32, 40))


def test_appending_repaints_a_few_times_a_second_only(plots, qtbot):
    painted = []
    shown = plots.plot.show_curves
    plots.plot.show_curves = lambda *a, **k: (painted.append(1), shown(*a, **k))
    for n in range(300):
        plots.append(n, objective=float(n))
    qtbot.waitUntil(lambda: plots.plot.frames.size == 300)
    assert len(painted) <= 3


def test_gaps_and_constant_curves_are_drawn_without_complaint(plots):
    for n in range(10):
        plots.append(n, objective=float("nan") if n in (3, 4, 9) else 2.0)
        plots.append(n, residual=0.0, fps=0.0, h=np.array([100.0, 900.0]))
    plots.choose("h")
    shown_range(plots)
    plots.choose("objective")
    # The library alone keeps the height of the curves before.
    assert 1.8 < shown_range(plots)[2] < 2.0 < shown_range(plots)[3] < 2.2
    for key in ("residual", "fps"):
        plots.choose(key)
        assert shown_range(plots)[2] <= 0.0 < shown_range(plots)[3]


def test_a_curve_that_ended_and_a_single_frame_are_drawn_without_complaint(plots):
    plots.choose("h")
    plots.append(7, h=np.ones(3))
    plots.refresh()
    assert shown_range(plots)[:2] == (7, 8)
    for n in range(8, 3000):
        plots.append(n, h=np.ones(2))
    plots.refresh()
    plots.plot.setXRange(2000, 2500, padding=0)
    assert shown_range(plots)[:2] == (2000, 2500)


def test_leaving_what_was_chosen_for_another_shows_all_of_it(plots):
    for n in range(100):
        plots.append(n, objective=float(n), fps=2.0)
    plots.refresh()
    plots.plot.setXRange(10, 20)
    plots.choose("fps")
    assert shown_range(plots)[:2] == (0, 99)


def test_what_is_saved_is_a_figure_on_white_with_the_words_of_axes_and_curves(plots, tmp_path):
    for n in range(50):
        plots.append(n + 1, h=[0.5 + n, 2.0 * n])
    plots.choose("h")
    plots.refresh()
    plots.plot.setXRange(10, 20)  # Of what people look at closely all is saved.
    plots.save_requested.connect(lambda wanted: wanted.write(wanted.path))
    for name in ("curves.svg", "curves.png"):
        plots.menu.save(tmp_path / name)
    drawn = (tmp_path / "curves.svg").read_text()
    for words in ("Coefficients [weight]", "frames read", ">1<", ">2<", ">40<"):
        assert words in drawn
    # Of another resolution its axes would be scaled, and its curves would not.
    inch, width = plots.plot.logicalDpiX(), QSvgRenderer(str(tmp_path / "curves.svg")).defaultSize().width()
    assert width == pytest.approx(SIZE.width() * SVG_INCH / inch, abs=1)
    picture = QImage(str(tmp_path / "curves.png"))
    assert picture.size() == SIZE * 2
    assert picture.pixelColor(picture.width() - 1, 0) == QColor("white")
    blue = QColor(theme.LIGHT.curves[0])
    assert any(picture.pixelColor(x, y) == blue for x in range(0, 1600, 2) for y in range(0, 900, 2))


@pytest.mark.parametrize("n_curves", [3, 49, 200])
def test_a_figure_of_many_curves_has_room_for_those_that_are_shown_and_the_table_has_all(plots, n_curves):
    for n in range(5):
        plots.append(n + 1, h=np.arange(n_curves) % 50 + 0.1 * n)
    plots.choose("h")
    table = plots.table()
    made = figure_of(table)
    legend = next(item for item in made.scene().items() if isinstance(item, LegendItem))
    assert [label.text for _, label in legend.items] == [str(k + 1) for k in plots._curves.largest("h")]
    drawn = {curve.opts["pen"].color().name() for curve in made.getPlotItem().listDataItems()}
    assert len(drawn) == len(legend.items) == min(n_curves, 8), "colours repeat"
    assert made.getPlotItem().getViewBox().height() > SIZE.height() * 0.7
    assert made.sceneRect().contains(legend.sceneBoundingRect()), "names are cut"
    assert len(table.csv().splitlines()[0].split(",")) == 1 + n_curves
    assert (f" of {n_curves}" in made.getPlotItem().getAxis("left").labelText) == (n_curves > 8)


@pytest.mark.parametrize("n_curves", [1, 12])
def test_a_figure_outlives_nothing_and_belongs_to_nobody(qapp, n_curves):
    made = figure_of(CurveTable("F", ["frames read", "F"], np.arange(5.0), np.ones((n_curves, 5))))
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
