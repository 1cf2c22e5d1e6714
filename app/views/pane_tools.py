"""The tools of one pane, in the order in which they are offered a press."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.rendering.viewport import Viewport
from app.views.tools.areas import AreaTool
from app.views.tools.brush import BrushTool
from app.views.tools.elsewhere import ElsewhereTool
from app.views.tools.event_drag import EventDragTool
from app.views.tools.event_marks import EventMarksTool
from app.views.tools.measure import MeasureTool
from app.views.tools.painted import PaintedTool
from app.views.tools.pan_zoom import PanZoomTool
from app.views.tools.probe import ProbeTool
from app.views.tools.region import RegionTool
from app.views.tools.scale_bar import ScaleBarTool
from app.views.tools.stack import ToolStack
from app.views.tools.wipe import WipeTool


class PaneTools:
    """Makes the tools and stacks them.

    Parameters
    ----------
    view : callable
        Returns how the picture lies in the pane at this moment; None where there is no picture.
    parent : QObject

    Attributes
    ----------
    event_drag, region, measure, areas, area_brush, brush, painted, event_marks, probe, wipe, scale_bar, elsewhere,
    pan_zoom : Tool
    stack : ToolStack
        All of them, the first on top.
    """

    def __init__(self, view: Callable[[], Viewport | None], parent: QObject) -> None:
        self.event_drag, self.event_marks = EventDragTool(), EventMarksTool()
        self.region, self.measure = RegionTool(), MeasureTool()
        self.areas, self.area_brush, self.brush, self.painted = AreaTool(), BrushTool(), BrushTool(), PaintedTool()
        self.probe, self.wipe, self.scale_bar = ProbeTool(), WipeTool(), ScaleBarTool()
        self.elsewhere, self.pan_zoom = ElsewhereTool(), PanZoomTool()
        painting = (self.areas, self.area_brush, self.brush, self.painted)
        rest = (self.event_marks, self.probe, self.wipe, self.scale_bar, self.elsewhere, self.pan_zoom)
        tools = (self.event_drag, self.region, self.measure, *painting, *rest)
        self.stack = ToolStack(tools, view, parent)
