"""Areas in files, among them those of strangers."""

import contextlib

import cv2
import msgspec
import numpy as np
import pytest

from core.errors import CleanplateError
from core.scene.area_maps import draw_areas
from core.scene.areas import CODES, Areas, Shape
from core.session.areas_file import MOST_BYTES, read_areas, write_areas


def test_marks_that_editors_put_before_json_are_no_error(tmp_path):
    path = tmp_path / "areas.json"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"shapes": []}')
    assert read_areas(path).are_none


@pytest.mark.parametrize("name", ["areas.txt", "x" * 300])
def test_a_file_that_is_not_there_is_said_to_be_absent(tmp_path, name):
    with pytest.raises(CleanplateError, match="There is no file"):
        read_areas(tmp_path / name)


def test_json_is_read_as_a_project_holds_it(tmp_path):
    areas = Areas((Shape("never", ((1, 2), (3, 4), (5, 6.5))), Shape("keep", ((1, 2),), 9)))
    path = tmp_path / "areas.json"
    path.write_bytes(msgspec.json.encode(areas))
    assert read_areas(path) == areas


@pytest.mark.parametrize("depth", [8, 16])
@pytest.mark.parametrize("channels", [1, 3])
def test_of_a_picture_white_is_never_foreground_grey_is_kept_and_black_is_nothing(tmp_path, depth, channels):
    top = (1 << depth) - 1
    image = np.zeros((20, 30), np.uint8 if depth == 8 else np.uint16)
    image[2:10, 3:20], image[12:18, 5:9] = top, top // 2
    path = tmp_path / "areas.png"
    cv2.imwrite(str(path), image if channels == 1 else cv2.merge([image] * 3))
    areas = read_areas(path)
    assert areas.size == (30, 20)
    expected = np.zeros((20, 30), np.uint8)
    expected[2:10, 3:20], expected[12:18, 5:9] = CODES["never"], CODES["keep"]
    np.testing.assert_array_equal(draw_areas(areas, 30, 20), expected)


def test_what_is_no_areas_is_one_sentence(tmp_path):
    (tmp_path / "text.json").write_text("no areas")
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "two.json").write_text('{"shapes":[{"kind":"never","points":[[1,2],[3,4]]}]}')
    (tmp_path / "large.json").write_bytes(b" " * (MOST_BYTES + 1))
    (tmp_path / "latin.json").write_bytes(b'{"shapes": "\xe4"}')
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "areas.txt").write_text("{}")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "folder.png").mkdir()
    for name in (*(file.name for file in tmp_path.iterdir()), "none.json", "none.png"):
        with pytest.raises(CleanplateError) as caught:
            read_areas(tmp_path / name)
        text = str(caught.value)
        assert name in text
        assert text.endswith("."), text
        assert "\n" not in text


def test_a_bad_value_is_named_with_its_file_its_place_and_what_it_may_be(tmp_path):
    path = tmp_path / "areas.json"
    path.write_text('{"shapes":[{"kind":"sometimes","points":[[1,2],[3,4],[9,9]]}]}')
    with pytest.raises(CleanplateError) as caught:
        read_areas(path)
    assert str(caught.value) == (
        f"{path} holds no areas that can be used (shapes, number 1, kind: “sometimes” is not known there; it has to be "
        f"keep, never or none); correct or replace it."
    )


def test_what_is_written_is_read_again_as_it_was(tmp_path):
    shapes = (
        Shape("never", ((1, 2), (20, 3), (15, 16.5))),
        Shape("keep", ((5, 12), (25, 14)), 6),
        Shape("none", ((9, 9),), 4),
    )
    codes = np.zeros((20, 30), np.uint8)
    codes[:4], codes[-3:] = CODES["keep"], CODES["never"]
    areas = Areas(shapes, (30, 20), codes.tobytes())
    write_areas(areas, tmp_path / "areas.JSON", (30, 20))
    assert read_areas(tmp_path / "areas.JSON") == areas
    write_areas(areas, tmp_path / "areas.png", (30, 20))
    write_areas(Areas(shapes), tmp_path / "drawn.json", (30, 20))
    assert read_areas(tmp_path / "drawn.json") == Areas(shapes, (30, 20)), "other sizes refuse them"
    np.testing.assert_array_equal(draw_areas(read_areas(tmp_path / "areas.png"), 30, 20), draw_areas(areas, 30, 20))


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path):
    large = Areas(size=(1600, 1200), codes=bytes(1600 * 1200))
    for name, reason in (("areas.json", "save a .png"), ("areas.txt", "suffix .json or .png"), ("areas", "suffix")):
        (tmp_path / name).write_text("mine")
        with pytest.raises(CleanplateError, match=reason):
            write_areas(large, tmp_path / name, (1600, 1200))
        assert (tmp_path / name).read_text() == "mine"
    write_areas(large, tmp_path / "areas.png", (1600, 1200))
    assert read_areas(tmp_path / "areas.png") == large


def painted():
    """A picture of areas as a painting program makes it: a disc of white and one of grey, with soft edges."""
    image = np.zeros((240, 320), np.uint8)
    cv2.circle(image, (90, 120), 60, 255, -1)
    cv2.circle(image, (230, 120), 60, 140, -1)
    return cv2.GaussianBlur(image, (0, 0), 1)


def photograph(shape=(240, 320)):
    y, x = np.mgrid[: shape[0], : shape[1]]
    return cv2.merge([(x % 256).astype(np.uint8), (y % 256).astype(np.uint8), ((x + y) % 256).astype(np.uint8)])


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_soft_edges_and_what_jpeg_loses_are_the_areas_that_they_are_nearest_to(tmp_path, suffix):
    path = tmp_path / f"areas{suffix}"
    cv2.imwrite(str(path), painted())
    codes = draw_areas(read_areas(path), 320, 240)
    image = painted()
    expected = np.select([image >= 0.75 * 255, image >= 0.25 * 255], [CODES["never"], CODES["keep"]], CODES["none"])
    assert (codes != expected).mean() < 0.002


@pytest.mark.parametrize(
    "picture",
    [
        photograph(),
        cv2.cvtColor(photograph(), cv2.COLOR_BGR2GRAY),
        photograph().astype(np.uint16) * 257,
        cv2.merge([0 * painted(), 0 * painted(), 255 * (painted() > 200).astype(np.uint8)]),
        np.full((240, 320), 200, np.uint8),
        np.where(np.arange(320) < 160, 90, 160).astype(np.uint8)[None].repeat(240, 0),
    ],
    ids=["colours", "grey levels", "16 bits", "red", "neither grey nor white", "two greys"],
)
def test_an_ordinary_picture_is_no_picture_of_areas(tmp_path, picture):
    path = tmp_path / "areas.png"
    cv2.imwrite(str(path), picture)
    with pytest.raises(CleanplateError) as caught:
        read_areas(path)
    assert str(caught.value) == (
        f"{path} is no picture of areas, which is black (no area), one grey between (kept as it is) and white (never "
        f"foreground), and hardly anything else; give another, or draw them in the window."
    )


@pytest.mark.parametrize("share", [0.94, 0.96])
def test_edges_are_a_small_part_of_a_picture_of_areas(tmp_path, share):
    values = np.where(np.arange(10_000) < share * 10_000, 255, 60).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "areas.png"), np.r_[values, [128] * 100].astype(np.uint8).reshape(100, 101))
    with pytest.raises(CleanplateError, match="no picture of areas") if share < 0.95 else contextlib.nullcontext():
        read_areas(tmp_path / "areas.png")
