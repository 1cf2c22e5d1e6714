"""What holds for every tool."""

import importlib
import pkgutil

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter

from app.command_words import LINE
from app.views import tools
from app.views.tools.area_board import AreaBoard, Drawing
from app.views.tools.areas import AreaTool
from app.views.tools.base import Tool
from app.views.tools.brush import Brush, BrushTool
from app.views.tools.elsewhere import ElsewhereTool
from app.views.tools.event_drag import EventDragTool
from app.views.tools.event_marks import EventMarks, EventMarksTool
from app.views.tools.measure import MeasureTool
from app.views.tools.outline import outlines
from app.views.tools.painted import PaintedOutline, PaintedTool
from app.views.tools.pan_zoom import PanZoomTool
from app.views.tools.probe import ProbeTool
from app.views.tools.region import RegionTool
from app.views.tools.scale_bar import ScaleBarTool
from app.views.tools.wipe import WipeTool
from core.io.calibration import PixelSize
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard, painted, use

KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Plus,
    Qt.Key.Key_0,
    Qt.Key.Key_BracketLeft,
    Qt.Key.Key_Escape,
    Qt.Key.Key_A,
    0x1FFFFFF,
)


def region():
    tool = RegionTool()
    tool.set_active(True)
    return tool


def areas():
    tool, board = AreaTool(), AreaBoard()
    board.draw_with(Drawing("never"))
    tool.use(board)
    return tool


def brush():
    tool = BrushTool()
    tool.set_brush(Brush(True, 10))
    return tool


def wipe():
    tool = WipeTool()
    tool.set_on(True)
    return tool


def probe():
    tool = ProbeTool()
    tool.mark((30, 40))
    return tool


def measure():
    tool = MeasureTool()
    tool.set_active(True)
    return tool


def painted_tool():
    tool = PaintedTool()
    tool.show_outlines([PaintedOutline(*outlines([np.ones((20, 30), bool)]), 40, is_background=True)])
    return tool


def scale_bar():
    tool = ScaleBarTool()
    tool.set_size(PixelSize(0.5, "µm"))
    return tool


def elsewhere():
    tool = ElsewhereTool()
    tool.set_words("Paint on: Input")
    return tool


def event_drag():
    tool, marks = EventDragTool(), EventMarks()
    marks.draw(LINE)
    tool.use(marks)
    return tool


def event_marks():
    tool, marks = EventMarksTool(), EventMarks()
    marks.show_marks(((100.0, 40.0), (20.0, 30.0)), ((10.0, 10.0), (90.0, 10.0), (50.0, 80.0)))
    tool.use(marks)
    return tool


AT_WORK = {
    RegionTool: region,
    BrushTool: brush,
    WipeTool: wipe,
    ProbeTool: probe,
    PanZoomTool: PanZoomTool,
    MeasureTool: measure,
    ScaleBarTool: scale_bar,
    AreaTool: areas,
    PaintedTool: painted_tool,
    ElsewhereTool: elsewhere,
    EventDragTool: event_drag,
    EventMarksTool: event_marks,
}
"""Every tool, ready to be used."""


@pytest.fixture(params=AT_WORK, ids=lambda kind: kind.__name__)
def kind(request, qapp):
    return request.param


@pytest.fixture
def tool(kind):
    return AT_WORK[kind]()


def told(tool):
    """Return a list that grows with what a tool tells of its use."""
    said = []
    for name in ("drawn", "painted", "begun", "looked", "chosen"):
        if hasattr(tool, name):
            getattr(tool, name).connect(lambda *values, name=name: said.append((name, *values)))
    return said


def descendants(kind):
    """Return the classes made of one, however far down, of which no other is made."""
    below = kind.__subclasses__()
    return {leaf for sub in below for leaf in descendants(sub)} if below else {kind}


def test_no_tool_is_left_out():
    for module in pkgutil.iter_modules(tools.__path__, "app.views.tools."):
        importlib.import_module(module.name)
    assert {kind for kind in descendants(Tool) if kind.__module__.startswith("app.")} == AT_WORK.keys()


@pytest.mark.parametrize("view", [WHOLE, ENLARGED], ids=["whole", "enlarged"])
def test_after_a_drag_a_tool_is_as_it_was_before(tool, view):
    before = tool.cursor(None, view), tool.modal
    tool.leave()
    use(tool, view, (100, 40), (140, 80), (60, 20))
    tool.leave()
    assert (tool.cursor(None, view), tool.modal) == before
    said = told(tool)
    tool.move(at(30, 30), view)
    tool.end(view)
    assert not said, "there was no drag to go on with"


def test_a_drag_that_is_cancelled_tells_nothing(tool):
    tool.begin(at(100, 40), WHOLE)
    said = told(tool)
    tool.cancel()
    tool.move(at(120, 60), WHOLE)
    tool.end(WHOLE)
    assert not said


def test_a_tool_that_is_not_at_work_takes_no_press_and_no_key_and_paints_nothing(kind):
    tool = kind()
    nothing = QImage(200, 100, QImage.Format.Format_RGB32)
    nothing.fill(0xFF000000)
    assert painted(tool, WHOLE) == nothing
    if kind is not PanZoomTool:  # It is always at work.
        assert not tool.begin(at(100, 40), WHOLE)
        assert tool.cursor(at(100, 40), WHOLE) is None
        assert not any(tool.keeps_key(key, WHOLE) or tool.press_key(key, WHOLE) for key in KEYS)
    assert not tool.modal


def test_a_key_that_is_acted_on_is_one_that_the_window_leaves_or_has_no_shortcut_for(tool):
    free = {Qt.Key.Key_Plus, Qt.Key.Key_0}
    for key in KEYS:
        kept = tool.keeps_key(key, ENLARGED)
        assert not tool.press_key(key, ENLARGED) or kept or key in free, key


def test_a_modal_tool_keeps_esc_and_only_such_a_one(tool):
    assert tool.keeps_key(Qt.Key.Key_Escape, WHOLE) == tool.modal


def test_keys_mean_no_harm_where_there_is_no_picture(tool):
    for key in KEYS:
        tool.keeps_key(key, None)
        tool.press_key(key, None)
    assert tool.cursor(None, None) in (None, Qt.CursorShape.CrossCursor)


def test_what_changes_the_marks_is_told(tool):
    tool.leave()
    before = painted(tool, WHOLE)
    changes = heard(tool.changed)
    if tool.begin(at(100, 40), WHOLE):
        tool.move(at(140, 80), WHOLE)
    tool.hover(at(140, 80), WHOLE)
    assert changes or painted(tool, WHOLE) == before


@pytest.mark.parametrize("view", [WHOLE, ENLARGED], ids=["whole", "enlarged"])
def test_marks_lie_within_the_pane_and_painting_leaves_no_clip(tool, view):
    if tool.begin(at(100, 40), view):
        tool.move(at(900, 900), view)
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    tool.paint(painter, view)
    assert not painter.hasClipping()
    assert painter.worldTransform().isIdentity()
    assert painter.viewport() == QRect(0, 0, 200, 100)
    painter.end()
