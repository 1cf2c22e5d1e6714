import itertools
import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent
from PySide6.QtWidgets import QApplication

from app import theme
from app.rendering.tone_mapping import Levels
from app.rendering.wide_colour import WideColour
from app.views.contrast import Contrast
from app.views.pane import ImagePane
from core.frames.colour import BT2020, HLG, ColourStandard
from tests.app.view_helpers import drag, hover, keeps, mouse, rgb


@pytest.fixture
def pane(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = ImagePane("Input", "Open a file")
    qtbot.addWidget(made)
    made.resize(240, 180)
    with qtbot.waitExposed(made):
        made.show()
    return made


class Painted(QObject):
    """Takes note of how often what it watches is painted."""

    def __init__(self, watched):
        super().__init__(watched)
        self.times = 0
        watched.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.times += event.type() == QEvent.Type.Paint
        return False


def centre_colour(pane):
    width, height = pane.size_of_picture
    return rgb(pane.grab().toImage(), QPointF(*pane.viewport.to_pane(width / 2, height / 2)))


def test_an_empty_pane_shows_its_hint_on_the_pane_ground(pane):
    with_hint = pane.grab().toImage()
    assert rgb(with_hint, QPointF(4, 100)) == QColor(theme.DARK.pane).getRgb()[:3]
    pane.hint = ""
    assert with_hint != pane.grab().toImage()


@pytest.mark.parametrize(("shape", "expected"), [((90, 120), (77, 77, 77)), ((90, 120, 3), (77, 78, 79))])
def test_a_picture_of_8_bits_is_shown_as_it_is(pane, shape, expected):
    picture = np.full(shape, 77, np.uint8)
    if len(shape) == 3:
        picture += np.arange(3, dtype=np.uint8)
    pane.show_image(picture)
    assert centre_colour(pane) == expected
    assert pane.header.display_chip.isHidden()


def test_16_bit_grey_starts_in_percentiles_and_says_so(pane):
    picture = np.random.default_rng(0).integers(500, 1500, (90, 120)).astype(np.uint16)
    picture[40:50, 50:70] = 1000
    pane.show_image(picture)
    assert pane.contrast.choice is Contrast.PERCENTILES
    assert pane.header.display_chip.text() == "display: 1–99 %"
    assert not pane.header.display_chip.isHidden()
    assert centre_colour(pane)[0] == pytest.approx(127, abs=4)
    pane.contrast.choose(Contrast.FULL)
    assert pane.header.display_chip.isHidden()
    assert centre_colour(pane)[0] == round(1000 / 65535 * 255)


def test_nothing_is_said_of_the_contrast_of_a_picture_that_is_gone(pane):
    pane.show_image(np.random.default_rng(0).integers(500, 1500, (90, 120)).astype(np.uint16))
    assert not pane.header.display_chip.isHidden()
    pane.show_image(None)
    assert pane.header.display_chip.isHidden()
    assert pane.contrast.labels == ()


def test_white_is_that_of_the_bit_depth(pane):
    pane.show_image(np.full((90, 120, 3), 4095, np.uint16), white=4095)
    assert centre_colour(pane) == (255, 255, 255)


def test_wide_colour_is_shown_as_the_screen_has_it_and_read_as_it_is(pane):
    picture = np.full((90, 120, 3), (700, 500, 400), np.uint16)
    wide = WideColour(ColourStandard("bt2020", BT2020, HLG), 1023)
    pane.show_image(picture, white=1023)
    red, green, _ = centre_colour(pane)
    pane.show_image(picture, white=1023, wide=wide)
    shown = centre_colour(pane)
    assert shown[0] > red + 20
    assert shown[1] < green
    assert pane.contrast.levels == Levels(0, 1023)


def test_contrast_of_this_pane_only_ignores_the_shared_levels(pane):
    picture = np.random.default_rng(0).integers(500, 1500, (90, 120)).astype(np.uint16)
    pane.show_image(picture, levels=Levels(0, 4000))
    assert pane.contrast.levels == Levels(0, 4000)
    pane.contrast.menu.own.trigger()
    assert pane.contrast.own
    assert pane.contrast.levels.low == pytest.approx(510, abs=15)
    assert pane.contrast.labels[0] == "display: 1–99 %, this pane only"
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))
    assert pane.header.below.text() == "1–99 %, this pane only", "below the title, where there is no room beside it"


def test_choosing_a_contrast_tells_the_others(pane, qtbot):
    pane.show_image(np.zeros((90, 120), np.uint8))
    action = next(a for a in pane.contrast.menu.actions() if a.text() == "Percentiles 1–99 %")
    with qtbot.waitSignal(pane.contrast.chosen) as caught:
        action.trigger()
    assert caught.args == [Contrast.PERCENTILES, False]


def test_the_menu_key_opens_the_contrast_with_the_choice_in_force(pane, qtbot):
    pane.show_image(np.zeros((90, 120), np.uint16))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(20, 20), pane.mapToGlobal(QPoint(20, 20)))
    QApplication.sendEvent(pane, event)
    qtbot.waitUntil(pane.contrast.menu.isVisible)
    assert pane.contrast.menu.choices[Contrast.PERCENTILES].isChecked()
    pane.contrast.menu.close()


def test_a_mask_is_laid_over_the_picture_in_the_tint_that_is_asked_for(pane):
    mask = np.zeros((90, 120), np.uint8)
    mask[20:70, 20:100] = 255
    pane.show_image(np.full((90, 120), 100, np.uint8), mask, tint=(0, 255, 0))
    red, green, blue = centre_colour(pane)
    assert green > red + 60
    assert red == blue


@pytest.mark.parametrize(("tint", "strong", "weak"), [("green", 1, 0), ("magenta", 0, 1), ("red", 0, 2)])
def test_masks_are_seen_at_once_in_the_colour_that_people_choose(pane, qtbot, tint, strong, weak):
    pane.show_image(np.full((90, 120), 100, np.uint8), np.full((90, 120), 255, np.uint8))
    red, green, blue = centre_colour(pane)
    assert red > max(green, blue) + 60
    painted = Painted(pane)
    theme.set_mask_tint(tint)
    try:
        qtbot.waitUntil(lambda: painted.times)
        seen = centre_colour(pane)
    finally:
        theme.set_mask_tint("red")
    assert seen[strong] > seen[weak] + 60


def test_a_picture_that_goes_away_in_the_midst_of_a_drag_ends_it(pane):
    pane.show_image(np.zeros((90, 120), np.uint8))
    pane.region.set_active(True)
    mouse(pane, QEvent.Type.MouseButtonPress, (60, 60))
    pane.show_image(None)
    mouse(pane, QEvent.Type.MouseMove, (90, 90), held=Qt.MouseButton.LeftButton)
    mouse(pane, QEvent.Type.MouseButtonRelease, (90, 90), held=Qt.MouseButton.NoButton)
    assert pane.region.rectangle is None


def test_a_region_is_not_filled_with_what_the_wipe_was_painted_with(pane):
    pane.show_image(np.zeros((90, 120), np.uint8))
    pane.show_other(np.zeros((90, 120), np.uint8))
    pane.region.set_active(True)
    mouse(pane, QEvent.Type.MouseButtonPress, (60, 60))
    mouse(pane, QEvent.Type.MouseMove, (200, 150), held=Qt.MouseButton.LeftButton)
    assert rgb(pane.grab().toImage(), QPointF(180, 120)) == (0, 0, 0)


def test_the_picture_given_is_never_written(pane):
    picture = np.random.default_rng(0).integers(0, 255, (90, 120, 3)).astype(np.uint8)
    before, mask = picture.copy(), np.full((90, 120), 255, np.uint8)
    pane.show_image(picture, mask)
    pane.grab()
    np.testing.assert_array_equal(picture, before)
    assert mask.min() == 255


def test_the_wheel_zooms_around_the_pointer_and_dragging_pans(pane, qtbot):
    pane.show_image(np.zeros((90, 120), np.uint8))
    at = QPointF(60, 50)
    before = pane.viewport.to_picture(60, 50)
    with qtbot.waitSignal(pane.look_moved):
        pane.zoom(2.0, at)
    assert pane.viewport.to_picture(60, 50) == pytest.approx(before)
    x, y = pane.viewport.to_picture(100, 90)
    drag(pane, (100, 90), (110, 84))
    assert pane.viewport.to_picture(110, 84) == pytest.approx((x, y))


def test_keys_zoom_pan_and_fit(pane, qtbot):
    pane.show_image(np.zeros((90, 120), np.uint8))
    fitted = pane.look
    qtbot.keyClick(pane, Qt.Key.Key_Plus)
    assert pane.look.scale == pytest.approx(fitted.scale * 1.25)
    x = pane.look.x
    qtbot.keyClick(pane, Qt.Key.Key_Right)
    assert pane.look.x > x
    qtbot.keyClick(pane, Qt.Key.Key_Minus)
    qtbot.keyClick(pane, Qt.Key.Key_Minus)
    assert pane.look.scale < fitted.scale
    qtbot.keyClick(pane, Qt.Key.Key_0)
    assert pane.look == fitted


def test_arrows_belong_to_the_window_while_the_whole_picture_is_seen(pane):
    pane.show_image(np.zeros((90, 120), np.uint8))
    assert not pane.viewport.can_pan
    assert not keeps(pane, Qt.Key.Key_Left)
    pane.zoom(3.0)
    assert keeps(pane, Qt.Key.Key_Left)
    assert keeps(pane, Qt.Key.Key_Left, Qt.KeyboardModifier.KeypadModifier)
    assert not keeps(pane, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)


def test_the_pixel_under_the_pointer_is_told_and_none_beside_the_picture(pane, qtbot):
    pane.show_image(np.zeros((180, 120), np.uint8))
    told = []
    pane.probe.pointed.connect(told.append)
    hover(pane, pane.viewport.to_pane(60.5, 90.5))
    hover(pane, (5, 90))
    assert told == [(60, 90), None]


def test_an_enlarged_pixel_is_a_square_of_its_value(pane):
    picture = np.zeros((90, 120), np.uint8)
    picture[45, 60] = 200
    pane.show_image(picture)
    pane.zoom(16.0)
    image = pane.grab().toImage()
    corner = QPointF(*pane.viewport.to_pane(60, 45))
    scale = pane.look.scale
    assert rgb(image, corner + QPointF(2, 2)) == (200, 200, 200)
    assert rgb(image, corner + QPointF(scale - 3, scale - 3)) == (200, 200, 200)
    assert rgb(image, corner + QPointF(scale + 3, scale / 2)) == (0, 0, 0)


@pytest.mark.parametrize("shape", [(90, 120), (300, 100), (30, 400)])
def test_a_whole_picture_lies_below_the_title_and_its_zoom_begins_in_its_middle(pane, shape):
    height, width = shape
    pane.show_image(np.zeros(shape, np.uint8))
    left, top = pane.viewport.to_pane(0, 0)
    right, bottom = pane.viewport.to_pane(width, height)
    chip = pane.header.title_chip
    assert chip.isVisible()
    assert top >= chip.geometry().bottom()
    assert (left >= -1e-6, right <= pane.width() + 1e-6, bottom <= pane.height() + 1e-6) == (True, True, True)
    middle = pane.viewport.to_pane(width / 2, height / 2)
    pane.zoom(8.0)
    assert pane.viewport.to_pane(width / 2, height / 2) == pytest.approx(middle)
    for _ in range(20):
        pane.set_look(pane.viewport.panned(0, 50))
    assert pane.viewport.to_pane(0, 0)[1] >= pane.header.height - 1e-6, "its first row is seen too"


def test_a_new_size_is_fitted_and_no_picture_brings_the_hint_back(pane):
    pane.show_image(np.full((90, 120), 50, np.uint8))
    pane.show_image(np.full((900, 1200), 60, np.uint8))
    assert pane.look == pane.fitted_look()
    assert centre_colour(pane) == (60, 60, 60)
    pane.show_image(None)
    assert rgb(pane.grab().toImage(), QPointF(4, 100)) == QColor(theme.DARK.pane).getRgb()[:3]


def test_double_click_asks_to_enlarge(pane, qtbot):
    pane.show_image(np.zeros((90, 120), np.uint8))
    with qtbot.waitSignal(pane.enlarge_requested):
        mouse(pane, QEvent.Type.MouseButtonDblClick, (100, 80))


def test_everything_on_the_pane_has_a_name_and_buttons_say_what_they_do(pane):
    assert pane.accessibleName() == "Input pane"
    for button in (pane.header.enlarge_button, pane.header.contrast_button):
        assert button.accessibleName()
        assert len(button.toolTip()) > 10
    for chip in (pane.header.title_chip, pane.readout, pane.header.display_chip):
        assert chip.accessibleName()


def test_a_title_is_never_cut_without_saying_so_and_has_room_before_the_contrast_button(pane):
    pane.resize(400, 180)
    pane.set_title("Mask over input")
    assert pane.header.title_chip.text() == "Mask over input"
    assert pane.header.contrast_button.isVisible()
    for width in (200, 160, 110):
        pane.setMinimumWidth(width)
        pane.resize(width, 180)
        assert pane.width() == width
        pane.layout().activate()
        chip = pane.header.title_chip
        assert chip.text() == "Mask over input" or "…" in chip.text(), "cut in the midst of a letter"
        is_button = not chip.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        assert not chip.icon().isNull() or not is_button, "the arrow says that there is a choice"
        assert chip.sizeHint().width() <= chip.width(), f"too wide at {width}"
        assert not chip.geometry().intersects(pane.header.enlarge_button.geometry())
    assert re.fullmatch("M[ask over]*…", chip.text()), "the end is cut"
    assert chip.toolTip().startswith("Mask over input")
    assert not pane.header.contrast_button.isVisible()
    pane.resize(400, 180)
    assert chip.text() == "Mask over input"
    assert not chip.toolTip().startswith("Mask over input")
    assert pane.header.contrast_button.isVisible()


def test_a_title_that_is_cut_leaves_no_room_for_another_letter(pane):
    header = pane.header
    chip = header.title_chip
    chip.offer("Picture of pane 1", "Choose what this pane shows")
    pane.set_title("Background")
    for width in range(100, 140):
        pane.setMinimumWidth(width)
        pane.resize(width, 180)
        pane.layout().activate()
        cut = chip.text()
        chip.setText(f"{'Background'[: len(cut)]}…")
        free = header.enlarge_button.geometry().left() - header.spacing() - chip.geometry().left()
        assert cut == "Background" or chip.sizeHint().width() >= free - 1, f"{cut} in {width} pixels"
        drawn = chip.fontMetrics().horizontalAdvance(chip.text()) + chip.iconSize().width()
        assert drawn + 16 <= chip.sizeHint().width() <= drawn + 24, "room for the border, and no more"


def said_of_contrast(pane) -> list[str]:
    chips = (pane.header.display_chip, pane.header.below)
    return ["" if chip.isHidden() else chip.text() for chip in chips]


def test_what_is_said_of_the_contrast_lies_beside_the_title_and_else_leaves_the_picture_to_the_pointer(pane):
    pane.show_image(np.full((90, 120), 500, np.uint16))
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))  # Wherever the pointer is.
    pane.setMinimumWidth(100)
    for width, said in ((400, ["display: 1–99 %", ""]), (200, ["1–99 %", ""]), (130, ["", "1–99 %"])):
        pane.resize(width, 180)
        assert said_of_contrast(pane) == said, width
        pane.layout().activate()
        chips = [pane.header.title_chip, pane.header.display_chip, pane.header.enlarge_button]
        shown = [chip.geometry() for chip in chips if not chip.isHidden()]
        assert not any(a.intersects(b) for a, b in itertools.combinations(shown, 2))
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Enter))
    assert said_of_contrast(pane) == ["", ""]
    QApplication.sendEvent(pane, QEvent(QEvent.Type.Leave))
    assert said_of_contrast(pane) == ["", "1–99 %"]
    pane.contrast.choose(Contrast.FULL)
    assert said_of_contrast(pane) == ["", ""]


@pytest.mark.parametrize("title", ["Input", "Background", "Foreground", "Matte", "Cleaned"])
def test_a_narrow_pane_has_its_whole_title_with_the_arrow_and_the_button_that_enlarges(pane, title):
    pane.header.title_chip.offer("Picture", "Choose what this pane shows")
    pane.set_title(title)
    pane.setMinimumWidth(100)
    pane.resize(144, 180)  # As in a window of 1024 by 700 with both panels.
    pane.layout().activate()
    assert pane.header.title_chip.text() == title
    assert not pane.header.title_chip.icon().isNull()
    assert pane.header.enlarge_button.isVisible()
    assert pane.header.title_chip.width() >= pane.header.title_chip.sizeHint().width()
