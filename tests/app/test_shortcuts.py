"""The table of keys: what it says is what both windows do and what the page of help lists."""

import pytest
from PySide6.QtCore import QEvent, QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.actions import Actions
from app.compare.chosen import Chosen
from app.compare.window import CompareWindow
from app.panels.help import shortcuts_page
from app.shortcuts import COMMANDS, Where, commands_of, key_list
from app.window.main_window import MainWindow
from core.io.input_spec import InputSpec

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def main_window(tmp_path):
    window = MainWindow(None, tmp_path / "window.json")
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def compare_window():
    window = CompareWindow(InputSpec("sample:faces"), [Chosen("median"), Chosen("mog2")])
    yield window
    window.close()
    assert window.wait()
    window.deleteLater()


@pytest.fixture
def windows(main_window, compare_window):
    return {Where.MAIN: main_window, Where.COMPARE: compare_window}


def press(keys):
    """Return the event of a key such as ``Ctrl+O``."""
    combination = QKeyCombination(QKeySequence(keys)[0])
    return QKeyEvent(QEvent.Type.KeyPress, combination.key(), combination.keyboardModifiers())


def fakes(where):
    """Return handlers and switches for every command of a window, and the list in which they note what was done."""
    done = []
    handlers = {c.key: (lambda key=c.key: done.append(key)) for c in commands_of(where) if not c.checkable}
    switches = {c.key: (lambda on, key=c.key: done.append((key, on))) for c in commands_of(where) if c.checkable}
    return handlers, switches, done


def test_every_key_of_the_table_is_bound_in_its_windows(windows):
    for where, window in windows.items():
        for command in commands_of(where):
            action = window.action(command.key)
            assert action in QWidget.actions(window), f"{command.key} of the {where.value}"
            assert action.isCheckable() == command.checkable
            if command.keys and not command.is_plain:
                assert action.shortcut() == QKeySequence(command.keys)
            if command.standard is not None:
                assert set(action.shortcuts()) >= set(QKeySequence.keyBindings(command.standard)), "the platform's own"


@pytest.mark.parametrize("where", Where)
def test_every_plain_key_does_its_command_and_a_disabled_one_does_nothing(where):
    handlers, switches, done = fakes(where)
    window = QWidget()
    actions = Actions(window, where, handlers, switches)
    plain = [command for command in commands_of(where) if command.is_plain]
    assert plain
    for command in plain:
        assert actions.press(press(command.keys))
        assert done.pop() == ((command.key, True) if command.checkable else command.key)
        actions[command.key].setEnabled(False)
        assert not actions.press(press(command.keys))
    assert not done
    assert not actions.press(press("J"))


@pytest.mark.parametrize("where", Where)
def test_the_other_keys_are_left_to_qt(where):
    handlers, switches, done = fakes(where)
    window = QWidget()
    actions = Actions(window, where, handlers, switches)
    for command in commands_of(where):
        if command.keys and not command.is_plain:
            assert not actions.press(press(command.keys))
            actions[command.key].trigger()
            assert done.pop() == ((command.key, True) if command.checkable else command.key)


def test_plus_is_plus_with_shift_and_on_the_keypad_too():
    handlers, switches, done = fakes(Where.COMPARE)
    window = QWidget()
    actions = Actions(window, Where.COMPARE, handlers, switches)
    for modifier in (Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.KeypadModifier):
        assert actions.press(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Plus, modifier))
        assert done.pop() == "zoom_in"
    assert not actions.press(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier))


def test_the_keys_that_the_platform_has_for_closing_close_the_comparison(monkeypatch):
    on_windows = [QKeySequence("Ctrl+F4"), QKeySequence("Ctrl+W")]
    monkeypatch.setattr(QKeySequence, "keyBindings", lambda key: {QKeySequence.StandardKey.Close: on_windows}[key])
    handlers, switches, _ = fakes(Where.COMPARE)
    window = QWidget()
    actions = Actions(window, Where.COMPARE, handlers, switches)
    assert actions["close"].shortcuts() == on_windows[::-1]


@pytest.mark.parametrize("where", Where)
def test_a_command_that_nothing_is_done_for_is_refused(where):
    handlers, switches, _ = fakes(where)
    handlers.pop(next(iter(handlers)))
    window = QWidget()
    with pytest.raises(KeyError):
        Actions(window, where, handlers, switches)


@pytest.mark.parametrize("where", Where)
def test_no_key_is_bound_twice_in_a_window(where):
    keys = [QKeySequence(command.keys).toString() for command in commands_of(where) if command.keys]
    assert len(keys) == len(set(keys))
    names = [command.key for command in commands_of(where)]
    assert len(names) == len(set(names))


def test_a_key_means_the_same_in_every_window_that_has_it():
    meaning = {}
    for where in Where:
        for command in commands_of(where):
            if command.keys:
                assert meaning.setdefault(command.keys, command.key) == command.key
    assert all(command.windows for command in COMMANDS)


def test_every_key_stands_in_the_list_of_its_window_and_on_the_page(main_window):
    listed = key_list()
    for command in commands_of(Where.MAIN):
        row = (command.keys, command.title, command.help)
        assert (row in listed.get(command.menu, [])) == bool(command.keys)
    for command in commands_of(Where.COMPARE):
        assert (command.keys, command.title, command.help) in listed[Where.COMPARE.value]
    page = shortcuts_page(main_window)
    lines = page.text.toPlainText().splitlines()
    for heading, rows in listed.items():
        assert heading in lines
        for row in rows:
            assert any(tuple(lines[i : i + 3]) == row for i in range(len(lines))), row
    page.close()


def test_keys_of_the_comparison_reach_its_engine(compare_window, monkeypatch, qtbot):
    qtbot.waitUntil(compare_window.parts.timeline.loop_button.isEnabled, timeout=60_000)  # Until its input is open.
    done = []
    for name in ("play", "pause", "step", "seek"):
        monkeypatch.setattr(compare_window.worker, name, lambda *_, name=name: done.append(name))
    compare_window.keyPressEvent(press("Space"))
    assert done in (["play"], ["pause"])
    loop = compare_window.parts.timeline.loop_button
    assert not loop.isChecked()
    compare_window.keyPressEvent(press("L"))
    assert loop.isChecked()
    loop.click()
    assert not compare_window.action("loop").isChecked()
