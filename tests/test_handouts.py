"""What is handed out agrees with itself: one version, packages that hold all, the same bytes at each build."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINUX = ROOT / "release" / "linux"
APP_ID = "org.cleanplate.Cleanplate"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
METAINFO = ET.parse(LINUX / f"{APP_ID}.metainfo.xml").getroot()


def test_one_version_everywhere():
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
    release = METAINFO.find("releases/release")
    assert newest[1] == PROJECT["version"] == release.get("version") == version("cleanplate")
    assert newest[2] == release.get("date")


def test_a_tag_names_the_version_that_it_stands_for():
    try:
        tags = subprocess.run(
            ["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout")
    tagged = [tag for tag in tags.stdout.split() if tag.startswith("v")]
    assert tagged in ([], [f"v{PROJECT['version']}"])


def test_the_changelog_begins_with_what_is_not_released_and_goes_back_in_time():
    headings = re.findall(r"^## \[(.+?)\](?: - (.*))?$", CHANGELOG, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    dates = [date for _, date in headings[1:]]
    assert dates == sorted(dates, reverse=True)
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)) <= kinds


def test_desktops_are_told_of_one_program():
    desktop = dict(line.split("=", 1) for line in (LINUX / f"{APP_ID}.desktop").read_text().splitlines() if "=" in line)
    from app.window.startup import DESKTOP_NAME
    from core.project.naming import SUFFIX

    mime = ET.parse(LINUX / f"{APP_ID}.mime.xml").getroot()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    kind = mime.find(f"{space}mime-type").get("type")
    assert kind in desktop["MimeType"].split(";")
    assert METAINFO.findtext("provides/mediatype") == kind
    assert mime.find(f"{space}mime-type/{space}glob").get("pattern") == f"*{SUFFIX}"
    assert desktop["Icon"] == METAINFO.findtext("id") == DESKTOP_NAME == APP_ID
    assert METAINFO.findtext("launchable") == f"{APP_ID}.desktop"
    assert desktop["Exec"].split()[0] == METAINFO.findtext("provides/binary") == next(iter(PROJECT["scripts"]))


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The wheel and the source archive, built twice and compared."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "scripts/make_packages.py", "--twice", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "the same bytes" in done.stdout) == (0, True), done.stdout + done.stderr
    return out


def test_packages_are_the_same_bytes_at_each_build_and_hold_all_that_is_needed(packages):
    with zipfile.ZipFile(next(packages.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    for name in ("app/__main__.py", "core/kernels/cells.py", f"resources/{APP_ID}.svg", "resources/head.npz"):
        assert name in names
    assert any(name.endswith(f"share/applications/{APP_ID}.desktop") for name in names)
    committed = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    with tarfile.open(next(packages.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert set(committed.split("\n")) - held <= {""}


def test_an_archive_of_other_times_and_owners_becomes_the_same_bytes(tmp_path):
    sys.path.insert(0, str(ROOT / "scripts"))
    import make_packages

    made = []
    for i in range(2):
        path = tmp_path / f"{i}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name in ("a", "b")[:: 1 - 2 * i]:
                (tmp_path / name).write_text(name)
                member = archive.gettarinfo(tmp_path / name, name)
                member.mtime, member.uid, member.uname = 1000 + i, i, f"user{i}"
                with (tmp_path / name).open("rb") as contents:
                    archive.addfile(member, contents)
        assert len(made) == 0 or path.read_bytes() != made[0]
        make_packages.normalise(path, 1_700_000_000)
        made.append(path.read_bytes())
    assert made[0] == made[1]


@pytest.fixture
def scripts(monkeypatch):
    """The folder of scripts, to be imported from."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


@pytest.fixture
def program(tmp_path):
    """A folder that is laid out as that of the program without Python."""
    folder = tmp_path / "cleanplate"
    (folder / "_internal").mkdir(parents=True)
    (folder / "cleanplate").write_text("#!/bin/sh\necho started with $1\n")
    (folder / "cleanplate").chmod(0o755)
    (folder / "_internal" / "link").symlink_to("nowhere")
    return folder


@pytest.mark.usefixtures("scripts")
def test_the_folder_of_an_appimage_holds_what_starts_and_shows_it(program, tmp_path):
    import appimage

    folder = appimage.make_folder(program, tmp_path / "Cleanplate.AppDir")
    started = subprocess.run([str(folder / "AppRun"), "a film"], capture_output=True, text=True, check=True)
    assert started.stdout == "started with a film\n"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert {f"{APP_ID}.desktop", f"{APP_ID}.svg", ".DirIcon", f"usr/share/metainfo/{APP_ID}.metainfo.xml"} <= names
    assert (folder / "usr/lib/cleanplate/_internal/link").is_symlink()


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(
    ("contents", "is_one"),
    [
        (b"\x7fELF\x02\x01\x01\x00AI\x02\x00", True),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", False),  # Any program.
        (b"\x7fELF\x02\x01\x01\x00AI\x01\x00", False),  # An AppImage of the first kind.
        (b"<!DOCTYPE html>", False),
        (b"", False),
    ],
)
def test_an_appimage_is_not_made_with_what_is_no_runtime(contents, is_one, program, tmp_path, monkeypatch):
    import appimage
    import bundle

    (tmp_path / "runtime").write_bytes(contents)
    made = []
    monkeypatch.setattr(bundle, "FOLDER", program)
    monkeypatch.setattr(appimage, "ROOT", tmp_path)
    monkeypatch.setattr(appimage, "pack", lambda _, runtime, image, __: (made.append(runtime), image.touch()))
    assert appimage.main(["--runtime", str(tmp_path / "runtime")]) == (0 if is_one else 2)
    assert bool(made) == is_one
    if shutil.which("sh") is None:
        return
    # What the build asks before it begins is the same.
    script = (ROOT / "release" / "debian11" / "build.sh").read_text()
    question = script[script.index("# scripts/appimage.py asks") : script.index("# The libraries that Qt loads")]
    environment = {"PATH": os.environ["PATH"], "RUNTIME": str(tmp_path / "runtime")}
    asked = subprocess.run(["sh", "-c", question], env=environment, capture_output=True, check=False)
    assert asked.returncode == (0 if is_one else 2)
    assert subprocess.run(["sh", "-c", question], env={**environment, "RUNTIME": ""}, check=False).returncode == 0


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(("options", "number"), [([], 6), (["--compression", "gzip"], 1)])
def test_an_appimage_is_packed_so_that_its_runtime_can_read_it(options, number, program, tmp_path, monkeypatch):
    import appimage
    import bundle

    if shutil.which("mksquashfs") is None:
        pytest.skip("mksquashfs is not there")
    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"\x7fELF\x02\x01\x01\x00AI\x02\x00")
    monkeypatch.setattr(bundle, "FOLDER", program)
    monkeypatch.setattr(appimage, "ROOT", tmp_path)
    assert appimage.main(["--runtime", str(runtime), *options]) == 0
    [image] = (tmp_path / "dist").glob("*.AppImage")
    packed = image.read_bytes()[runtime.stat().st_size :]
    # The superblock of squashfs has the number of its compression at this place: 1 is gzip, 6 is zstd.
    assert packed[:4] == b"hsqs"
    assert int.from_bytes(packed[20:22], "little") == number


@pytest.mark.usefixtures("scripts")
def test_a_debian_package_is_the_same_bytes_each_time_and_holds_what_starts_and_shows_the_program(program, tmp_path):
    import debian_package

    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb makes it")
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (program / "cleanplate").touch()  # Made at another time.
        made.append(debian_package.make(program, tmp_path / name))
    assert made[0].read_bytes() == made[1].read_bytes()
    root = tmp_path / "installed"
    subprocess.run(["dpkg-deb", "--extract", str(made[0]), str(root)], check=True)
    assert (root / "usr/bin/cleanplate").readlink() == Path("../../opt/cleanplate/cleanplate")
    started = subprocess.run([str(root / "usr/bin/cleanplate"), "a film"], capture_output=True, text=True, check=True)
    assert started.stdout == "started with a film\n"
    assert (root / "opt/cleanplate/_internal/link").is_symlink()
    names = {path.relative_to(root / "usr/share").as_posix() for path in (root / "usr/share").rglob("*")}
    desktop = {f"applications/{APP_ID}.desktop", f"metainfo/{APP_ID}.metainfo.xml", f"mime/packages/{APP_ID}.mime.xml"}
    assert desktop | {"doc/cleanplate/copyright", "man/man1/cleanplate.1.gz"} <= names
    field = subprocess.run(["dpkg-deb", "--field", str(made[0])], capture_output=True, text=True, check=True).stdout
    assert f"Version: {PROJECT['version']}" in field


@pytest.mark.usefixtures("scripts")
def test_the_data_of_icu_keeps_what_is_asked_for_and_every_table_finds_its_part():
    import struct

    import icu_data

    parts = {"icudt73l/coll/root.res": b"a", "icudt73l/zh.res": b"b" * 999, "icudt73l/coll/ucadata.icu": b"c" * 40}

    def archive(parts):
        names, at, contents = b"", [], b""
        first = 4 + 8 * len(parts)
        start = icu_data._aligned(32 + first + sum(len(name) + 1 for name in parts)) - 32
        for name, part in parts.items():
            at.append((first + len(names), start + len(contents)))
            names += name.encode() + b"\0"
            contents += part.ljust(icu_data._aligned(len(part)), b"\0")
        head = struct.pack("<H", 32).ljust(32, b"h") + struct.pack("<I", len(parts))
        return (head + b"".join(struct.pack("<II", *x) for x in at) + names).ljust(32 + start, b"\0") + contents

    kept = {name: part for name, part in parts.items() if "zh" not in name}
    assert icu_data._trimmed(archive(parts)) == archive(kept)


@pytest.mark.usefixtures("scripts")
def test_a_library_that_is_there_twice_becomes_a_link_where_its_version_agrees(tmp_path):
    import shared_libraries

    goes, stays = tmp_path / shared_libraries.OPENCV, tmp_path / "av.libs"
    for folder in (goes, stays):
        folder.mkdir()
    (goes / "libavcodec-11.so.62.28.101").write_text("theirs")
    (stays / "libavcodec-22.so.62.28.102").write_text("ours")
    (goes / "libavutil-11.so.60.25.101").write_text("another")
    (stays / "libavutil-22.so.60.26.102").write_text("version")
    gone = shared_libraries._link_twins(tmp_path, goes.name, stays.name, ("libavcodec", "libavutil"))
    assert gone == ["libavcodec-11.so.62.28.101"]
    assert (goes / gone[0]).is_symlink()
    assert (goes / gone[0]).read_text() == "ours"
    assert (goes / "libavutil-11.so.60.25.101").read_text() == "another"


@pytest.mark.usefixtures("scripts")
def test_every_part_has_a_licence_and_what_only_tests_need_is_no_part():
    import parts

    found = {part.name: part for part in parts.all_parts()}
    assert {"cleanplate", "numpy", "pyside6-essentials", "shiboken6", "llvmlite", "python"} <= set(found)
    assert not {"pytest", "mypy", "uv"} & set(found)
    assert [name for name, part in found.items() if not part.licence] == []
    assert found["cleanplate"].licence == "BSD-3-Clause"
    page = parts.licences(list(found.values()))
    assert "Redistribution and use in source and binary forms" in page
    assert all(f"{part.name} {part.version}" in page for part in found.values())
