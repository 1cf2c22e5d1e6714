"""Model files: what was learnt comes back, and nothing else is taken for a model."""

import json
import os
import zipfile
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError, NoRoomError
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.session.model import HEADER, VERSION, Model
from core.session.session import Session
from core.session.settings import Settings

SETTINGS = Settings(values={"warm_up": 8, "smallest": 0})


@pytest.fixture(scope="module")
def learnt(photos):
    """What one run over the photographs learnt."""
    session = Session(open_source(InputSpec(str(photos))), SETTINGS)
    for _ in session.run():
        pass
    return session.model()


@pytest.fixture
def saved(learnt, tmp_path):
    path = tmp_path / "model.npz"
    learnt.save(path)
    return path


def test_everything_comes_back(learnt, saved):
    loaded = Model.load(saved)
    assert (loaded.method, loaded.values, loaded.layout) == (learnt.method, learnt.values, learnt.layout)
    for before, after in ((learnt.method_state, loaded.method_state), (learnt.mask_state, loaded.mask_state)):
        assert list(before) == list(after)
        for name in before:
            assert after[name].dtype == before[name].dtype
            np.testing.assert_array_equal(after[name], before[name])


def test_too_little_memory_for_a_model_is_not_called_damage(saved, monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("numpy.lib.format.read_array", full)
    with pytest.raises(NoRoomError, match=r"too little memory to read \S+model\.npz"):
        Model.load(saved)


def test_applying_a_saved_model_changes_nothing_in_it(learnt, saved, photos):
    session = Session(open_source(InputSpec(str(photos))), Settings(), Model.load(saved))
    before = session.method.W.copy()
    masks = [report.full_mask for report in session.run()]
    np.testing.assert_array_equal(session.method.W, before)
    assert masks[-1][20:26, 50:56].mean() == 255
    assert masks[-1][:10].mean() < 10


def test_a_saved_model_gives_the_masks_of_the_one_in_memory(learnt, saved, photos):
    runs = [
        Session(open_source(InputSpec(str(photos))), Settings(), model).run() for model in (learnt, Model.load(saved))
    ]
    for a, b in zip(*runs, strict=True):
        np.testing.assert_array_equal(a.mask, b.mask)


def test_the_same_model_gives_the_same_bytes(learnt, saved, tmp_path):
    learnt.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == saved.read_bytes()


def test_a_failed_save_keeps_the_old_file_and_leaves_no_other(learnt, saved):
    resource = pytest.importorskip("resource")
    before = saved.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(CleanplateError, match="disk is full"):
            learnt.save(saved)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert saved.read_bytes() == before
    assert [p.name for p in saved.parent.iterdir()] == [saved.name]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"full_range": False}, "video levels"), ({"matrix": "bt709"}, "bt709"), ({"matrix": "bt2020"}, "bt2020")],
)
def test_other_levels_or_colours_are_one_sentence(learnt, change, sentence):
    video = replace(learnt.layout, planes=Planes.YCC420)
    of_video = replace(learnt, layout=video)
    of_video.check_layout(replace(video, bit_depth=10))
    with pytest.raises(CleanplateError, match=sentence):
        of_video.check_layout(replace(video, **change))


@pytest.mark.parametrize(
    ("learnt_from", "given", "sentence"),
    [
        ((768, 432, "YCC420"), (480, 360, "YCC420"), "learnt at 768×432, the input is 480×360; work at its size (on "
         "the command line --size 768x432), or learn a new model."),
        ((480, 360, "GREY"), (480, 360, "RGB"), "learnt in grey, the input is in RGB; work in grey, or learn a new "
         "model."),
        ((480, 360, "RGB"), (480, 360, "GREY"), "learnt in RGB, the input is in grey; learn a new model."),
        ((768, 432, "GREY"), (480, 360, "RGB"), "learnt at 768×432 in grey, the input is 480×360 in RGB; work at its "
         "size (on the command line --size 768x432) and work in grey, or learn a new model."),
    ],
    ids=["size", "grey", "colour", "both"],
)  # fmt: skip
def test_a_model_that_does_not_fit_says_in_what_and_what_helps(learnt, learnt_from, given, sentence):
    (width, height, planes), (w, h, others) = learnt_from, given
    model = replace(learnt, layout=Layout(height, width, Planes[planes]))
    with pytest.raises(CleanplateError) as caught:
        model.check_layout(Layout(h, w, Planes[others]))
    assert str(caught.value) == f"The model was {sentence}"


@pytest.mark.parametrize(("matrix", "version"), [("bt601", 1), ("bt709", 1), ("bt2020", 3)])
def test_programs_that_do_not_know_the_matrix_are_told_that_a_newer_one_wrote_the_file(
    learnt, tmp_path, matrix, version
):
    model = replace(learnt, layout=replace(learnt.layout, matrix=matrix))
    model.save(tmp_path / "model.npz")
    assert Model.load(tmp_path / "model.npz").layout.matrix == matrix
    with np.load(tmp_path / "model.npz") as file:
        assert json.loads(file[HEADER].tobytes())["version"] == version


def test_the_matrix_of_colours_matters_only_where_there_is_one(learnt):
    grey = replace(learnt.layout, planes=Planes.GREY)
    replace(learnt, layout=grey).check_layout(replace(grey, matrix="bt709"))


def test_a_model_keeps_its_rank(learnt, photos):
    session = Session(open_source(InputSpec(str(photos))), Settings(values={"rank": 5}), learnt)
    next(session.run())
    assert session.control.values["rank"] == session.method.values["rank"] == session.method.W.shape[1] == 3
    assert session.model().values["rank"] == 3
    session.control.set({"rank": 3, "sensitivity": 6})
    with pytest.raises(CleanplateError, match="keeps its basis images"):
        session.control.set({"rank": 4})


def test_a_model_without_noise_of_the_mask_is_applied_and_the_mask_learns_its_noise_anew(learnt, photos):
    blocks = {"flicker": np.zeros((6, 8), np.float32), "cover": np.zeros((6, 8), np.float32)}
    earlier = replace(
        learnt,
        mask_state={"white": np.array(255), "variance0": np.ones((48, 64), np.float32), **blocks},
    )
    session = Session(open_source(InputSpec(str(photos))), Settings(), earlier)
    before, W = session.foreground.noise, session.method.W.copy()
    list(session.run())
    assert session.foreground.noise != before
    np.testing.assert_array_equal(session.method.W, W)
    (noise,) = session.warnings
    assert "noise of the mask is learnt anew" in noise
    assert Session(open_source(InputSpec(str(photos))), Settings(), learnt).warnings == []


def test_a_file_of_an_earlier_version_is_refused_in_a_sentence(saved):
    def earlier(header, arrays):
        for name in [name for name in arrays if name.startswith("mask.")]:
            del arrays[name]
        arrays.update({"mask.white": np.array(255), "mask.variance0": np.ones((48, 64), np.float32)})
        arrays.update({f"mask.{name}": np.zeros((6, 8), np.float32) for name in ("flicker", "cover")})
        arrays["method.scalars"] = arrays["method.scalars"][:3]
        header["arrays"] = [name for name in arrays if name != HEADER]

    with pytest.raises(CleanplateError, match=r"not a model that Cleanplate can read.*; learn and save it again\.$"):
        Model.load(rewritten(saved, earlier))


def test_a_model_names_the_values_in_force_not_those_that_were_asked_for_since(photos):
    session = Session(open_source(InputSpec(str(photos))), SETTINGS)
    reports = session.run()
    next(reports)
    session.control.set({"rank": 7})
    assert session.model().values["rank"] == 3
    next(reports)
    assert session.model().values["rank"] == session.method.W.shape[1] == 7
    reports.close()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda header, arrays: arrays.update({"method.W": arrays["method.W"].repeat(7, 1)}),
            "shape 3×64512",
        ),
        (lambda header, arrays: arrays.update({"method.h": np.zeros(99)}), "h has the shape 99, not 3"),
        (lambda header, arrays: arrays["method.h"].fill(np.nan), "method.h holds what is no finite number"),
        (lambda header, arrays: arrays["method.W"].fill(np.nan), "method.W holds what is no finite number"),
        (lambda header, arrays: arrays["mask.cover"].fill(-1), "mask.cover holds -1"),
        (lambda header, arrays: arrays.pop("method.W"), "disagree on method.W"),
        (lambda header, arrays: header.update(arrays=[]), "disagree on"),
        (lambda header, arrays: header.update(height=10**9), "height"),
        (lambda header, arrays: header["values"].update(rank=10**9), "rank cannot be 1000000000"),
        (lambda header, arrays: header.update(method="magic"), "no method 'magic'"),
        (lambda header, arrays: header.update(mood="x" * 10**6), "its header takes"),
    ],
)
def test_what_no_model_of_its_values_holds_is_named(saved, change, sentence):
    with pytest.raises(CleanplateError, match=sentence):
        Model.load(rewritten(saved, change))


def test_a_pipe_is_no_model_and_nothing_waits(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CleanplateError, match="a named pipe"):
        Model.load(tmp_path / "pipe")


def test_other_colours_are_one_sentence(saved, deep_photos):
    with pytest.raises(CleanplateError, match="learnt in RGB, the input is in grey"):
        Session(open_source(InputSpec(str(deep_photos))), Settings(), Model.load(saved))


def rewritten(path, change):
    """Write the model again with its header, or its arrays, changed."""
    with np.load(path) as file:
        arrays = dict(file)
    header = msgspec.json.decode(arrays[HEADER].tobytes())
    change(header, arrays)
    arrays[HEADER] = np.frombuffer(msgspec.json.encode(header), np.uint8)
    np.savez(path, **arrays)
    return path


def test_a_newer_file_says_so_whatever_else_it_holds(saved):
    path = rewritten(saved, lambda header, arrays: header.update(version=VERSION + 1, moods=["new"]))
    with pytest.raises(CleanplateError, match="newer Cleanplate"):
        Model.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda header, arrays: header.pop("method"),
        lambda header, arrays: header.update(width="wide"),
        lambda header, arrays: header.update(extra=1),
        lambda header, arrays: header.update(planes="CMYK"),
        lambda header, arrays: arrays.pop("method.W"),
    ],
)
def test_a_file_that_lacks_or_adds_something_is_one_sentence(saved, change):
    with pytest.raises(CleanplateError, match="not a model"):
        Model.load(rewritten(saved, change))


def test_foreign_and_damaged_files_are_one_sentence(saved, tmp_path):
    whole = saved.read_bytes()
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("not a model at all")
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    middle = len(whole) // 2
    flipped = bytes(255 - b for b in whole[middle : middle + 64])
    (tmp_path / "flipped").write_bytes(whole[:middle] + flipped + whole[middle + 64 :])
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "one.npy", np.zeros(3))
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as file:
        file.writestr("a.txt", "a")
    for name in ("empty", "text", "cut", "flipped", "other.npz", "one.npy", "some.zip"):
        with pytest.raises(CleanplateError, match="not a model") as caught:
            Model.load(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(CleanplateError, match="no model"):
        Model.load(tmp_path / "absent.npz")
    with pytest.raises(CleanplateError):
        Model.load(tmp_path)


def test_objects_are_never_unpickled(saved):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("the file ran code",))

    trap = np.array([Trap()], dtype=object)
    path = rewritten(saved, lambda header, arrays: arrays.update({"method.W": trap}))
    with pytest.raises(CleanplateError, match="not a model"):
        Model.load(path)
