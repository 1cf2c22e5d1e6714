"""Presets: method and parameters, those that come with the program and those in files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.threads import on_own_thread
from app.panels.banner import Offer
from core.errors import CleanplateError
from core.runtime.cached import cached

if TYPE_CHECKING:
    from app.engine.saver import Saver
    from app.panels.banner import Banner
    from app.panels.method import MethodPanel
    from app.window.choice import RunChoice
    from app.window.commands.method import MethodCommands
    from app.window.dialogs import FileDialogs
    from core.export.preset import Preset

KINDS = "Presets (*.json)"

IMAGES_PRESET, PARTICLES_PRESET = "faces", "microscopy"
"""Keys of the presets that `core.session.content.FOR_IMAGES` and `core.session.particles.FOR_PARTICLES` speak of."""


class PresetCommands(QObject):
    """Applies presets and writes them.

    Parameters
    ----------
    dialogs : FileDialogs
    method : MethodCommands
        Shows what a preset says.
    choice : RunChoice
        What is written.
    panel : MethodPanel
        Says which preset the settings are those of.
    saver : Saver
        Writes a preset's file.
    banner : Banner
    parent : QObject

    Signals
    -------
    reads_once(bool) : whether a preset that is applied says that the input is read once, for results too
    """

    reads_once = Signal(bool)

    def __init__(
        self,
        dialogs: FileDialogs,
        method: MethodCommands,
        choice: RunChoice,
        panel: MethodPanel,
        saver: Saver,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._method, self._choice, self._banner = dialogs, method, choice, banner
        self._panel, self._saver = panel, saver

    def look(self) -> None:
        """Say which preset the settings are those of; of several that are the same, the one that was chosen."""
        chosen = self._choice.current
        settings = (chosen.method, chosen.values, chosen.passes)
        same = [] if chosen.values else [0]
        for index, preset in enumerate(self._built_in, 1):
            if (preset.method, preset.values, preset.settings().passes) == settings:
                same.append(index)
        shown = self._panel.preset.currentIndex()
        self._panel.show_preset(shown if shown in same else next(iter(same), -1))

    def choose(self, name: str) -> None:
        """Apply a preset that comes with the program, by the name that people see; another name: the defaults."""
        for index, preset in enumerate(self._built_in, 1):
            if preset.name == name:
                self._show(preset)
                self._panel.show_preset(index)  # There may be another with the same settings.
                return
        self._method.reset()
        self.reads_once.emit(False)

    @on_own_thread
    def on_warned(self, sentences: Sequence[str]) -> None:
        """Show what a run says of its input, and offer the preset that it says would suit it."""
        from core.export.preset import built_in_presets  # noqa: PLC0415 - the engine is there by now
        from core.session.content import FOR_IMAGES  # noqa: PLC0415 - likewise
        from core.session.particles import FOR_PARTICLES  # noqa: PLC0415 - likewise

        offer = None
        for sentence, key in ((FOR_IMAGES, IMAGES_PRESET), (FOR_PARTICLES, PARTICLES_PRESET)):
            if sentence in sentences:
                name = built_in_presets()[key].name
                offer = Offer("Use it", f"Apply the preset “{name}”.", partial(self.choose, name))
        self._banner.show_reading(sentences, offer)

    def load(self) -> None:
        """Ask for a preset's file and apply it."""
        path = self._dialogs.open("Load a preset", KINDS)
        if path is not None:
            self.apply(path)

    def apply(self, path: Path) -> None:
        """Apply a preset's file."""
        from core.export.preset import load_preset  # noqa: PLC0415

        try:
            preset = load_preset(path)
        except CleanplateError as error:
            self._banner.show_error(str(error))
        else:
            self._show(preset)

    def save(self) -> None:
        """Ask for a name and write method and parameters."""
        path = self._dialogs.save("Save a preset", "preset.json", KINDS)
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write method and parameters as the panels show them."""
        from core.export.preset import preset_of, save_preset  # noqa: PLC0415

        preset = preset_of(path.stem, self._choice.current.settings())
        self._saver.let_write(path, partial(save_preset, preset, path))

    @cached
    def _built_in(self) -> tuple[Preset, ...]:
        from core.export.preset import built_in_presets  # noqa: PLC0415 - the engine is there by now

        return tuple(built_in_presets().values())

    def _show(self, preset: Preset) -> None:
        passes = preset.settings().passes
        self._method.show_settings(preset.method, preset.values, passes, f"Preset {preset.name}")
        self.reads_once.emit(preset.passes == 1)
