"""What is connected to the views, once they are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.threads import command

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.engine.worker import Worker
    from app.window.command_set import CommandSet
    from app.window.layout import Parts, Views


def connect_views(
    views: Views, parts: Parts, commands: CommandSet, worker: Worker, action: Callable[[str], QAction]
) -> None:
    """Let timeline, basis strip and panes act, and show what others do.

    Parameters
    ----------
    views : Views
    parts : Parts
    commands : CommandSet
    worker : Worker
    action : callable
        Gives the action of a name (`app.shortcuts`).
    """
    _connect_timeline(views, commands, worker, action)
    views.basis.reset_requested.connect(commands.basis.reset)
    views.basis.drop_requested.connect(commands.basis.drop)
    panes = views.panes
    # Else the first button has it, and the space bar opens its menu instead of pausing.
    panes.setFocus()
    panes.setAccessibleDescription("Six pictures that zoom and pan together; 1 to 6 enlarge one, Esc returns.")
    panes.zoom_changed.connect(parts.status.show_zoom)
    commands.pictures.attach(views)
    panes.region_selected.connect(commands.input.on_region_drawn)
    panes.wipe_changed.connect(parts.top.wipe.setChecked)


def _connect_timeline(views: Views, commands: CommandSet, worker: Worker, action: Callable[[str], QAction]) -> None:
    timeline = views.timeline
    timeline.play_toggled.connect(commands.playback.set_playing)
    command(timeline.step_requested, worker.step)
    timeline.seek_requested.connect(commands.playback.seek)
    commands.playback.sought.connect(timeline.show_going_to)
    views.plots.seek_requested.connect(commands.playback.seek)
    commands.events.seek_requested.connect(timeline.go_to)
    commands.events.span_chosen.connect(timeline.activity.show_span)
    timeline.set_loop(action("loop").isChecked())
    timeline.loop_changed.connect(action("loop").setChecked)
    action("loop").toggled.connect(timeline.set_loop)
    timeline.passes_changed.connect(commands.method.on_passes)
    commands.method.passes_chosen.connect(timeline.set_passes)
