"""Which labels are of which image, by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

_AT_THE_END = re.compile(r"\d+$")


def labels_of(images: Sequence[str], labels: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Find the labels of each image: those of its own name, or else those whose name ends in its number.

    A number tells only where no other image and no other labels end in it: 1 of one camera is not 1 of another.

    Parameters
    ----------
    images, labels : sequence of str
        File names. Suffixes count for nothing, nor do zeros before a number (``in1.jpg``, ``gt000001.png``).

    Returns
    -------
    found : dict
        The name of the labels by that of the image, of those that have some.
    unclear : list of str
        Images without, though there are labels of their number.
    """
    if not labels:
        return {}, []
    by_stem = {Path(name).stem: name for name in labels}
    found = {name: by_stem[stem] for name in images if (stem := Path(name).stem) in by_stem}
    taken = set(found.values())
    n_images, by_number = Counter(map(_number, images)), _by_number(labels)
    unclear = []
    for name in images:
        of_number = by_number.get(_number(name), [])
        if name in found or taken.issuperset(of_number):
            continue
        if n_images[_number(name)] == len(of_number) == 1:
            found[name] = of_number[0]
        else:
            unclear.append(name)
    return found, unclear


def _by_number(names: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if number := _number(name):
            found.setdefault(number, []).append(name)
    return found


def _number(name: str) -> str:
    """Return the number that ends a name, without zeros before it; empty where none does."""
    digits = _AT_THE_END.search(Path(name).stem)
    return (digits.group().lstrip("0") or "0") if digits else ""
