"""Pictures of scenes have one name where there is one scene, and names of their own where there are several."""

import pytest

from core.errors import CleanplateError
from core.export.products import STACK
from core.export.scene_files import SceneFiles, scene_pictures

SAVED = ("mask", "plate", "confidence")


@pytest.fixture
def new(tmp_path):
    (tmp_path / "new").mkdir()
    return tmp_path / "new"


def written(new, *numbers, products=SAVED, form="png", **more):
    files = SceneFiles(new, new.parent / "out", products, form, **more)
    for number in numbers:
        files.write(number, {product: f"{product} {number}".encode() for product in files.products})
    return files


def tree(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_of_one_scene_there_are_files(new):
    files = written(new, 1)
    files.finish()
    assert tree(new) == {"plate.png": b"plate 1", "confidence.png": b"confidence 1"}
    assert [path.name for path in new.iterdir() if path.is_dir()] == []
    assert [path.name for path in files.unused] == ["plate-by-scene", "confidence-by-scene"]
    assert files.notes == []


def test_of_several_scenes_there_are_folders_and_it_is_said(new):
    files = written(new, 1, 71, 300, 1_234_567)
    files.finish()
    assert tree(new).keys() == {
        f"{product}-by-scene/{number}.png"
        for product in ("plate", "confidence")
        for number in ("000001", "000071", "000300", "1234567")
    }
    assert list(scene_pictures(new / "plate-by-scene", "png")) == [1, 71, 300, 1_234_567]
    assert [path.name for path in files.unused] == ["plate.png", "confidence.png"]
    assert files.notes == [
        "plate-by-scene/ and confidence-by-scene/ hold a picture for each of 4 scenes, named by its first frame: "
        "000001.png, 000071.png, 000300.png and 1 more."
    ]


def test_where_tiff_is_chosen_they_are_tiff_too(new):
    files = written(new, 1, products=("plate",), form=STACK)
    files.finish()
    assert tree(new) == {"plate.tif": b"plate 1"}
    files = written(new, 71, 300, products=("confidence",), form="tiff")
    files.finish()
    assert list(scene_pictures(new / "confidence-by-scene", "tiff")) == [71, 300]
    assert scene_pictures(new / "confidence-by-scene", "mkv") == {}
    assert [path.name for path in files.unused] == ["confidence.tif"]
    assert files.notes[0].endswith("named by its first frame: 000071.tif, 000300.tif.")


def test_a_piece_keeps_the_number_of_a_single_scene(new):
    files = written(new, 0, products=("plate",), keeps_numbers=True)
    files.finish()
    assert tree(new) == {"plate-by-scene/000000.png": b"plate 0"}
    assert [path.name for path in files.unused] == ["plate.png"]
    files.write(71, {"plate": b"another"})
    assert files.notes == []


def test_scenes_that_were_none_leave_nothing(new):
    files = written(new, 1, 71)
    files.forget()
    files.write(90, {"plate": b"the last", "confidence": b"of it"})
    files.finish()
    assert tree(new) == {"plate.png": b"the last", "confidence.png": b"of it"}


def test_what_has_no_scenes_has_no_names(new):
    files = SceneFiles(new, new.parent / "out", ("mask", "model"), "png")
    files.finish()
    assert (files.products, files.unused, files.notes) == ([], [], [])


def test_a_folder_that_cannot_be_written_is_one_sentence(new):
    (new / "plate-by-scene").write_bytes(b"in the way")
    with pytest.raises(CleanplateError, match="could not be written"):
        written(new, 1, products=("plate",))
