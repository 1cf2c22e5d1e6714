"""Why no window can be opened here, found out before Qt is asked: it would end the process."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import os
import sys
from pathlib import Path

from app.system.qt_libraries import install_command, missing_libraries

HEADLESS = ("offscreen", "minimal", "vnc", "eglfs", "linuxfb")
"""Qt's platforms that need no display server."""


def display_problem() -> str | None:
    """Return one sentence that says why a window cannot be shown and what to do, or None.

    Only a glance, for every start: `app.system.doctor` looks closer.
    """
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM", "").startswith(HEADLESS):
        return None
    display, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not display and not wayland:
        return "There is no display for a window; use cleanplate run INPUT -o DIR, which needs none."
    if not wayland:
        if not _loads_plugin():
            return libraries_problem()
        if not _answers():
            return f"The display {display} does not answer; check DISPLAY, or use cleanplate run INPUT -o DIR."
    return None


def libraries_problem() -> str:
    """Return one sentence that names the command which installs what Qt lacks."""
    missing = missing_libraries()
    if not missing:
        return "The window's libraries cannot be loaded; cleanplate doctor says why."
    return f"The window lacks {len(missing)} system libraries; install them with: {install_command(missing)}"


def _loads_plugin() -> bool:
    """Load what connects Qt to X11, with everything that it needs; Qt would load it next anyway."""
    spec = importlib.util.find_spec("PySide6")
    if spec is None or not spec.submodule_search_locations:
        return False
    plugin = Path(spec.submodule_search_locations[0]) / "Qt/plugins/platforms/libqxcb.so"
    if not plugin.exists():
        return True
    try:
        ctypes.CDLL(str(plugin))
    except OSError:
        return False
    return True


def _answers() -> bool:
    """Connect to the X server that DISPLAY names, and let go."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
