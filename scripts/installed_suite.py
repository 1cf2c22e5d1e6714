"""Install the wheel into an empty environment and run the suite against it, from a folder without the sources.

make installed                  all of it, on all cores
make installed ARGS="-n 2 -k head"      a part; ARGS are pytest's
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = {"app", "core", "resources"}
"""What the wheel brings; tests may look at all else that git tracks."""


def main(arguments: list[str]) -> int:
    """Install, run, and return pytest's exit status."""
    wheels = sorted((ROOT / "dist").glob("cleanplate-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        print("There is no wheel in dist/; run make wheel first.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="installed-") as name:
        folder = Path(name)
        python = install(wheels[-1], folder / "environment")
        beside = folder / "beside"
        beside.mkdir()
        for part in parts_beside():
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, beside / part)
        environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        environment |= {"QT_QPA_PLATFORM": "offscreen", "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
        where = "import app, core, resources; print(app.__file__, core.__file__, resources.__file__, sep='\\n')"
        subprocess.run([str(python), "-c", where], cwd=beside, env=environment, check=True)
        command = [str(python), "-m", "pytest", *(arguments or ["-n", "auto", "--dist", "worksteal"])]
        return subprocess.run(command, cwd=beside, env=environment, check=False).returncode


def parts_beside() -> list[str]:
    """Return the files and folders of the checkout that are kept in git, but for the program's."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted({name.partition("/")[0] for name in told.split("\0") if name} - PROGRAM)


def install(wheel: Path, environment: Path) -> Path:
    """Make an environment with the wheel, what it needs, and what tests need, as locked; returns its Python."""
    uv = [sys.executable, "-m", "uv", "--quiet"]
    subprocess.run([*uv, "venv", "--python", sys.executable, str(environment)], check=True)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    lock = str(ROOT / "requirements.lock")
    command = [*uv, "pip", "install", "--python", str(python), "--no-verify-hashes", "--constraint", lock, str(wheel)]
    subprocess.run([*command, *groups["dev"]], check=True)
    return python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
