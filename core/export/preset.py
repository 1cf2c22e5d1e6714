"""Settings under a name, in a small JSON file that people can read, share and edit."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

from core import catalogue
from core.errors import CleanplateError
from core.io.publishing.single_file import replacing
from core.io.regular_file import read_regular
from core.session.settings import Settings, checked_settings
from core.untrusted_json import UnreadableJsonError, decoded, names_in

MOST_BYTES = 64 << 10
"""A preset takes 1 kB."""


class Preset(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, frozen=True):
    """A method and what to set in it.

    Attributes
    ----------
    version : int
        Of the file format.
    name : str
        For people.
    about : str
        When to use it, in one sentence.
    method : str
        Key of a row of the catalogue.
    values : dict
        Parameters that differ from their defaults, by name; null is automatic. Those that only earlier versions had are
        ignored.
    passes : int or None
        How often the input is read; None, and not in the file: as often as is usual for it.
    """

    version: Literal[1] = 1
    name: str
    about: str = ""
    method: str
    values: dict[str, float | int | bool | str | None] = {}
    passes: int | None = None

    def settings(self, seed: int = 0) -> Settings:
        """Return checked settings for a session.

        Raises
        ------
        CleanplateError
            The catalogue has no such method or parameter, or a value is out of range.
        """
        return checked_settings(self.method, self.values, 1 if self.passes is None else self.passes, seed)


def preset_of(name: str, settings: Settings) -> Preset:
    """Return settings as a preset, with only the values that differ from their defaults.

    One pass is what a window shows of what is read as often as is usual: it is not written.
    """
    defaults = catalogue.complete(catalogue.row(settings.method), {})
    values = {key: value for key, value in settings.values.items() if value != defaults.get(key)}
    return Preset(
        name=name, method=settings.method, values=values, passes=None if settings.passes == 1 else settings.passes
    )


def load_preset(path: Path) -> Preset:
    """Read and check a preset.

    Raises
    ------
    CleanplateError
        There is no such file, it is not a preset, or it asks for what the catalogue does not have.
    """
    try:
        packed = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        names = ", ".join(built_in_presets())
        raise CleanplateError(f"There is no preset {path}; give a file, or one of {names}.") from None
    except OSError as error:
        raise CleanplateError(f"The preset {path} cannot be read ({error.strerror}); choose another file.") from error
    return _decode(packed, str(path))


def holds_preset(path: Path) -> bool:
    """Tell whether a JSON file is a preset, by the names in it; also where it cannot be used, or not be read."""
    try:
        return "method" in names_in(read_regular(path, MOST_BYTES))
    except OSError:
        return True
    except CleanplateError:
        return False


def save_preset(preset: Preset, path: Path) -> None:
    """Write a preset, complete or not at all."""
    with replacing(path) as beside:
        written = {name: value for name, value in msgspec.to_builtins(preset).items() if value is not None}
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(written), indent=2) + b"\n")


def built_in_presets() -> dict[str, Preset]:
    """Return the presets that come with the program, by key (their file names), in the order of their names."""
    folder = resources.files("resources") / "presets"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return {f.name.removesuffix(".json"): _decode(f.read_bytes(), f.name) for f in files}


def find_preset(name: str) -> Preset:
    """Return a preset by the path of its file, or by the key of a built-in one."""
    if not os.path.isfile(name):  # Path.is_file raises an error where a name is too long.
        built_in = built_in_presets()
        if name in built_in:
            return built_in[name]
    return load_preset(Path(name))


def _decode(packed: bytes, where: str) -> Preset:
    try:
        preset = decoded(packed, Preset)
    except UnreadableJsonError as error:
        if "input" in names_in(packed):
            raise CleanplateError(
                f"{where} is a project, not a preset; open it as such, or choose a preset."
            ) from error
        raise CleanplateError(f"{where} is not a preset that can be used ({error}); correct or replace it.") from error
    try:
        preset.settings()
    except CleanplateError as error:
        raise CleanplateError(f"The preset {where} cannot be used: {error}") from error
    return preset
