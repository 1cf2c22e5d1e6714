"""What is said on a pane that does not take the tool."""

from PySide6.QtCore import Qt

from app.views.tools.elsewhere import ElsewhereTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, painted


def test_where_a_tool_is_used_is_said_while_the_button_is_held_and_a_large_picture_can_be_panned(qapp):
    tool = ElsewhereTool()
    nothing = painted(tool, WHOLE)
    tool.set_words("Paint on: Input")
    assert tool.cursor(None, WHOLE) is Qt.CursorShape.ForbiddenCursor
    assert painted(tool, WHOLE) == nothing
    assert tool.begin(at(100, 40), WHOLE)
    assert painted(tool, WHOLE) != nothing
    tool.end(WHOLE)
    assert painted(tool, WHOLE) == nothing
    assert not tool.begin(at(100, 40), ENLARGED)
    assert tool.cursor(None, ENLARGED) is None
