"""Pictures that there is one of for each scene: a file where there is one scene, a folder where there are several."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.export.frame_names import DIGITS
from core.export.products import BY_SCENE, place, scene_folder, single_suffix
from core.io.publishing.refusals import writing

TOLD = 3
"""Pictures that a person is told of by their names."""

BEGAN_BEFORE = 0
"""Number of a scene in whose middle a piece of a long run begins: it does not know where that began."""


class SceneFiles:
    """Writes the pictures of scenes as these end, away from their final places; none of them stays in memory.

    Parameters
    ----------
    new : Path
        Where to write; must be there.
    folder : Path
        Of the final places.
    products : sequence of str
        Those of `core.export.products.BY_SCENE` that are saved; others are left out.
    form : str
        Key of `core.export.products.FORMATS`, or `core.export.products.STACK`.
    keeps_numbers : bool
        The picture of a single scene lies in a folder too, named by its number: of a piece of a long run.

    Attributes
    ----------
    products : list of str
        That are written.
    scenes : list of int
        The first frame of each scene so far, by its number in the whole input, from 1; or `BEGAN_BEFORE`.
    """

    def __init__(
        self, new: Path, folder: Path, products: Sequence[str], form: str, *, keeps_numbers: bool = False
    ) -> None:
        self._new, self._folder, self._form, self._keeps_numbers = new, folder, form, keeps_numbers
        self.products = [product for product in products if product in BY_SCENE]
        self.scenes: list[int] = []

    def write(self, number: int, packed: Mapping[str, bytes]) -> None:
        """Write the pictures of a scene, in the order of the input.

        Parameters
        ----------
        number : int
            Of its first frame, as in `scenes`.
        packed : mapping of bytes
            A file for each product.

        Raises
        ------
        CleanplateError
            The disk is full or refuses.
        """
        for product, file in packed.items():
            with writing(place(product, self._folder, self._form)):
                folder = scene_folder(product, self._new)
                folder.mkdir(exist_ok=True)
                (folder / picture_name(number, self._form)).write_bytes(file)
        self.scenes.append(number)

    def forget(self) -> None:
        """Remove what was written: frames that differ turned out to be different pictures, and no scenes."""
        for product in self.products:
            shutil.rmtree(scene_folder(product, self._new), ignore_errors=True)
        self.scenes.clear()

    def finish(self) -> None:
        """Give what was written the names that it has of so many scenes."""
        for product in () if self._is_in_folders else self.products:
            final, folder = place(product, self._folder, self._form), scene_folder(product, self._new)
            with writing(final):
                (folder / picture_name(self.scenes[0], self._form)).rename(self._new / final.name)
                folder.rmdir()

    @property
    def unused(self) -> list[Path]:
        """The final names that nothing has, of those that there may be."""
        folder, form, is_other = self._folder, self._form, self._is_in_folders
        return [place(name, folder, form) if is_other else scene_folder(name, folder) for name in self.products]

    @property
    def notes(self) -> list[str]:
        """A sentence on where pictures are, where there are several scenes; nobody looks for those of a piece."""
        n = len(self.scenes)
        if n < 2 or not self.products or self._keeps_numbers:
            return []
        folders = " and ".join(f"{scene_folder(product, Path()).name}/" for product in self.products)
        names = ", ".join(picture_name(scene, self._form) for scene in self.scenes[:TOLD])
        names += f" and {n - TOLD} more" if n > TOLD else ""
        holds = "holds" if len(self.products) == 1 else "hold"
        return [f"{folders} {holds} a picture for each of {n} scenes, named by its first frame: {names}."]

    @property
    def _is_in_folders(self) -> bool:
        return self._keeps_numbers or len(self.scenes) > 1


def picture_name(number: int, form: str) -> str:
    """Return what the picture of a scene is called, by the number of its first frame."""
    return f"{number:0{DIGITS}d}{single_suffix(form)}"


def scene_pictures(folder: Path, form: str) -> dict[int, Path]:
    """Return the pictures of scenes that lie in a folder, by the numbers of their first frames, in order.

    Raises OSError.
    """
    of_them = [path for path in folder.iterdir() if path.stem.isdecimal() and path.suffix == single_suffix(form)]
    found = {int(path.stem): path for path in of_them}
    return dict(sorted(found.items()))
