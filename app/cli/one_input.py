"""Commands that read one input, and what they say of several: a shell makes many names of ``IMG_*.jpg``."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer

from app.cli.sentences import UsageError
from core.errors import CleanplateError


def refuse_several(words: Sequence[str], command: str) -> None:
    """Raise a `CleanplateError` that says what helps, where words are several names of files or folders."""
    if len(words) < 2 or not all(map(os.path.exists, words)):
        return
    from core.io.sources.reading import IMAGE_SUFFIXES  # noqa: PLC0415 - decoders, for a sentence

    folders = {str(Path(name).parent) for name in words}
    place = f" ({folders.pop()})" if len(folders) == 1 else ""
    has_images = any(name.lower().endswith(IMAGE_SUFFIXES) for name in words)
    together = f"name the folder{place} to read its images together, or " if has_images else ""
    raise CleanplateError(
        f"{len(words)} inputs were given, and {command} reads one: {together}use cleanplate batch to read each input "
        f"by itself."
    )


@contextlib.contextmanager
def telling_of_dashes(words: Sequence[str]) -> Iterator[None]:
    """Say what helps where a word is refused as an option, and is the name of a file or folder."""
    try:
        yield
    except UsageError as error:
        if name := next((word for word in words if word.startswith("-") and os.path.exists(word)), None):
            raise CleanplateError(f"{name} begins as an option does; write it as ./{name}.") from error
        raise


class OneInputCommand(typer.core.TyperCommand):
    """A command whose only argument is ``source``; options may stand before, between and behind."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as usual, and say what helps where the words that are left over name files as well."""
        ctx.allow_extra_args = True
        with telling_of_dashes(list(args)):
            left: list[str] = super().parse_args(ctx, args)
        given = [ctx.params["source"], *left]
        refuse_several(given, ctx.command_path)
        if left:
            ctx.fail(f"One input is read, and {len(given)} were given: {left[0]} is one too many")
        return left
