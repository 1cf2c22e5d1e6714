"""Results of images say the colour profile of these: which, where, and that nothing else changes."""

import pytest
import tifffile
from PIL import Image

from core.export.job import run_job
from core.export.job_spec import Job
from core.io.sources import InputSpec
from core.session.settings import Settings
from tests.profiles import RGB, grey
from tests.small_inputs import scene

KINDS = {"JPEG": "jpg", "PNG": "png", "TIFF": "tif", "WEBP": "webp"}
COLOURED = ("background", "foreground", "cleaned", "boxes")


def images(folder, kind, profile, mode="RGB", n=6):
    folder.mkdir()
    for index in range(n):
        told = {"icc_profile": profile} if profile else {}
        Image.fromarray(scene(index)).convert(mode).save(folder / f"{index}.{KINDS[kind]}", kind, **told)
    return folder


def run(where, output, save=("plate", *COLOURED, "mask", "matte", "confidence"), form="png", **view):
    spec = InputSpec(str(where), **view)
    return run_job(Job(input=spec, output=output, settings=Settings(), save=save, format=form))


def profile_of(path):
    with Image.open(path) as image:
        return image.info.get("icc_profile")


def first_of(output, product):
    place = output / product
    if place.is_dir():
        return sorted(place.iterdir())[0]
    [path] = output.glob(f"{product}.*")
    return path


@pytest.mark.parametrize("form", ["png", "png16", "tiff"])
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_in_the_colours_of_the_input_say_its_profile_and_others_none(tmp_path, kind, form):
    summary = run(images(tmp_path / "in", kind, RGB), tmp_path / "out", form=form)
    suffix = ".tif" if form == "tiff" else ".png"
    assert [first_of(tmp_path / "out", product).suffix for product in ("plate", "cleaned")] == [suffix] * 2
    for product in ("plate", *COLOURED):
        assert profile_of(first_of(tmp_path / "out", product)) == RGB, product
    for product in ("mask", "matte", "confidence"):
        assert profile_of(first_of(tmp_path / "out", product)) is None, product
    assert not any("profile" in note for note in summary.warnings)


def chunks(data):
    place, found = 8, []
    while place < len(data):
        size = 12 + int.from_bytes(data[place : place + 4], "big")
        found.append((data[place + 4 : place + 8], data[place : place + size]))
        place += size
    return found


def test_nothing_else_in_a_file_differs_from_that_of_an_input_without(tmp_path):
    for name, profile in (("with", RGB), ("without", None)):
        run(images(tmp_path / name, "PNG", profile), tmp_path / f"{name}_out")
    paths = sorted((tmp_path / "without_out").rglob("*.png"))
    assert {path.relative_to(tmp_path / "without_out").parts[0].split(".")[0] for path in paths} >= {"plate", "mask"}
    for path in paths:
        plain = chunks(path.read_bytes())
        told = chunks((tmp_path / "with_out" / path.relative_to(tmp_path / "without_out")).read_bytes())
        assert [chunk for chunk in told if chunk[0] != b"iCCP"] == plain
        assert b"iCCP" not in dict(plain)


def test_every_page_of_a_stack_says_it(tmp_path):
    with tifffile.TiffWriter(tmp_path / "in.tif") as file:
        for index in range(6):
            file.write(scene(index), photometric="rgb", iccprofile=RGB, contiguous=False)
    run(tmp_path / "in.tif", tmp_path / "out", ("plate", "cleaned", "mask"), "tiff")
    assert profile_of(tmp_path / "out" / "plate.tif") == RGB
    for product, profile in (("cleaned", RGB), ("mask", None)):
        with tifffile.TiffFile(tmp_path / "out" / f"{product}.tif") as file:
            assert [page.iccprofile for page in file.pages] == [profile] * 6


@pytest.mark.parametrize(
    ("mode", "profile", "view", "expected"),
    [("L", grey(), {}, grey()), ("RGB", RGB, {"grey": True}, None), ("L", RGB, {}, None)],
    ids=["grey", "colour read as grey", "grey with a profile of colours"],
)
def test_pictures_in_grey_say_profiles_of_grey_alone(tmp_path, mode, profile, view, expected):
    run(images(tmp_path / "in", "JPEG", profile, mode), tmp_path / "out", ("plate", "cleaned", "boxes"), **view)
    assert [profile_of(first_of(tmp_path / "out", product)) for product in ("plate", "cleaned")] == [expected] * 2
    boxes = first_of(tmp_path / "out", "boxes")
    with Image.open(boxes) as image:
        assert image.mode == "RGB"  # They are drawn in colour, over what is as neutral as it was.
    assert profile_of(boxes) == (None if profile == grey() else profile)


@pytest.mark.parametrize(("save", "is_told"), [(("cleaned", "boxes", "mask"), True), (("mask", "plate"), False)])
def test_that_films_lack_it_is_told_once(tmp_path, save, is_told):
    summary = run(images(tmp_path / "in", "JPEG", RGB), tmp_path / "out", save, "mkv")
    assert sum("colour profile" in note for note in summary.warnings) == is_told


def test_a_region_and_another_size_have_it_too(tmp_path):
    run(images(tmp_path / "in", "JPEG", RGB), tmp_path / "out", ("cleaned",), roi=(0, 0, 32, 24))
    run(images(tmp_path / "in2", "JPEG", RGB), tmp_path / "out2", ("cleaned",), size=(32, 24))
    for output in ("out", "out2"):
        assert profile_of(first_of(tmp_path / output, "cleaned")) == RGB
