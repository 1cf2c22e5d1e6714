"""What the command line says of a failure: one sentence each."""

from __future__ import annotations

import os
import re
from typing import cast

import typer

from app.cli import standard_output
from core.errors import CleanplateError

# Typer carries its own copy of click from some version on; both have these ancestors for all usage errors, which have
# what is used of them here: a context (the first one alone) and a message.
UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])
ClickException = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[2])

NO_MEMORY = "There is not enough memory; choose a smaller working size (--size) or region (--roi)."


class LeftUndoneError(CleanplateError):
    """A batch was interrupted; what is done of it stays."""


UNMAPPED = "failed to map segment"
"""What the dynamic loader says of a library that does not fit into memory."""


def refusal(error: OSError) -> str:
    """Return what the system refused of a file; without the name of one, it is an error of the program."""
    if error.filename is None and error.errno in standard_output.REFUSALS:
        return f"What the program prints could not be written ({error.strerror}); check where its output goes."
    if error.filename is None or error.strerror is None:
        return unexpected(error)
    return f"{os.fsdecode(error.filename)} cannot be used ({error.strerror}); check the path."


def unexpected(error: Exception) -> str:
    """Return a sentence on an error of the program, or of a library that found no room to be loaded."""
    cause: BaseException | None = error
    while cause:
        if UNMAPPED in str(cause):
            return "There is not enough memory to begin; end other programs, or raise the limit (ulimit -v)."
        cause = cause.__cause__ or cause.__context__
    from app.system.log import explain  # noqa: PLC0415

    return explain(error, "doing that")


def usage(error: typer.BadParameter) -> str:
    """Return what was typed wrong and whose help says more, without the words of the library that checks types."""
    sentence = " ".join(error.format_message().split()).rstrip(".")
    if found := re.fullmatch(r"Invalid value for '(?P<what>[^']+)': Input (?P<must>should be [^,]+)(,.*)?", sentence):
        sentence = f"{found['what']} {found['must'].replace('valid integer', 'whole number')}"
    context = error.ctx if isinstance(error, UsageError) else None
    return f"{sentence}; see {context.command_path if context else 'cleanplate'} --help."
