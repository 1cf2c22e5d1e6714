"""What pictures of frames are called: any file system takes it, and no two are the same anywhere."""

import os
import unicodedata
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.export.frame_names import MOST_BYTES, RESERVED, UNSAFE, FrameNames, safe_stems
from core.frames.frame import Layout, Planes, frame_from_image
from core.io.sources.base import SourceInfo

FILES = st.lists(
    st.tuples(
        st.text(st.sampled_from("aAä\u00e4\u0308ßẞIıİ.-_ 2/\\:\n\0\udc80con") | st.characters(codec=None), max_size=8),
        st.sampled_from([".png", ".PNG", ".jpg", ".tif", ""]),
    ).map("".join),
    max_size=12,
    unique=True,
)


def folded(name):
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


@given(FILES)
@example(["a.jpg", "a.png", "a.jpg.bmp", "a.jpg-2.png"])
@example(["x" * 300 + end for end in ("1.png", "2.png", "3.png")])
def test_names_are_safe_and_differ_on_every_file_system(files):
    stems = safe_stems(files)
    assert len(stems) == len(files)
    assert len({folded(stem) for stem in stems}) == len(files)
    for stem in stems:
        assert stem
        assert not UNSAFE.search(stem)
        assert not RESERVED.match(stem)
        assert not stem.startswith(".")
        assert not stem.endswith((".", " "))
        assert len(stem.encode()) <= MOST_BYTES + 10


@given(st.lists(st.from_regex(r"[a-z][a-z0-9]{2,6}x", fullmatch=True), unique=True, max_size=8))
def test_plain_names_stay_as_they_are(stems):
    assert safe_stems([stem + ".png" for stem in stems]) == stems


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["a.png", "a.jpg", "b.png"], ["a.png", "a.jpg", "b"]),
        (["a.png", "A.png"], ["a.png", "A.png-2"]),
        (["a.jpg", "a.png", "a.jpg.bmp"], ["a.jpg-2", "a.png", "a.jpg"]),
        (["one/x.png", "two/x.png"], ["one_x", "two_x"]),
        (["CON.png", "lpt1.b.png", "consul.png"], ["_CON", "_lpt1.b", "consul"]),
        (["..png", "a?.png", "a. .png"], ["_..png", "a_", "a"]),
        (["caf\u00e9.png", "cafe\u0301.png"], ["caf\u00e9.png", "cafe\u0301.png-2"]),
        ([os.fsdecode(b"\xff.png")], ["_"]),
    ],
)
def test_names_that_are_unsafe_or_collide(files, expected):
    assert safe_stems(files) == expected


def named(names, how, info):
    image, given = np.zeros((2, 2), np.uint8), FrameNames(how, info)
    frames = [frame_from_image(index, 0.0, image, name=name) for index, name in enumerate(names)]
    return [given.of(SimpleNamespace(n_done=number, frame=frame)) for number, frame in enumerate(frames, 1)]


def test_files_that_come_later_are_named_then_and_frames_without_files_have_the_numbers_of_the_input():
    info = SourceInfo("folder", Layout(2, 2, Planes.GREY), None, None, n_before=229, files=("a.png",))
    late = ["a.png", "b.png", "b.tif", "A.png", "b.tif", ""]
    assert named(late, "input", info) == ["a", "b", "b.tif", "A.png", "b.tif", "000235"]
    assert named(late, "numbers", info) == [f"{number:06d}" for number in range(1, 7)]
