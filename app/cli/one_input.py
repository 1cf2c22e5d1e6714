"""The command that reads one input, and what it says of several: a shell makes many names of ``IMG_*.jpg``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import typer

from core.errors import CleanplateError


class OneInputCommand(typer.core.TyperCommand):
    """A command whose only argument is ``source``; options may stand before, between and behind."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as usual, and say what helps where the words that are left over name files as well."""
        ctx.allow_extra_args = True
        left: list[str] = super().parse_args(ctx, args)
        given = [ctx.params["source"], *left]
        if left and all(map(os.path.exists, given)):
            folders = {str(Path(name).parent) for name in given}
            place = f" ({folders.pop()})" if len(folders) == 1 else ""
            raise CleanplateError(
                f"{len(given)} inputs were given, and {ctx.command_path} reads one: name the folder{place} to read its "
                f"images together, or use cleanplate batch to read each input by itself."
            )
        if left:
            ctx.fail(f"One input is read, and {len(given)} were given: {left[0]} is one too many")
        return left
