"""Make the environment in .venv from requirements.lock, with Python's own library and nothing else.

Run by make. Debian's Python comes without ensurepip and without pip: then pip itself is fetched, at the version and
with the checksum in the lock, from the index that pip is configured to use.
"""

from __future__ import annotations

import configparser
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import urldefrag, urljoin

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
LOCK = ROOT / "requirements.lock"
PIP_CONFIGS = ("/etc/xdg/pip/pip.conf", "/etc/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")


class SetupError(Exception):
    """One sentence: what went wrong and what to do."""


def main() -> int:
    """Make or bring up to date the environment; return the exit status."""
    try:
        make_environment()
        with tempfile.TemporaryDirectory() as folder:
            tell("step 2 of 5, looking for pip")
            pip = find_pip(Path(folder))
            n_packages = len(re.findall(r"^\S+==", LOCK.read_text(), re.MULTILINE))
            tell(f"step 3 of 5, installing {n_packages} packages of requirements.lock (300 MB the first time: minutes)")
            # Wheels only: an hour of compiling, or failing at it, is not what make promised. And nothing beside the
            # lock, which is whole: pip takes coverage[toml], which pytest-cov asks for, to be another package than the
            # coverage that is pinned, and fails the day that a newer one is out.
            options = ["--quiet", "--only-binary=:all:", "--no-deps", "--require-hashes"]
            run([*pip, "install", *options, "-r", str(LOCK)])
        tell("step 4 of 5, installing Cleanplate itself, from this folder")
        own = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
        run([str(PYTHON), "-m", "pip", "install", "--quiet", *own])
        tell("step 5 of 5, compiling it to bytecode")
        run([str(PYTHON), "-m", "compileall", "-q", *(str(ROOT / name) for name in ("app", "core"))])
        (VENV / ".ready").touch()
        tell("done; kernels are compiled for this machine at the first run, which may take a minute more")
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"setup: cannot write {error.filename or VENV}: {error.strerror or error}.", file=sys.stderr)
        return 1
    return 0


def tell(what: str) -> None:
    """Say what goes on from now on: a step may take minutes."""
    print(f"setup: {what}.", flush=True)


def run(command: list[str]) -> None:
    """Run a command; show what it said only where it fails."""
    # A machine-wide "user = true" or PYTHONPATH would install past the environment; and without bytecode, written here
    # once, every start takes a second longer.
    unwanted = {"PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PYTHONDONTWRITEBYTECODE"}
    env = {k: v for k, v in os.environ.items() if k not in unwanted}
    env |= {
        "PIP_USER": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_INPUT": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
    }
    ended = subprocess.run(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if ended.returncode:
        sys.stderr.write(ended.stdout.decode(errors="replace"))
        raise SetupError(
            f"{' '.join(command[:4])} … failed as shown above; mend that (often it is the network) and run make again."
        )


def works(*command: str) -> bool:
    """Tell whether a command is there and ends well."""
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Make .venv unless a good one is there. Without pip, which Debian's venv module could not put in."""
    if works(str(PYTHON), "-c", "import sys; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"):
        tell("step 1 of 5, the environment .venv is there")
        return
    tell(f"step 1 of 5, making .venv with Python {sys.version.split()[0]} ({sys.executable})")
    if importlib.util.find_spec("venv") is None:
        raise SetupError("this Python has no venv module; install it (apt install python3-venv) and run make again.")
    run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)])


def find_pip(folder: Path) -> list[str]:
    """Return a command that is pip for .venv; what must be fetched goes to ``folder``."""
    inside = [str(PYTHON), "-m", "pip"]
    if works(*inside, "--version") or works(str(PYTHON), "-m", "ensurepip"):
        return inside
    outside = [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    if works(*outside, "--version"):
        return outside
    wheel = fetch_pip(folder)
    return [str(PYTHON), f"{wheel}/pip"]


def index_url() -> str:
    """Return the package index that pip would use."""
    url = "https://pypi.org/simple"
    for path in (*PIP_CONFIGS, os.environ.get("PIP_CONFIG_FILE", os.devnull)):
        config = configparser.RawConfigParser()
        config.read(Path(path).expanduser())
        url = config.get("global", "index-url", fallback=url)
    return os.environ.get("PIP_INDEX_URL") or url


def fetch_pip(folder: Path) -> Path:
    """Fetch the wheel of pip that the lock names, check it, and return where it is."""
    locked = re.search(r"^pip==(\S+)((?:.*\\\n)*.*)", LOCK.read_text(), re.MULTILINE)
    if locked is None:
        raise SetupError("requirements.lock does not list pip; run make lock where pip is installed.")
    name = f"pip-{locked[1]}-py3-none-any.whl"
    page_url = index_url().rstrip("/") + "/pip/"
    try:
        with urllib.request.urlopen(page_url, timeout=60) as page:
            links = re.findall(r'href="([^"]+)"', page.read().decode())
        link = next((x for x in links if urldefrag(x)[0].endswith(name)), None)
        if link is None:
            raise SetupError(f"{page_url} has no {name}; install pip (apt install python3-pip) and run make again.")
        with urllib.request.urlopen(urljoin(page_url, link), timeout=60) as answer:
            content = answer.read()
    except OSError as error:
        raise SetupError(f"cannot reach {page_url} ({error}); check the network or PIP_INDEX_URL.") from None
    if hashlib.sha256(content).hexdigest() not in locked[2]:
        raise SetupError(f"{name} from {page_url} does not have the checksum in requirements.lock.")
    path = folder / name
    path.write_bytes(content)
    return path


if __name__ == "__main__":
    sys.exit(main())
