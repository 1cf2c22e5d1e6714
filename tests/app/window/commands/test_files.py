"""Commands that ask for a file: inputs, presets, models."""

import threading
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from app.engine.saver import Saver
from app.window.commands.area_files import AreaFileCommands
from app.window.commands.input import InputCommands
from app.window.commands.method import MethodCommands
from app.window.commands.models import ModelCommands
from app.window.commands.opening import OpenCommands
from app.window.commands.presets import PresetCommands
from app.window.commands.project import ProjectCommands
from app.window.commands.queue import QueueCommands
from app.window.dialogs import FileDialogs, input_kinds
from core.errors import CleanplateError
from core.io.input_spec import InputSpec


@pytest.fixture
def saver(qapp):
    parent = QObject()
    made = Saver(parent)
    yield made
    made.shut()


@pytest.fixture
def presets(dialogs, method, choice, method_panel, saver, banner):
    return PresetCommands(dialogs, method, choice, method_panel, saver, banner)


@pytest.fixture
def models(dialogs, worker, input_, method):
    return ModelCommands(dialogs, worker, input_, method)


@pytest.fixture
def seen():
    """Stand-ins for what opens an input, a project, a preset, areas and a model, and for the queue."""
    kinds = (InputCommands, ProjectCommands, PresetCommands, AreaFileCommands, MethodCommands, QueueCommands)
    made = tuple(Mock(spec=kind) for kind in kinds)
    made[1].leave.side_effect = lambda then: then()  # Nothing is to be saved first.
    return made


@pytest.fixture
def opening(dialogs, seen, banner):
    return OpenCommands(dialogs, *seen, banner)


# -- opening


def test_what_is_dropped_is_opened_by_what_it_is(opening, seen, banner):
    input_, project, presets, areas, method, queue = seen
    opening.open_dropped(["/a/mine.JSON"])
    opening.open_dropped(["/a/day.Cleanplate"])
    opening.open_dropped(["/a/walk.npz"])
    opening.open_dropped(["/a/film.mp4"])
    assert project.open.call_args.args == (Path("/a/day.Cleanplate"),)
    assert presets.apply.call_args.args == (Path("/a/mine.JSON"),)
    assert method.apply_model.call_args.args == (Path("/a/walk.npz"),)
    assert input_.open_path.call_args.args == ("/a/film.mp4",)
    assert not banner.show_warning.called
    opening.open_dropped(["/a/1.png", "/a/2.png"])
    told = "Only 1.png was opened of 2 files; put images into one folder to open them together."
    assert banner.show_warning.call_args.args == (told,)
    assert not queue.add_dropped.called
    opening.open_dropped(["/a/1.mp4", "/a/notes.json", "/a/2.MKV", "/a/day.cleanplate"])
    assert queue.add_dropped.call_args.args == (["/a/1.mp4", "/a/2.MKV", "/a/day.cleanplate"],)
    assert not areas.read.called


def test_what_is_left_out_of_what_is_dropped_is_named(opening, seen, banner):
    input_, _, presets, _, _, queue = seen

    def told(*names):
        banner.show_warning.reset_mock()
        opening.open_dropped([f"/a/{name}" for name in names])
        return [call.args[0] for call in banner.show_warning.call_args_list]

    for names in (("film.mp4", "notes.txt"), ("notes.txt", "film.mp4")):
        assert told(*names) == ["Only film.mp4 was opened; notes.txt was left out."]
        assert input_.open_path.call_args.args == ("/a/film.mp4",)
    assert told("film.mp4", "a.png") == ["Only film.mp4 was opened; a.png was left out."]
    opening.open_dropped(["rtsp://anna:secret@10.0.0.7", "/a/notes.txt"])
    assert banner.show_warning.call_args.args == ("Only 10.0.0.7 was opened; notes.txt was left out.",)
    opening.open_dropped(["/a/film.mp4", "rtsp://anna:secret@10.0.0.7"])
    assert banner.show_warning.call_args.args == ("Only film.mp4 was opened; 10.0.0.7 was left out.",)
    assert told("mine.json", "film.mp4") == ["Only mine.json was opened; film.mp4 was left out."]
    assert presets.apply.call_args.args == (Path("/a/mine.json"),)
    into = "left out of the queue, which takes films, stacks, folders and projects"
    assert told("1.mp4", "2.mkv") == []
    assert told("1.mp4", "notes.txt", "2.mkv") == [f"notes.txt was {into}."]
    assert told("a.txt", "1.mp4", "b.txt", "2.mkv") == [f"a.txt and b.txt were {into}."]
    assert told("1.mp4", "2.mkv", "a.png") == [f"a.png was {into}; put images into one folder."]
    assert told("1.mp4", "2.mkv", *"abcde") == [f"a, b, c and 2 more were {into}."]
    assert queue.add_dropped.call_args.args == (["/a/1.mp4", "/a/2.mkv"],)


def test_json_is_areas_or_a_preset_by_what_is_in_it_or_told_to_be_neither(opening, seen, banner, tmp_path):
    presets, areas = seen[2:4]
    told = {
        "areas.json": '{"shapes": []}',
        "mine.json": '{"method": "fast"}',
        "torn.json": '{"shapes":',
        "a.json": "[]",
    }
    for name, text in told.items():
        (tmp_path / name).write_text(text)
        opening.open_dropped([str(tmp_path / name)])
    assert [call.args[0].name for call in areas.read.call_args_list] == ["areas.json"]
    assert [call.args[0].name for call in presets.apply.call_args_list] == ["mine.json"]
    told = [call.args[0] for call in banner.show_error.call_args_list]
    assert [sentence.split(";")[0] for sentence in told] == [
        "torn.json holds neither a preset nor areas",
        "a.json holds neither a preset nor areas",
    ]


def test_a_dialog_that_is_left_opens_nothing(opening, seen, dialogs):
    dialogs.open.return_value = dialogs.open_folder.return_value = None
    opening.open_file()
    opening.open_folder()
    assert not seen[0].open_path.called
    assert "*.mp4" in dialogs.open.call_args.args[1]
    dialogs.open.return_value, dialogs.open_folder.return_value = Path("/a/film.mp4"), Path("/a/photos")
    opening.open_file()
    opening.open_folder()
    assert [made.args[0] for made in seen[0].open_path.call_args_list] == ["/a/film.mp4", "/a/photos"]


def test_a_stream_is_asked_for_by_its_address(opening, seen, dialogs, banner):
    input_ = seen[0]
    dialogs.line.return_value = None
    opening.open_stream()
    dialogs.line.return_value = "film.mp4"
    opening.open_stream()
    assert not input_.open_path.called
    assert "film.mp4 is no address of a stream" in banner.show_error.call_args.args[0]
    dialogs.line.return_value = "rtsp://127.0.0.1/live"
    opening.open_stream()
    assert input_.open_path.call_args.args == ("rtsp://127.0.0.1/live",)
    dialogs.line.return_value = None
    opening.open_stream()
    opening.open_stream()
    begun = [call.args[2] for call in dialogs.line.call_args_list]
    assert begun == ["rtsp://", "rtsp://", "film.mp4", *["rtsp://127.0.0.1/live"] * 2], "nobody types it twice"


@pytest.mark.parametrize(("accepts", "said"), [(True, "rtsp://camera/2"), (False, None)])
def test_a_line_has_room_for_an_address_and_is_given_as_it_was_typed(qapp, accepts, said):
    address, seen = "rtsp://operator:password@192.168.100.100:8554/cam/realmonitor?channel=1", []

    def answer():
        dialog = QApplication.activeModalWidget()
        box = dialog.findChild(QLineEdit)
        seen.append((dialog.windowTitle(), box.text(), box.selectedText()))
        assert box.contentsRect().width() > box.fontMetrics().horizontalAdvance(address)
        box.setText(" rtsp://camera/2 ")
        (dialog.accept if accepts else dialog.reject)()

    QTimer.singleShot(0, answer)
    assert FileDialogs(None, lambda: "").line("Open a stream", "Address:", address) == said
    assert seen == [("Open a stream", address, address)]


def test_dialogs_begin_where_the_input_lies(qapp, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "app.window.dialogs.QFileDialog.getOpenFileName", lambda *args: (asked.append(args[2]), ("", ""))[1]
    )
    (tmp_path / "film.mp4").write_bytes(b"")
    assert FileDialogs(None, lambda: str(tmp_path / "film.mp4")).open("Open", "*") is None
    for path in ("sample:street", str(tmp_path / ("x" * 300))):
        FileDialogs(None, lambda path=path: path).open("Open", "*")
    assert asked == [str(tmp_path), str(Path.home()), str(Path.home())]


def test_kinds_of_files_are_named_without_their_many_suffixes(qapp, monkeypatch):
    asked = []
    for name, answer in (("getOpenFileName", ("", "")), ("getOpenFileNames", ([], ""))):
        monkeypatch.setattr(QFileDialog, name, lambda *args, answer=answer: asked.append(args[-1]) or answer)
    dialogs = FileDialogs(None, lambda: "")
    dialogs.open("Open", input_kinds())
    dialogs.open_several("Open", input_kinds())
    assert asked == [QFileDialog.Option.HideNameFilterDetails] * 2


@pytest.fixture
def saving(qapp, tmp_path, monkeypatch):
    """Return what asks for a preset's file beside a film, what was asked, and the answers to be given."""
    asked, answers = [], []

    def answer(_parent, _title, begun, _kinds):
        asked.append(begun)
        return answers.pop(0)

    monkeypatch.setattr("app.window.dialogs.QFileDialog.getSaveFileName", answer)
    (tmp_path / "film.mp4").write_bytes(b"")
    return FileDialogs(None, lambda: str(tmp_path / "film.mp4")), asked, answers


def test_what_is_saved_begins_beside_the_input_and_has_a_suffix_by_which_it_is_found(saving, tmp_path):
    dialogs, asked, answers = saving
    presets, areas = "Presets (*.json)", "Areas (*.json);;Picture of areas (*.png)"
    for kinds, typed, kind, saved in (
        (presets, "mine", presets, "mine.json"), (presets, "mine v1.2", presets, "mine v1.2.json"),
        (presets, "mine.JSON", presets, "mine.JSON"), (presets, "mine", "", "mine.json"),
        (areas, "sky", "Picture of areas (*.png)", "sky.png"), (areas, "sky.json", "", "sky.json"),
    ):  # fmt: skip
        answers.append((str(tmp_path / typed), kind))
        assert dialogs.save("Save", "preset.json", kinds) == tmp_path / saved
    assert set(asked) == {str(tmp_path / "preset.json")}
    answers.append(("", ""))
    assert dialogs.save("Save", "/elsewhere/day.cleanplate", "Projects (*.cleanplate)") is None
    assert asked[-1] == "/elsewhere/day.cleanplate"


def test_a_file_that_is_there_under_the_whole_name_is_not_replaced_unasked(saving, tmp_path):
    dialogs, asked, answers = saving
    (tmp_path / "mine.json").write_bytes(b"")
    answers += [(str(tmp_path / "mine"), "Presets (*.json)"), (str(tmp_path / "mine.json"), "Presets (*.json)")]
    assert dialogs.save("Save", "preset.json", "Presets (*.json)") == tmp_path / "mine.json"
    assert asked == [str(tmp_path / "preset.json"), str(tmp_path / "mine.json")], "the dialog asks of the whole name"


# -- presets


def test_what_is_written_can_be_applied(presets, saver, dialogs, worker, method_panel, qtbot, tmp_path):
    method_panel.form.show_values({"rank": 4})
    dialogs.save.return_value = dialogs.open.return_value = tmp_path / "mine.json"
    with qtbot.waitSignal(saver.wrote) as saved:
        presets.save()
    assert saved.args == ["mine.json"]
    method_panel.form.show_defaults()
    presets.load()
    assert worker.restart.call_args.args[0].values == {"rank": 4}


def test_a_preset_that_cannot_be_read_or_written_is_one_sentence(presets, saver, worker, banner, qtbot, tmp_path):
    (tmp_path / "bad.json").write_text("{")
    presets.apply(tmp_path / "bad.json")
    assert "bad.json" in banner.show_error.call_args.args[0]
    assert banner.show_error.call_count == 1
    with qtbot.waitSignal(saver.failed) as failed:
        presets.write(tmp_path / "absent" / "mine.json")
    assert "absent" in failed.args[0]
    assert not worker.restart.called


def test_a_preset_of_the_program_is_chosen_by_its_name_and_any_other_name_means_the_defaults(
    presets, worker, method_panel
):
    from core.export.preset import built_in_presets

    preset = next(iter(built_in_presets().values()))
    presets.choose(preset.name)
    assert worker.restart.call_args.args[0].method == preset.method
    method_panel.show_method("fast")
    method_panel.form.show_values({"rank": 6})
    presets.choose("Defaults")
    assert method_panel.form.chosen == {}


@pytest.mark.parametrize("key", ["faces", "microscopy"])
def test_the_preset_is_offered_of_which_a_run_says_that_it_would_suit(presets, banner, worker, key):
    from core.export.preset import built_in_presets
    from core.session.content import FOR_IMAGES
    from core.session.particles import FOR_PARTICLES

    said = {"faces": FOR_IMAGES, "microscopy": FOR_PARTICLES}[key]
    presets.on_warned(["1 image was skipped."])
    assert banner.show_reading.call_args.args == (["1 image was skipped."], None)
    presets.on_warned(["1 image was skipped.", said])
    sentences, offer = banner.show_reading.call_args.args
    assert (len(sentences), offer.word) == (2, "Use it")
    preset = built_in_presets()[key]
    assert f"“{preset.name}” ({key})" in said, "what is offered is what is spoken of"
    assert preset.name in offer.tip
    offer.act()
    applied = worker.restart.call_args.args[0]
    assert (applied.method, applied.values) == (preset.method, preset.values)


def test_the_list_of_presets_says_what_the_settings_are(presets, method, choice, method_panel, mask):
    from core.export.preset import built_in_presets

    names = [preset.name for preset in built_in_presets().values()]
    method_panel.set_presets(names)
    for shown in (method_panel.form.shown, mask.shown, method.passes_chosen):
        shown.connect(presets.look)
    listed = method_panel.preset
    assert listed.currentText() == "Defaults"
    mask.show_values({"sensitivity": 78.1})
    assert (listed.currentText(), listed.shown_text) == ("", "Own settings")
    mask.show_defaults()
    assert listed.currentText() == "Defaults"
    for index, name in enumerate(names, 1):
        listed.setCurrentIndex(index)
        presets.choose(name)
        assert listed.currentText() == name


def test_a_preset_says_whether_it_is_read_once(presets, tmp_path):
    from core.export.preset import Preset, save_preset

    said = []
    presets.reads_once.connect(said.append)
    for passes in (1, None, 2):
        save_preset(Preset(name="x", method="fast", passes=passes), tmp_path / "x.json")
        presets.apply(tmp_path / "x.json")
    presets.choose("Defaults")
    assert said == [True, False, False, False]


# -- models


def test_a_model_is_written_by_the_engine_which_says_so(models, worker, input_, dialogs, clip_info, qtbot):
    models.save()
    assert not dialogs.save.called, "there is nothing to save"
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    dialogs.save.return_value = Path("/models/walk.npz")
    session = Mock()
    worker.with_session.side_effect = lambda action: action(session)
    with qtbot.waitSignal(models.saved) as saved:
        models.save()
    assert saved.args == ["walk.npz"]
    assert session.model().save.call_args.args == (Path("/models/walk.npz"),)
    session.model().save.side_effect = CleanplateError("The disk is full.")
    with qtbot.waitSignal(models.failed) as failed:
        models.save()
    assert failed.args == ["The disk is full."]


def test_a_model_that_was_chosen_is_applied(models, worker, input_, dialogs, clip_info):
    input_.on_opened(clip_info, InputSpec("/films/clip.mp4"))
    dialogs.open.return_value = None
    models.apply()
    assert not worker.restart.called
    dialogs.open.return_value = Path("/models/walk.npz")
    models.apply()
    assert worker.restart.call_args.args[0].model == Path("/models/walk.npz")


@pytest.mark.parametrize("what", ["preset", "areas"])
def test_a_drive_that_is_slow_holds_nobody_up(what, presets, saver, dialogs, banner, qtbot, monkeypatch, tmp_path):
    threads = []

    def writes(*_):
        threads.append(threading.current_thread())

    monkeypatch.setattr("core.export.preset.save_preset", writes)
    monkeypatch.setattr("core.session.areas_file.write_areas", writes)
    areas = AreaFileCommands(dialogs, Mock(), Mock(), saver, banner)
    with qtbot.waitSignal(saver.wrote):
        {"preset": presets.write, "areas": areas.write}[what](tmp_path / "a.json")
    assert threads
    assert threads != [threading.main_thread()]
