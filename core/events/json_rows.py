"""Arrays of JSON that are too long to be held: a row in each line, written and read one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO


def write_rows(file: TextIO, rows: Iterable[dict[str, object]]) -> None:
    """Write the rows of an array that was begun with ``"name": [`` at the start of a line."""
    for i, row in enumerate(rows):
        file.write((",\n" if i else "\n") + json.dumps(row))


def read_rows(file: TextIO, name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of an array that was written so; it may be followed by others, which are not read."""
    decoder = json.JSONDecoder()
    start = f'"{name}": ['
    is_last = next(line for line in file if line.startswith(start)).rstrip() != start
    while not is_last:
        line = next(file)
        row, end = decoder.raw_decode(line)
        is_last = line.startswith("]", end)
        yield row
