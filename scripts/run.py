"""Open the window on the sample; without a display separate the same sample into out/. Run by make run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.doctor import has_display, window_problem  # noqa: E402

HEADLESS = "run sample:street -o out --overwrite"


def main() -> int:
    """Return the exit status of the program."""
    if not has_display():
        return headless("There is no display")
    if subprocess.run([sys.executable, "scripts/qt_libraries.py"], cwd=ROOT, check=False).returncode:
        return headless("Qt lacks libraries")
    problem = window_problem(sysroot_environment())
    if problem:
        return headless(f"The display cannot be used ({problem})")
    return subprocess.run([sys.executable, "-m", "app"], cwd=ROOT, env=sysroot_environment(), check=False).returncode


def sysroot_environment() -> dict[str, str]:
    """Return the environment with what scripts/qt_libraries.py unpacked, if anything."""
    env, path = dict(os.environ), ROOT / ".venv" / "sysroot" / "env"
    if path.exists():
        words = shlex.split(path.read_text(), comments=True)
        env |= dict(word.split("=", 1) for word in words if "=" in word)
    return env


def headless(why: str) -> int:
    """Say why there is no window and separate the sample into out/."""
    print(f"{why}: separating the sample into {ROOT / 'out'} instead (cleanplate {HEADLESS}).", flush=True)
    return subprocess.run([sys.executable, "-m", "app", *HEADLESS.split()], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
