from dataclasses import replace

import msgspec
import pytest

from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.project.another_input import another_input, check_size, original_size
from core.project.document import Document, input_of
from core.project.packing import decode, encode
from tests.app.windows import write_clip


@pytest.fixture
def clip(tmp_path):
    return write_clip(tmp_path / "clip.mkv", 12)


def read(spec):
    source = open_source(spec)
    source.close()
    return source.info


def part_of(spec):
    info = read(spec)
    return input_of(spec, original_size(info), info.n_frames, info.frames_per_s)


def test_what_an_input_was_is_kept_and_a_project_without_it_is_opened(clip):
    document = Document(input=part_of(InputSpec(str(clip))))
    assert (document.input.n_frames, document.input.frames_per_s) == (12, 25)
    assert decode(encode(document), "it") == document
    older = msgspec.to_builtins(document)
    del older["input"]["n_frames"], older["input"]["frames_per_s"]
    found = decode(msgspec.json.encode(older), "it").input
    assert not another_input(found, replace(read(InputSpec(str(clip))), n_frames=99, fps=50.0))


@pytest.mark.parametrize("view", [{}, {"size": (32, 24)}, {"roi": (8, 8, 32, 24)}, {"frames": (3, 9)}])
def test_the_same_input_is_no_other_whatever_is_seen_of_it(clip, view):
    spec = InputSpec(str(clip), **view)
    assert original_size(read(spec)) == (64, 48)
    assert not another_input(part_of(spec), read(spec))
    check_size(part_of(spec), read(spec))


def test_another_film_is_told_by_what_differs(clip, tmp_path):
    part = part_of(InputSpec(str(clip)))
    longer = read(InputSpec(str(write_clip(tmp_path / "longer.mkv", 15, fps=50))))
    start = "longer.mkv is another film than the project's: "
    assert another_input(part, longer) == start + "15 frames instead of 12, 50 a second instead of 25."
    assert another_input(part, replace(longer, n_frames=12)) == start + "50 a second instead of 25."
    assert another_input(part, replace(longer, n_frames=None, fps=25.0)) == "", "what is not known differs in nothing"
    assert another_input(part, replace(longer, n_frames=12, fps=25.001)) == "", "as containers round it"
    assert "29.97 a second instead of 25" in another_input(part, replace(longer, fps=30000 / 1001))
    assert (
        another_input(part, replace(longer, fps=None))
        == "longer.mkv is another input than the project's: 15 frames instead of 12."
    )


def test_one_of_another_size_is_refused_by_both_sizes(clip, tmp_path):
    part, larger = part_of(InputSpec(str(clip))), read(InputSpec(str(write_clip(tmp_path / "large.mkv", 12, 128, 96))))
    assert "128×96 instead of 64×48" in another_input(part, larger)
    with pytest.raises(
        CleanplateError, match=r"large\.mkv is not the film of the project: it is 128×96, and that is 64×48"
    ):
        check_size(part, larger)
    check_size(msgspec.structs.replace(part, original=None), larger)


def test_a_camera_is_whatever_it_is_now(clip):
    camera = replace(read(InputSpec(str(clip))), live=True, n_frames=None, fps=7.5)
    part = msgspec.structs.replace(part_of(InputSpec(str(clip))), original=(9, 9))
    assert not another_input(part, camera)
    check_size(part, camera)
