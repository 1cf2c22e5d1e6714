"""The five jobs that scripts/jobs.py does in the window, step by step; a picture of each step is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from particles import N_FRAMES

if TYPE_CHECKING:
    from robot import Look, Robot

    from app.window.main_window import MainWindow


@dataclass(frozen=True)
class Desk:
    """What a job is done with.

    Attributes
    ----------
    robot : Robot
    window : MainWindow
    folder : Path
        Where inputs lie and results go.
    """

    robot: Robot
    window: MainWindow
    folder: Path

    def open(self, name: str, keys: str = "ctrl+o", look: Look | None = None) -> None:
        """Open a file, or a folder with other keys, in the dialog that asks for one; ``look`` at it filled in."""
        with self.opening(name):
            self.robot.press(keys)
            self.robot.name_file(self.folder / name, look)

    def drop(self, name: str, look: Look) -> None:
        """Drag a file from another program onto the panes, and let it go there; ``look`` before that."""
        with self.opening(name):
            self.robot.carry(self.folder / name, self.window.views.panes, look)

    def choose_sample(self, name: str) -> None:
        """Open a sample by the menu of the top bar."""
        with self.opening(f"sample:{name.lower()}"):
            self.robot.click(self.window.parts.top.samples)
            self.robot.wait(self.window.menus.samples.isVisible, "the menu of samples")
            self.robot.entry(name)

    @contextmanager
    def opening(self, name: str) -> Iterator[None]:
        """Hold what plays; at the end wait until a frame of another input is shown."""
        window, wait = self.window, self.robot.wait
        held = self.hold()
        yield
        wait(lambda: Path(window.commands.input.request.path).name == name, f"{name} to be open")
        wait(lambda: window.display.index not in {0, held}, f"the first frames of {name}")

    def hold(self) -> int:
        """Let what plays pause, behind the first frames; return which is shown."""
        window, wait = self.window, self.robot.wait
        wait(lambda: window.display.index > 0, "frames")
        self.robot.press("space")
        wait(lambda: not window.commands.playback.is_playing, "what plays to hold")
        self.robot.rest()
        return int(self.robot.ask(lambda: window.display.index))

    def choose_preset(self, name: str) -> None:
        """Choose a preset while it holds, and play on when its first frame is there; the preset stays in sight."""
        box = self.window.parts.method.preset
        self.hold()
        self.robot.choose(box, name)
        self.robot.wait(lambda: self.window.display.index == 0, "the first frame again")
        self.robot.press("space")
        self.robot.show(box)

    def until_frame(self, number: int) -> None:
        """Wait until a frame is shown, counted from 1, or a later one."""
        display = self.window.display
        self.robot.wait(lambda: display.index >= number - 1, f"frame {number}")

    def some_frames(self, count: int) -> None:
        """Wait until so many more frames were shown, or the input began anew."""
        before = self.robot.ask(lambda: self.window.display.index)
        self.robot.wait(lambda: not before <= self.window.display.index < before + count, f"{count} frames")

    def until_noisy(self) -> None:
        """Wait until frames are shown to which noise was added."""
        input_ = self.window.commands.input
        self.robot.wait(lambda: input_.request.corruption is not None, "an input with noise")
        self.robot.wait(lambda: self.window.commands.playback.is_playing, "frames with noise")
        self.some_frames(2)

    def set_number(self, method: str, name: str, value: int) -> None:
        """Type a number into the box of a parameter, once its method is shown."""
        panel = self.window.parts.method
        self.robot.wait(lambda: panel.key == method and name in panel.form.controls, f"the panel of {method}")
        self.robot.rest()
        self.robot.fill(self.robot.ask(lambda: panel.form.controls[name].box), str(value))
        self.robot.wait(lambda: panel.form.controls[name].value == value, f"{name} to be {value}")

    def export(self, *products: str, form: str = "", **frames: int) -> None:
        """Open the export panel with its keys, tick what is wanted, name the folder ``out``."""
        robot = self.robot
        robot.press("ctrl+e")
        robot.wait(lambda: self.panel is not None and self.panel.isVisible(), "the export panel")
        for key, check in self.panel.form.checks.items():
            if robot.ask(check.isChecked) != (key in products):
                robot.click(check, (0.05, 0.5))
        if form:
            robot.choose(self.panel.form.format, form)
        for name, value in frames.items():
            robot.fill(getattr(self.panel.form, name), str(value))
        robot.fill(self.panel.form.folder, "out")

    def write(self) -> None:
        """Press Export and wait until all is written."""
        run = self.panel.run
        self.robot.click(run.start)
        self.robot.wait(lambda: not run.is_running, "the end of the export")
        said = self.robot.ask(self.panel.message.text)
        assert said.startswith("Wrote"), said

    @property
    def panel(self) -> Any:
        """The export panel."""
        return self.window.commands.export.panel

    def keep_project(self, name: str) -> None:
        """Save the project under a name, with the keys and in the dialog."""
        self.robot.press("ctrl+s")
        self.robot.name_file(self.folder / name)
        self.robot.wait((self.folder / name).exists, f"{name} to be written")


def clean_plate(desk: Desk) -> None:
    """Get the empty scene, and every frame without what passes, from a shot of a film."""
    robot, window = desk.robot, desk.window
    desk.open("yard.mp4", look=lambda: robot.picture("plate-0-dialog"))
    desk.until_frame(60)
    robot.press("space")
    robot.picture("plate-1-open")
    robot.press("w")
    wiped = window.views.panes.panes[0]
    robot.drag(wiped, [(0.5, 0.5), (0.62, 0.5)])
    robot.picture("plate-2-wipe")
    robot.press("w", "b")
    robot.wait(window.parts.brush.isVisible, "the brush")
    robot.click(robot.buttons(window.parts.brush.kind)[1])
    robot.drag(wiped, [(0.655, 0.45), (0.655, 0.52), (0.67, 0.62)])
    robot.wait(lambda: len(window.worker.painted) > 0, "the stroke")
    robot.picture("plate-3-correct", ring=True)
    robot.press("ctrl+z", "Escape", "6")
    robot.click(window.parts.source.mask_form.more)
    grow = window.parts.source.mask_form.controls["grow"]
    robot.slide(grow.slider, 0.42)
    robot.picture("plate-4-cleaned", ring=True)
    robot.press("Escape")
    desk.export("plate", "cleaned", form="H.264 film")
    robot.picture("plate-5-export")
    desk.write()
    robot.picture("plate-6-written", ring=True)
    robot.press("Escape")
    desk.keep_project("yard.cleanplate")
    for name in ("plate.png", "cleaned.mp4"):
        assert (desk.folder / "out" / name).stat().st_size, name


def faces(desk: Desk) -> None:
    """Take noise out of a set of faces."""
    robot, window = desk.robot, desk.window
    desk.open("faces", "ctrl+shift+o")
    desk.choose_preset("Faces, denoise")
    desk.until_frame(40)
    robot.picture("faces-1-preset")
    robot.choose(window.parts.source.corruption.kind, "Salt and pepper")
    desk.until_noisy()
    robot.picture("faces-2-noise", ring=True)
    robot.wait(lambda: window.views.timeline.pass_label.text().startswith("pass 3"), "the third pass")
    desk.until_frame(100)
    robot.press("space")
    robot.scroll(window.parts.method, 40)
    robot.picture("faces-3-learnt")
    card = window.views.basis.cards[0]
    robot.click(card)
    robot.picture("faces-4-basis", ring=True)
    robot.press("Escape")
    desk.export("background", "coefficients", form="PNG images")
    desk.write()
    robot.picture("faces-5-written")
    assert len(list((desk.folder / "out" / "background").iterdir())) == len(list((desk.folder / "faces").iterdir()))


def stacks(desk: Desk) -> None:
    """Find what moves in a stack of a microscope, and keep its 16 bits and its scale."""
    robot, window = desk.robot, desk.window
    desk.open("particles.tif")
    desk.choose_preset("Microscopy, moving particles")
    robot.wait(lambda: window.commands.playback.state.is_over, "the end of both passes")
    robot.picture("stacks-1-open")
    pane = window.views.panes.panes[3]
    robot.click(pane.header.enlarge_button)
    robot.point(pane, (0.45, 0.5))
    robot.picture("stacks-2-mask")
    robot.press("Escape")
    sensitivity = window.parts.source.mask_form.controls["sensitivity"]
    robot.slide(sensitivity.slider, 0.62)
    robot.picture("stacks-3-sensitivity", ring=True)
    desk.export("plate", "background", "mask", "curves", form="TIFF stacks (a page for each frame)")
    desk.write()
    robot.picture("stacks-4-written")
    import tifffile  # noqa: PLC0415

    with tifffile.TiffFile(desk.folder / "out" / "background.tif") as stack:
        assert (len(stack.pages), stack.pages[0].dtype) == (N_FRAMES, "uint16")
        assert stack.imagej_metadata["unit"] == "micron", stack.imagej_metadata


def surveillance(desk: Desk) -> None:
    """List what moved in a clip, from when to when; go there; count over a line; save it."""
    robot, window = desk.robot, desk.window
    desk.drop("street.mp4", lambda: robot.picture("events-0-drop"))
    desk.until_frame(60)
    robot.wait(lambda: window.display is not None and window.views.timeline.activity.isVisible(), "the activity")
    robot.rest(6)
    robot.press("space")
    robot.picture("events-1-open")
    robot.press("ctrl+shift+e")
    robot.wait(lambda: window.commands.events.panel is not None, "the events panel")
    panel = window.commands.events.panel
    robot.click(panel.run.start)
    robot.wait(lambda: panel.model.rowCount() > 0, "events")
    robot.picture("events-2-found", ring=True)
    robot.fill(panel.form.line, "240,0,240,360")
    robot.fill(panel.form.smallest, "150")
    robot.row(panel.table, 2)
    robot.picture("events-3-line", ring=True)
    robot.click(panel.save)
    robot.name_file(desk.folder)
    events = desk.folder / "events" / "events.json"
    robot.wait(events.exists, "events.json")
    assert json.loads(events.read_text())["lines"][0]["forward"] > 0


def teaching(desk: Desk) -> None:
    """Show what rank, λ and the solvers do, on faces whose truth is known."""
    robot, window = desk.robot, desk.window
    desk.choose_sample("Faces")
    robot.press("l")  # Faces go on while somebody looks at them.
    robot.press("F1")
    robot.picture("teaching-1-words")
    robot.press("Escape")
    robot.choose(window.parts.source.corruption.kind, "Salt and pepper")
    desk.until_noisy()
    robot.choose(window.parts.method.chooser, "Online robust NMF, gradient")
    desk.set_number("opgd", "rank", 4)
    desk.until_frame(150)
    robot.press("space")
    robot.picture("teaching-2-rank-low")
    robot.press("space")
    desk.set_number("opgd", "rank", 30)
    robot.click(window.views.timeline.first_button)
    robot.rest(5)
    desk.until_frame(150)
    robot.picture("teaching-3-rank-high")
    lam = window.parts.method.form.controls["lam"]
    robot.press("space")  # Else the handle moves on while it is taken hold of.
    robot.slide(lam.slider, 0.35)
    robot.press("space")
    desk.some_frames(4)
    robot.picture("teaching-4-lambda", ring=True)
    robot.click(lam.auto)
    robot.click(robot.ask(lambda: window.views.plots.chooser.buttons["h"]))
    robot.click(window.views.plots.plot, (0.5, 0.5), button=3)
    robot.picture("teaching-5-curves", ring=True)
    robot.press("Escape", "ctrl+k")
    robot.wait(lambda: window.commands.compare.window is not None, "the comparison")
    other = window.commands.compare.window
    robot.wait(lambda: other.display.index >= 100, "frame 101 of the comparison")
    robot.picture("teaching-6-solvers")
    robot.press("ctrl+w")
    robot.wait(lambda: window.commands.compare.window is None or not other.isVisible(), "the comparison to close")
