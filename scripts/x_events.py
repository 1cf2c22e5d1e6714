"""Mouse and keyboard of an X server: what is sent here reaches the program as what a person does (extension XTEST)."""

from __future__ import annotations

import ctypes
import time

MODIFIERS = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}
NAMES = {
    " ": "space", "/": "slash", ".": "period", ",": "comma", "-": "minus", "_": "underscore", ":": "colon",
    "+": "plus", "[": "bracketleft", "]": "bracketright",
}  # fmt: skip
"""Names that X has for keys which are signs."""

AFTER_S = 0.02
"""Between two events: people are slower still."""


class XEvents:
    """Sends events to the display that ``DISPLAY`` names, over a connection of its own. For one thread.

    Raises
    ------
    SystemExit
        The libraries of X are not there, or no display is.
    """

    def __init__(self) -> None:
        try:
            self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        except OSError as error:
            raise SystemExit(f"There is no {error.name or 'libXtst'}; install it (apt install libxtst6).") from error
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XStringToKeysym.restype = ctypes.c_ulong
        self._x.XkbKeycodeToKeysym.restype = ctypes.c_ulong
        display = self._x.XOpenDisplay(None)
        if not display:
            raise SystemExit("There is no display to send events to.")
        self._display = ctypes.c_void_p(display)

    def move(self, x: int, y: int) -> None:
        """Put the pointer to a point of the screen."""
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, 0)
        self._flush()

    def button(self, number: int, *, down: bool) -> None:
        """Press a button of the mouse, or let it go: 1 left, 2 middle, 3 right, 4 and 5 the wheel."""
        self._test.XTestFakeButtonEvent(self._display, number, int(down), 0)
        self._flush()

    def press(self, keys: str) -> None:
        """Press keys together, such as ``ctrl+shift+e``, ``Return`` or ``w``, and let them go."""
        *held, last = [keys] if keys in NAMES else keys.split("+")
        code, shifted = self._key(NAMES.get(last, last))
        codes = [self._key(MODIFIERS[name])[0] for name in held]
        if shifted and "shift" not in held:
            codes.append(self._key(MODIFIERS["shift"])[0])
        for one in codes:
            self._send(one, down=True)
        for down in (True, False):
            self._send(code, down=down)
        for one in reversed(codes):
            self._send(one, down=False)

    def _key(self, name: str) -> tuple[int, bool]:
        """Return the code of a key, and whether it needs Shift."""
        sign = self._x.XStringToKeysym(name.encode())
        code = self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(sign))
        if not code:
            raise ValueError(f"this keyboard has no key {name!r}")
        return code, self._x.XkbKeycodeToKeysym(self._display, ctypes.c_ubyte(code), 0, 0) != sign

    def _send(self, code: int, *, down: bool) -> None:
        self._test.XTestFakeKeyEvent(self._display, code, int(down), 0)
        self._flush()

    def _flush(self) -> None:
        self._x.XSync(self._display, 0)
        time.sleep(AFTER_S)
