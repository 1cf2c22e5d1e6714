"""Open the window on the sample; without a display separate the same sample into out/. Run by make run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app.system.doctor import has_display, window_problem  # noqa: E402

HEADLESS = "run sample:street -o out --overwrite"


def main() -> None:
    """Become the program, so that a key or a signal reaches nothing else."""
    os.chdir(ROOT)
    problem = why_no_window()
    if problem is None:
        start(sysroot_environment())
    print(f"{problem}: separating the sample into {ROOT / 'out'} instead (cleanplate {HEADLESS}).", flush=True)
    start(dict(os.environ), *HEADLESS.split())


def why_no_window() -> str | None:
    """Bring in what Qt needs, and return why there can be no window all the same."""
    if not has_display():
        return "There is no display"
    if subprocess.run([sys.executable, "scripts/qt_libraries.py"], check=False).returncode:
        return "Qt lacks libraries"
    problem = window_problem(sysroot_environment())
    return problem and f"The display cannot be used ({problem})"


def start(env: dict[str, str], *arguments: str) -> NoReturn:
    """Put the program in the place of this process; on Windows, where a shell would not wait for that, wait for it."""
    if sys.platform == "win32":
        sys.exit(subprocess.run([sys.executable, "-m", "app", *arguments], env=env, check=False).returncode)
    os.execve(sys.executable, [sys.executable, "-m", "app", *arguments], env)


def sysroot_environment() -> dict[str, str]:
    """Return the environment with what scripts/qt_libraries.py unpacked, if anything."""
    env, path = dict(os.environ), ROOT / ".venv" / "sysroot" / "env"
    if path.exists():
        words = shlex.split(path.read_text(), comments=True)
        env |= dict(word.split("=", 1) for word in words if "=" in word)
    return env


if __name__ == "__main__":
    main()
