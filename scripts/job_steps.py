"""The five jobs that scripts/jobs.py does in the window, step by step; a picture of each step is taken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robot import Robot

    from app.window.main_window import MainWindow

N_PARTICLE_FRAMES = 120


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

    def until_frame(self, number: int) -> None:
        """Wait until a frame is shown, counted from 1, or a later one."""
        display = self.window.display
        self.robot.wait(lambda: display.index >= number - 1, f"frame {number}")

    def some_frames(self, count: int) -> None:
        """Wait until so many more frames were shown, or the input began anew."""
        before = self.robot.ask(lambda: self.window.display.index)
        self.robot.wait(lambda: not before <= self.window.display.index < before + count, f"{count} frames")

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
    robot.choose(window.parts.method.preset, "Faces, denoise")
    desk.until_frame(3)
    robot.picture("faces-1-preset", ring=True)
    robot.choose(window.parts.source.corruption.kind, "Salt and pepper")
    robot.wait(lambda: _psnr(window), "a PSNR")
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
    desk.until_frame(5)
    robot.choose(window.parts.method.preset, "Microscopy, moving particles")
    desk.until_frame(40)
    robot.press("space")
    robot.picture("stacks-1-open", ring=True)
    pane = window.views.panes.panes[3]
    robot.click(pane.header.enlarge_button)
    robot.point(pane, (0.45, 0.5))
    robot.picture("stacks-2-mask")
    robot.press("Escape")
    sensitivity = window.parts.source.mask_form.controls["sensitivity"]
    robot.slide(sensitivity.slider, 0.62)
    robot.picture("stacks-3-sensitivity", ring=True)
    desk.export("plate", "background", "mask", "curves", form="TIFF images")
    desk.write()
    robot.picture("stacks-4-written")
    import tifffile  # noqa: PLC0415

    with tifffile.TiffFile(desk.folder / "out" / "background.tif") as stack:
        assert (len(stack.pages), stack.pages[0].dtype) == (N_PARTICLE_FRAMES, "uint16")
        assert stack.imagej_metadata["unit"] == "micron", stack.imagej_metadata


def surveillance(desk: Desk) -> None:
    """List what moved in a clip, from when to when; go there; count over a line; save it."""
    robot, window = desk.robot, desk.window
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
    robot.press("F1")
    robot.picture("teaching-1-words")
    robot.press("Escape")
    robot.choose(window.parts.source.corruption.kind, "Salt and pepper")
    robot.wait(lambda: _psnr(window), "a PSNR")
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
    robot.slide(lam.slider, 0.35)
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


def _psnr(window: MainWindow) -> bool:
    return window.parts.method.figures.text("PSNR, background") != "–"


def draw_particles(path: Path) -> None:
    """Draw a 16-bit stack of particles that drift over a still background, with the scale that ImageJ would state."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    import tifffile  # noqa: PLC0415

    rng, side = np.random.default_rng(7), 256
    cells = cv2.GaussianBlur(rng.random((side, side), np.float32), (0, 0), 9)
    cells = (cells - cells.min()) / np.ptp(cells)
    background = 2600 + 5200 * cells**2
    places, speeds = rng.uniform(0, side, (26, 2)), rng.normal(0, 1.6, (26, 2))
    rows, columns = np.mgrid[:side, :side].astype(np.float32)
    frames = np.empty((N_PARTICLE_FRAMES, side, side), np.uint16)
    for frame in frames:
        light = np.zeros_like(background)
        for row, column in places:
            light += np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / 7)
        frame[:] = np.clip(rng.poisson(background + 3400 * light), 0, 65535)
        places = (places + speeds) % side
    stated = {"axes": "TYX", "unit": "micron", "finterval": 0.5}
    tifffile.imwrite(path, frames, imagej=True, resolution=(1 / 0.21, 1 / 0.21), metadata=stated)
