"""What a command object is given, as small stand-ins that note what is asked of them."""

from unittest.mock import Mock

import pytest

from app.engine.worker import Worker
from app.panels.banner import Banner
from app.panels.corruption import CorruptionForm
from app.panels.method import MethodPanel
from app.panels.source import SourcePanel
from app.window.choice import RunChoice
from app.window.commands.input import InputCommands
from app.window.commands.method import MethodCommands
from app.window.dialogs import FileDialogs
from app.window.settings import Remembered
from core import catalogue
from core.frames.frame import Layout, Planes
from core.io.sources.base import SourceInfo


@pytest.fixture
def worker():
    made = Mock(spec=Worker)
    made.painted = {}
    return made


@pytest.fixture
def banner():
    return Mock(spec=Banner)


@pytest.fixture
def dialogs():
    return Mock(spec=FileDialogs)


@pytest.fixture
def remembered():
    return Remembered()


@pytest.fixture
def source(qtbot):
    panel = SourcePanel()
    qtbot.addWidget(panel)
    panel.build_mask(catalogue.MASK_PARAMETERS)
    return panel


@pytest.fixture
def mask(source):
    return source.mask_form


@pytest.fixture
def method_panel(qtbot):
    panel = MethodPanel()
    qtbot.addWidget(panel)
    panel.build(catalogue.GROUPS, "fast")
    panel.set_presets(["Steady light"])
    return panel


@pytest.fixture
def choice(method_panel, source, mask):
    assert isinstance(source.corruption, CorruptionForm)
    return RunChoice(method_panel, mask, source.corruption)


@pytest.fixture
def input_(worker, source, choice, remembered, banner):
    return InputCommands(None, worker, source, choice, remembered, banner)


@pytest.fixture
def method(worker, choice, method_panel, mask, input_):
    return MethodCommands(worker, choice, method_panel, mask, input_)


@pytest.fixture
def clip_info():
    """What is known of a clip of 100 frames, 64 × 48, in colour."""
    return SourceInfo("clip.mp4", Layout(48, 64, Planes.RGB, 8), 25.0, 100)


@pytest.fixture
def camera_info():
    return SourceInfo("Camera 0", Layout(48, 64, Planes.RGB, 8), 30.0, None, live=True)
