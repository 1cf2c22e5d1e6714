import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea

from app import theme
from app.views.basis import BasisStrip, OneLine
from core.frames.frame import Layout, Planes
from tests.app.view_helpers import rgb


@pytest.fixture
def strip(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = BasisStrip()
    qtbot.addWidget(made)
    made.resize(700, 180)
    with qtbot.waitExposed(made):
        made.show()
    return made


def thumbnails(rank, value=100, size=(60, 80)):
    return [np.full((*size, 3), value + k, np.uint8) for k in range(rank)]


def test_each_basis_image_is_shown_with_its_number_and_share(strip):
    strip.show_basis(thumbnails(3), [0.5, 0.25, 0.004])
    assert [card.share for card in strip.cards] == [0.5, 0.25, 0.004]
    assert [card.percent for card in strip.cards] == ["50 %", "25 %", "0.4 %"]
    assert strip.cards[1].accessibleName() == "Basis image 2, 25 % of the current frame"
    assert rgb(strip.cards[2].grab().toImage(), QPointF(30, 30)) == (102, 102, 102)


def test_what_is_said_below_is_whole_or_says_that_it_is_cut(strip):
    hint = strip.findChild(OneLine)
    assert hint is not None
    strip.show_basis(thumbnails(1), [1.0])
    for width in (900, 300, 900):
        strip.resize(width, 180)
        QApplication.processEvents()
        whole = hint.text().endswith("right-click for more")
        assert whole == (width == 900)
        assert hint.text().endswith("…") == (width == 300)
        assert hint.toolTip().endswith("right-click for more") == (width == 300)
    strip.say_of_layout(Layout(48, 64, Planes.YCC420))
    assert "is no colour" in hint.toolTip()


def test_the_bar_is_as_long_as_the_share(strip, qtbot):
    strip.show_basis(thumbnails(1), [0.5])
    qtbot.waitUntil(lambda: strip.cards[0].width() > 60)
    card = strip.cards[0]
    image, good = card.grab().toImage(), QColor(theme.DARK.good)
    y = card.picture_height + 7
    filled = sum(image.pixelColor(x, y) == good for x in range(image.width()))
    assert filled == pytest.approx(card.width() / 2, abs=3)


def test_an_unchanged_rank_keeps_its_cards_and_a_smaller_one_keeps_the_first(strip):
    strip.show_basis(thumbnails(6), [0.1] * 6)
    cards = strip.cards
    strip.show_basis(thumbnails(6, 50), [0.2] * 6)
    assert strip.cards == cards
    strip.show_basis(thumbnails(2), [0.2] * 2)
    assert strip.cards == cards[:2]
    strip.clear()
    assert strip.cards == ()


def test_shares_out_of_range_or_missing_are_shown_as_near_as_can_be(strip):
    strip.show_basis(thumbnails(4), [1.7, -0.2, float("nan")])
    assert [card.share for card in strip.cards] == [1.0, 0.0, 0.0, 0.0]
    strip.show_basis(thumbnails(4), [0.5, None, None, None])
    assert [card.percent for card in strip.cards] == ["50 %", "– %", "– %", "– %"], "it says nothing that is not known"


@pytest.mark.parametrize("rank", [1, 7, 100])
def test_any_rank_fits_by_scrolling_sideways(strip, qtbot, rank):
    strip.show_basis(thumbnails(rank), [1 / rank] * rank)
    qtbot.waitUntil(strip.cards[-1].isVisible)
    scroll = strip.findChild(QScrollArea)
    bar = scroll.horizontalScrollBar()
    qtbot.waitUntil(lambda: (bar.maximum() > 0) == (sum(card.width() + 8 for card in strip.cards) - 8 > scroll.width()))
    assert strip.minimumSizeHint().width() < 700
    if rank == 100:
        none, still = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        at, down = QPointF(5, 5), QPoint(0, -120)
        turn = QWheelEvent(at, at, QPoint(), down, Qt.MouseButton.NoButton, none, still, False)
        QApplication.sendEvent(scroll.viewport(), turn)
        assert bar.value() == 120


def test_a_click_opens_a_large_view_that_follows_the_learning(strip, qtbot):
    strip.show_basis(thumbnails(3), [0.1] * 3)
    with qtbot.waitSignal(strip.basis_clicked) as caught:
        qtbot.mouseClick(strip.cards[1], Qt.MouseButton.LeftButton)
    assert caught.args == [1]
    assert set(strip.dialogs) == {1}
    dialog = strip.dialogs[1]
    assert dialog.windowTitle() == "Basis image 2, as it is learnt"
    strip.show_basis(thumbnails(3, 180), [0.1] * 3)
    assert dialog.pane.picture[0, 0, 0] == 181
    middle = QPointF(dialog.pane.width() / 2, dialog.pane.height() / 2)
    assert rgb(dialog.pane.grab().toImage(), middle) == (181, 181, 181)
    strip.show_basis(thumbnails(1), [0.1])
    qtbot.waitUntil(lambda: not strip.dialogs)


def test_enter_opens_and_esc_closes_the_large_view(strip, qtbot):
    strip.show_basis(thumbnails(2), [0.1] * 2)
    qtbot.keyClick(strip.cards[0], Qt.Key.Key_Return)
    qtbot.keyClick(strip.dialogs[0], Qt.Key.Key_Escape)
    assert not strip.dialogs


def test_a_large_picture_of_an_enlarged_basis_image_is_reduced_on_its_card(strip):
    strip.show_basis(thumbnails(1, 90, (1080, 1920)), [0.3])
    assert strip.cards[0].picture_size == QSize(520, 292)
    assert strip.cards[0].thumbnail.shape == (1080, 1920, 3)


def test_the_menu_asks_to_reset_or_to_drop(strip, qtbot):
    strip.show_basis(thumbnails(3), [0.1] * 3)
    menu = strip.cards[2].menu()
    actions = {action.text(): action for action in menu.actions()}
    with qtbot.waitSignal(strip.reset_requested) as reset:
        actions["Reset"].trigger()
    with qtbot.waitSignal(strip.drop_requested) as drop:
        actions["Drop"].trigger()
    assert (reset.args, drop.args) == ([2], [2])


def test_grey_thumbnails_are_shown(strip):
    strip.show_basis([np.full((50, 41), 70, np.uint8)], [1.0])
    QApplication.processEvents()
    card = strip.cards[0]
    assert rgb(card.grab().toImage(), QPointF(card.width() / 2, 30)) == (70, 70, 70)


def test_it_is_said_where_only_the_brightness_of_colours_is_shown(strip):
    words = "brightness only, of a film"
    strip.say_of_layout(Layout(90, 120, Planes.YCC420))
    assert words not in [label.text() for label in strip.findChildren(QLabel)], "nothing is shown"
    strip.show_basis([np.zeros((9, 12), np.uint8)], [1.0])
    for planes, is_said in ((Planes.YCC420, True), (Planes.RGB, False), (Planes.YCC420, True), (Planes.GREY, False)):
        strip.say_of_layout(Layout(90, 120, planes))
        (hint,) = [label for label in strip.findChildren(QLabel) if label.text().endswith("right-click for more")]
        assert hint.text().startswith(words) == bool(hint.toolTip()) == is_said


def test_no_width_and_height_make_the_scroll_bar_come_and_go_for_ever(strip, qtbot):
    strip.show_basis(thumbnails(6, size=(120, 160)), [0.1] * 6)
    for width in range(420, 720, 3):
        strip.resize(width, 150)
        QApplication.processEvents()
    assert len({card.height() for card in strip.cards}) == 1


def test_a_card_says_by_how_much_its_image_changed_where_that_is_known_and_has_room(strip):
    strip.show_basis(thumbnails(3), [0.5, 0.3, 0.2], [0.004, None])
    assert [card.changed for card in strip.cards] == ["Δ 0.4 %", "", ""]
    assert "has changed by 0.4 %" in strip.cards[0].toolTip()
    assert "changed" not in strip.cards[1].toolTip()


def test_a_card_says_that_its_image_has_not_been_used_and_is_dim(strip):
    pictures = thumbnails(2, value=200)
    strip.show_basis(pictures, [1.0, 0.0], [0.1, 0.0], [False, True])
    used, unused = strip.cards
    assert (used.changed, unused.changed) == ("Δ 10 %", "not used yet")
    assert unused.accessibleName() == "Basis image 2, 0 % of the current frame, not used yet"
    assert unused.toolTip().startswith("Basis image 2 has not been used so far")
    assert rgb(unused.grab().toImage(), QPointF(30, 30))[0] < rgb(used.grab().toImage(), QPointF(30, 30))[0] - 50
    strip.show_basis(pictures, [0.9, 0.1], [0.1, 0.0], [False, False])
    assert unused.changed == "Δ 0 %"
    assert rgb(unused.grab().toImage(), QPointF(30, 30)) == (201, 201, 201)


@pytest.mark.parametrize("height", [44, 60, 96, 140])
def test_a_card_of_any_size_gives_no_share_of_an_image_that_has_not_been_used(strip, height):
    pictures = thumbnails(2)
    grabs = []
    for share in (0.003, 0.05):
        strip.show_basis(pictures, [1.0, share], [0.1, 0.0], [False, True])
        card = strip.cards[1]
        card.set_height(height)
        grabs.append(card.grab().toImage())
    assert grabs[0] == grabs[1]
    words = grabs[0].copy(14, card.picture_height + 10, card.width() - 14, card.height() - card.picture_height - 10)
    colours = {words.pixel(x, y) for x in range(words.width()) for y in range(words.height())}
    assert len(colours) > 1, "it says something instead"


def test_a_card_is_copied_and_an_enlarged_image_can_be_kept(strip, tmp_path):
    strip.show_basis(thumbnails(2), [0.5, 0.5])
    next(action for action in strip.cards[1].menu().actions() if action.text() == "Copy the picture").trigger()
    assert QGuiApplication.clipboard().image().size() == strip.cards[1].picture_size
    opened, wanted = [], []
    strip.opened.connect(opened.append)
    strip.enlarge(0)
    opened[0].save_requested.connect(wanted.append)
    opened[0].save_picture(tmp_path / "basis.png")
    wanted[0].write(wanted[0].path)
    assert QImage(str(tmp_path / "basis.png")).width() > 100
