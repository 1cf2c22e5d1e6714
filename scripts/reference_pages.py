"""Write the pages of docs/ that the program itself knows best: parameters, command line, keys and words.

``python scripts/reference_pages.py`` writes them anew; a test compares them with what the program says now.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import typer  # noqa: E402

from app.cli.main import HELP, app  # noqa: E402
from app.cli.methods import range_text, value_text  # noqa: E402
from app.panels.help import GLOSSARY  # noqa: E402
from app.shortcuts import key_list  # noqa: E402
from core import catalogue  # noqa: E402
from core.export.products import FORMATS, PRODUCTS, QUALITIES, SPEEDS  # noqa: E402
from core.methods.base import MethodRow  # noqa: E402
from core.methods.content import CONTENT, IMAGE_SET_PARAMETERS  # noqa: E402
from core.parameter import Parameter  # noqa: E402
from core.scene.stabiliser import STEADY  # noqa: E402

DOCS = ROOT / "docs"
NOTE = "<!-- Written by scripts/reference_pages.py; change the program, then run make docs. -->\n"

OF_ALL = (
    ("Mask", "What is foreground. For every method that does not make masks of its own.", catalogue.MASK_PARAMETERS),
    ("Cleaned frames", "How much of a frame the plate replaces.", catalogue.CLEANING_PARAMETERS),
    ("Image sets", "Methods that ask what frames show read them by these.", IMAGE_SET_PARAMETERS),
    ("Camera", "What brings the frames of a shaking camera into line.", (STEADY,)),
)
"""Parameters that methods share: heading, what they are for, and they themselves."""


def main() -> int:
    """Write every page."""
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}")
    return 0


def parameters_page() -> str:
    """Return the page of all parameters, made from the catalogue."""
    return "\n".join([
        NOTE, "# Every parameter\n",
        "A slider or switch in the window, and `--set NAME=VALUE` on the command line, which may be given again; "
        "presets hold them under the same names. `auto` leaves a value to the program, and the panel shows what it "
        "stands at. A change acts on the next frame, but for parameters marked *anew*: these start the run again.\n",
        *(line for title, about, parameters in OF_ALL for line in (f"## {title}\n", about + "\n", *_table(parameters))),
        *(line for group in catalogue.GROUPS for line in (f"## {group.title}\n", *map(_method, group.rows))),
    ])  # fmt: skip


def command_line_page() -> str:
    """Return the page of all commands and their options, made from the commands themselves."""
    root: Any = typer.main.get_command(app)
    examples = HELP.split("\b")[1].strip("\n")
    return "\n".join([
        NOTE, "# Command line\n",
        "The command line does what the window does: the same input, settings and seed give the same bytes. The export "
        "panel shows the command that writes the same files.\n",
        f"```text\n{examples}\n```\n",
        "`INPUT` is a file, a folder of images, `sample:street`, `sample:faces`, `camera:0`, or a project. Exit "
        "status: 0, or 2 with one sentence on standard error, 130 after Ctrl+C. A file under its final name is "
        "complete; a run that fails leaves nothing, but one of a "
        "camera that fills the disk: it ends there, completes what was recorded, and says so (status 2).\n",
        *_commands(root, ["cleanplate"]),
        "## What can be saved\n", *_words(PRODUCTS, "--save"),
        "## Formats\n", *_words(FORMATS, "--format"),
        "`--quality` and `--speed` are of `mp4`, `hevc` and `av1`:\n",
        *_words(QUALITIES, "--quality"), *_words(SPEEDS, "--speed"),
    ])  # fmt: skip


def words_page() -> str:
    """Return the page of all keys and of the glossary, as the window has them."""
    lines = [NOTE, "# Words and keys\n", "## Words\n", "F1 shows them in the window.\n"]
    lines += [f"**{word}**\n:   {about}\n" for word, about in GLOSSARY]
    lines.append("## Keys\n\n`Ctrl+/` lists them in the window.\n")
    for heading, rows in key_list().items():
        lines += [f"### {heading}\n", "| key | | |", "|---|---|---|"]
        lines += [f"| {_cell(keys)} | {_cell(text)} | {_cell(about)} |" for keys, text, about in rows]
        lines.append("")
    return "\n".join(lines)


def _method(row: MethodRow) -> str:
    lines = [f"### `{row.key}`: {row.title}\n", f"{row.summary} *{row.paper}.*\n"]
    if row.departures:
        lines += ["Differs from the paper:\n", *(f"* {_plain(sentence)}" for sentence in row.departures), ""]
    shared = "Also: [mask](#mask), [cleaned frames](#cleaned-frames)" + (", [camera](#camera)" if row.aligned else "")
    shared += ", [image sets](#image-sets)" if CONTENT in row.parameters else ""
    return "\n".join([*lines, *_table(row.parameters), shared + ".\n"])


def _table(parameters: Sequence[Parameter]) -> Iterator[str]:
    yield "| parameter | on screen | default | range | what it does |"
    yield "|---|---|---|---|---|"
    for p in parameters:
        effect = f"{p.effect[:1].upper()}{p.effect[1:]}." if p.effect else ""
        condition = f"No effect unless {p.condition({n: f'`{n}`' for n, _ in p.acts_with})}." if p.acts_with else ""
        about = " ".join(part for part in (p.help, effect, condition, "" if p.live else "*(anew)*") if part)
        cells = (f"`{p.name}`", p.title, value_text(p.default), range_text(p), about)
        yield f"| {' | '.join(map(_cell, cells))} |"
    yield ""


def _commands(command: Any, path: list[str]) -> Iterator[str]:
    """Yield what there is to say of a command, and of those below it; typer's objects, whose types are its own."""
    below = getattr(command, "commands", {})
    if len(path) > 1:
        given = [p for p in command.params if p.param_type_name == "argument"]
        arguments = [p.metavar if p.required else f"[{p.metavar.strip('[]')}]" for p in given]
        tail = ["COMMAND"] if below else arguments
        yield f"{'#' * len(path)} {' '.join(path)}\n"
        yield f"```text\n{' '.join([*path, *tail, *(['[OPTION…]'] if command.params else [])])}\n```\n"
        yield f"{_plain((command.help or '').strip())}\n"
    rows = [(p, _names(p)) for p in command.params if getattr(p, "help", None) and not getattr(p, "hidden", False)]
    if rows:
        yield "| | default | |"
        yield "|---|---|---|"
        for p, names in rows:
            yield f"| {names} | {_cell(_default(p))} | {_cell(p.help)} |"
        yield ""
    for name, one in below.items():
        yield from _commands(one, [*path, name])


def _names(p: Any) -> str:
    if p.param_type_name == "argument":
        return f"`{p.metavar}`"
    value = "" if p.is_flag else f" {p.metavar or ('WORDS' if isinstance(p.default, str) else 'N')}"
    return ", ".join(f"`{_cell(name)}{value}`" for name in p.opts)


def _default(p: Any) -> str:
    if p.default is None or isinstance(p.default, bool) or callable(p.default):
        return "needed" if p.required else ""
    return f"`{p.default}`"


def _words(words: dict[str, str], option: str) -> Iterator[str]:
    yield f"| `{option}` | |"
    yield "|---|---|"
    yield from (f"| `{key}` | {_cell(about)} |" for key, about in words.items())
    yield ""


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|").replace("\n", " ")


def _plain(text: str) -> str:
    """Return a text whose signs are only signs; what stands in backticks is left."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        for sign in "*_<[":
            parts[i] = parts[i].replace(sign, f"\\{sign}")
    return "`".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "parameters.md": parameters_page,
    "command-line.md": command_line_page,
    "words.md": words_page,
}
"""The pages by name of their file, and what makes each."""

if __name__ == "__main__":
    sys.exit(main())
