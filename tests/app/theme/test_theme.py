import re

import pytest
from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QColor, QIcon, QPalette
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QDoubleSpinBox, QLabel, QRadioButton, QVBoxLayout, QWidget

from app import theme


def luminance(colour):
    channels = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(token, grey):
    """Return what a translucent ground becomes over a grey picture."""
    red, green, blue, alpha = (int(n) for n in re.findall(r"\d+", token))
    return QColor(*(round((c * alpha + grey * (255 - alpha)) / 255) for c in (red, green, blue)))


@pytest.mark.parametrize("shades", [theme.DARK, theme.LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize(
    ("words", "grounds"),
    [
        ("text", ("window", "panel", "raised", "hover", "pressed", "pane")),
        ("muted", ("window", "panel", "raised", "pane")),
        ("link", ("window", "panel")),
        ("good", ("window", "panel")),
        ("warn", ("window", "panel")),
        ("bad", ("window", "panel")),
        ("on_accent", ("accent", "accent_hover")),
    ],
)
def test_words_can_be_read_on_every_ground_they_stand_on(shades, words, grounds):
    for ground in grounds:
        assert contrast(QColor(getattr(shades, words)), QColor(getattr(shades, ground))) >= 4.5, ground


@pytest.mark.parametrize("shades", [theme.DARK, theme.LIGHT], ids=["dark", "light"])
def test_curves_and_words_over_pictures_can_be_told_from_their_ground(shades):
    assert all(contrast(QColor(curve), QColor(shades.panel)) >= 4.5 for curve in shades.curves)
    assert len(set(shades.curves)) == len(shades.curves)
    for ground in (over(shades.chip, 0), over(shades.chip, 255), QColor(shades.chip_hover)):
        assert contrast(QColor(shades.on_chip), ground) >= 4.5
    assert contrast(over(shades.chip, 128), QColor(shades.pane)) < 2, "they belong to the window around the pictures"


def test_words_beside_a_tick_have_the_colour_of_words_also_while_they_have_the_focus(qapp, qtbot):
    theme.apply_theme(qapp, "light")
    holder = QWidget()
    rows = QVBoxLayout(holder)
    first, second = QCheckBox("Plate"), QCheckBox("Plate")
    rows.addWidget(first)
    rows.addWidget(second)
    qtbot.addWidget(holder)
    with qtbot.waitActive(holder):
        holder.show()
    first.setFocus()
    assert first.hasFocus()
    focused, other = first.grab().toImage(), second.grab().toImage()
    assert focused != other, "the focus shows"
    box = QRect(22, 2, first.width() - 24, first.height() - 4)
    assert focused.copy(box) == other.copy(box), "but not in the words"


@pytest.mark.parametrize(("mode", "shades"), [("light", theme.LIGHT), ("dark", theme.DARK)])
def test_the_theme_sets_palette_and_style_for_every_widget(qapp, qtbot, mode, shades):
    theme.apply_theme(qapp, mode)
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(shades.window)
    assert theme.colours() is shades
    label = QLabel("muted words")
    label.setProperty("role", "caption")
    qtbot.addWidget(label)
    label.ensurePolished()
    assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(shades.muted)


def test_the_system_theme_is_one_of_the_two(qapp):
    theme.apply_theme(qapp, "system")
    assert theme.colours() in (theme.LIGHT, theme.DARK)


def test_a_change_of_theme_is_told(qapp, qtbot):
    with qtbot.waitSignal(theme.theme_changed()):
        theme.apply_theme(qapp, "dark")


class Polished(QWidget):
    """Counts how often it is polished anew."""

    times = 0

    def changeEvent(self, event):
        self.times += event.type() == QEvent.Type.StyleChange
        super().changeEvent(event)


def test_widgets_are_polished_anew_by_another_theme_alone(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    widget = Polished()
    qtbot.addWidget(widget)
    widget.ensurePolished()
    widget.times = 0
    theme.apply_theme(qapp, "dark")
    assert widget.times == 0
    theme.apply_theme(qapp, "light")
    assert widget.times


def strongest(icon, state=QIcon.State.Off, mode=QIcon.Mode.Normal):
    image = icon.pixmap(QSize(32, 32), 2.0, mode, state).toImage()
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=lambda colour: colour.alpha())


def test_an_icon_follows_the_theme_without_being_made_again(qapp):
    icon = theme.icon("play")
    for mode, shades in (("dark", theme.DARK), ("light", theme.LIGHT)):
        theme.apply_theme(qapp, mode)
        assert strongest(icon) == QColor(shades.text)
        assert strongest(icon, mode=QIcon.Mode.Disabled) == QColor(shades.disabled)
        assert strongest(icon, QIcon.State.On) == QColor(shades.on_accent)


def test_icons_are_drawn_at_the_density_of_the_screen(qapp):
    image = theme.icon("enlarge").pixmap(QSize(16, 16), 2.0).toImage()
    assert (image.width(), image.height()) == (32, 32)


def test_every_icon_draws_something(qapp):
    names = theme.icon_names()
    assert len(names) > 20
    for name in names:
        assert strongest(theme.icon(name)).alpha() > 200, name


def test_an_unknown_icon_is_an_error():
    with pytest.raises(FileNotFoundError, match="there is no icon spoon"):
        theme.icon("spoon")


def test_a_role_can_change_while_shown(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    label = QLabel("state")
    qtbot.addWidget(label)
    for role, token in (("good", "good"), ("bad", "bad")):
        theme.set_role(label, role)
        assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(getattr(theme.DARK, token))


def vivid(widget):
    """Return how far from grey the most colourful point of a widget is, 0 to 1."""
    image = widget.grab().toImage()
    points = (image.pixelColor(x, y).getRgbF()[:3] for x in range(image.width()) for y in range(image.height()))
    return max(max(point) - min(point) for point in points)


@pytest.mark.parametrize("mode", ["dark", "light"])
@pytest.mark.parametrize("kind", [QCheckBox, QRadioButton])
def test_a_tick_that_is_disabled_has_lost_its_colour(qapp, qtbot, mode, kind):
    theme.apply_theme(qapp, mode)
    tick = kind()
    qtbot.addWidget(tick)
    tick.setChecked(True)
    tick.resize(tick.sizeHint())
    assert vivid(tick) > 0.5
    tick.setEnabled(False)
    assert vivid(tick) < 0.15
    is_on = tick.grab().toImage()
    tick.setAutoExclusive(False)
    tick.setChecked(False)
    assert tick.grab().toImage() != is_on, "on and off are told apart all the same"


@pytest.mark.parametrize("buttons", list(QAbstractSpinBox.ButtonSymbols))
def test_a_spin_box_leaves_its_text_the_room_it_needs(qapp, qtbot, buttons):
    theme.apply_theme(qapp, "dark")
    box = QDoubleSpinBox(suffix=" frames", buttonSymbols=buttons)
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    with qtbot.waitExposed(box):
        box.show()
    line = box.lineEdit()
    assert line.width() >= line.fontMetrics().horizontalAdvance(box.text())
    assert line.height() >= line.fontMetrics().height()
