"""The export: its panel, and the job that writes what the window shows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from app.engine.choice import Choice
from app.engine.threads import on_own_thread
from app.window.export_folders import ExportFolders, around_results
from app.window.export_formats import ExportFormats
from core.io.input_spec import ALL_FRAMES, InputSpec

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.engine.choice import InputKind
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.panels.export import ExportPanel
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from app.window.settings import Remembered
    from core.events.rules import Rules
    from core.export.job_spec import Job
    from core.export.plan import PlannedFile
    from core.io.input_spec import FrameRange
    from core.io.sources.base import SourceInfo
    from core.project.document import ExportChoice
    from core.project.strokes_file import Strokes

USUAL_SAVE = {False: ("plate", "mask", "cleaned"), True: ("background",)}
"""What is written unless a person chooses: of one scene, and of an image set."""


class ExportCommands(QObject):
    """What the command "Export…" does.

    Parameters
    ----------
    worker : Worker
        Knows what was painted by hand.
    input_ : InputCommands
    choice : RunChoice
    remembered : Remembered
    banner : Banner
    parent : QWidget
        The window beside which the panel stands.

    Attributes
    ----------
    panel : ExportPanel or None
        None until it was asked for.
    project : Path or None
        The project that holds exactly what the window shows; None where there is none.

    Signals
    -------
    wrote(str) : an export is complete; its folder
    changed() : something else is chosen to be written
    failed(str) : one sentence
    cancelled() : the person gave an export up
    settled() : an export has come to its end, whichever, and all was told of it
    told(str) : what is to be known of an export whose panel is closed, in few words; empty: nothing
    queue_requested(Job) : the person wants this done by the queue
    """

    wrote = Signal(str)
    changed = Signal()
    failed = Signal(str)
    cancelled = Signal()
    settled = Signal()
    told = Signal(str)
    queue_requested = Signal(object)

    def __init__(
        self,
        worker: Worker,
        input_: InputCommands,
        choice: RunChoice,
        remembered: Remembered,
        banner: Banner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._worker, self._input, self._choice = worker, input_, choice
        self._banner, self._parent = banner, parent
        self.panel: ExportPanel | None = None
        self.project: Path | None = None
        self._folders = ExportFolders(remembered, input_.request.path)
        self._said = self._said_before = ""
        self._kept: ExportChoice | None = None  # What the panel does not show: there is none, or it is of a run.
        self._is_image_set = self._awaits_content = False
        self._reads_once = False
        self._saves = dict(USUAL_SAVE)
        self._formats = ExportFormats(remembered)
        self._format_before = self._formats.usual  # That of what was open before a project.
        input_.asks.connect(self._on_asks)
        input_.another_opened.connect(self._on_another)
        input_.changed.connect(self._on_changed)
        input_.counted.connect(self.refresh)

    def open(self) -> None:
        """Show the export panel."""
        info = self._input.info_for("export")
        if info is None:
            return
        if self.panel is None:
            self.panel = self._make_panel()
        if not self.is_running:
            self._show_input(self.panel, info)
        self.panel.show()
        self.panel.raise_()

    def _make_panel(self) -> ExportPanel:
        from app.equivalent_command import command_line  # noqa: PLC0415 - encoders take a while to import
        from app.panels.export import ExportPanel  # noqa: PLC0415

        choice = self._placed(self.choice)
        panel = ExportPanel(
            self.job, self.plan, choice, self._parent, command_of=lambda job: command_line(job, self.project),
            why_not=lambda: self._input.why_not("export"),
        )  # fmt: skip
        self._kept = None
        panel.form.show_content(is_image_set=self._is_image_set)
        panel.form.changed.connect(self.changed)
        panel.wrote.connect(self._on_wrote)
        panel.refused.connect(self._folders.note_refused)
        panel.queue_requested.connect(self._on_queue)
        panel.began.connect(self._on_began)
        panel.failed.connect(self._on_failed)
        panel.cancelled.connect(self.cancelled)
        panel.settled.connect(self.settled)
        panel.told.connect(self.told)
        panel.ended.connect(self._on_ended)
        return panel

    def _is_written(self, folder: str) -> bool:
        """Return whether a folder is to hold the results of what runs, which do not lie in it yet."""
        job = self.panel.run.job if self.panel is not None and self.is_running else None
        return job is not None and job.output.absolute() == Path(folder).absolute()

    def _around(self, folder: str) -> str:
        """Return where other inputs have results, by the folder of the one that is open."""
        return self._folders.around(folder, is_written=self._is_written(folder))

    def _placed(self, choice: ExportChoice) -> ExportChoice:
        """Return the same choice with a folder, where none is named."""
        return msgspec.structs.replace(choice, folder=choice.folder or self._folders.first)

    def job(self, choice: ExportChoice) -> Job:
        """Return the job that writes what is chosen, as the panels show it."""
        return self._job(
            choice, self._input.request, self._choice.current, self._worker.painted, self._choice.events
        )  # fmt: skip

    def _job(
        self, chosen: ExportChoice, request: InputSpec, choice: Choice, painted: Strokes, events: Rules | None
    ) -> Job:
        from core.events.rules import Rules  # noqa: PLC0415 - encoders; the engine is there by now
        from core.export.event_writer import NEEDS_EVENTS  # noqa: PLC0415
        from core.export.job_spec import Job, chosen_passes  # noqa: PLC0415

        passes = chosen_passes(chosen.passes, choice.passes, request, model=choice.model is not None)
        settings = replace(choice.settings(), seed=request.seed, painted=painted, passes=passes)
        return Job(
            request, Path(chosen.folder), chosen.save, settings, format=chosen.format, quality=chosen.quality,
            speed=chosen.speed, fps=chosen.fps, model=choice.model, written=chosen.written, names=chosen.names,
            rules=Rules() if events is None or NEEDS_EVENTS.isdisjoint(chosen.save) else events,
        )  # fmt: skip

    def job_for(self, path: str) -> Job:
        """Return the job that exports all of another input of the kind that is open in the same way.

        What was drawn on the one that is open is not of the other: areas, and by which lines and area events count.
        """
        return self._job_with(path, self._choice.current)

    @property
    def opened_path(self) -> str:
        """What is exported unless another input is named: what is open."""
        return self._input.request.path

    def usual_jobs_for(self, path: str) -> dict[InputKind, Job]:
        """Return the jobs that export another input by the defaults, where it is of this kind or that."""
        from core.project.document import ExportChoice  # noqa: PLC0415 - encoders; the engine is there by now

        folder = self._around(self._placed(self.choice).folder)
        kinds: dict[InputKind, bool] = {"scene": False, "images": True}
        return {
            kind: self._job(ExportChoice(folder=folder, save=USUAL_SAVE[is_set]), InputSpec(path), Choice(), {}, None)
            for kind, is_set in kinds.items()
        }

    def kept_jobs_for(self, path: str) -> dict[InputKind, Job]:
        """Return the job that exports another input instead, where it is of a kind for which other things are kept."""
        return {kind: self._job_with(path, kept) for kind, kept in self._choice.kept.items()}

    def _job_with(self, path: str, choice: Choice) -> Job:
        chosen = self._placed(self.choice)
        folder = self._around(chosen.folder)
        # A rate is for what has none of its own, which is known only once the input is open.
        chosen = msgspec.structs.replace(chosen, folder=folder, written=ALL_FRAMES, fps=None)
        events = self._choice.events
        events = events and msgspec.structs.replace(events, area=(), lines=())
        return self._job(chosen, InputSpec(path), replace(choice, areas=None), {}, events)

    @property
    def choice(self) -> ExportChoice:
        """What is chosen to be written, for a project; the panel's form holds it, unless that shows a run of before."""
        from core.project.document import ExportChoice  # noqa: PLC0415 - encoders; the engine is there by now

        if self.panel is not None and self._kept is None:
            return self.panel.form.choice
        return self._kept or ExportChoice(folder=self._folders.first, format=self._formats.usual)

    def _choose(self, **changes: object) -> None:
        """Choose something else, without telling."""
        now = self.choice if self.panel is None or self._kept else self.panel.form.chosen
        self._show(msgspec.structs.replace(now, **changes))

    def _show(self, choice: ExportChoice) -> None:
        if self.panel is None or self.is_running:
            self._kept = choice
        else:
            self.panel.form.show_choice(choice)

    def _on_began(self) -> None:
        """Take away what was said of the run before, which seems to be of this one else."""
        self._banner.withdraw(self._said)

    def _on_failed(self, sentence: str) -> None:
        self._said = sentence
        self._banner.show_not_saved(sentence)
        self.failed.emit(sentence)

    def _on_ended(self) -> None:
        """Show in the panel what was chosen and opened while it showed a run."""
        assert self.panel is not None
        kept, self._kept = self._kept, None
        if kept is not None:
            self._show(kept)
        self.panel.form.show_content(is_image_set=self._is_image_set)
        self.refresh()

    @property
    def written(self) -> FrameRange:
        """The frames that are written, counted from 1, both included."""
        return self.choice.written

    def set_written(self, frames: FrameRange) -> None:
        """Write these frames; nothing is said where they are written already."""
        if frames != self.written:
            self._choose(written=frames)
            self.refresh()
            self.changed.emit()

    @on_own_thread
    def on_content(self, is_image_set: bool) -> None:
        """Take note of whether the input is taken for an image set: scenes and sets have what is written each."""
        turns = is_image_set != self._is_image_set and not self._awaits_content
        self._is_image_set, self._awaits_content = is_image_set, False
        if turns:
            self._saves[not is_image_set] = self.choice.save
            self._choose(save=self._saves[is_image_set])
        if self.panel is not None and not self.is_running:
            self.panel.form.show_content(is_image_set=is_image_set)
        self.refresh()

    def read_once(self, on: bool) -> None:
        """Read the input once, as a preset says, or no more because of that: as often as is chosen."""
        if on != self._reads_once:
            self._reads_once = on
            self._choose(passes=1 if on else None)
            self.refresh()
            self.changed.emit()

    def _on_asks(self) -> None:
        """Take note of what was said before another input was asked for: what fails until that is there is new."""
        self._said_before = self._said

    def _on_changed(self) -> None:
        if self._input.info is not None:
            self._formats.begin(self._input.info)
        self.refresh()

    def _on_another(self, is_earlier_work: bool) -> None:
        """Write all frames of another input, into a folder beside that of the one before; earlier work has chosen."""
        self._banner.withdraw(self._said_before)  # It was about the one before.
        info, chosen = self._input.info, self.choice
        before = self._format_before if is_earlier_work else chosen.format
        form = before if info is None else self._formats.turn_to(info, before)
        if not is_earlier_work:
            path, is_written = self._input.request.path, self._is_written(chosen.folder)
            beside = self._folders.turn_to(path, chosen.folder, is_written=is_written)
            self._choose(folder=beside, written=ALL_FRAMES, format=form)

    def set_project(self, path: Path | None) -> None:
        """Name another project in the command that does the same."""
        self.project = path
        self.refresh()

    def show_choice(self, choice: ExportChoice, path: str) -> None:
        """Show what a project of the input at ``path`` chooses to be written."""
        # What a project writes stays, whatever was open before is taken for.
        self._awaits_content = path != self._input.request.path
        if self._awaits_content:
            self._format_before = self.choice.format
        self._folders.turn_to(path)
        self._show(choice if self.panel is None else self._placed(choice))
        if self._input.request.path == path:  # Else it is still to come.
            self.refresh()

    def plan(self, job: Job) -> list[PlannedFile]:
        """Return what a job would write, and how large; nothing is opened for that."""
        from core.export.plan import estimate  # noqa: PLC0415

        info = self._input.info
        if info is None:
            return []
        width, height = job.input.region_size(self._input.original)
        layout = replace(info.layout, width=width, height=height)
        return estimate(job, layout, info.n_frames)

    @on_own_thread
    def refresh(self) -> None:
        """Show in the panel that input or settings changed."""
        if self.panel is not None and self.panel.isVisible() and self._input.info is not None and not self.is_running:
            self._show_input(self.panel, self._input.info)

    def _show_input(self, panel: ExportPanel, info: SourceInfo) -> None:
        panel.form.show_input(
            info.n_frames, live=info.live, has_rate=info.fps is not None, interval_s=info.interval_s,
            bit_depth=info.full.bit_depth, levels=info.levels,
        )  # fmt: skip
        panel.refresh()

    @property
    def is_running(self) -> bool:
        """Whether something is being written."""
        return self.panel is not None and self.panel.run.is_running

    @property
    def is_recording(self) -> bool:
        """Whether what is written comes from a live input, which gives nothing twice."""
        return self.panel is not None and self.panel.run.is_recording

    @property
    def is_completing(self) -> bool:
        """Whether a recording was ended, and its files are being completed."""
        return self.panel is not None and self.panel.run.is_completing

    def complete_recording(self) -> None:
        """End a recording here and complete its files; `settled` tells when that is done."""
        if self.panel is not None:
            self.panel.run.complete()

    def shut(self) -> None:
        """End what is being written."""
        if self.panel is not None:
            self.panel.shut()

    def _on_queue(self, job: Job) -> None:
        self.queue_requested.emit(replace(job, output=Path(around_results(job))))

    def _on_wrote(self, job: Job) -> None:
        self._folders.note_wrote(job)
        if job.input.path == self._input.request.path:  # Of another one the kind is not known any more.
            self._formats.on_wrote(job.format)
        self.wrote.emit(str(job.output.absolute()))
