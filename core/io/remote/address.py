"""Addresses of files elsewhere, as plain text: nothing here asks whether there is something."""

from __future__ import annotations

import posixpath
from urllib.parse import urlsplit

from core.errors import CleanplateError


def check_address(address: str) -> None:
    """Raise a `CleanplateError` where an address names no place, or holds a secret that lists and logs would keep."""
    scheme, _, rest = address.partition("://")
    if "@" in rest.partition("/")[0] and urlsplit(f"x://{rest}").password is not None:
        raise CleanplateError(
            f"An address must hold no password, because lists and logs keep it; leave it out of {scheme}://… and "
            f"put it where the library for {scheme} looks for it."
        )
    if not rest.strip("/"):
        raise CleanplateError(f"{address} names no place; write {scheme}:// and what follows it, a bucket say.")


def below(address: str, *names: str) -> str:
    """Return the address of what lies below another."""
    return "/".join([address.rstrip("/"), *names])


def last_name(address: str) -> str:
    """Return the last part of an address: the name of a file or folder."""
    return posixpath.basename(address.rstrip("/"))
