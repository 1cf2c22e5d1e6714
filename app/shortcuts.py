"""Everything that has a key, in either window: one table for the menus, the keys and the page that lists them.

Plain keys (a letter, Space) are not Qt shortcuts, which would take them away from a text field or a button that has
the focus: the window acts on those that nobody below it used (`app.actions`).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence


class Where(enum.Enum):
    """A window that has commands, with its name for people."""

    MAIN = "Main window"
    COMPARE = "Compare methods"


IN_MAIN = (Where.MAIN,)
IN_BOTH = (Where.MAIN, Where.COMPARE)
IN_COMPARE = (Where.COMPARE,)

SHARED = frozenset(
    {"undo", "redo", "save_project", "export", "queue", "history", "events", "how_to", "words", "shortcuts", "quit"}
)
"""Commands whose keys act in the windows beside the one that has them, too: they are no matter of its own controls."""


@dataclass(frozen=True)
class Command:
    """Something that a person can do.

    Attributes
    ----------
    key : str
        Name of the command in the program.
    menu : str
        Menu that it stands in, in the main window.
    text : str
        As in the menu.
    keys : str
        As in Qt, such as ``Ctrl+O``; a plain key such as ``Space`` acts where no control uses it.
    help : str
        One sentence.
    checkable : bool
    windows : tuple of Where
        The windows that have it.
    standard : QKeySequence.StandardKey, optional
        The platform has keys of its own for this, which act too.
    """

    key: str
    menu: str
    text: str
    keys: str = ""
    help: str = ""
    checkable: bool = False
    windows: tuple[Where, ...] = IN_MAIN
    standard: QKeySequence.StandardKey | None = None

    @property
    def title(self) -> str:
        """What it is called outside of menus."""
        return self.text.rstrip("…")

    @property
    def shared(self) -> bool:
        """Whether its keys act in the windows beside this one, too."""
        return self.key in SHARED

    @property
    def is_plain(self) -> bool:
        """True for a key without Ctrl or Alt that is no function key."""
        function_key = self.keys[:1] == "F" and self.keys[1:].isdigit()
        return bool(self.keys) and "Ctrl" not in self.keys and not function_key


_REDO = QKeySequence.StandardKey.Redo

COMMANDS = (
    Command("open_file", "File", "Open file…", "Ctrl+O", "Open a video, an image, a TIFF stack or a project."),
    Command("open_folder", "File", "Open folder…", "Ctrl+Shift+O", "Open a folder of images as one sequence."),
    Command("open_stream", "File", "Open stream…", "", "Connect to a camera of the network by its address."),
    Command("save_project", "File", "Save project", "Ctrl+S", "Write input, settings, strokes and what was learnt."),
    Command("save_project_as", "File", "Save project as…", "Ctrl+Shift+S", "Write the project under another name."),
    Command("export", "File", "Export…", "Ctrl+E", "Write the plate, masks, cleaned frames and more to files."),
    Command("queue", "File", "Queue…", "Ctrl+J", "Jobs that wait for their turn, each in a process of its own."),
    Command("save_model", "File", "Save the model…", "", "Write what was learnt, to be applied to other input."),
    Command("apply_model", "File", "Apply a model…", "Ctrl+M", "Split with a model of an earlier run; learn nothing."),
    Command("learn_again", "File", "Learn again", "Ctrl+L", "Leave the model and learn from this input."),
    Command("load_preset", "File", "Load a preset…", "", "Set method and parameters from a file."),
    Command("save_preset", "File", "Save a preset…", "", "Write method and parameters to a file."),
    Command("load_areas", "File", "Load areas…", "", "Exclude what a file says, JSON or a picture, and nothing else."),
    Command("save_areas", "File", "Save areas…", "", "Write the areas to a file, also for the command line."),
    Command("quit", "File", "Quit", "Ctrl+Q", "Close all windows; what runs is ended cleanly.", windows=IN_BOTH),
    Command("undo", "Edit", "Undo", "Ctrl+Z", "Take the last step back: a setting, a stroke, a mark."),
    Command("redo", "Edit", "Redo", "Ctrl+Shift+Z", "Do again what was taken back.", standard=_REDO),
    Command("history", "Edit", "History…", "Ctrl+H", "List every step; choose one to go back to it."),
    Command("mark_in", "Edit", "In point", "I", "Export from the frame that is shown on."),
    Command("mark_out", "Edit", "Out point", "O", "Export up to the frame that is shown."),
    Command("clear_range", "Edit", "Clear in and out", "X", "Export all frames."),
    Command("marker", "Edit", "Marker", "K", "Set a marker at the frame that is shown, or take it away."),
    Command("name_marker", "Edit", "Name the marker…", "Shift+K", "Give the marker at the frame that is shown a name."),
    Command(
        "last_mark", "Edit", "Previous mark", "Ctrl+Left", "Go to the previous marker, painted frame, in or out point."
    ),
    Command("next_mark", "Edit", "Next mark", "Ctrl+Right", "Go to the next marker, painted frame, in or out point."),
    Command("wipe", "View", "Wipe", "W", "Compare input and background in one pane.", checkable=True),
    Command("correct", "View", "Correct by hand", "B", "Paint what is background or foreground.", checkable=True),
    Command(
        "learn_stroke", "View", "Learn from strokes, or not", "T", "Strokes are learnt from, or are for one frame."
    ),
    Command("areas", "View", "Areas", "A", "Draw what is never foreground, or kept as it is.", checkable=True),
    Command("compare", "View", "Compare methods…", "Ctrl+K", "Run two to four methods side by side on this input."),
    Command("events", "View", "Events…", "Ctrl+Shift+E", "Find what moves, and when: a table that goes there."),
    Command("measure", "View", "Measure", "M", "Mark a pixel or a region: statistics, and curves.", checkable=True),
    Command("fit", "View", "Whole picture", "0", "Show the whole picture in every pane.", windows=IN_BOTH),
    Command("zoom_in", "View", "Zoom in", "+", "Enlarge all panes.", windows=IN_BOTH),
    Command("zoom_out", "View", "Zoom out", "-", "Reduce all panes.", windows=IN_BOTH),
    Command("pane_1", "View", "Enlarge pane 1", "1", "Fill the middle with pane 1, the input at first; Esc returns."),
    Command(
        "pane_2", "View", "Enlarge pane 2", "2", "Fill the middle with pane 2, the background at first; Esc returns."
    ),
    Command(
        "pane_3", "View", "Enlarge pane 3", "3", "Fill the middle with pane 3, the foreground at first; Esc returns."
    ),
    Command("pane_4", "View", "Enlarge pane 4", "4", "Fill the middle with pane 4, the mask at first; Esc returns."),
    Command("pane_5", "View", "Enlarge pane 5", "5", "Fill the middle with pane 5, the matte at first; Esc returns."),
    Command("pane_6", "View", "Enlarge pane 6", "6", "Fill the middle with pane 6, the cleaned at first; Esc returns."),
    Command("all_panes", "View", "All panes", "Esc", "Show all panes.", windows=IN_BOTH),
    Command("second_window", "View", "Another window", "Ctrl+2", "Show the pictures in one more window."),
    Command("source_panel", "View", "Source panel", "F5", "Show or hide the left panel.", checkable=True),
    Command("method_panel", "View", "Method panel", "F6", "Show or hide the right panel.", checkable=True),
    Command("bottom_panel", "View", "Basis and plots", "F7", "Show or hide the strip below.", checkable=True),
    Command("usual_layout", "View", "Usual layout", "", "Show all panels and pictures as at the first start."),
    Command("full_screen", "View", "Full screen", "F11", "Fill the screen with the window.", checkable=True),
    Command("play", "Play", "Play or pause", "Space", "Go on, or hold after the current frame.", windows=IN_BOTH),
    Command("step", "Play", "Step", ".", "Process one frame, then hold.", windows=IN_BOTH),
    Command("step_back", "Play", "Step back", ",", "Show the frame before, and hold; nothing is learnt again."),
    Command("learn_on", "Play", "Learn on", "End", "Go on where learning stopped, before another frame was looked at."),
    Command("back", "Play", "Back 5 s", "Left", "Go back 5 seconds, or 10 images.", windows=IN_BOTH),
    Command("forward", "Play", "Forward 5 s", "Right", "Go forward 5 seconds, or 10 images.", windows=IN_BOTH),
    Command("first", "Play", "First frame", "Home", "Show the first frame; nothing is learnt again.", windows=IN_BOTH),
    Command(
        "loop", "Play", "Loop", "L", "At the end, start again with what was learnt.", checkable=True, windows=IN_BOTH
    ),
    Command("real_time", "Play", "Real time", "R", "Play at the input's own rate; off: at full speed.", checkable=True),
    Command(
        "restart",
        "Play",
        "Start over",
        "Ctrl+Home",
        "Forget what was learnt and begin with the first frame.",
        windows=IN_BOTH,
    ),
    Command("how_to", "Help", "How to…", "F2", "How a clean plate, faces, stacks, events and a lesson are done."),
    Command("words", "Help", "Glossary", "F1", "Rank, λ and the others, in plain words."),
    Command("shortcuts", "Help", "Keyboard shortcuts", "Ctrl+/", "List every key."),
    Command("about", "Help", "About Cleanplate", "", "Version, licence and the papers."),
    Command(
        "close",
        "Window",
        "Close",
        "Ctrl+W",
        "End the comparison; the main window goes on.",
        windows=IN_COMPARE,
        standard=QKeySequence.StandardKey.Close,
    ),
)

MORE_KEYS = (
    ("Timeline", "Drag", "Move the in and out points by their handles: what lies between is exported."),
    ("Timeline", "Double-click", "Name a marker; its menu takes it away."),
    ("Panes", "Arrows", "Pan the pictures while a pane has the focus."),
    ("Panes", "[ and ]", "Move the divider of the wipe; make the brush thinner or thicker."),
    ("Panes", "Enter, Delete", "While areas are drawn: close the polygon; remove the area that is pointed at."),
    ("Panes", "Double-click", "Enlarge a pane, or return."),
    ("Panes", "Wheel, drag", "Zoom and pan all panes."),
)
"""Keys that belong to the panes."""


def commands_of(window: Where) -> list[Command]:
    """Return the commands that a window has, in the order of its menus."""
    return [command for command in COMMANDS if window in command.windows]


def key_list() -> dict[str, list[tuple[str, str, str]]]:
    """Return every key, what it does and what that means, under the headings of the page that lists them."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for command in commands_of(Where.MAIN):
        if command.keys:
            found.setdefault(command.menu, []).append((command.keys, command.title, command.help))
    for heading, keys, about in MORE_KEYS:
        found.setdefault(heading, []).append((keys, "", about))
    in_comparison = [command for command in commands_of(Where.COMPARE) if command.keys]
    found[Where.COMPARE.value] = [(command.keys, command.title, command.help) for command in in_comparison]
    return found
