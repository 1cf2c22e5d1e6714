"""Jobs as a process with another working folder can run them."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from core.batch.identity import FILES_AFTER
from core.batch.job import BatchJob


def for_anywhere(job: BatchJob) -> BatchJob:
    """Return a job whose options name files by their absolute paths."""
    return msgspec.structs.replace(job, options=tuple(_absolute(job.options)))


def _absolute(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if found and found[-1] in FILES_AFTER:
            found.append(_path(word))
        else:
            found.append(f"{name}={_path(value)}" if equals and name in FILES_AFTER else word)
    return found


def _path(word: str) -> str:
    """Return the absolute path of a file that is there; presets may be called by a name of their own."""
    return os.path.abspath(word) if os.path.exists(word) else word
