"""Inputs of a batch, and the folders for their results."""

import os
from io import BytesIO
from pathlib import Path

import pytest

from core.batch.destinations import Destinations, around
from core.batch.identity import key_of
from core.batch.inputs import found_inputs
from core.batch.job import JobState
from core.batch.plan import batch_list
from core.errors import CleanplateError
from core.io.input_spec import title_of
from core.io.publishing.ownership import LIST
from core.project.document import Document, ProjectInput
from core.project.packing import encode


def made(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return folder


def names(folder, words):
    return [os.path.relpath(found, folder) for found in found_inputs(words)]


def test_files_folders_patterns_and_lists_are_each_input_once(tmp_path):
    made(tmp_path, "a/2.mkv", "a/10.mp4", "a/thumb.png", "a/.hidden.mp4", "a/day.cleanplate", "photos/1.png")
    made(tmp_path, "many/x/1.png", "many/y/1.tif", "many/notes.doc", "set/input/1.png", "b/2.mkv", "b/[1].mkv")
    (tmp_path / "list.txt").write_text("# clips\n\nb/2.mkv\nb/[1].mkv\n  a/*.mkv \n", "utf-8")
    assert names(tmp_path, [str(tmp_path / "a")]) == ["a/2.mkv", "a/10.mp4", "a/day.cleanplate"]
    assert names(tmp_path, [str(tmp_path / "photos"), str(tmp_path / "set")]) == ["photos", "set"]
    assert names(tmp_path, [str(tmp_path / "many")]) == ["many/x", "many/y"]
    assert names(tmp_path, [str(tmp_path / "list.txt")]) == ["b/2.mkv", "b/[1].mkv", "a/2.mkv"]
    assert names(tmp_path, [str(tmp_path / "**/2.mkv"), str(tmp_path / "b/2.mkv")]) == ["a/2.mkv", "b/2.mkv"]
    assert found_inputs(["sample:street"]) == ["sample:street"]


def test_a_list_is_read_by_its_lines_wherever_it_lies(tmp_path):
    made(tmp_path, "[2024]/a.mp4", "[2024]/b\u2028c.mp4")
    (tmp_path / "[2024]" / "list.txt").write_bytes("*a.mp4\r\nb\u2028c.mp4\r\n".encode())
    assert names(tmp_path, [str(tmp_path / "[2024]" / "list.txt")]) == ["[2024]/a.mp4", "[2024]/b\u2028c.mp4"]


def test_a_list_may_come_from_standard_input_and_is_seen_from_the_current_folder(tmp_path, monkeypatch):
    made(tmp_path, "b/2.mkv", "b/3.mkv", "c.mp4", "d.mp4")
    monkeypatch.chdir(tmp_path)
    given = BytesIO(b"# clips\r\n\n./c.mp4\r\nb/*.mkv\nc.mp4")
    found = found_inputs(["d.mp4", "-"], given)
    assert [os.path.relpath(path, tmp_path) for path in found] == ["d.mp4", "c.mp4", "b/2.mkv", "b/3.mkv"]


class Unreadable(BytesIO):
    """Standard input that was opened for writing, say."""

    def read(self, size=-1):
        raise OSError(9, "Bad file descriptor")


@pytest.mark.parametrize(
    ("given", "said"),
    [(BytesIO(b"other.txt\n"), "The standard input names another list, other.txt"), (None, "Nothing is at -"),
     (BytesIO(b"# nothing\n"), "Standard input names no input"), (BytesIO(b"-\n"), "Nothing is at -"),
     (Unreadable(), "Standard input cannot be read")],
)  # fmt: skip
def test_a_list_from_standard_input_that_names_nothing_is_one_sentence(tmp_path, monkeypatch, given, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CleanplateError, match=said):
        found_inputs(["-"], given)


def test_a_list_from_standard_input_has_an_end(monkeypatch):
    monkeypatch.setattr("core.batch.inputs.MOST_LIST_BYTES", 99)
    with pytest.raises(CleanplateError, match="Standard input is longer than 99 bytes"):
        found_inputs(["-"], BytesIO(b"#" * 100))


def test_links_that_lead_nowhere_or_back_to_themselves_are_no_inputs(tmp_path):
    made(tmp_path, "a/2.mkv")
    for name, to in (("loop.mp4", "loop.mp4"), ("gone.mp4", "nowhere"), ("round", "round")):
        (tmp_path / "a" / name).symlink_to(to)
    assert names(tmp_path, [str(tmp_path / "a")]) == ["a/2.mkv"]
    (tmp_path / "a" / "2.mkv").unlink()
    with pytest.raises(CleanplateError, match="holds no images, videos or projects"):
        found_inputs([str(tmp_path / "a")])


@pytest.mark.parametrize(
    ("word", "said"),
    [("camera:0", "never ends"), ("rtsp://127.0.0.1/a", "never ends"), ("live.cleanplate", "never ends"),
     ("nothing.mkv", "Nothing is at"), ("*.mkv", "matches the pattern"),
     ("empty", "holds no images, videos or projects"), ("list.txt", "names another list"), ("a\0b", "Nothing is at"),
     ("", "No input was named"), ("~nobody-is-called-so/a.mkv", "Nothing is at")],
)  # fmt: skip
def test_words_that_name_nothing_are_one_sentence(tmp_path, monkeypatch, word, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "list.txt").write_text("other.txt\n")
    (tmp_path / "live.cleanplate").write_bytes(encode(Document(input=ProjectInput(path="camera:0"))))
    with pytest.raises(CleanplateError, match=said):
        found_inputs([word])


def test_a_folder_without_anything_is_an_input_among_others_whose_job_will_say_so(tmp_path):
    made(tmp_path, "a/2.mkv", "list.txt")
    for name in ("nothing", "none"):
        (tmp_path / name).mkdir()
    (tmp_path / "list.txt").write_text("nothing\na\n")
    given = [str(tmp_path / name) for name in ("nothing", "a", "none")]
    assert names(tmp_path, given) == ["nothing", "a/2.mkv", "none"]
    assert names(tmp_path, [str(tmp_path / "list.txt")]) == ["nothing", "a/2.mkv"]
    with pytest.raises(CleanplateError, match=r"folder .*nothing holds no images, videos or projects"):
        found_inputs([given[0], given[2]])


def test_a_folder_of_images_that_are_not_read_says_the_same_as_in_a_run(tmp_path):
    made(tmp_path, "a/1.exr")
    with pytest.raises(CleanplateError, match=r"a holds images of kinds that are not read \(1 \.exr\)"):
        found_inputs([str(tmp_path / "a")])


def test_no_two_inputs_have_one_folder(tmp_path):
    made(tmp_path, "a/clip.mkv", "b/clip.MKV", "c/CLIP.mp4", "logs.mkv", "day.cleanplate", "e.mkv", "e\u0301.mkv")
    given = Destinations(tmp_path / "out", avoids_present=False)
    sources = [
        *(str(tmp_path / name) for name in ("a/clip.mkv", "b/clip.MKV", "c/CLIP.mp4", "logs.mkv", "day.cleanplate")),
        str(tmp_path / "a"), str(tmp_path / "v1.2"), "sample:street", "/x/é.mkv", "/x/e\u0301.mkv", "/x/...",
        "/x/a .mkv", "/x/straße.mkv", "/x/STRASSE.mkv", "/x/clip-2.mkv", "/x/" + "n" * 250 + ".mkv",
        "/x/" + "字" * 80 + ".mkv",
    ]  # fmt: skip
    folders = [given.for_input(source) for source in sources]
    assert len({str(folder).casefold() for folder in folders}) == len(sources)
    assert all(folder.parent == tmp_path / "out" for folder in folders)
    found = [folder.name for folder in folders]
    assert found[:5] == ["clip", "clip-2", "CLIP-3", "logs-2", "day"]
    assert "STRASSE-2" in found
    assert "clip-2-2" in found
    assert max(len(name.encode()) for name in found) <= 165


@pytest.mark.parametrize("stem", ["aux", "CON", "nul.day", "com1"])
def test_no_folder_has_the_name_of_a_device_of_windows(tmp_path, stem):
    given = Destinations(tmp_path / "out", avoids_present=False)
    assert given.for_input(f"/films/{stem}.mp4").name == f"_{stem}"
    assert given.for_input("/films/console.mp4").name == "console"


def test_the_folder_of_an_image_set_is_called_as_the_title_of_the_window(tmp_path):
    sets = [tmp_path / name / "input" for name in ("highway1", "caviar.2")]
    for folder in sets:
        folder.mkdir(parents=True)
    given = Destinations(tmp_path / "out", avoids_present=False)
    assert [given.for_input(str(folder)).name for folder in sets] == [title_of(str(folder)) for folder in sets]
    assert given.for_input("/films/day/input.mkv").name == "input", "a film of that name is one"
    assert around(tmp_path / "highway1", str(sets[0])) == tmp_path


def test_what_is_there_is_left_alone_where_that_is_wanted(tmp_path):
    (tmp_path / "clip").mkdir()
    (tmp_path / "clip-3").symlink_to("nowhere")
    avoids = Destinations(tmp_path, [tmp_path / "clip-2"], avoids_present=True)
    assert avoids.for_input("/x/clip.mkv").name == "clip-4"
    assert Destinations(tmp_path, avoids_present=False).for_input("/x/clip.mkv").name == "clip"


def test_a_key_changes_with_input_and_settings_and_with_nothing_else(tmp_path):
    made(tmp_path, "photos/1.png", "photos/sub/2.png", "m.npz")
    clip, photos = tmp_path / "clip.mkv", str(tmp_path / "photos")
    clip.write_bytes(b"one")
    model = str(tmp_path / "m.npz")
    base = key_of(str(clip), ["--save", "mask", "--seed", "3", "--grey"])
    assert key_of(str(clip), ["--grey", "--seed=3", "--save=mask", "--overwrite"]) == base
    assert key_of(str(clip), ["--grey", "--seed", "4", "--save", "mask"]) != base
    assert key_of(str(clip), ["--set", "a=1", "--set", "b=2"]) != key_of(str(clip), ["--set", "a=2", "--set", "b=1"])
    assert key_of(str(clip), ["--set", "a=1", "--set", "a=2"]) != key_of(str(clip), ["--set", "a=2", "--set", "a=1"])
    before = key_of(photos, []), key_of(str(clip), ["--model", model])
    (tmp_path / "photos" / "sub" / "2.png").write_bytes(b"more")
    (tmp_path / "m.npz").write_bytes(b"more")
    after = key_of(photos, []), key_of(str(clip), ["--model", model])
    assert not set(before) & set(after)
    os.utime(clip, ns=(1, 1))
    assert key_of(str(clip), ["--save", "mask", "--seed", "3", "--grey"]) != base


@pytest.mark.parametrize(
    "result", ["plate.png", "plate-by-scene/000001.png", "mask/000001.png", "cleaned.mp4", "mask.tif", "times.csv"]
)
def test_results_of_others_go_beside_a_folder_that_holds_those_of_one(tmp_path, result, monkeypatch):
    mine = made(tmp_path / "shot 7, final", "notes.txt")
    assert around(mine, "walk.mp4") == mine
    assert around(tmp_path / "walk", "walk.mp4") == tmp_path
    assert around(tmp_path / "none yet", "walk.mp4") == tmp_path / "none yet"
    made(mine, result)
    assert around(mine, "walk.mp4") == tmp_path
    monkeypatch.setenv("HOME", str(tmp_path))
    assert around(Path("~/shot 7, final"), "walk.mp4") == Path("~")
    monkeypatch.setattr("os.access", lambda *_: False)
    assert around(mine, "walk.mp4") == mine, "nothing can be made beside it"


@pytest.mark.parametrize("below", ["out", "."])
def test_results_of_a_batch_below_its_input_are_none_of_it(tmp_path, below):
    made(tmp_path, "shots/1.png")
    folder = tmp_path / "shots" / below
    jobs, _ = batch_list(folder, [str(tmp_path / "shots")], [], resume=False)
    job = jobs.jobs[0]
    made(job.folder, "plate.png", LIST)
    made(folder, "logs/0001 shots.log")
    jobs.change(job.number, state=JobState.DONE, figures={"files": ["plate.png"]})
    jobs.close()
    again, n_done = batch_list(folder, [str(tmp_path / "shots")], [], resume=True)
    assert ([one.folder for one in again.jobs], n_done) == ([job.folder], 1)
    again.close()


def test_what_a_system_puts_beside_images_is_no_image(tmp_path):
    made(tmp_path, "card/meta/._a.png", "card/pictures/a.png", "card/pictures/._a.png")
    assert names(tmp_path, [str(tmp_path / "card")]) == ["card/pictures"]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_may_be_one_that_windows_has_written(tmp_path, coding):
    made(tmp_path, "ä.mp4", "b.mp4")
    (tmp_path / "list.txt").write_bytes("ä.mp4\r\nb.mp4\r\n".encode(coding))
    assert names(tmp_path, [str(tmp_path / "list.txt")]) == ["ä.mp4", "b.mp4"]
