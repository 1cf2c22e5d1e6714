"""Presets: read, written, checked."""

import json
import os

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import catalogue
from core.errors import CleanplateError
from core.export.preset import Preset, built_in_presets, find_preset, load_preset, preset_of, save_preset
from core.project.document import Document, ProjectInput
from core.session.settings import Settings
from tests import strategies

GOOD = {
    "version": 1,
    "name": "Mine",
    "method": "fast",
    "values": {"rank": 4, "lam": None, "forget": False},
    "passes": 2,
}

ANY_JSON = st.recursive(
    st.none() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner),
).map(lambda data: json.dumps(data).encode())


def write(tmp_path, content):
    path = tmp_path / "mine.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_every_built_in_preset_fits_the_catalogue():
    presets = built_in_presets()
    assert set(presets) >= {"street", "trees", "microscopy", "faces"}
    for preset in presets.values():
        assert preset.settings().passes >= 1
        assert preset.about.endswith(".")
    assert presets["street"].settings() == Settings()


def test_the_preset_of_image_sets_takes_its_input_for_one_whatever_it_looks_like():
    assert built_in_presets()["faces"].settings().values["content"] == "images"


def test_a_preset_becomes_settings(tmp_path):
    settings = load_preset(write(tmp_path, GOOD)).settings(seed=3)
    assert settings == Settings("fast", {"rank": 4, "lam": None, "forget": False}, 2, 3)
    assert isinstance(settings.values["rank"], int)


def test_passes_that_are_not_written_are_automatic(tmp_path):
    without = {name: value for name, value in GOOD.items() if name != "passes"}
    assert load_preset(write(tmp_path, without)).passes is None
    assert load_preset(write(tmp_path, {**GOOD, "passes": 1})).passes == 1
    assert preset_of("Mine", Settings()).passes is None
    save_preset(preset_of("Mine", Settings()), tmp_path / "saved.json")
    assert "passes" not in json.loads((tmp_path / "saved.json").read_text())
    built_in = built_in_presets()
    assert {key: preset.passes for key, preset in built_in.items() if preset.passes is not None} == {
        "faces": 3, "microscopy": 2,
    }  # fmt: skip


def test_what_is_saved_comes_back(tmp_path):
    preset = preset_of("Mine", Settings("fast", {"rank": 4, "sensitivity": 50, "forget": False}, 2))
    assert preset.values == {"rank": 4, "forget": False}
    save_preset(preset, tmp_path / "mine.json")
    assert load_preset(tmp_path / "mine.json") == preset
    assert [p.name for p in tmp_path.iterdir()] == ["mine.json"]


@given(strategies.settings(seed=0), st.text())
def test_any_settings_come_back_from_a_file(tmp_path_factory, settings, name):
    path = tmp_path_factory.getbasetemp() / "any.json"
    preset = Preset(name=name, method=settings.method, values=settings.values, passes=settings.passes)
    save_preset(preset, path)
    assert load_preset(path) == preset
    assert load_preset(path).settings() == settings


@given(strategies.settings(seed=0))
def test_a_preset_of_settings_runs_as_they_do(settings):
    row = catalogue.row(settings.method)
    found = preset_of("Mine", settings).settings()
    assert catalogue.complete(row, found.values) == catalogue.complete(row, settings.values)
    assert (found.method, found.passes) == (settings.method, settings.passes)


@given(st.binary(max_size=60) | ANY_JSON)
def test_junk_is_no_preset_and_one_sentence(tmp_path_factory, packed):
    path = tmp_path_factory.getbasetemp() / "junk.json"
    path.write_bytes(packed)
    with pytest.raises(CleanplateError):
        load_preset(path)


def test_a_preset_is_found_by_file_or_by_key(tmp_path):
    assert find_preset(str(write(tmp_path, GOOD))).name == "Mine"
    assert find_preset("trees").name == "Swaying trees"
    with pytest.raises(CleanplateError, match="street"):
        find_preset("tree")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "not a preset"),
        ("{", "not a preset"),
        ("[1, 2]", "not a preset"),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1"), "not a preset"),
        ({**GOOD, "mood": "good"}, "mood"),
        ({**GOOD, "version": 2}, "not a preset"),
        ({**GOOD, "passes": "two"}, "passes"),
        ({**GOOD, "passes": 0}, "at least 1"),
        ({**GOOD, "passes": 1001}, "at most 1000"),
        ({**GOOD, "passes": 10**30}, "at most 1000"),
        ({**GOOD, "values": {"rank": "9" * 5000}}, "rank cannot be 9{59}…;"),
        ({**GOOD, "values": {"\x1b[2J": 1}}, "no parameter '\ufffd.2J'"),
        ({**GOOD, "method": "x" * 9999}, "no method 'x{59}…'"),
        ({**GOOD, "about": "x" * 99_999}, "larger than 65,536 bytes"),
        ('{"name":' + "[" * 60_000, "not a preset"),
        ({**GOOD, "method": "magic"}, "no method 'magic'"),
        ({**GOOD, "values": {"magic": 1}}, "no parameter 'magic'"),
        ({**GOOD, "values": {"rank": 1000}}, "rank cannot be 1000"),
        ({**GOOD, "values": {"rank": [1]}}, "not a preset"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(tmp_path, content, sentence):
    with pytest.raises(CleanplateError, match=sentence) as caught:
        load_preset(write(tmp_path, content))
    assert "\n" not in str(caught.value)


def test_a_project_is_said_to_be_one(tmp_path):
    path = tmp_path / "shot.cleanplate"
    document = Document(input=ProjectInput(path="/films/shot.mp4"), method="fast")
    path.write_bytes(msgspec.json.encode(document))
    with pytest.raises(CleanplateError) as caught:
        load_preset(path)
    assert str(caught.value) == f"{path} is a project, not a preset; open it as such, or choose a preset."


def test_folders_and_pipes_are_no_presets_and_nothing_waits(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, sentence in (
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a named pipe"),
        (tmp_path / ("x" * 300), "too long"),
    ):
        for read in (load_preset, lambda path: find_preset(str(path))):
            with pytest.raises(CleanplateError, match=sentence):
                read(path)


def test_a_failed_save_keeps_the_old_preset(tmp_path):
    resource = pytest.importorskip("resource")
    path = write(tmp_path, GOOD)
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        with pytest.raises(CleanplateError, match="disk is full"):
            save_preset(Preset(name="Other", method="fast"), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["mine.json"]
