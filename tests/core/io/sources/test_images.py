import errno
import os
import re

import cv2
import numpy as np
import pytest
import tifffile

from core.batch.inputs import found_inputs
from core.errors import CleanplateError
from core.frames.frame import Planes
from core.io.sources import images
from core.runtime.shell import quoted
from tests.small_inputs import opened, save_png

RNG = np.random.default_rng(3)


def save(path, image, options=None):
    """Write a grey, RGB or RGBA image."""
    if image.ndim == 3:
        image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR if image.shape[2] == 3 else cv2.COLOR_RGBA2BGRA)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(path.suffix, image, options or [])[1].tobytes())
    return path


def grey(value, size=(6, 8), kind=np.uint8):
    return np.full(size, value, kind)


def test_order_is_natural_and_names_are_kept(tmp_path):
    for number in (10, 2, 1, 30, 9):
        save(tmp_path / f"shot{number}.png", grey(number))
    frames = list(opened(tmp_path).frames())
    assert [f.values[0] for f in frames] == [1, 2, 9, 10, 30]
    assert frames[3].name == "shot10.png"
    assert [f.index for f in frames] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".ppm", ".tif", ".PNG"])
def test_colour_is_red_green_blue(tmp_path, suffix):
    image = RNG.integers(0, 256, (6, 8, 3)).astype(np.uint8)
    save(tmp_path / f"a{suffix}", image)
    source = opened(tmp_path)
    assert source.info.layout.planes is Planes.RGB
    assert source.info.fps is None
    np.testing.assert_array_equal(next(source.frames()).image(), image)


@pytest.mark.parametrize("suffix", [".png", ".pgm", ".tiff"])
def test_sixteen_bits_are_kept(tmp_path, suffix):
    image = RNG.integers(0, 65536, (6, 8)).astype(np.uint16)
    save(tmp_path / f"a{suffix}", image)
    source = opened(tmp_path)
    assert source.info.layout.bit_depth == 16
    np.testing.assert_array_equal(next(source.frames()).image(), image)


def test_sixteen_bit_colour_is_kept(tmp_path):
    image = RNG.integers(0, 65536, (6, 8, 3)).astype(np.uint16)
    save(tmp_path / "a.png", image)
    np.testing.assert_array_equal(next(opened(tmp_path).frames()).image(), image)


def test_twelve_bits_of_a_pgm_are_known_as_such(tmp_path):
    samples = RNG.integers(0, 4096, (6, 8)).astype(">u2")
    (tmp_path / "a.pgm").write_bytes(b"P5\n# made by hand\n8 6\n4095\n" + samples.tobytes())
    source = opened(tmp_path / "a.pgm")
    assert source.info.layout.bit_depth == 12
    np.testing.assert_array_equal(next(source.frames()).image(), samples)


@pytest.mark.parametrize("largest", [1, 15, 100, 127, 255])
@pytest.mark.parametrize(("text", "binary", "n_colours"), [("P2", "P5", 1), ("P3", "P6", 3)])
def test_white_of_a_binary_pgm_or_ppm_is_white_as_of_the_same_written_as_text(
    tmp_path, largest, text, binary, n_colours
):
    samples = RNG.integers(0, largest + 1, (6, 8, n_colours)).astype(np.uint8)
    samples[0, :2, 0] = 0, largest
    head = f"\n# made by hand\n8 6\n{largest}\n"
    (tmp_path / "a.pnm").write_text(text + head + " ".join(map(str, samples.ravel())) + "\n")
    (tmp_path / "b.pnm").write_bytes((binary + head).encode() + samples.tobytes())
    as_text, as_bytes = opened(tmp_path).frames()
    np.testing.assert_array_equal(as_bytes.image(), as_text.image())
    np.testing.assert_array_equal(as_bytes.image().reshape(samples.shape), samples.astype(int) * 255 // largest)


def test_single_image_is_one_frame(tmp_path):
    source = opened(save(tmp_path / "one.png", grey(7)))
    assert source.info.n_frames == 1
    assert len(list(source.frames())) == 1


def test_photo_held_upright_is_turned(tmp_path):
    image = np.zeros((24, 40, 3), np.uint8)
    image[:12, :20] = 255
    data = cv2.imencode(".jpg", image)[1].tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    (tmp_path / "a.jpg").write_bytes(data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:])
    upright = next(opened(tmp_path).frames()).image()
    np.testing.assert_allclose(upright.astype(int), np.rot90(image, -1).astype(int), atol=12)


def test_alpha_is_left_out_with_a_warning(tmp_path):
    image = RNG.integers(0, 256, (6, 8, 4)).astype(np.uint8)
    save(tmp_path / "a.png", image)
    source = opened(tmp_path)
    np.testing.assert_array_equal(next(source.frames()).image(), image[..., :3])
    assert "alpha" in source.warnings[0]


def test_bad_images_are_skipped_counted_and_keep_their_place(tmp_path):
    for index in range(8):
        save(tmp_path / f"{index}.png", RNG.integers(0, 256, (60, 80)).astype(np.uint8))
    (tmp_path / "3.png").write_bytes(b"")
    whole = (tmp_path / "5.png").read_bytes()
    (tmp_path / "5.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "6.png").write_bytes(b"no image")
    source = opened(tmp_path)
    for _ in range(2):  # reading again does not count again
        assert [f.index for f in source.frames()] == [0, 1, 2, 4, 7]
    assert source.warnings == [f"3 images were skipped; the first, 3.png in {tmp_path.name}, is empty."]
    assert next(source.frames(5)).index == 7


def test_bad_first_image_does_not_hide_the_others(tmp_path):
    (tmp_path / "0.png").write_bytes(b"no image")
    save(tmp_path / "1.png", grey(9))
    source = opened(tmp_path)
    assert [f.index for f in source.frames()] == [1]
    assert "0.png" in source.warnings[0]


def test_mixed_sizes_are_named_before_anything_is_read(tmp_path):
    for index in range(5):
        save(tmp_path / f"{index}.jpg", grey(9, (16, 16) if index != 3 else (16, 24)))
    with pytest.raises(CleanplateError, match=r"differ in size: 0\.jpg is 16×16, 3\.jpg is 24×16; .*\.$"):
        opened(tmp_path)


def test_sizes_are_found_behind_a_long_exif(tmp_path):
    for index in range(3):
        path = save(tmp_path / f"{index}.jpg", grey(9, (16, 16) if index != 2 else (24, 16)))
        data = path.read_bytes()
        path.write_bytes(data[:2] + b"\xff\xe1" + (9002).to_bytes(2, "big") + bytes(9000) + data[2:])
    with pytest.raises(CleanplateError, match=r"2\.jpg is 16×24"):
        opened(tmp_path)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
@pytest.mark.parametrize("planes", [(), (3,)])
def test_sizes_of_tiff_files_are_found_wherever_their_header_lies(tmp_path, kind, planes):
    save(tmp_path / "0.tif", np.full((300, 200, *planes), 9, kind))
    save(tmp_path / "1.tif", np.full((300, 200, *planes), 9, kind))
    tifffile.imwrite(tmp_path / "2.tif", np.full((300, 200, *planes), 9, kind))
    opened(tmp_path).close()
    for write in (save, tifffile.imwrite):  # OpenCV puts the header behind the samples.
        write(tmp_path / "3.tif", np.full((301, 200, *planes), 9, kind))
        with pytest.raises(CleanplateError, match=r"differ in size: 0\.tif is 200×300, 3\.tif is 200×301"):
            opened(tmp_path)


def test_looking_for_other_sizes_takes_no_long_time_on_a_slow_drive(tmp_path, monkeypatch):
    for index in range(9):
        save(tmp_path / f"{index}.png", grey(9))
    looked_at, seconds = [], iter(range(0, 100, 1))
    monkeypatch.setattr(images, "_CHECKED_ANYHOW", 3)
    monkeypatch.setattr(images, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(images, "may_differ", lambda path, _: looked_at.append(path.name))
    opened(tmp_path).close()
    assert looked_at == [f"{index}.png" for index in range(1, 6)]


def test_mixed_sizes_are_named_where_only_reading_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(images, "_CHECKED_AHEAD", 2)
    for index in range(3):
        tifffile.imwrite(tmp_path / f"{index}.tif", grey(9, (16, 16) if index != 2 else (17, 16)))
    source = opened(tmp_path)
    with pytest.raises(CleanplateError, match=r"2\.tif is 16×17"):
        list(source.frames())


def test_first_image_decides_on_colour_and_depth(tmp_path):
    save(tmp_path / "0.png", grey(100))
    save(tmp_path / "1.png", np.dstack([grey(200), grey(200), grey(200)]))
    save(tmp_path / "2.png", grey(65535, kind=np.uint16))
    source = opened(tmp_path)
    assert [f.values[0] for f in source.frames()] == [100, 200, 255]
    assert len(source.warnings) == 2


def test_levels_of_another_depth_become_the_nearest_ones(tmp_path):
    levels = np.array([[0, 128, 129, 257, 257 * 9 + 200, 257 * 254 + 200, 65535]], np.uint16)
    save(tmp_path / "0.png", grey(0, levels.shape))
    save(tmp_path / "1.png", levels)
    assert list(opened(tmp_path).frames())[1].image().tolist() == [[0, 0, 1, 1, 10, 255, 255]]


def test_other_samples_are_one_sentence(tmp_path):
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((4, 4), np.float32))
    tifffile.imwrite(tmp_path / "b.tif", np.zeros((4, 4), np.float32))
    with pytest.raises(CleanplateError, match="float32 samples; convert"):
        opened(tmp_path)


def test_folders_without_images_are_one_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(CleanplateError, match="holds no images, videos or projects; choose another"):
        opened(tmp_path)
    (tmp_path / "film.MP4").write_text("a film")
    with pytest.raises(CleanplateError, match="holds videos and no images; open one of them, or all with"):
        opened(tmp_path)


def test_a_folder_of_images_that_are_not_read_names_their_kinds(tmp_path):
    for name in ("IMG_1.CR2", "IMG_2.CR2", "IMG_3.EXR", "notes.txt", ".IMG_4.CR2"):
        (tmp_path / name).write_bytes(b"")
    sentence = r"holds images of kinds that are not read \(2 \.cr2, 1 \.exr\); save them as TIFF, PNG or JPEG\.$"
    with pytest.raises(CleanplateError, match=sentence):
        opened(tmp_path)
    for suffix in ("cin", "cin", "hdr", "nef"):
        (tmp_path / f"{len(list(tmp_path.iterdir()))}.{suffix}").write_bytes(b"")
    with pytest.raises(CleanplateError, match=r"\(2 \.cin, 2 \.cr2, 1 \.exr and 2 more\)"):
        opened(tmp_path)
    save(tmp_path / "1.png", grey(100))
    assert len(list(opened(tmp_path).frames())) == 1


def test_images_that_are_not_read_are_found_in_the_folder_of_the_input(tmp_path):
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "1.exr").write_bytes(b"")
    with pytest.raises(CleanplateError, match=r"input holds images of kinds that are not read \(1 \.exr\)"):
        opened(tmp_path)


def test_a_folder_that_has_images_only_in_folders_names_these(tmp_path):
    for name in ("notes", ".hidden", "10", "9"):
        (tmp_path / name).mkdir()
    (tmp_path / "notes" / "notes.txt").write_text("nothing")
    save(tmp_path / ".hidden" / "1.png", grey(100))
    save(tmp_path / "10" / "1.png", grey(100))
    with pytest.raises(CleanplateError, match=r"holds no images itself, its folder 10 does; open that\.$"):
        opened(tmp_path)
    save(tmp_path / "9" / "1.png", grey(100))
    with pytest.raises(CleanplateError, match=r"its folders 9, 10 do; open one of them, or all with cleanplate batch"):
        opened(tmp_path)


def test_a_card_of_a_camera_names_the_folders_that_its_images_are_in(tmp_path):
    for name in ("DCIM/9CANON", "DCIM/100CANON", "DCIM/.hidden", "MISC", "DCIM/notes"):
        (tmp_path / name).mkdir(parents=True)
    save(tmp_path / "DCIM" / ".hidden" / "1.png", grey(100))
    with pytest.raises(CleanplateError, match="holds no images, videos or projects; choose another"):
        opened(tmp_path)
    save(tmp_path / "DCIM" / "100CANON" / "IMG_1.png", grey(100))
    inner = re.escape(os.path.join("DCIM", "100CANON"))
    with pytest.raises(CleanplateError, match=rf"holds no images itself, its folder {inner} does; open that\.$"):
        opened(tmp_path)
    save(tmp_path / "DCIM" / "9CANON" / "IMG_1.png", grey(100))
    listed = re.escape(", ".join(os.path.join("DCIM", name) for name in ("9CANON", "100CANON")))
    batch = re.escape(quoted(["cleanplate", "batch", str(tmp_path / "DCIM")]))
    with pytest.raises(CleanplateError, match=rf"its folders {listed} do; open one of them, or all with {batch}\.$"):
        opened(tmp_path)
    assert found_inputs([str(tmp_path / "DCIM")]) == [str(tmp_path / "DCIM" / n) for n in ("9CANON", "100CANON")]
    (tmp_path / "MISC" / "more").mkdir()
    save(tmp_path / "MISC" / "more" / "1.png", grey(100))
    with pytest.raises(CleanplateError, match=r"do; open one of them\.$"):
        opened(tmp_path)


def test_a_folder_of_images_that_are_all_damaged_says_what_to_do(tmp_path):
    for name in ("1.png", "2.png"):
        (tmp_path / name).write_bytes(b"no image")
    with pytest.raises(CleanplateError, match=r"damaged or not an image; mend them, or choose another folder\."):
        opened(tmp_path)


def test_a_folder_that_may_not_be_read_says_what_to_do(tmp_path, monkeypatch):
    def refuse(folder):
        raise PermissionError(errno.EACCES, "Permission denied")

    save(tmp_path / "1.png", grey(100))
    monkeypatch.setattr(images, "image_names", refuse)
    with pytest.raises(CleanplateError, match=r"cannot be read \(Permission denied\); check .* you may read it"):
        opened(tmp_path)


def test_no_name_is_one_sentence():
    with pytest.raises(CleanplateError, match="No input was named"):
        opened("")


@pytest.mark.parametrize("part", ["", "input"])
def test_labels_beside_the_input_become_truth(tmp_path, part):
    for index in range(1, 5):
        save(tmp_path / "walk" / "input" / f"in{index:06d}.png", grey(index))
    save(tmp_path / "walk" / "groundtruth" / "gt000003.png", grey(170))
    source = opened(tmp_path / "walk" / part)
    frames = list(source.frames())
    assert source.info.title == "walk"
    assert [f.truth is not None for f in frames] == [False, False, True, False]
    assert set(frames[2].truth.mask.ravel()) == {170}


def test_labels_of_one_camera_are_not_of_another(tmp_path):
    for place, camera in enumerate("ab"):
        save(tmp_path / "input" / f"{camera}_001.png", grey(place))
        save(tmp_path / "groundtruth" / f"{camera}_001.png", grey(100 + place))
    source = opened(tmp_path)
    assert [int(frame.truth.mask[0, 0]) for frame in source.frames()] == [100, 101]
    assert source.warnings == []


def test_labels_that_may_be_of_several_images_are_left_out_with_a_note(tmp_path):
    for camera in "ab":
        save(tmp_path / "input" / f"{camera}_001.png", grey(1))
    save(tmp_path / "groundtruth" / "gt001.png", grey(255))
    source = opened(tmp_path)
    assert [frame.truth for frame in source.frames()] == [None, None]
    assert source.warnings == [
        "a_001.png and perhaps others have no mask: several images or masks in groundtruth end in the same number; "
        "name masks like their images."
    ]


def test_labels_of_another_size_are_left_out(tmp_path):
    save(tmp_path / "input" / "1.png", grey(1))
    save(tmp_path / "groundtruth" / "1.png", grey(1, (3, 3)))
    source = opened(tmp_path)
    assert next(source.frames()).truth is None
    assert "does not fit" in source.warnings[0]


def test_reading_from_any_place_is_exact(tmp_path):
    for index in range(6):
        save(tmp_path / f"{index}.png", grey(index))
    source = opened(tmp_path)
    assert [f.values[0] for f in source.frames(4)] == [4, 5]
    assert list(source.frames(6)) == []


def test_real_sequence_has_its_labels(data):
    source = opened(data / "sequences" / "highway")
    assert source.info.n_frames == 1700
    assert next(source.frames(468)).truth is None
    labelled = next(source.frames(469))
    assert labelled.name == "000470.jpg"
    assert set(np.unique(labelled.truth.mask)) <= {0, 50, 85, 170, 255}


def test_real_faces_are_in_natural_order(data):
    names = [f.name for f in opened(data / "faces" / "orl").frames()]
    assert len(names) == 400
    assert names[:3] == ["s1_1.pgm", "s1_2.pgm", "s1_3.pgm"]
    assert names[9:11] == ["s1_10.pgm", "s2_1.pgm"]


@pytest.mark.parametrize("n_pages", [2, 5])
@pytest.mark.parametrize("names", [("a.tif",), ("a.tif", "b.tif")])
def test_stacks_in_a_folder_are_told_to_give_their_first_pages(tmp_path, names, n_pages):
    pages = RNG.integers(0, 256, (n_pages, 6, 8)).astype(np.uint8)
    for name in names:
        tifffile.imwrite(tmp_path / name, pages)
    source = opened(tmp_path)
    assert source.info.n_frames == len(names)
    (sentence,) = source.warnings
    assert sentence.startswith(f"a.tif has {n_pages} pages")
    for name in names:
        tifffile.imwrite(tmp_path / name, pages[0])
    assert opened(tmp_path).warnings == []


def test_notes_of_several_images_name_the_first(tmp_path):
    for i in range(4):
        picture = RNG.integers(0, 256, (6, 8, 4 if i in (1, 2) else 3)).astype(np.uint8)
        cv2.imwrite(str(tmp_path / f"{i}.png"), picture)
    source = opened(tmp_path)
    list(source.frames())
    assert source.warnings == ["1.png and perhaps others have an alpha channel, which is not used."]


def test_a_gap_in_the_numbers_of_a_folder_has_a_note(tmp_path):
    for number in (1, 2, 3, 4, 100, 101, 102, 103):
        save_png(tmp_path / f"f{number:04}.png", np.zeros((20, 30), np.uint8))
    source = opened(tmp_path)
    assert source.warnings == [
        f"The files of {tmp_path.name} go from f0004.png to f0100.png, as if those between were missing; they are read "
        "as if they followed each other."
    ]
    assert source.info.n_frames == 8
