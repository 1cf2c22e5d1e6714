"""What a job of the queue makes, in a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.project.naming import is_project

if TYPE_CHECKING:
    from core.batch.job import BatchJob

OF_PROJECT = "as its project says"

STORED = {
    "png16": "16-bit PNG", "mkv": "FFV1", "mp4": "H.264", "prores": "ProRes 422", "prores4444": "ProRes 4444",
}  # fmt: skip
"""Words for the formats whose keys are none."""


def makes(job: BatchJob) -> str:
    """Return what a job writes, how it is stored, by which method, and whatever else was set."""
    if not is_project(job.input):
        return made_by(job.options)
    said = dict(_pairs(job.options))
    first = [_saved(said.pop("--save")) if "--save" in said else "", _stored(said.pop("--format", ""))]
    words = " · ".join([*filter(None, first), OF_PROJECT, *(_words(key, value) for key, value in said.items())])
    return words[:1].upper() + words[1:] if words.startswith(OF_PROJECT) else words


def made_by(options: Sequence[str]) -> str:
    """Return the same of options, which are not those of a project."""
    said = list(_pairs(options))
    usual = {"--save": "plate,mask,cleaned", "--format": "png", "--method": "fast"}
    first = {**usual, **{key: value for key, value in said if key in usual}}
    rest = [_words(key, value) for key, value in said if key not in usual]
    method = [] if any(key == "--model" for key, _ in said) else [first["--method"]]
    return " · ".join([_saved(first["--save"]), _stored(first["--format"]), *method, *rest])


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield options with their values; empty where one has none."""
    for word, following in zip(words, [*words, "--"][1:], strict=True):
        if word.startswith("--"):
            yield word, "" if following.startswith("--") else following


def _saved(value: str) -> str:
    return value.replace(",", ", ")


def _stored(form: str) -> str:
    return STORED.get(form, form.upper())


def _words(key: str, value: str) -> str:
    name = key.removeprefix("--")
    if name == "set":
        return value.replace("=", " = ")
    return f"{name} {Path(value).name if name in {'model', 'areas'} else value}".strip()
