"""The export's job and its panel."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as replaced
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget

from app.engine.choice import Choice
from app.engine.resume import Resume
from app.panels.banner import Banner
from app.window.commands.export import USUAL_SAVE, ExportCommands
from app.window.commands.input import InputCommands
from core.io.input_spec import InputSpec
from core.project.document import ExportChoice

WANTED = ExportChoice(folder="out", save=("plate", "mask"), written=(3, 30))


@pytest.fixture
def export(worker, input_, choice, remembered, banner, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    made = ExportCommands(worker, input_, choice, remembered, banner, window)
    yield made
    made.shut()


def open_project(input_, info, request):
    """Let the input of a project come, whose choice the panels show."""
    input_.open_again(request, None, Choice(), Resume())
    input_.on_opened(info, request)


def test_there_is_nothing_to_export_before_an_input_is_open(export, banner):
    export.open()
    export.refresh()
    assert export.panel is None
    assert "There is nothing to export" in banner.show_error.call_args.args[0]


def test_the_job_is_what_the_panels_show(export, input_, clip_info, method_panel, mask, worker):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4", grey=True, roi=(0, 0, 32, 24)))
    method_panel.form.show_values({"rank": 4})
    mask.show_values({"sensitivity": 9.0})
    worker.painted = {"strokes": 1}
    job = export.job(WANTED)
    assert (job.output, job.save, job.format, job.overwrite) == (Path("out"), ("plate", "mask"), "png", False)
    assert (job.settings.method, job.settings.values) == ("fast", {"rank": 4, "sensitivity": 9.0})
    assert job.settings.painted == {"strokes": 1}
    planned = export.plan(job)
    assert {file.path.name for file in planned} == {"plate.png", "mask"}


def test_another_input_is_exported_in_the_same_way_and_whole(
    export, input_, clip_info, method_panel, worker, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # `make run` leaves a folder "out", in which results would go elsewhere.
    input_.on_opened(replace(clip_info, fps=None), InputSpec("camera:0", grey=True))
    method_panel.form.show_values({"rank": 4})
    worker.painted = {"strokes": 1}
    export.open()
    export.panel.form.show_choice(replaced(WANTED, fps=10.0))
    assert export.choice.fps == 10
    job = export.job_for("/films/other.mp4")
    assert (job.input, job.written, job.fps) == (InputSpec("/films/other.mp4"), (None, None), None)
    assert (job.output, job.save) == (Path("out"), ("plate", "mask"))
    assert (job.settings.values, job.settings.painted) == ({"rank": 4}, {})
    assert job.settings.passes == 2, "it is no camera"


def test_inputs_of_another_kind_are_exported_by_what_was_chosen_for_that(
    export, input_, clip_info, method_panel, choice, mask
):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    choice.turn_to("scene", "/films/clip.mp4")
    mask.show_values({"sensitivity": 9.0})
    assert not export.kept_jobs_for("/films/other.mp4")
    choice.kept_for("/faces")
    choice.turn_to("images", "/faces")
    method_panel.form.show_values({"rank": 49})
    choice.passes = 3
    jobs = {"images": export.job_for("/films/other.mp4"), **export.kept_jobs_for("/films/other.mp4")}
    assert {kind: (job.input.path, job.settings.values, job.settings.passes) for kind, job in jobs.items()} == {
        "images": ("/films/other.mp4", {"rank": 49, "sensitivity": 9.0}, 3),
        "scene": ("/films/other.mp4", {"sensitivity": 9.0}, 2),
    }


@pytest.mark.parametrize("is_open", [False, True])
def test_what_is_to_be_read_once_is_until_another_preset_says_nothing_of_that(export, input_, clip_info, is_open):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    if is_open:
        export.open()
        export.panel.form.passes.setValue(4)
    export.read_once(False)
    assert export.choice.passes == (4 if is_open else None), "what a person has chosen stays"
    export.read_once(True)
    assert export.choice.passes == 1
    export.open()
    assert export.panel.job().settings.passes == 1
    export.read_once(False)
    assert export.choice.passes is None
    assert export.panel.job().settings.passes == 2


def test_the_panel_is_no_higher_than_what_is_in_it(export, input_, clip_info, qapp, monkeypatch):
    for where in ("app.panels.export.room_of", "app.on_screen.room_of"):
        monkeypatch.setattr(where, lambda _: QRect(0, 0, 1600, 1300))
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    qapp.processEvents()
    panel = export.panel
    needed = sum(rows.totalHeightForWidth(panel.width()) for rows in panel._parts_shown if rows.hasHeightForWidth())
    needed += sum(rows.totalSizeHint().height() for rows in panel._parts_shown if not rows.hasHeightForWidth())
    assert panel.height() <= needed + 2 * panel.command.fontMetrics().lineSpacing()


def test_the_panel_follows_what_changes_while_it_is_seen(export, input_, clip_info, method_panel):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    command = export.panel.command
    assert "--set" not in command.toPlainText()
    method_panel.form.show_values({"rank": 4})
    export.refresh()
    assert "--set rank=4" in command.toPlainText()
    export.panel.form.first.setValue(20)
    export.open()
    assert export.panel.form.first.value() == 20, "the same input, the same frames"
    input_.on_opened(clip_info, InputSpec("/films/other.mp4"))
    export.refresh()
    assert export.panel.form.first.value() == 1, "another input, all frames"


def test_the_folder_of_an_export_is_remembered(export, input_, clip_info, remembered, qtbot):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    with qtbot.waitSignal(export.wrote) as wrote:
        export.panel.wrote.emit(export.job(replaced(WANTED, folder="/results")))
    assert wrote.args == ["/results"]
    assert remembered.export_folder == "/results"


def test_each_clip_is_exported_into_a_folder_of_its_own(export, input_, clip_info, remembered, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    assert export.choice.folder == "/home/me/cleanplate/a"
    export.set_written((3, 30))
    input_.on_opened(clip_info, InputSpec("/films/b.mp4"))
    assert export.choice.folder == "/home/me/cleanplate/b"
    export.open()
    assert export.panel.form.choice.folder == "/home/me/cleanplate/b"
    input_.on_opened(clip_info, InputSpec("sample:street"))
    assert export.panel.form.choice.folder == "/home/me/cleanplate/sample street"
    export.panel.wrote.emit(export.job(export.panel.form.choice))
    assert remembered.export_folder == "/home/me/cleanplate"


def test_a_folder_that_a_person_has_chosen_is_kept_and_other_clips_go_beside_or_into_it(
    export, input_, clip_info, remembered
):
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.form.folder.setText("/results")
    export.open()
    assert export.panel.form.choice.folder == "/results"
    job = export.job(export.panel.form.choice)
    input_.on_opened(clip_info, InputSpec("/films/b.mp4"))
    assert export.panel.form.choice.folder == "/results/b"
    export.panel.wrote.emit(job)
    assert remembered.export_folder == "/results", "of the clip that was written, not of the one that is open"
    export.panel.form.folder.setText("/other/b")
    input_.on_opened(clip_info, InputSpec("/films/c.mp4"))
    assert export.panel.form.choice.folder == "/other/c"


def test_a_folder_that_cannot_be_written_to_is_not_where_later_jobs_go(
    export, input_, clip_info, remembered, monkeypatch
):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.form.folder.setText("/full/a")
    refused = export.job(export.panel.form.choice)
    export.panel.wrote.emit(refused)  # There was room then.
    export.panel.refused.emit(refused)
    assert export.panel.form.choice.folder == "/full/a", "the person corrects it"
    assert export.job_for("/films/b.mp4").output == Path("/home/me/cleanplate")
    input_.on_opened(clip_info, InputSpec("/films/c.mp4"))
    assert export.panel.form.choice.folder == "/home/me/cleanplate/c"
    export.panel.form.folder.setText("/full/c")
    export.panel.wrote.emit(export.job(export.panel.form.choice))  # There is room again.
    assert export.job_for("/films/b.mp4").output == Path("/full")


def test_other_clips_go_beside_a_folder_with_the_results_of_one_whatever_it_is_called(
    export, input_, clip_info, remembered, tmp_path
):
    folder = tmp_path / "delivery"
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.form.folder.setText(str(folder))
    folder.mkdir()
    (folder / "plate.png").write_bytes(b"")
    export.panel.wrote.emit(export.job(export.panel.form.choice))
    assert remembered.export_folder == str(tmp_path)
    assert export.job_for("/films/b.mp4").output == tmp_path
    input_.on_opened(clip_info, InputSpec("/films/c.mp4"))
    assert export.panel.form.choice.folder == str(tmp_path / "c")


def test_other_clips_go_beside_a_folder_that_is_being_written(export, input_, clip_info, tmp_path, monkeypatch):
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.form.folder.setText(str(tmp_path / "monday"))
    export.panel.run.job = export.job(export.panel.form.choice)
    monkeypatch.setattr(type(export.panel.run), "is_running", True)
    input_.on_opened(clip_info, InputSpec("/films/c.mp4"))
    assert export.choice.folder == str(tmp_path / "c")
    assert export.job_for("/films/b.mp4").output == tmp_path


def test_a_queue_makes_folders_for_its_jobs_beside_that_of_the_clip(export, input_, clip_info, qtbot):
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.form.folder.setText("/results/a")
    with qtbot.waitSignal(export.queue_requested) as asked:
        export.panel.queue.click()
    assert asked.args[0].output == Path("/results")
    assert export.job_for("/films/b.mp4").output == Path("/results")


def test_files_are_read_twice_unless_a_person_says_otherwise(export, input_, clip_info, choice):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    assert export.job(WANTED).settings.passes == 2
    assert export.job(replaced(WANTED, save=("mask",))).settings.passes == 2
    assert export.job(replaced(WANTED, passes=1)).settings.passes == 1
    choice.passes = 3
    assert export.job(WANTED).settings.passes == 3, "as in the window"


def test_the_panel_says_how_often_it_is_read(export, input_, clip_info):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    assert "--passes" not in export.panel.command.toPlainText(), "the command does the same by itself"
    assert export.panel.form.passes.text() == "automatic: 2"
    export.panel.form.passes.setValue(1)
    assert "--passes 1" in export.panel.command.toPlainText()


def test_what_a_project_chooses_is_shown_and_comes_back(export, input_, clip_info):
    chosen = ExportChoice(
        folder="/out", save=("mask",), format="av1", quality="low", speed="slow", fps=12.5, names="input"
    )
    input_.on_opened(replace(clip_info, fps=None), InputSpec("/films/photos"))
    export.show_choice(chosen, "/films/photos")
    assert export.choice == chosen
    export.open()
    assert export.choice == chosen
    export.show_choice(other := ExportChoice(folder="/other", format="mp4"), "/films/photos")
    assert export.choice == other


@pytest.mark.parametrize("is_open", [False, True])
def test_scenes_and_image_sets_have_each_what_is_written_of_them_whatever_projects_choose(
    export, input_, clip_info, is_open
):
    assert ExportChoice().save == USUAL_SAVE[False]
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.on_content(False)
    if is_open:
        export.open()
    export.show_choice(ExportChoice(save=("mask",)), "/films/clip.mp4")
    export.on_content(True)
    assert export.choice.save == USUAL_SAVE[True]
    export.show_choice(ExportChoice(save=("coefficients",)), "/films/other.mp4")
    input_.on_opened(clip_info, InputSpec("/films/other.mp4"))
    export.on_content(False)
    assert export.choice.save == ("coefficients",), "what the project chooses"
    export.on_content(True)
    assert export.choice.save == USUAL_SAVE[True], "not what was chosen of a scene"
    export.on_content(False)
    assert export.choice.save == ("coefficients",)


def test_what_was_said_of_an_export_goes_with_its_input(export, input_, clip_info, monkeypatch, qtbot):
    shown = Banner()
    qtbot.addWidget(shown)
    monkeypatch.setattr(export, "_banner", shown)
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    export.panel.run.failed.emit("There is no file a.mp4.")
    input_.open_path("/films/b.mp4")
    assert shown.text == "There is no file a.mp4.", "it is not there yet"
    input_.on_opened(clip_info, input_.asked)
    assert shown.text == ""
    input_.open_path("/films/c.mp4")
    export.panel.run.failed.emit("The disk is full.")
    input_.on_opened(clip_info, input_.asked)
    assert shown.text == "The disk is full.", "nobody has read it yet"


STACK = {"fps": None, "levels": (715, 2084)}


@pytest.mark.parametrize("is_open", [False, True])
def test_what_a_film_is_written_as_is_not_chosen_for_a_stack(export, input_, clip_info, is_open):
    stack_info = replace(clip_info, **STACK)
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    if is_open:
        export.open()
    export.show_choice(ExportChoice(format="mp4", quality="low"), "/films/clip.mp4")
    input_.on_opened(clip_info, InputSpec("/films/other.mp4"))
    assert export.choice.format == "mp4"
    input_.on_opened(stack_info, InputSpec("/stacks/cells.tif"))
    assert (export.choice.format, export.choice.quality) == ("png", "low")
    export.show_choice(ExportChoice(format="tiff"), "/stacks/cells.tif")
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    assert export.choice.format == "mp4"
    input_.on_opened(stack_info, InputSpec("/stacks/more.tif"))
    assert export.choice.format == "tiff"
    export.show_choice(ExportChoice(format="av1"), "/stacks/of a project.tif")
    open_project(input_, stack_info, InputSpec("/stacks/of a project.tif"))
    assert export.choice.format == "av1", "what a project chooses stays"


def test_the_format_of_each_kind_of_input_is_remembered(export, input_, clip_info, remembered, worker, choice, banner):
    stack_info = replace(clip_info, **STACK)
    input_.on_opened(stack_info, InputSpec("/stacks/cells.tif"))
    assert export.choice.format == "png"
    export.open()
    export.panel.wrote.emit(replace(export.job(WANTED), format="tiff"))
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.panel.wrote.emit(replace(export.job(WANTED), format="mp4"))
    other = replace(export.job(WANTED), input=InputSpec("/stacks/cells.tif"), format="mkv")
    export.panel.wrote.emit(other)
    assert remembered.export_formats == {"measured": "tiff", "coded": "mp4"}, "not of what is open no more"
    for info, form in ((stack_info, "tiff"), (clip_info, "mp4")):
        later = InputCommands(None, worker, export._input._panel, choice, remembered, banner)
        next_start = ExportCommands(worker, later, choice, remembered, banner, export._parent)
        later.on_opened(info, later.request)
        assert next_start.choice.format == form
    remembered.export_formats = {"coded": "what a later version has"}
    assert next_start.choice.format == "png"


def test_a_rate_is_there_again_once_an_input_has_none_of_its_own(export, input_, clip_info):
    input_.on_opened(replace(clip_info, fps=None), InputSpec("/films/photos"))
    export.open()
    export.panel.form.fps.setValue(12.5)
    assert export.choice.fps == 12.5
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.set_written((2, 9))
    assert export.choice.fps is None
    input_.on_opened(replace(clip_info, fps=None), InputSpec("/films/photos"))
    assert export.choice.fps == 12.5
    export.show_choice(ExportChoice(), "/films/photos")
    assert export.choice.fps is None, "a project has a rate of its own"


@pytest.mark.parametrize("typed", ["", "/results//", "/results/\0"])
def test_a_folder_stays_as_it_is_typed_while_other_things_are_chosen(export, input_, clip_info, typed):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    folder = export.panel.form.folder
    folder.setText(typed)
    typed = folder.text()
    export.set_written((2, 9))
    export.read_once(True)
    assert folder.text() == typed
    assert (export.choice.written, export.choice.passes) == ((2, 9), 1)
    assert bool(export.choice.folder) == (typed == "/results//")
    input_.on_opened(clip_info, InputSpec("/films/other.mp4"))
    assert folder.text() == ("/results/other" if export.choice.folder else typed), "nowhere, until one is named"


def test_frames_that_the_input_of_before_has_not_are_those_of_the_one_that_comes(export, input_, clip_info):
    input_.on_opened(replace(clip_info, n_frames=40), InputSpec("/films/clip.mp4"))
    export.open()
    export.show_choice(ExportChoice(written=(300, 500)), "/films/longer.mp4")
    open_project(input_, replace(clip_info, n_frames=600), InputSpec("/films/longer.mp4"))
    assert export.choice.written == (300, 500)
    input_.on_opened(replace(clip_info, n_frames=400), InputSpec("/films/longer.mp4"))
    assert export.choice.written == (300, 400), "there are no more"


def test_the_first_input_has_a_folder_of_its_own_where_a_project_was_asked_for_in_vain(
    export, input_, clip_info, monkeypatch
):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    before = export.choice
    export.show_choice(ExportChoice(folder="/results/b"), "/films/b.mp4")
    export.show_choice(before, input_.request.path)
    input_.on_opened(clip_info, InputSpec("sample:street"))
    assert export.choice.folder == "/home/me/cleanplate/sample street"


@pytest.mark.parametrize("is_open", [False, True])
def test_a_project_that_names_no_folder_is_exported_to_the_usual_one(export, input_, clip_info, is_open, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    if is_open:
        export.open()
    export.show_choice(ExportChoice(), "/films/b.mp4")
    assert export.choice.folder == ("/home/me/cleanplate/b" if is_open else ""), "nobody has chosen one yet"
    assert export.job_for("/films/c.mp4").output == Path("/home/me/cleanplate")
    open_project(input_, clip_info, InputSpec("/films/b.mp4"))
    export.open()
    assert export.panel.job().output == Path("/home/me/cleanplate/b")


def test_the_panel_shows_the_export_that_runs_until_it_ends(export, input_, clip_info, monkeypatch, tmp_path):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.open()
    panel, runs = export.panel, [True]
    panel.form.show_choice(replaced(WANTED, folder=str(tmp_path / "clip")))
    panel.refresh()
    shown = panel.form.choice, panel.command.toPlainText()
    monkeypatch.setattr(type(panel.run), "is_running", property(lambda _: bool(runs)))
    input_.on_opened(replace(clip_info, n_frames=20), InputSpec("/films/other.mp4"))
    export.set_written((2, 5))
    export.open()
    assert (panel.form.choice, panel.command.toPlainText()) == shown
    new = replaced(WANTED, folder=str(tmp_path / "other"), written=(2, 5))
    assert export.choice == new, "what a project would hold"
    runs.clear()
    panel._on_cancelled()
    assert panel.form.choice == export.choice == new
    assert "/films/other.mp4" in panel.command.toPlainText()
    assert "Cancelled" in panel.message.text()
    export.set_written((3, 6))
    assert panel.form.choice.written == (3, 6)


def test_what_was_said_of_an_export_that_failed_goes_as_the_next_one_begins(
    export, input_, clip_info, monkeypatch, qtbot
):
    shown = Banner()
    qtbot.addWidget(shown)
    monkeypatch.setattr(export, "_banner", shown)
    input_.on_opened(clip_info, InputSpec("/films/a.mp4"))
    export.open()
    monkeypatch.setattr(export.panel.run, "begin", lambda _job: None)
    shown.show_error("The camera is gone.")
    export.panel.run.failed.emit("The disk is full.")
    assert shown.text == "The disk is full."
    export.panel.run.start_requested.emit()
    assert shown.text == "The camera is gone.", "another thing, which is so still"


def test_the_format_of_a_project_is_not_kept_for_what_was_open_before(export, input_, clip_info):
    stack = replace(clip_info, **STACK)
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    export.show_choice(ExportChoice(format="mp4"), "/films/clip.mp4")
    export.show_choice(ExportChoice(format="tiff"), "/stacks/p.tif")
    open_project(input_, stack, InputSpec("/stacks/p.tif"))
    assert export.choice.format == "tiff"
    input_.on_opened(clip_info, InputSpec("/films/other.mp4"))
    assert export.choice.format == "mp4"
