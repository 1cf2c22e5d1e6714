"""What is said of results of another run that stay beside those of a run: they look as if they belonged to it."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from core.export.products import places_in_other_formats


def beside_notes(save: Collection[str], folder: Path, form: str) -> list[str]:
    """Return a sentence where products lie there in another format than that in which they are saved.

    Parameters
    ----------
    save : collection of str
        Keys of `core.export.products.PRODUCTS`.
    folder : Path
        Of the results.
    form : str
        Key of `core.export.products.FORMATS`, or `core.export.products.STACK`.
    """
    names = [path.name for path in places_in_other_formats(save, folder, form) if os.path.lexists(path)]
    return [f"{', '.join(names)} beside the results: of another run, in another format."] if names else []
