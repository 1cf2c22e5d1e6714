"""The command ``methods``: the catalogue for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from app.command_words import format_value
from core import catalogue
from core.methods.base import MethodRow
from core.parameter import Parameter, Value


def as_data(rows: Sequence[MethodRow]) -> list[dict[str, object]]:
    """Return methods as plain data, one entry each, with every parameter."""
    return [
        {
            "key": row.key,
            "title": row.title,
            "paper": row.paper,
            "kind": row.kind,
            "summary": row.summary,
            "suits": row.suits,
            "differs_from_the_paper": list(row.departures),
            "parameters": [_parameter(p) for p in catalogue.parameters(row).values()],
        }
        for row in rows
    ]


def print_methods() -> None:
    """Print what there is, by groups, and how to learn more."""
    console = Console()
    width = max(map(len, catalogue.METHODS))
    for group in catalogue.GROUPS:
        console.print(f"[bold]{group.title}[/]")
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(min_width=width + 2)
        table.add_column()
        for row in group.rows:
            table.add_row(f"  {row.key}", f"{row.title}. {row.summary}")
        console.print(table)
    console.print("cleanplate methods KEY shows the parameters of one, with defaults and ranges.")


def print_parameters(rows: Sequence[MethodRow]) -> None:
    """Print a table for each of these methods, and one for the mask, which all share."""
    console = Console()
    for row in rows:
        console.print(f"[bold]{row.key}[/]  {row.title}. {row.summary} {row.suits}\n[dim]{row.paper}[/]")
        console.print(_table(catalogue.listed_parameters(row)))
        if row.departures:
            console.print("[bold]Differs from the paper[/]")
            for sentence in row.departures:
                console.print(f"  {sentence}", markup=False, highlight=False)
    console.print("[bold]mask[/]  For every method.")
    console.print(_table((*catalogue.MASK_PARAMETERS, *catalogue.CLEANING_PARAMETERS)))


def _table(parameters: tuple[Parameter, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("  name", "default", "range", "what it does"):
        table.add_column(heading)
    for p in parameters:
        table.add_row(f"  {p.name}", value_text(p.default), range_text(p), described(p))
    return table


def described(p: Parameter) -> str:
    """Return what a parameter does, which way, and where."""
    acting = f"no effect unless {p.condition()}" if p.acts_with else ""
    if p.effect:
        return f"{p.help} {p.effect}{acting and '; '}{acting}".strip()
    return f"{p.help} {acting[:1].upper()}{acting[1:]}".strip()


def _parameter(p: Parameter) -> dict[str, object]:
    return {
        "name": p.name, "title": p.title, "type": p.kind.__name__, "default": p.default, "low": p.low, "high": p.high,
        "choices": list(p.choices), "unit": p.unit, "help": p.help, "effect": p.effect, "automatic": p.automatic,
        "live": p.live, "acts_with": [{"name": name, "values": list(values)} for name, values in p.acts_with],
    }  # fmt: skip


def value_text(value: Value) -> str:
    """Return a value as it is written on the command line, in as many digits as people read."""
    return f"{value:g}" if isinstance(value, float) else format_value(value)


def range_text(p: Parameter) -> str:
    """Return what a parameter may be, in few words."""
    if p.kind is bool:
        return "on, off"
    if p.is_list:
        return f"{p.low:.10g} to {p.high:.10g} each, such as 4,4,8"
    if p.kind is str:
        return ", ".join(p.choices)
    text = f"{p.low:.10g} to {p.high:.10g}" + (f" {p.unit}" if p.unit else "")
    return text + (", auto" if p.automatic else "")
