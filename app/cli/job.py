"""From the options of ``run`` to a job, where its input is no project."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.cli import options as words
from app.cli.run_options import RunOptions
from app.command_words import parse_frames, parse_settings
from core import catalogue
from core.errors import CleanplateError
from core.export.job_spec import Job, chosen_passes
from core.export.preset import find_preset
from core.io.input_spec import ALL_FRAMES, InputSpec
from core.session.areas_file import read_areas
from core.session.model import Model
from core.session.settings import Settings


def job_of(source: str, options: RunOptions) -> Job:
    """Return what ``run`` is to do with an input that is no project; parameters that do nothing get a note.

    Raises
    ------
    CleanplateError
        An option cannot be so.
    """
    if options.output is None:
        raise CleanplateError("Missing option '--output' / '-o'; see cleanplate run --help.")
    if options.moved_to is not None:
        raise CleanplateError(f"--input says where the input of a project is; {source} is no project: leave it out.")
    output = words.folder(options.output)
    values = parse_settings(options.values or ())
    spec = options.view.input(source, corrupt=options.corrupt, follow_min=options.follow_min)
    rules = options.events.rules()
    written = ALL_FRAMES if options.write is None else parse_frames(options.write, "--write")
    settings = _settings(spec, options, values)
    return Job(
        spec, output, options.products, settings, format=options.format, quality=options.quality,
        speed=options.speed, fps=options.fps, model=options.model, overwrite=options.overwrite, rules=rules,
        written=written, names=options.names, start=options.start, run_in=options.run_in, spread=options.spread,
    )  # fmt: skip


def _settings(spec: InputSpec, options: RunOptions, values: Mapping[str, str]) -> Settings:
    """Return how the input is separated: defaults, then the preset or model, then what was set by name.

    Where ``--passes`` was not said, it is read as often as the preset says, and as such an input usually is where that
    says nothing.
    """
    settings, passes = Settings(seed=spec.seed), options.passes
    if options.preset:
        preset = find_preset(options.preset)
        settings = preset.settings(spec.seed)
        passes = preset.passes if passes is None else passes
    method = _method(options, values)
    if method is not None:
        settings = replace(settings, method=method)
    passes = chosen_passes(passes, settings.passes, spec, model=options.model is not None)
    row = catalogue.row(settings.method)
    parameters = catalogue.parameters(row)
    if options.preset and any(name not in parameters for name in settings.values):
        raise CleanplateError(
            f"The preset {options.preset} sets what {settings.method} does not have; leave out --method or --preset."
        )
    chosen = {**settings.values, **values}
    checked = catalogue.complete(row, chosen)
    for name in values:
        if not parameters[name].acts(checked):
            print(f"Note: {name} has no effect unless {parameters[name].condition()}.", file=sys.stderr)
    settings = replace(settings, passes=passes, values={name: checked[name] for name in chosen})
    return settings if options.areas is None else replace(settings, areas=read_areas(options.areas))


def _method(options: RunOptions, values: Mapping[str, str]) -> str | None:
    """Return the method that was asked for: that of the model, where there is one; None where nothing says."""
    learnt: Path | None = options.model or options.start
    if learnt is None:
        return options.method
    of_model = Model.load(learnt).method
    if options.method not in (None, of_model):
        raise CleanplateError(f"{learnt.name} was learnt by {of_model}, which goes on; leave out --method.")
    if "rank" in values:
        print(f"Note: rank has no effect: {learnt.name} has the basis images that it has.", file=sys.stderr)
    return of_model
