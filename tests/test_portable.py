"""What only POSIX has is asked for only where it is there; what takes its place elsewhere is tried with stand-ins."""

import ast
import ctypes
import errno
import importlib.util
import os
import re
import sys
import types
from pathlib import Path

import pytest

import app
import core
from app import interrupts
from app.equivalent_command import command_line
from app.system import bundle
from core.export.job_spec import Job
from core.io.input_spec import InputSpec
from core.runtime import shell

POSIX_MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
POSIX_NAMES = {
    "fork", "geteuid", "getegid", "getloadavg", "getuid", "getxattr", "kill", "killpg", "mkfifo", "nice",
    "register_at_fork", "sched_getaffinity", "setpriority", "setsid", "setxattr", "statvfs", "sysconf",
    "uname", "wait4",
}  # fmt: skip
"""Of the module ``os``, missing on Windows; some on macOS too."""

GUARDS = ("sys.platform", "hasattr(os", "os.name", "AttributeError", "_STATM.exists")
"""What the function or block around such a name asks first."""


def modules():
    folders = [Path(package.__file__).parent for package in (app, core)]
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def unguarded(source):
    """Return the lines of a module that ask for what only POSIX has, and nothing around them for the system."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            asks = any(alias.name in POSIX_MODULES for alias in node.names)
        else:
            asks = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "os" and node.attr in POSIX_NAMES
        around = node
        while asks and around in parents:
            around = parents[around]
            whole = isinstance(around, ast.FunctionDef | ast.If | ast.IfExp | ast.Try | ast.BoolOp | ast.With)
            if whole and any(guard in ast.unparse(around) for guard in GUARDS):
                asks = False
        if asks:
            found.append(node.lineno)
    return found


def test_what_only_posix_has_is_asked_for_where_it_is_there():
    allowed = {"memory.py": "resource"}  # `_own_limit`, which Windows never calls, and the end of `peak_mib`.
    names = re.compile(
        "|".join(rf"import {name}\b" for name in POSIX_MODULES) + "|" + rf"os\.({'|'.join(POSIX_NAMES)})\b"
    )
    for path in modules():
        source = path.read_text(encoding="utf-8")
        if not names.search(source):
            continue  # Most: taking them apart would take a while.
        lines = [source.splitlines()[number - 1] for number in unguarded(source)]
        assert [line for line in lines if allowed.get(path.name, "\0") not in line] == [], path


def test_the_check_sees_what_is_not_guarded():
    assert unguarded("import fcntl") == [1]
    assert unguarded("import os\ndef f():\n    return os.geteuid()") == [3]
    assert unguarded("import os, sys\ndef f():\n    return sys.platform == 'win32' or os.geteuid() == 0") == []


def as_on_windows(monkeypatch, name, **stand_ins):
    """Load a module anew, as Windows would, with modules that only Windows has."""
    for module, stand_in in stand_ins.items():
        monkeypatch.setitem(sys.modules, module, stand_in)
    monkeypatch.setattr(sys, "platform", "win32")
    spec = importlib.util.find_spec(name)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class Msvcrt(types.ModuleType):
    """Locks of Windows: of a file's bytes, which one holder has at a time."""

    LK_NBLCK = 2

    def __init__(self):
        super().__init__("msvcrt")
        self.held = {}

    def locking(self, descriptor, mode, n_bytes):
        assert (mode, n_bytes) == (self.LK_NBLCK, 1)
        where = os.fstat(descriptor).st_ino
        holder = self.held.get(where)
        if holder is not None and holder != descriptor:
            raise OSError(errno.EACCES, "Permission denied")
        self.held[where] = descriptor


def test_file_locks_exclude_each_other_on_windows_too(monkeypatch, tmp_path):
    msvcrt = Msvcrt()
    file_lock = as_on_windows(monkeypatch, "core.runtime.file_lock", msvcrt=msvcrt)
    first, second = file_lock.FileLock(tmp_path / "lock"), file_lock.FileLock(tmp_path / "lock")
    assert first.acquire()
    assert not second.acquire()
    msvcrt.held.clear()  # As the system does where the file is closed.
    first.release(remove=True)
    assert not (tmp_path / "lock").exists()
    assert second.acquire()
    second.release(remove=False)


def test_other_errors_of_a_lock_are_not_taken_for_a_holder(monkeypatch, tmp_path):
    msvcrt = Msvcrt()
    file_lock = as_on_windows(monkeypatch, "core.runtime.file_lock", msvcrt=msvcrt)

    def refuse(*_):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(msvcrt, "locking", refuse)
    with pytest.raises(OSError, match="Invalid"):
        file_lock.FileLock(tmp_path / "lock").acquire()


def test_memory_is_asked_for_as_windows_tells_it(monkeypatch):
    class Library:
        def __init__(self, name):
            self.name = name

        def GetCurrentProcess(self):
            return -1

        def GlobalMemoryStatusEx(self, status):
            status._obj.available = 3 << 30
            return 1

        def GetProcessMemoryInfo(self, process, counters, size):
            assert size == ctypes.sizeof(counters._obj)
            counters._obj.peak = 5 << 20
            return 1

    monkeypatch.setattr(ctypes, "WinDLL", Library, raising=False)
    memory = as_on_windows(monkeypatch, "core.runtime.memory")
    assert memory.available_bytes() == 3 << 30
    assert memory.peak_mib() == 5.0


def test_marks_of_results_are_missed_where_files_carry_no_notes(monkeypatch, tmp_path):
    marks = as_on_windows(monkeypatch, "core.io.publishing.marks")
    (tmp_path / "plate.png").touch()
    assert not marks.mark(tmp_path / "plate.png")
    assert not marks.is_marked(tmp_path / "plate.png")


def test_commands_are_quoted_for_the_shell_of_the_system(monkeypatch):
    words = ["cleanplate", "run", "my film.mp4", "-o", "out"]
    assert shell.quoted(words) == "cleanplate run 'my film.mp4' -o out"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", r"C:\Program Files\Python\python.exe")
    assert shell.quoted(words) == 'cleanplate run "my film.mp4" -o out'
    assert command_line(Job(InputSpec("my film.mp4"), Path("out"))).startswith('cleanplate run "my film.mp4" -o out')
    assert bundle.remedy("numpy").startswith('"C:\\Program Files\\Python\\python.exe" -m pip')


def test_ctrl_break_ends_the_program_where_there_is_one(monkeypatch):
    import signal

    assert {signal.SIGINT, signal.SIGTERM} <= set(interrupts.ENDING)
    monkeypatch.setattr(signal, "SIGBREAK", 21, raising=False)
    monkeypatch.delattr(signal, "SIGHUP", raising=False)
    spec = importlib.util.find_spec("app.interrupts")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    assert loaded.ENDING == (signal.SIGINT, signal.SIGTERM, 21)
