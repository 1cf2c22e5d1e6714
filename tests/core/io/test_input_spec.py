"""What an input gives is what the same steps give of a plain list of its pictures."""

import contextlib

import cv2
import hypothesis
import numpy as np
import pytest
import tifffile
from hypothesis import given
from hypothesis import strategies as st

from core.errors import CleanplateError
from core.frames.frame import Planes
from core.io.corruption import Corruption
from core.io.input_spec import InputSpec, count_frames, title_of
from core.io.sources import open_source
from tests.films import exactly, numbered, write_film

N_FRAMES = 6
WIDTH, HEIGHT = 17, 14
PICTURES = [numbered(index, HEIGHT, WIDTH) for index in range(N_FRAMES)]
GREY = [picture[..., 1].astype(np.uint16) * 200 for picture in PICTURES]
KINDS = {"film.mkv": Planes.YCC420, "colour.tif": Planes.RGB, "deep.tif": Planes.GREY}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A film of luma and chroma, a colour stack and a deep grey one, in one folder."""
    folder = tmp_path_factory.mktemp("inputs")
    write_film(folder / "film.mkv", N_FRAMES, codec="ffv1", size=(WIDTH, HEIGHT))
    tifffile.imwrite(folder / "colour.tif", np.array(PICTURES), photometric="rgb")
    tifffile.imwrite(folder / "deep.tif", np.array(GREY), photometric="minisblack")
    return folder


@st.composite
def views(draw, **always):
    """Draw the fields of an `InputSpec` that fit the inputs, but for ``always``."""
    x, y = draw(st.integers(0, WIDTH - 2)), draw(st.integers(0, HEIGHT - 2))
    roi = (x, y, draw(st.integers(1, WIDTH - x)), draw(st.integers(1, HEIGHT - y)))
    first = draw(st.integers(1, N_FRAMES))
    seed = draw(st.integers(0, 9))
    drawn = {
        "grey": draw(st.booleans()),
        "size": draw(st.none() | st.tuples(st.integers(1, 20), st.integers(1, 20))),
        "roi": draw(st.none() | st.just(roi)),
        "frames": (draw(st.sampled_from([None, first])), draw(st.none() | st.integers(first, N_FRAMES + 2))),
        "corruption": draw(st.none() | st.just(Corruption("salt-and-pepper", 0.3, seed))),
        "seed": seed,
    }
    return drawn | always


def frames_of(path, view, first=0):
    with contextlib.closing(open_source(InputSpec(str(path), **view))) as source:
        frames = list(source.frames(first))
        assert all(frame.layout == source.info.layout for frame in frames)
        if first == 0:
            assert len(frames) == source.info.n_frames
    return frames


@pytest.mark.parametrize("name", KINDS)
@hypothesis.settings(max_examples=15)
@given(view=views(), start=st.integers(0, N_FRAMES))
def test_reading_from_any_frame_gives_what_reading_all_gives_there(inputs, name, view, start):
    whole = frames_of(inputs / name, view)
    part = frames_of(inputs / name, view, start)
    assert [(f.index, f.time_s) for f in part] == [(f.index, f.time_s) for f in whole[start:]]
    for one, other in zip(part, whole[start:], strict=True):
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.full.values, other.full.values)


@pytest.mark.parametrize(("name", "pictures"), [("colour.tif", PICTURES), ("deep.tif", GREY)])
@hypothesis.settings(max_examples=25)
@given(view=views(corruption=None))
def test_range_region_grey_and_size_are_those_of_a_list_of_pictures(inputs, name, pictures, view):
    first, last = view["frames"]
    expected = pictures[(first or 1) - 1 : last]
    frames = frames_of(inputs / name, view)
    assert [frame.index for frame in frames] == list(range(len(expected)))
    assert [frame.time_s for frame in frames] == list(range(len(expected)))
    assert count_frames(view["frames"], N_FRAMES) == len(expected)
    for frame, picture in zip(frames, expected, strict=True):
        if view["roi"]:
            x, y, width, height = view["roi"]
            picture = picture[y : y + height, x : x + width]  # noqa: PLW2901
        if view["grey"] and picture.ndim == 3:
            picture = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2GRAY)  # noqa: PLW2901
        np.testing.assert_array_equal(frame.full.image(), picture)
        if view["size"] and view["size"] != picture.shape[1::-1]:
            assert frame.image().shape[1::-1] == view["size"]
            assert frame.original is not None


@hypothesis.settings(max_examples=25)
@given(view=views(corruption=None, size=None, grey=False))
def test_a_region_of_a_film_is_cut_out_of_every_plane(inputs, view):
    whole = frames_of(inputs / "film.mkv", {"frames": view["frames"]})
    for frame, before in zip(frames_of(inputs / "film.mkv", view), whole, strict=True):
        x, y, width, height = view["roi"] or (0, 0, WIDTH, HEIGHT)
        x, y = x - x % 2, y - y % 2
        for index, step in enumerate((1, 2, 2)):
            plane = before.layout.plane(before.values, index)[y // step :, x // step :]
            rows, columns = -(-height // step), -(-width // step)
            np.testing.assert_array_equal(frame.layout.plane(frame.values, index), plane[:rows, :columns])


@pytest.mark.parametrize("name", KINDS)
def test_what_is_not_asked_for_is_left_as_it_is(inputs, name):
    frames = frames_of(inputs / name, {})
    assert frames[0].layout.planes is KINDS[name]
    assert all(frame.original is None and frame.truth is None for frame in frames)
    assert len(exactly(open_source(InputSpec(str(inputs / name))))) == N_FRAMES


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"path": " "}, "No input was named"),
        ({"frames": (0, None)}, "Frames 0: cannot be read"),
        ({"frames": (5, 4)}, "Frames 5:4 .* FIRST is at most LAST"),
        ({"size": (0, 9)}, "size 0×9 is not possible"),
        ({"size": (9, 32769)}, "1 to 32768"),
        ({"roi": (-1, 0, 3, 3)}, "lies in no picture"),
        ({"roi": (0, 0, 3, 0)}, "lies in no picture"),
        ({"seed": -1}, "random seed cannot be -1"),
        ({"seed": 2**31}, "0 to 2147483647"),
        ({"seed": 1, "corruption": Corruption(seed=2)}, "random seed 2, the input 1"),
    ],
)
def test_what_fits_no_input_is_refused_when_it_is_said(fields, sentence):
    with pytest.raises(CleanplateError, match=sentence) as caught:
        InputSpec(**{"path": "film.mp4", **fields})
    assert "\n" not in str(caught.value)


def test_kinds_are_told_by_the_name():
    assert InputSpec("sample:street").is_sample
    assert InputSpec("camera:0").is_live
    assert not InputSpec("street.mp4").is_sample
    assert InputSpec("a.mp4", roi=(1, 2, 30, 40)).region_size((640, 480)) == (30, 40)
    assert InputSpec("a.mp4", size=(30, 40)).region_size((640, 480)) == (640, 480)


def test_an_input_has_a_title_before_it_is_opened():
    assert title_of("/clips/walk.mkv") == "walk.mkv"
    assert title_of("/sets/walk") == title_of("/sets/walk/input") == "walk"
    assert title_of("input") == "input"
    assert title_of("camera:0") == "camera 0"
    assert title_of("rtsp://anna:secret@10.0.0.7") == "10.0.0.7"
    assert title_of("sample:faces") == open_source(InputSpec("sample:faces")).info.title
