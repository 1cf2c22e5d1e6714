"""The results page: what the experiments showed, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from core.bench.experiments.base import Claim, Result, Table
from core.errors import CleanplateError
from core.sinks.base import Partial, writing

INTRODUCTION = """\
# The papers' experiments, run again

Made by `make papers`, which runs `cleanplate bench faces --experiment all`. Our figures stand beside the papers'; below
each table is what its paper claims, and whether that holds here. The papers do not always say which images they took,
how they cut them or how they counted: compare orderings and gaps rather than values.
"""


def check_page(path: Path | None) -> None:
    """Raise an error where a page could not be written, before minutes are spent on measuring."""
    if path is not None and (path.suffix.lower() != ".md" or not path.absolute().parent.is_dir()):
        raise CleanplateError(f"The page cannot be written to {path}; name a .md file in a folder that exists.")


def page(
    results: Mapping[str, Result], missing: Mapping[str, str], seconds: Mapping[str, float], *, quick: bool = False
) -> str:
    """Return the page.

    Parameters
    ----------
    results : mapping
        A result for each experiment that was run, by its name.
    missing : mapping
        One sentence for each that could not be.
    seconds : mapping
        How long each took.
    quick : bool
        The figures are a first look; the page says so.
    """
    lines = [INTRODUCTION]
    if quick:
        lines.append("**A first look (`--quick`): few samples, few iterations. These are no results.**\n")
    broken = [(name, claim) for name, result in results.items() for claim in result.claims if claim.holds is False]
    if broken:
        lines += ["## What does not hold here\n", *(f"* `{name}`: {_claim(claim)}" for name, claim in broken), ""]
    for name, result in results.items():
        lines += [f"## {result.title}\n", *_section(name, result, seconds[name])]
    if missing:
        lines += ["## Not measured\n", *(f"* `{name}`: {sentence}" for name, sentence in missing.items()), ""]
    return "\n".join(lines)


def write_page(
    path: Path, results: Mapping[str, Result], missing: Mapping[str, str], seconds: Mapping[str, float], *, quick: bool
) -> None:
    """Write the page; its name appears when it is complete.

    Raises
    ------
    CleanplateError
        The file cannot be written.
    """
    partial = Partial(path)
    try:
        with writing(path):
            partial.path.write_text(page(results, missing, seconds, quick=quick), encoding="utf-8")
        partial.publish()
    except BaseException:
        partial.discard()
        raise


def _section(name: str, result: Result, seconds: float) -> Iterator[str]:
    yield f"`cleanplate bench faces --experiment {name}`, {seconds:.0f} s in all; {result.paper}.\n"
    yield f"{result.data} {result.setting}\n"
    for table in result.tables:
        yield from _table(table)
    yield from (f"* {claim.verdict.capitalize()}: {_claim(claim)}" for claim in result.claims)
    yield from (f"\n{note}" for note in result.notes)
    yield ""


def _claim(claim: Claim) -> str:
    return f"{claim.text} Here: {claim.ours}."


def _table(table: Table) -> Iterator[str]:
    yield f"{table.title}\n"
    yield "| " + " | ".join(heading.replace("\n", " ") for heading in table.headings) + " |"
    yield "|---|" + "---:|" * (len(table.headings) - 1)
    yield from ("| " + " | ".join(row) + " |" for row in table.rows)
    yield ""
