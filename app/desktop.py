"""Files and folders shown by the desktop's own programs."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices


def shown_by_desktop(path: str, what: str) -> str:
    """Let the desktop open a file or folder.

    Parameters
    ----------
    path : str
    what : str
        What people call it, such as "The log".

    Returns
    -------
    str
        A sentence that says where it is, if nothing opens it; else empty.
    """
    if QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
        return ""
    return f"No program of this desktop opens it. {what} is at {path}"
