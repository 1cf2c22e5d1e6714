"""Each example makes its view and shows it."""

import runpy
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import examples

NAMES = sorted(path.stem for path in Path(examples.__file__).parent.glob("*.py") if path.stem != "__init__")


def test_there_are_examples():
    assert {"basis", "panes", "plots", "timeline"} <= set(NAMES)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", NAMES)
def test_an_example_shows_its_view(qapp, monkeypatch, name, theme):
    shown = []

    class Application(QApplication):
        """The one that there is; nobody ends the loop of events that an example starts."""

        def __new__(cls, _arguments):
            return qapp

    def look():
        qapp.processEvents()
        shown.extend(widget for widget in qapp.topLevelWidgets() if widget.isVisible())
        return 0

    monkeypatch.setattr(sys, "argv", [name, theme])
    monkeypatch.setattr("PySide6.QtWidgets.QApplication", Application)
    monkeypatch.setattr(qapp, "exec", look)
    before = {widget for widget in QApplication.topLevelWidgets() if widget.isVisible()}
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(f"examples.{name}", run_name="__main__")
    assert ended.value.code == 0
    new = [widget for widget in shown if widget not in before]
    assert new, "nothing was shown"
    assert new[0].grab().toImage().pixelColor(5, 5).isValid()
    for widget in new:
        widget.close()
