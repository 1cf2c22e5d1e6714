from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor

from app.views.tools.scale_bar import ScaleBarTool
from core.io.calibration import PixelSize
from tests.app.views.tools.geometry import WHOLE, painted

WIDE = replace(WHOLE, pane=(400, 100))


def rows_of_white(image):
    return [y for y in range(image.height()) if QColor(image.pixel(30, y)).lightness() > 240]


def test_the_bar_is_as_long_as_it_says_and_moves_out_of_the_way(qapp):
    tool = ScaleBarTool()
    tool.set_size(PixelSize(1.0, "µm"))
    assert tool.size == PixelSize(1.0, "µm")
    image = painted(tool, WIDE)
    row = rows_of_white(image)[-1]
    assert sum(QColor(image.pixel(x, row)).lightness() > 240 for x in range(200)) == 100
    tool.raise_by(20)
    assert rows_of_white(painted(tool, WIDE))[-1] == row - 20
    tool.set_size(None)
    assert painted(tool, WIDE) == painted(ScaleBarTool(), WIDE)


def test_the_bar_is_faint_while_the_pointer_is_near(qapp):
    tool, told = ScaleBarTool(), []
    tool.set_size(PixelSize(1.0, "µm"))
    whole = painted(tool, WIDE)
    tool.changed.connect(lambda: told.append(1))
    tool.hover(QPointF(300, 20), WIDE)
    assert painted(tool, WIDE) == whole
    assert not told, "far from it"
    tool.hover(QPointF(100, 50), WIDE)
    faint = painted(tool, WIDE)
    assert faint not in (whole, painted(ScaleBarTool(), WIDE))
    tool.hover(QPointF(101, 50), WIDE)
    assert len(told) == 1, "the pane is not painted at each move"
    tool.hover(QPointF(300, 20), WIDE)
    assert painted(tool, WIDE) == whole, "the pointer has gone"
    tool.hover(QPointF(100, 50), WIDE)
    tool.leave()
    assert painted(tool, WIDE) == whole
