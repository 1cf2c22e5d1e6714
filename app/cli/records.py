"""Options as records: an option is written once, as a field, and commands that share some share a record.

A field reads as a parameter of a command does: ``grey: Annotated[bool, typer.Option("--grey", help="…")] = False``.
A record may be a field of another; its options stand in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from inspect import Parameter, signature
from typing import Any, TypeVar, get_type_hints

import typer

Record = TypeVar("Record")


def with_records(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command as typer, which knows no records, can read it.

    Parameters
    ----------
    command : callable
        Its parameters whose types are dataclasses get what a person gave; all others are those of the command line.
    """
    asked = signature(command, eval_str=True)
    flat = [option for parameter in asked.parameters.values() for option in _options(parameter)]

    def of_typer(**given: Any) -> None:
        command(**{name: _value(name, parameter.annotation, given) for name, parameter in asked.parameters.items()})

    # Typer asks the one for options, and the other for the context.
    of_typer.__signature__ = asked.replace(parameters=flat)  # type: ignore[attr-defined]
    of_typer.__annotations__ = {option.name: option.annotation for option in flat}
    of_typer.__name__, of_typer.__doc__ = command.__name__, command.__doc__
    return of_typer


def gathered(record: type[Record], params: Mapping[str, Any]) -> Record:
    """Return the record that the parameters of a command make up.

    Parameters
    ----------
    record : type
        A dataclass.
    params : mapping
        Values by the names of the fields, and maybe others: ``context.params``.
    """
    return record(**{name: _value(name, kind, params) for name, kind in get_type_hints(record).items()})


def given_options(context: typer.Context) -> frozenset[str]:
    """Return the options that a person gave, as usual or not, such as ``--grey``; of several names the first."""
    return frozenset(
        parameter.opts[0]
        for parameter in context.command.params
        if (source := context.get_parameter_source(parameter.name or "")) and source.name != "DEFAULT"
    )


def _value(name: str, kind: Any, params: Mapping[str, Any]) -> Any:
    return gathered(kind, params) if isinstance(kind, type) and is_dataclass(kind) else params[name]


def _options(parameter: Parameter) -> Iterator[Parameter]:
    """Yield a parameter, or the fields of its record, each of which has a default."""
    if not is_dataclass(parameter.annotation):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    kinds = get_type_hints(parameter.annotation, include_extras=True)
    for field in fields(parameter.annotation):
        yield from _options(
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=kinds[field.name])
        )
