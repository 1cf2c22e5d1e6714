import time
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app import theme
from app.rendering.report_images import Pictures
from app.views.contrast import Contrast
from app.views.pane import ImagePane
from app.views.panes import BACKGROUND, CLEANED, FOREGROUND, INPUT, MASK, MATTE, PanesView
from app.views.tools.brush import Brush
from core.frames.colour import BT2020, PQ, ColourStandard
from core.session.phase import Phase
from tests.app.view_helpers import HEIGHT, WIDTH, drag, exposed, hover, keeps, make_report, rgb

PICTURES = ("input_image", "background_image", "foreground_image", "full_mask", "matte", "cleaned_image")
INSIDE, OUTSIDE = (50, 45), (20, 45)


@pytest.fixture
def view(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, PanesView(), 700, 520)


def colour_at(view, index, point):
    pane = view.panes[index]
    return rgb(pane.grab().toImage(), QPointF(*pane.viewport.to_pane(point[0] + 0.5, point[1] + 0.5)))


def point_on(view, index, point):
    return view.panes[index].viewport.to_pane(point[0] + 0.5, point[1] + 0.5)


def test_each_pane_shows_its_picture(view):
    view.show_report(make_report())
    ramp = 40 + OUTSIDE[0] * 150 // WIDTH
    assert colour_at(view, INPUT, INSIDE) == (10, 11, 12)
    assert colour_at(view, INPUT, OUTSIDE) == (ramp, ramp + 1, ramp + 2)
    assert colour_at(view, BACKGROUND, INSIDE) == (200, 201, 202)
    assert colour_at(view, FOREGROUND, INSIDE) == (10, 11, 12)
    assert colour_at(view, FOREGROUND, OUTSIDE) == (0, 0, 0)


def test_pictures_of_samples_are_shown_by_what_these_stand_for_and_read_as_they_are(view):
    usual = make_report()
    report = replace(usual, standard=ColourStandard("bt2020", BT2020, PQ))
    view.set_wipe(True)
    view.show_report(usual)
    matte = colour_at(view, MATTE, INSIDE)
    view.show_report(report)
    assert colour_at(view, BACKGROUND, INSIDE) == (255, 255, 255), "far brighter than paper"
    assert max(colour_at(view, FOREGROUND, INSIDE)) < 10
    assert max(colour_at(view, INPUT, (5, INSIDE[1]))) < 80, "under 50 of 255, as it is"
    assert min(colour_at(view, INPUT, (WIDTH - 5, INSIDE[1]))) > 235, (
        "the background, right of the divider: 186 as it is"
    )
    assert colour_at(view, CLEANED, INSIDE) != (200, 201, 202)
    assert colour_at(view, MATTE, INSIDE) == matte
    hover(view.panes[INPUT], point_on(view, INPUT, INSIDE))
    assert view.panes[INPUT].readout.text().endswith("10 11 12")


def test_nothing_is_shown_for_a_background_that_is_not_learnt_yet(view):
    view.set_wipe(True)
    gathered = replace(make_report(), phase=Phase.GATHERING)
    pictures = Pictures(gathered)
    view.show_report(gathered, pictures)
    hover(view.panes[INPUT], point_on(view, INPUT, INSIDE))
    assert view.panes[INPUT].picture is not None
    assert view.panes[MASK].picture is not None
    assert view.panes[BACKGROUND].picture is None
    assert view.panes[FOREGROUND].picture is None
    assert view.panes[BACKGROUND].readout.text() == ""
    assert "background" not in vars(pictures), "it is not even made"
    view.zoom_in()
    look = view.panes[INPUT].look
    view.show_report(make_report())
    assert all(pane.picture is not None for pane in view.panes)
    assert {pane.look for pane in view.panes} == {look}


def test_the_mask_tints_the_input_red_inside_and_nowhere_else(view):
    view.show_report(make_report())
    red, green, blue = colour_at(view, MASK, INSIDE)
    assert red > green + 60
    assert red > blue + 60
    assert colour_at(view, MASK, OUTSIDE) == colour_at(view, INPUT, OUTSIDE)


CONFIDENCE = np.full((HEIGHT // 2, WIDTH // 2), 255, np.uint8)
CONFIDENCE[15:30, 20:40] = 0  # half the size of the report: where its rectangle is
CONFIDENCE[:, :5] = 51


def test_the_background_pane_shows_how_often_the_plate_was_seen_and_marks_what_never_was(view, qtbot):
    view.show_report(make_report())
    with qtbot.waitSignal(view.kinds_changed):
        view.confidence_switch.click()
    assert "confidence" in view.needed
    view.show_confidence(CONFIDENCE)
    assert view.panes[BACKGROUND].header.title_chip.text() == "Plate confidence"
    red, green, blue = colour_at(view, BACKGROUND, (60, 44))
    assert red > green + 60
    assert blue > green + 60
    assert colour_at(view, BACKGROUND, (100, 80)) == (255, 255, 255)
    assert colour_at(view, BACKGROUND, (4, 45)) == (51, 51, 51)
    assert view.display.readout_text(BACKGROUND, 60, 44) == "never seen"
    assert view.display.readout_text(BACKGROUND, 4, 45) == "seen in 20 % of frames"
    view.show_report(make_report(seed=1))
    assert colour_at(view, BACKGROUND, (4, 45)) == (51, 51, 51), "the next frame does not hide it"
    with qtbot.waitSignal(view.kinds_changed):
        view.confidence_switch.click()
    assert "confidence" not in view.needed
    assert view.panes[BACKGROUND].header.title_chip.text() == "Background"
    assert colour_at(view, BACKGROUND, INSIDE) == (200, 201, 202)


def test_a_late_confidence_is_not_shown_and_another_size_forgets_it(view):
    view.show_report(make_report())
    view.show_confidence(CONFIDENCE)
    assert view.panes[BACKGROUND].header.title_chip.text() == "Background", "the switch is off"
    view.confidence_switch.click()
    view.show_confidence(CONFIDENCE)
    view.show_report(make_report(size=(60, 60)))
    assert view.panes[BACKGROUND].header.title_chip.text() == "Background"
    assert view.display.readout_text(BACKGROUND, 1, 1) != "seen in 20 % of frames"


def test_zooming_one_pane_zooms_all_to_the_same_look(view, qtbot):
    view.show_report(make_report())
    with qtbot.waitSignal(view.zoom_changed) as caught:
        view.panes[BACKGROUND].zoom(2.0, QPointF(50, 60))
    assert len({pane.look for pane in view.panes}) == 1
    assert caught.args[0] == pytest.approx(100 * view.look.scale)
    drag(view.panes[MASK], (100, 90), (80, 70))
    assert len({pane.look for pane in view.panes}) == 1


def test_the_zoom_is_told_in_pixels_of_the_screen(view, qtbot, monkeypatch):
    view.show_report(make_report())
    monkeypatch.setattr(ImagePane, "devicePixelRatioF", lambda _pane: 2.0)
    with qtbot.waitSignal(view.zoom_changed) as caught:
        view.panes[BACKGROUND].zoom(2.0, QPointF(50, 60))
    assert caught.args[0] == pytest.approx(200 * view.look.scale), "at 100 % a pixel is one of the screen"


def test_the_picture_stays_fitted_when_the_view_is_resized_until_someone_zooms(view, qtbot):
    view.show_report(make_report())
    view.resize(1500, 700)
    qtbot.waitUntil(lambda: view.panes[INPUT].width() > 400)
    smallest = min(pane.fitted_look().scale for pane in view.panes)
    assert view.look.scale == pytest.approx(smallest)
    view.zoom_in()
    scale = view.look.scale
    view.resize(800, 600)
    qtbot.waitUntil(lambda: view.panes[INPUT].width() < 420)
    assert view.look.scale == scale
    view.fit()
    assert view.look.scale < scale


@pytest.mark.parametrize(
    ("dtype", "colour", "texts"),
    [
        (
            np.uint8,
            True,
            ("x 50 y 45 · 10 11 12", "200 201 202", "10 11 12", "foreground", "100 % foreground", "200 201 202"),
        ),
        (np.uint8, False, ("x 50 y 45 · 10", "200", "10", "foreground", "100 % foreground", "200")),
        (
            np.uint16,
            True,
            (
                "x 50 y 45 · 2560 2816 3072",
                "51200 51456 51712",
                "2560 2816 3072",
                "foreground",
                "100 % foreground",
                "51200 51456 51712",
            ),
        ),
        (np.uint16, False, ("x 50 y 45 · 2560", "51200", "2560", "foreground", "100 % foreground", "51200")),
    ],
)
def test_the_pixel_under_the_pointer_is_read_out_in_every_pane(view, dtype, colour, texts):
    view.show_report(make_report(dtype=dtype, colour=colour))
    hover(view.panes[BACKGROUND], point_on(view, BACKGROUND, INSIDE))
    assert tuple(pane.readout.text() for pane in view.panes) == texts
    assert all(pane.readout.isVisible() for pane in view.panes)
    hover(view.panes[FOREGROUND], point_on(view, FOREGROUND, OUTSIDE))
    assert view.panes[MASK].readout.text() == "background"
    assert view.panes[FOREGROUND].readout.text().split() == ["0"] * (3 if colour else 1)


def test_the_read_out_follows_the_next_frame_and_goes_with_the_pointer(view):
    view.show_report(make_report())
    hover(view.panes[INPUT], point_on(view, INPUT, OUTSIDE))
    before = view.panes[INPUT].readout.text()
    view.show_report(make_report(seed=5))
    assert view.panes[INPUT].readout.text() != before
    hover(view.panes[INPUT], (1, 1))
    assert all(pane.readout.isHidden() for pane in view.panes)


def test_the_read_out_does_not_depend_on_the_contrast(view):
    view.show_report(make_report(dtype=np.uint16, colour=False))
    hover(view.panes[INPUT], point_on(view, INPUT, INSIDE))
    before = [pane.readout.text() for pane in view.panes]
    view.panes[INPUT].contrast.menu.choices[Contrast.FULL].trigger()
    view.show_report(view.report)
    assert [pane.readout.text() for pane in view.panes] == before


@pytest.mark.parametrize("width", [320, 330, 345, 364, 400])
def test_beside_the_switch_too_what_is_said_of_the_contrast_leaves_the_picture_free(view, width):
    view.show_report(make_report(dtype=np.uint16, colour=False))
    pane = view.panes[BACKGROUND]
    pane.setFixedWidth(width)
    view.layout().activate()
    pane.layout().activate()
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))  # Wherever the pointer is.
    assert view.confidence_switch.isVisible()
    assert pane.header.display_chip.text() == "1–99 %"
    assert pane.header.below.isHidden()
    header = (pane.header.title_chip, pane.header.display_chip, view.confidence_switch, pane.header.enlarge_button)
    assert not any(a.geometry().intersects(b.geometry()) for a, b in combinations(header, 2))


@pytest.mark.parametrize("width", [300, 302])
def test_a_switch_that_is_off_makes_room_for_what_is_said_of_the_contrast(view, width):
    pane = view.panes[BACKGROUND]
    pane.setFixedWidth(width)
    view.layout().activate()
    view.show_report(make_report())
    assert view.confidence_switch.isVisible(), "nothing is said"
    view.show_report(make_report(dtype=np.uint16, colour=False))
    for kind in (QEvent.Type.Leave, QEvent.Type.Enter):
        QApplication.sendEvent(pane, QEvent(kind))
        assert not view.confidence_switch.isVisible()
        assert "1–99 %" in pane.header.display_chip.text()
        assert pane.header.below.isHidden()
    view.confidence_switch.setChecked(True)
    pane.header.on_resized()
    assert view.confidence_switch.isVisible(), "who has switched it on can switch it off"


def test_16_bit_grey_panes_share_the_levels_of_the_input(view):
    view.show_report(make_report(dtype=np.uint16, colour=False))
    pictures = [pane for index, pane in enumerate(view.panes) if index != MATTE]
    assert {pane.contrast.levels for pane in pictures} == {view.panes[INPUT].contrast.levels}
    assert all(pane.contrast.labels[0] == "display: 1–99 %" for pane in pictures)
    for pane in pictures:
        QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))  # Wherever the pointer is.
        assert "1–99 %" in pane.header.display_chip.text() + pane.header.below.text()
    view.panes[BACKGROUND].contrast.menu.own.trigger()
    view.show_report(view.report)
    assert view.panes[BACKGROUND].contrast.levels != view.panes[INPUT].contrast.levels


def test_a_chosen_contrast_is_for_all_panes_but_those_with_their_own(view):
    view.show_report(make_report())
    view.panes[FOREGROUND].contrast.menu.own.trigger()
    view.panes[INPUT].contrast.menu.choices[Contrast.PERCENTILES].trigger()
    kinds = [pane.contrast.choice for pane in view.panes]
    assert kinds == [Contrast.FULL if index == FOREGROUND else Contrast.PERCENTILES for index in range(6)]


def test_keys_enlarge_a_pane_and_esc_returns(view, qtbot):
    view.show_report(make_report())
    for index, key in enumerate((Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5, Qt.Key.Key_6)):
        qtbot.keyClick(view.panes[max(view.enlarged, 0)], key)
        assert view.enlarged == index
        assert [pane.isVisible() for pane in view.panes] == [place == index for place in range(6)]
    assert view.panes[CLEANED].header.enlarge_button.accessibleName() == "Show all panes"
    qtbot.keyClick(view.panes[CLEANED], Qt.Key.Key_Escape)
    assert view.enlarged == -1
    assert all(pane.isVisible() for pane in view.panes)


def test_an_enlarged_pane_fills_the_view_and_is_fitted(view, qtbot):
    view.show_report(make_report())
    small = view.look.scale
    qtbot.mouseClick(view.panes[BACKGROUND].header.enlarge_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.panes[BACKGROUND].width() > 600)
    assert view.look.scale > 1.7 * small
    assert colour_at(view, BACKGROUND, INSIDE) == (200, 201, 202)


def test_an_enlarged_pane_also_reads_out_where_the_pointer_is(view, qtbot):
    view.show_report(make_report())
    view.set_enlarged(MASK)
    hover(view.panes[MASK], point_on(view, MASK, INSIDE))
    assert view.panes[MASK].readout.text() == "x 50 y 45 · foreground"


def test_no_pane_tells_of_a_pixel_that_the_pointer_was_at_before_they_were_arranged_otherwise(view):
    view.show_report(make_report())
    for index in (MASK, -1):
        hover(view.panes[MASK], point_on(view, MASK, INSIDE))
        assert view.panes[MASK].readout.text()
        view.set_enlarged(index)
        assert [pane.readout.text() for pane in view.panes] == [""] * 6
        assert [pane.probe.marked for pane in view.panes] == [None] * 6


def test_hidden_panes_take_no_picture_from_the_report(view):
    view.set_enlarged(INPUT)
    report = make_report()
    view.show_report(report)
    assert "background_image" not in report.__dict__
    assert "foreground_image" not in report.__dict__
    view.back()
    assert {"background_image", "foreground_image"} <= report.__dict__.keys()


def prepare(report):
    """What the worker does before the window takes a report."""
    for name in PICTURES:
        getattr(report, name)


def test_the_panes_take_only_the_pictures_that_the_worker_makes(view):
    report = make_report()
    prepare(report)
    before = set(report.__dict__)
    view.show_report(report)
    hover(view.panes[INPUT], point_on(view, INPUT, INSIDE))
    assert set(report.__dict__) == before


def test_the_wipe_shows_input_left_and_background_right_of_a_divider_that_can_be_dragged(view, qtbot):
    view.show_report(make_report())
    with qtbot.waitSignal(view.wipe_changed):
        view.set_wipe(True)
    pane = view.panes[INPUT]
    assert pane.header.title_chip.text() == "Input | Background"
    assert colour_at(view, INPUT, (45, 45)) == (10, 11, 12)
    assert colour_at(view, INPUT, (75, 45)) == (200, 201, 202)
    drag(pane, (pane.width() / 2, 40), (pane.width() - 5, 40))
    assert colour_at(view, INPUT, (75, 45)) == (10, 11, 12)
    qtbot.keyClick(pane, Qt.Key.Key_BracketLeft)
    assert pane.wipe.share < 0.98
    share = pane.wipe.share
    view.set_brush(Brush(True, 10))
    with qtbot.waitSignal(view.brush_thickened, check_params_cb=lambda by: by == -1):
        qtbot.keyClick(pane, Qt.Key.Key_BracketLeft)
    assert pane.wipe.share == share, "while somebody paints the brackets are of the brush"
    view.set_brush(None)
    view.set_wipe(False)
    assert colour_at(view, INPUT, (75, 45)) == (10, 11, 12)
    assert pane.header.title_chip.text() == "Input"


def test_the_wipe_needs_the_input_and_brings_it_where_no_pane_shows_it(view):
    view.choice.show(INPUT, "matte")
    view.set_wipe(True)
    assert view.kinds[INPUT] == "input"
    view.set_wipe(False)
    view.choice.show(INPUT, "matte")
    view.choice.show(MATTE, "input")
    view.set_wipe(True)
    assert (view.kinds[INPUT], view.kinds[MATTE]) == ("matte", "input"), "it is shown elsewhere"


def test_a_region_is_told_in_pixels_of_the_original_picture(view, qtbot):
    view.resize(1500, 700)
    view.show_report(make_report())
    view.start_region_selection()
    assert view.panes[FOREGROUND].header.title_chip.text() == "Drag a rectangle · Esc cancels"
    start, end = point_on(view, FOREGROUND, (10, 20)), point_on(view, FOREGROUND, (39, 59))
    with qtbot.waitSignal(view.region_selected) as caught:
        drag(view.panes[FOREGROUND], start, end)
    assert caught.args == [10, 20, 30, 40]
    assert not any(pane.region.active for pane in view.panes)
    assert view.panes[FOREGROUND].header.title_chip.text() == "Foreground"


@pytest.mark.parametrize("width", [540, 640, 740, 1500])
def test_what_to_do_while_a_rectangle_is_drawn_is_said_in_whole_words(view, width):
    view.resize(width, 400)
    view.show_report(make_report())
    view.start_region_selection()
    QApplication.processEvents()
    for pane in view.panes:
        chip = pane.header.title_chip
        assert chip.text() == "Drag a rectangle" + " · Esc cancels" * (width > 800)
        assert "Esc cancels" in (chip.text() + chip.toolTip())


def test_a_region_is_cut_at_the_border_and_a_click_draws_none(view, qtbot):
    view.show_report(make_report())
    view.start_region_selection()
    with qtbot.assertNotEmitted(view.region_selected):
        drag(view.panes[INPUT], point_on(view, INPUT, (50, 50)), point_on(view, INPUT, (50, 50)))
    start = point_on(view, INPUT, (100, 70))
    with qtbot.waitSignal(view.region_selected) as caught:
        drag(view.panes[INPUT], start, (view.panes[INPUT].width() + 50, view.panes[INPUT].height() + 50))
    assert caught.args == [100, 70, WIDTH - 100, HEIGHT - 70]


def test_esc_cancels_the_region_before_anything_else(view, qtbot):
    view.show_report(make_report())
    view.set_enlarged(INPUT)
    view.start_region_selection()
    assert keeps(view.panes[INPUT], Qt.Key.Key_Escape)
    title = view.panes[INPUT].header.title_chip
    assert title.text().startswith("Drag a rectangle")
    qtbot.keyClick(view.panes[INPUT], Qt.Key.Key_Escape)
    assert title.text().startswith("Input")
    assert view.enlarged == INPUT


def test_clear_brings_back_the_hints_and_another_size_is_fitted(view):
    view.show_report(make_report())
    view.zoom_in()
    view.show_report(make_report(size=(60, 200)))
    assert view.look.scale == pytest.approx(min(pane.fitted_look().scale for pane in view.panes))
    view.clear()
    assert view.report is None
    assert view.look is None
    view.zoom_in()
    view.fit()
    hover(view.panes[INPUT], (50, 50))
    assert all(pane.picture is None for pane in view.panes)


def median_s(step, each):
    """Return the processor time of a step, of all threads that share it, the median over what it is done to."""
    spent = []
    for one in each:
        started = time.process_time()
        step(one)
        spent.append(time.process_time() - started)
    return sorted(spent)[len(spent) // 2]


def test_showing_a_1080p_report_costs_less_than_scaling_its_pictures_two_and_a_half_times(view):
    view.resize(1020, 660)
    reports = [make_report(size=(1080, 1920), seed=seed) for seed in range(2)]
    for report in reports:
        prepare(report)

    def show(report):
        view.show_report(report)
        for pane in view.panes:
            pane.repaint()

    picture = QImage(np.ascontiguousarray(reports[0].frame.image()).data, 1920, 1080, QImage.Format.Format_RGB888)

    def scale(_):
        for _ in view.panes:
            picture.scaled(510, 330, mode=Qt.TransformationMode.SmoothTransformation)

    shown = scaled = np.inf
    for _ in range(6):  # Processor time too is longer beside other programs: the least of some medians is its own.
        shown, scaled = min(shown, median_s(show, reports * 6)), min(scaled, median_s(scale, reports * 6))
        if shown < 2.5 * scaled:
            break
    assert shown < 2.5 * scaled


def test_the_wipe_is_seen_at_once_whichever_pane_is_enlarged(view):
    view.choice.show(INPUT, "matte")
    view.choice.show(MATTE, "input")
    for enlarged, then in ((-1, -1), (MATTE, MATTE), (MASK, MATTE)):
        view.set_enlarged(enlarged)
        view.set_wipe(True)
        assert view.enlarged == then
        view.set_wipe(False)
        assert view.enlarged == then, "it stays when the wipe goes"
