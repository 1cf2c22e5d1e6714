import pytest

from app.system.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ein schöner Tag · 日本 12 %", "Ein schöner Tag · 日本 12 %"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\r\x07", "a\\nb\\r\\x07"),
        ("\x9b1m", "\\x9b1m"),
        ("\u202etxt", "\\u202etxt"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text, shown):
    assert printable(text) == shown
