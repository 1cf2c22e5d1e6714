"""What the window and its queue tell each other: what is to be done, and what is known of a job."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.batch.job import BatchJob, JobProgress


@dataclass(frozen=True)
class JobRequest:
    """What is to be done.

    Attributes
    ----------
    input : str
        As ``cleanplate run`` takes it.
    options : tuple of str
        The other words of the command.
    folder : Path
        The results get a folder of their own in it.
    named_after : str
        The input that this folder is named after.
    expands : bool
        A folder of clips is a job for each; see `core.batch.inputs.found_inputs`.
    """

    input: str
    options: tuple[str, ...]
    folder: Path
    named_after: str = ""
    expands: bool = False


@dataclass(frozen=True)
class JobRow:
    """What is known of a job at one moment.

    Attributes
    ----------
    job : BatchJob
    progress : JobProgress or None
        None where it does not run, or has not begun to read.
    log : Path
    """

    job: BatchJob
    progress: JobProgress | None
    log: Path


def inputs_of(request: JobRequest) -> list[str]:
    """Return the inputs that a request stands for, each a job."""
    if not request.expands:
        return [request.input]
    from core.batch.inputs import found_inputs  # noqa: PLC0415 - decoders; the engine is there by now

    return found_inputs([request.input])
