"""What an export leaves to choose from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Offered:
    """What a person can choose from.

    Attributes
    ----------
    products, formats, qualities, speeds, names : dict
        What can be written, how, how well films are coded and how quickly, and how images are named, by key with a few
        words about each.
    coded, films : frozenset of str
        Formats that have a choice of quality and speed, and those that are films.
    of_plate : frozenset of str
        Products that mean nothing where images show different things.
    no_scene : str
        A sentence that says so.
    bits : dict
        Of a sample, in films that keep fewer than 16.
    as_stack : (str, str)
        The format of which a TIFF file becomes one file for each product, and a few words about that.
    """

    products: dict[str, str]
    formats: dict[str, str]
    qualities: dict[str, str]
    speeds: dict[str, str]
    names: dict[str, str]
    coded: frozenset[str]
    films: frozenset[str]
    of_plate: frozenset[str]
    no_scene: str
    bits: dict[str, int]
    as_stack: tuple[str, str]
