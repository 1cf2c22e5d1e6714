import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app import theme
from app.views.chart import envelope, tick_text, ticks
from app.views.history import CAPACITY, History
from app.views.plots import QUANTITIES, PlotsView


@pytest.fixture
def plots(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = PlotsView()
    qtbot.addWidget(made)
    made.resize(380, 180)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_a_history_keeps_the_whole_run_in_a_bounded_number_of_points():
    history = History()
    for n in range(25_000):
        history.append(n, np.array([n / 1000, 5.0]))
    assert CAPACITY / 2 <= history.x.size <= CAPACITY
    assert history.x[0] < 20
    assert history.x[-1] > 24_950
    np.testing.assert_allclose(history.y[0], history.x / 1000, rtol=1e-4)
    np.testing.assert_array_equal(history.y[1], 5.0)
    assert (np.diff(history.x) > 0).all()


def test_a_history_takes_a_rank_that_changes():
    history = History()
    history.append(0, np.array([1.0, 2.0]))
    history.append(1, np.array([1.0, 2.0, 3.0]))
    history.append(2, np.array([1.0]))
    assert history.n_curves == 3
    np.testing.assert_array_equal(np.isnan(history.y), [[0, 0, 0], [0, 0, 1], [1, 0, 1]])


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.0131, 0.0133), (-3, 250_000), (5, 5.00001), (0, 239)])
def test_ticks_are_round_and_few(low, high):
    made = ticks(low, high, 4)
    assert 1 <= len(made) <= 5
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in made)
    steps = np.diff(made)
    np.testing.assert_allclose(steps, steps[0] if steps.size else 0, rtol=1e-6)


def test_there_are_no_ticks_where_there_is_no_range():
    assert ticks(1.0, 1.0, 4) == []
    assert ticks(float("nan"), 1.0, 4) == []


@pytest.mark.parametrize(
    ("value", "span", "text"),
    [(0, 1, "0"), (0.5, 1, "0.5"), (100, 300, "100"), (0.02, 0.05, "0.02"), (120_000, 3e5, "1.2e+05"), (20, 300, "20")],
)
def test_ticks_are_written_with_the_digits_they_need(value, span, text):
    assert tick_text(value, span) == text


def test_reducing_a_curve_to_the_screen_keeps_its_spikes():
    x, y = np.arange(2000.0), np.zeros(2000)
    y[777], y[1501] = 9.0, -4.0
    shown_x, shown_y = envelope(x, y, 150)
    assert shown_x.size <= 2 * 150 + 20
    assert (shown_y.max(), shown_y.min()) == (9.0, -4.0)
    assert shown_x[shown_y.argmax()] == 777
    # The wrong variant, one point in so many, misses them.
    assert y[::14].max() == 0


def test_each_quantity_is_chosen_by_its_name_and_has_a_unit(plots, qtbot):
    for quantity in QUANTITIES:
        button = plots._buttons[quantity.key]
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert plots.shown == quantity.key
        assert plots.unit.text() == quantity.unit
        assert quantity.title in plots.chart.accessibleName()
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
        plots.append(n, h=np.array([1.0, 5.0]))
    plots.choose("h")
    image = plots.chart.grab().toImage()
    seen = [image.pixelColor(x, y).getRgb() for x in range(image.width()) for y in range(image.height())]
    for colour in theme.colours().curves[:2]:
        # A line between two rows of pixels is smoothed: nearly the colour, not quite.
        assert np.abs(np.array(seen) - QColor(colour).getRgb()).max(1).min() < 40
    assert all(colour in plots.reading.text() for colour in theme.colours().curves[:2])


def test_of_many_coefficients_the_largest_are_drawn(plots):
    h = np.linspace(0, 1, 40)
    plots.append(0, h=h)
    plots.append(1, h=h)
    plots.choose("h")
    assert len(plots.chart.curves) == 8
    assert plots.reading.text().endswith("of 40")
    assert {curve.colour for curve in plots.chart.curves} == set(range(32, 40))


def test_appending_repaints_a_few_times_a_second_only(plots, qtbot):
    painted = []
    shown = plots.chart.show_curves
    plots.chart.show_curves = lambda *a, **k: (painted.append(1), shown(*a, **k))
    for n in range(300):
        plots.append(n, objective=float(n))
    qtbot.waitUntil(lambda: len(plots.chart.curves) == 1 and plots.chart.curves[0].x.size == 300)
    assert len(painted) <= 3


def test_gaps_and_constant_curves_are_drawn_without_complaint(plots):
    for n in range(10):
        plots.append(n, objective=float("nan") if n in (3, 4, 9) else 2.0)
    plots.refresh()
    plots.chart.grab()
    assert plots.chart.limits()[2] < 2.0 < plots.chart.limits()[3]
