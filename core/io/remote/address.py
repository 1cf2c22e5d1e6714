"""Addresses of files elsewhere, as plain text: nothing here asks whether there is something."""

from __future__ import annotations

import posixpath
import sys
from urllib.parse import urlsplit

from core.errors import CleanplateError


def check_address(address: str) -> None:
    """Raise a `CleanplateError` where an address names no place, or holds a secret that lists and logs would keep."""
    scheme, _, rest = address.partition("://")
    if holds_password(address):
        raise CleanplateError(
            f"An address must hold no password, because lists and logs keep it; leave it out of {scheme}://… and "
            f"put it where the library for {scheme} looks for it."
        )
    if not rest.strip("/"):
        raise CleanplateError(f"{address} names no place; write {scheme}:// and what follows it, a bucket say.")


def holds_password(address: str) -> bool:
    """Return whether an address holds a password, before the name of a computer."""
    rest = address.partition("://")[2]
    return "@" in rest.partition("/")[0] and urlsplit(f"x://{rest}").password is not None


def below(address: str, *names: str) -> str:
    """Return the address of what lies below another."""
    return "/".join([address.rstrip("/"), *names])


def last_name(address: str) -> str:
    """Return the last part of an address: the name of a file or folder."""
    return posixpath.basename(address.rstrip("/"))


def leads_below(name: str) -> bool:
    """Tell whether a name of something at an address is that of a file below a folder here.

    Such names are any text. Windows has more that leads elsewhere: what separates folders, what names a drive or a
    stream of a file, and ends of names that it leaves out (``.. `` is ``..``).
    """
    parts = name.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return False
    on_windows = sys.platform == "win32"
    return not on_windows or not any("\\" in part or ":" in part or part != part.rstrip(". ") for part in parts)
