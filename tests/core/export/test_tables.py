"""Numbers of every frame: those of the reports, as arrays and as text."""

import csv
import os
from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.export.job import run_job
from core.export.job_spec import Job
from core.export.tables import Table, joined_columns
from core.frames import metrics
from core.frames.residual import residual_rms
from core.io.corruption import Corruption
from core.io.sources import InputSpec, open_source
from core.session.session import Session
from core.session.settings import Settings
from tests.small_inputs import scene

BOTH = ("coefficients", "curves")


def reports_of(spec, settings=None):
    source = open_source(spec)
    try:
        return list(Session(source, settings or Settings()).run())
    finally:
        source.close()


def read_csv(path):
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    return {name: np.array([float(row[k] or "nan") for row in rows]) for k, name in enumerate(head)}


def test_one_line_opens_what_the_reports_said(photos, tmp_path):
    spec = InputSpec(str(photos), frames=(3, 12))
    reports = reports_of(spec)
    run_job(Job(spec, tmp_path, BOTH))
    data = np.load(tmp_path / "coefficients.npz")
    assert sorted(data) == ["frame", "h", "time_s"]
    assert data["frame"].tolist() == list(range(3, 13)), "as files are numbered"
    np.testing.assert_array_equal(data["h"], np.array([report.split.h for report in reports], np.float64))
    curves = np.load(tmp_path / "curves.npz")
    np.testing.assert_array_equal(curves["foreground"], [np.mean(report.mask > 0) for report in reports])
    np.testing.assert_array_equal(curves["residual"], [residual_rms(report.frame, report.split) for report in reports])
    np.testing.assert_array_equal(curves["objective"], [report.split.objective for report in reports])
    np.testing.assert_array_equal(curves["noise"], [report.noise for report in reports])


def test_the_text_has_the_very_same_numbers(photos, tmp_path):
    run_job(Job(InputSpec(str(photos)), tmp_path, BOTH))
    text, data = read_csv(tmp_path / "curves.csv"), np.load(tmp_path / "curves.npz")
    assert list(text) == list(data)
    for name, column in text.items():
        np.testing.assert_array_equal(column, data[name])
    text, data = read_csv(tmp_path / "coefficients.csv"), np.load(tmp_path / "coefficients.npz")
    assert list(text) == ["frame", "time_s", *(f"h{k}" for k in range(1, data["h"].shape[1] + 1))]
    np.testing.assert_array_equal(text["h1"], data["h"][:, 0])


def test_the_same_run_gives_the_same_bytes(photos, tmp_path):
    for name in "ab":
        run_job(Job(InputSpec(str(photos)), tmp_path / name, BOTH))
    paths = sorted((tmp_path / "a").iterdir())
    assert {path.name for path in paths} >= {f"{name}.{kind}" for name in BOTH for kind in ("csv", "npz")}
    for path in paths:
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


@pytest.mark.parametrize("size", [None, (32, 24)])
def test_where_the_truth_is_known_the_figure_is_of_the_pictures_that_are_written(photos, tmp_path, size):
    spec = InputSpec(str(photos), corruption=Corruption("occlusion", 0.1), size=size)
    run_job(Job(spec, tmp_path, (*BOTH, "cleaned"), Settings(passes=1)))
    curves = np.load(tmp_path / "curves.npz")
    for k, report in enumerate(reports_of(spec)):
        full = report.frame.full
        clean = full.layout.image(full.truth.clean)
        assert curves["psnr_cleaned_db"][k] == metrics.psnr_db(report.cleaned_image, clean, full.layout.white)
        assert curves["psnr_db"][k] == report.figures["psnr_db"]


def test_a_rank_that_changes_and_a_figure_that_comes_late_leave_gaps(photos, tmp_path):
    spec = InputSpec(str(photos), frames=(1, 3))
    source = open_source(spec)
    reports = reports_of(spec)
    table = Table("curves", source.info)
    for report, figures in zip(reports, ({}, {"late": 2.0}, {}), strict=True):
        table.add(replace(report, figures=figures))
    table.write(tmp_path / "a.npz", tmp_path / "a.csv")
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["late"], [np.nan, 2.0, np.nan])
    assert [line.rsplit(",", 1)[1] for line in (tmp_path / "a.csv").read_text().splitlines()] == ["late", "", "2.0", ""]


def test_a_method_without_basis_images_has_no_coefficients_but_its_frames(photos, tmp_path):
    run_job(Job(InputSpec(str(photos)), tmp_path, ("coefficients",), Settings("mog2")))
    data = np.load(tmp_path / "coefficients.npz")
    assert data["h"].shape[0] == data["frame"].shape[0] == 16


def test_times_say_of_which_file_each_image_is_also_where_names_are_alike(tmp_path):
    files = ["Anna.jpg", "Anna.png", "Ä 1.png", "a,b.png", "b.png", "b?.png"]
    (tmp_path / "in").mkdir()
    for number, name in enumerate(files):
        cv2.imencode(name[-4:], scene(number))[1].tofile(tmp_path / "in" / name)
    for names in ("input", "numbers"):
        output = tmp_path / names
        summary = run_job(Job(InputSpec(str(tmp_path / "in")), output, ("mask", "times"), names=names))
        (told,) = [note for note in summary.warnings if "times.csv" in note] or [""]
        assert told.startswith("3 files have names") == (names == "input")
        with (output / "times.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert sorted(row["file_name"] for row in rows) == sorted(files)
        assert {f"{row['image']}.png" for row in rows} == {path.name for path in (output / "mask").iterdir()}
        with np.load(output / "times.npz", allow_pickle=False) as times:
            for name in ("file_name", "image"):
                assert times[name].tolist() == [row[name] for row in rows]
        if names == "input":
            whose = {row["file_name"]: row["image"] for row in rows}
            assert (whose["Anna.png"], whose["b?.png"], whose["b.png"]) == ("Anna.png", "b_", "b")
    run_job(Job(InputSpec(str(tmp_path / "in")), tmp_path / "film", ("mask", "times"), format="mkv"))
    assert sorted(np.load(tmp_path / "film" / "times.npz")) == ["file_name", "frame", "time_s"], "a film has no images"


def test_a_name_that_is_no_text_is_in_the_table_as_it_is_on_the_disk(tmp_path):
    (tmp_path / "in").mkdir()
    odd = os.fsdecode(b"\xff.png")
    for number, name in enumerate((odd, "b.png")):
        cv2.imencode(".png", scene(number))[1].tofile(tmp_path / "in" / name)
    run_job(Job(InputSpec(str(tmp_path / "in")), tmp_path / "out", ("mask", "times")))
    assert b",\xff.png," in (tmp_path / "out" / "times.csv").read_bytes()


def test_what_a_part_does_not_have_is_no_number_and_no_text():
    one = {"frame": np.array([1]), "time_s": np.array([0.0]), "loss": np.array([2.5]), "image": np.array(["a.png"])}
    joined = joined_columns([one, {"frame": np.array([2, 3]), "time_s": np.array([1.0, 2.0])}])
    assert joined["frame"].tolist() == [1, 2, 3]
    assert joined["image"].tolist() == ["a.png", "", ""]
    assert joined["loss"][0] == 2.5
    assert np.isnan(joined["loss"][1:]).all()
