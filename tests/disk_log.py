"""What reaches the disk, and when it is named or removed: what a power cut would have left."""

import os

import pytest

from core.io.publishing import transaction


class DiskLog:
    """Of each step: ``("sync", inode)``, ``("sync all",)``, ``("name", inode, name)`` or ``("gone", name)``."""

    def __init__(self):
        self.steps = []

    def place(self, *step):
        """Return when a step came; it came once."""
        assert self.steps.count(step) == 1, step
        return self.steps.index(step)

    def named(self, name):
        """Return when a file got its name last, and its inode."""
        return next((i, step[1]) for i, step in reversed([*enumerate(self.steps)]) if step[0::2] == ("name", name))

    def is_synced_before(self, inode, place):
        """Tell whether a file was on the disk by then."""
        return ("sync", inode) in self.steps[:place] or ("sync all",) in self.steps[:place]


@pytest.fixture
def disk(monkeypatch):
    log = DiskLog()
    true = {name: getattr(os, name) for name in ("fsync", "rename", "replace", "unlink")}

    def fsync(descriptor):
        log.steps.append(("sync", os.fstat(descriptor).st_ino))
        return true["fsync"](descriptor)

    def naming(name):
        def change(old, new, **more):
            log.steps.append(("name", os.stat(old).st_ino, os.path.basename(new)))
            return true[name](old, new, **more)

        return change

    def unlink(path, **more):
        log.steps.append(("gone", os.path.basename(path)))
        return true["unlink"](path, **more)

    def sync_all(path):
        assert os.path.exists(path)
        log.steps.append(("sync all",))

    monkeypatch.setattr(os, "fsync", fsync)
    for name in ("rename", "replace"):
        monkeypatch.setattr(os, name, naming(name))
    monkeypatch.setattr(os, "unlink", unlink)
    monkeypatch.setattr(transaction, "sync_all_beside", sync_all)
    return log
