"""The results page: what the experiments showed, as Markdown, one section each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.bench.experiments import registry
from core.bench.experiments.base import Claim, Result, Table
from core.errors import CleanplateError
from core.io.publishing.single_file import replacing

INTRODUCTION = """\
# The papers' experiments, run again

Made by `make papers`, which runs `cleanplate bench faces --experiment all`; one experiment with
`--markdown docs/papers.md` brings its section up to date. Our figures stand beside the papers'; below the tables is
what the paper claims, and whether that holds here. The papers do not always say which images they took, how they cut
them or how they counted: compare orderings and gaps rather than values.
"""

BROKEN = "* Does not hold: "
"""Begins a line of a section; the page gathers them at its head."""

WHY = "Below the claims of each section stands why, from its figures."

QUICK = "**A first look (`--quick`): few samples, few iterations. These are no results.**\n"

_MARK = re.compile(r"^<!-- experiment ([\w-]+) -->\n", re.MULTILINE)
_END = "<!-- end -->"


def check_page(path: Path | None) -> None:
    """Raise an error where a page could not be written, before minutes are spent on measuring."""
    if path is not None and (path.suffix.lower() != ".md" or not path.absolute().parent.is_dir()):
        raise CleanplateError(f"The page cannot be written to {path}; name a .md file in a folder that exists.")


def section(name: str, result: Result, seconds: float, *, quick: bool) -> str:
    """Return what one experiment showed; ``seconds`` of the processor it took, ``quick`` a first look."""
    return "\n".join(_lines(name, result, seconds, quick))


def page(sections: Mapping[str, str]) -> str:
    """Return the page: what does not hold, then a section for each experiment, in the order of the registry."""
    order = [name for name in registry.EXPERIMENTS if name in sections]
    broken = [
        f"* [`{name}`](#{name}): {line.removeprefix(BROKEN)}"
        for name in order for line in sections[name].splitlines() if line.startswith(BROKEN)
    ]  # fmt: skip
    parts = [INTRODUCTION]
    if broken:
        parts.append("\n".join(["## What does not hold here\n", f"{WHY}\n", *broken, ""]))
    parts += [f"<!-- experiment {name} -->\n{sections[name].strip()}\n" for name in order]
    return "\n".join([*parts, _END, ""])


def sections_of(text: str) -> dict[str, str]:
    """Return the sections of a page by the names of their experiments."""
    _, *rest = _MARK.split(text.split(_END, maxsplit=1)[0])
    return dict(zip(rest[::2], rest[1::2], strict=True))


def update_page(path: Path, sections: Mapping[str, str]) -> None:
    """Write a page, or bring these sections of it up to date; its name appears when it is complete.

    Raises
    ------
    CleanplateError
        The file cannot be read or written.
    """
    try:
        with replacing(path) as beside:
            before = sections_of(path.read_text(encoding="utf-8")) if path.exists() else {}
            beside.write_text(page({**before, **sections}), encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CleanplateError(f"{path} is no page of text; name another file.") from error


def _lines(name: str, result: Result, seconds: float, quick: bool) -> Iterator[str]:
    yield f'<a id="{name}"></a>\n'
    yield f"## {result.title}\n"
    yield f"`cleanplate bench faces --experiment {name}`, {seconds:.0f} s of processor time in all; {result.paper}.\n"
    if quick:
        yield QUICK
    yield f"{result.data} {result.setting}\n"
    for table in result.tables:
        yield from _table(table)
    for claim in result.claims:
        yield (BROKEN if claim.holds is False else f"* {claim.verdict.capitalize()}: ") + _claim(claim)
    yield from (f"\n{note}" for note in result.notes)


def _claim(claim: Claim) -> str:
    return f"{claim.text} Here: {claim.ours}."


def _table(table: Table) -> Iterator[str]:
    yield f"{table.title}\n"
    yield "| " + " | ".join(heading.replace("\n", " ") for heading in table.headings) + " |"
    yield "|---|" + "---:|" * (len(table.headings) - 1)
    yield from ("| " + " | ".join(row) + " |" for row in table.rows)
    yield ""
