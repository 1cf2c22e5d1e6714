"""What desktops are told of the program: where each file lies below a folder `share`."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APP_ID = "org.cleanplate.Cleanplate"
DESKTOP, ICON = f"{APP_ID}.desktop", f"{APP_ID}.svg"


def lay_out(share: Path) -> None:
    """Copy starter, description, kind of file and icon to where desktops look for them."""
    linux = ROOT / "release" / "linux"
    for source, place in (
        (linux / DESKTOP, "applications"),
        (linux / f"{APP_ID}.metainfo.xml", "metainfo"),
        (linux / f"{APP_ID}.mime.xml", "mime/packages"),
        (Path(str(resources.files("resources"))) / ICON, "icons/hicolor/scalable/apps"),
    ):
        (share / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(source, share / place)
