"""What a person chose of the method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from core.io.sources.base import SourceInfo
    from core.parameter import Value
    from core.scene.areas import Areas
    from core.session.model import Model
    from core.session.settings import Settings


InputKind = Literal["scene", "images"]
"""Frames of one scene, or images each of which shows something else: what suits one suits the other badly."""


def kind_of(info: SourceInfo) -> InputKind:
    """Return the kind of an input. Imports the engine."""
    from core.nmf.initialisation import looks_like_video  # noqa: PLC0415 - numba takes a second

    return "scene" if info.fps is not None or info.live or looks_like_video(info.layout) else "images"


@dataclass(frozen=True)
class Choice:
    """What a person chose of the method, before the engine is there to check it: one value for one run.

    `app.window.choice.RunChoice` reads it from the panels of the main window; a comparison has an
    `app.compare.chosen.Chosen` for each of its methods instead.

    Attributes
    ----------
    method : str
    values : mapping
        Parameters of method and mask that differ from their defaults.
    passes, seed : int
    model : Path, optional
        Apply this model and learn nothing.
    areas : Areas, optional
        What is excluded of the input; None: nothing.
    """

    method: str = "fast"
    values: Mapping[str, Value] = field(default_factory=dict)
    passes: int = 1
    seed: int = 0
    model: Path | None = None
    areas: Areas | None = None

    def settings(self) -> Settings:
        """Return the settings of a session or a job."""
        from core.scene.areas import Areas  # noqa: PLC0415 - the window is painted before numpy is there
        from core.session.settings import Settings  # noqa: PLC0415

        areas = self.areas or Areas()
        return Settings(self.method, dict(self.values), self.passes, self.seed, areas=areas)

    def load_model(self) -> Model | None:
        """Read the model, where there is one. Imports the engine."""
        from core.session.model import Model  # noqa: PLC0415 - numba takes a second

        return None if self.model is None else Model.load(self.model)
