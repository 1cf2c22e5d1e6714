"""The list of experiments; a module is imported only when its experiment is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from core.bench.experiments.base import Run
from core.errors import CleanplateError


@dataclass(frozen=True)
class Experiment:
    """One experiment.

    Attributes
    ----------
    name : str
        On the command line.
    module : str
        In `core.bench.experiments`: it has the generator function ``run``, see `core.bench.experiments.base`.
    arguments : tuple of str
        What ``run`` is called with beside data, seed and quick.
    summary : str
        One plain sentence.
    minutes : float
        Of one core, about: what takes longest begins first where several run side by side.
    divided : bool
        Its first and only step are the parts that processes can share (`core.bench.experiments.base.Part`).
    sheet : bool
        ``--plot`` saves a contact sheet instead of drawing charts.
    """

    name: str
    module: str
    summary: str
    minutes: float = 0.0
    arguments: tuple[str, ...] = ()
    divided: bool = False
    sheet: bool = False

    def begin(self, data: Path | None, seed: int, quick: bool) -> Run:
        """Return the experiment's generator; nothing is read before its first step."""
        run: Callable[..., Run] = import_module(f"core.bench.experiments.{self.module}").run
        return run(data, seed, quick, *self.arguments)


EXPERIMENTS = {
    e.name: e
    for e in (
        Experiment(
            "outlier-density", "outlier_density", "Error against the share of spoiled pixels (2016).", 15, divided=True
        ),
        Experiment(
            "denoising", "denoising", "Salt and pepper on small faces: PSNR and time (2017, table I).", 45, divided=True
        ),
        Experiment(
            "shadows", "shadows", "One face under 64 lights: shadows removed, time (2017, table II).", 10, sheet=True
        ),
        Experiment("separation", "separation", "Surveillance clips: time and F (2017, table III; 2017b, table 3).", 10),
        Experiment("divergences", "divergences", "Objective against time for six divergences (2017b, figure 1).", 2),
        Experiment("laplace", "orl_noise", "Faces under Laplace noise: error and clusters (2019).", 5, ("laplace",)),
        Experiment(
            "salt-pepper", "orl_noise", "Faces under salt and pepper: error and clusters (2019).", 6, ("salt-pepper",)
        ),
        Experiment("occlusion", "orl_noise", "Faces under blocks: error and clusters (2019).", 7, ("occlusion",)),
        Experiment(
            "line", "line", "A line through spoiled points, as NMF of rank one (2019, figure 4).", 0.1, divided=True
        ),
        Experiment("detection", "detection", "Which pixels were spoiled: precision and recall (2012).", 0.5),
        Experiment("patches", "patches", "An image put together from its patches (2012, figure 4).", 1, sheet=True),
        Experiment("topics", "topics", "Topics of documents as words: Rand index, time (2017b, tables 1 and 2).", 0.5),
    )
}
"""Every experiment by its name, in the order of the results page."""


def experiment(name: str) -> Experiment:
    """Return the experiment of a name, or raise an error that lists the names."""
    if name not in EXPERIMENTS:
        raise CleanplateError(f"There is no experiment {name!r}; choose one of {', '.join(EXPERIMENTS)}, or all.")
    return EXPERIMENTS[name]
