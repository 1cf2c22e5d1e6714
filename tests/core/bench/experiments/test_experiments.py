"""What experiments have in common: the list, the shape of a result, the page, and the faces they run on."""

import inspect

import cv2
import numpy as np
import pytest

from core.bench.experiments import data, page, separation, separation_clips
from core.bench.experiments.base import Chart, Claim, Curve, Part, Progress, Result, Table, finish, number, spread
from core.bench.experiments.registry import EXPERIMENTS, experiment
from core.bench.experiments.runs import build, fit
from core.bench.sequences import find_sequences
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes


def result(**changes):
    found = {
        "title": "Title", "paper": "Paper 2017, table I", "data": "Data.", "setting": "Setting.",
        "tables": (Table("PSNR, dB", ("method", "ours\ndB", "paper"), (("opgd", "12.3", "11.4"),)),),
        "claims": (Claim("A wins.", True, "a 2, b 1"), Claim("B loses.", False, "b 3"), Claim("C.", None, "no data")),
        "figures": {"opgd": 12.3},
    }  # fmt: skip
    return Result(**{**found, **changes})


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_a_generator_that_reads_nothing_before_its_first_step(name):
    run = experiment(name).begin(None, 0, True)
    assert inspect.isgenerator(run)
    run.close()


def test_help_names_every_experiment():
    from app.cli.bench.faces import NAMES

    assert NAMES.split(", ") == list(EXPERIMENTS)


def test_unknown_experiments_are_refused_with_the_list():
    with pytest.raises(CleanplateError, match=r"no experiment 'x'; choose one of outlier-density, .*, or all\."):
        experiment("x")


def test_finish_tells_progress_and_returns_the_result():
    def run():
        yield Progress(0, 2, "one")
        yield Progress(1, 2, "two")
        return result()

    told = []
    assert finish(run(), told.append).title == "Title"
    assert [p.what for p in told] == ["one", "two"]


def test_parts_are_measured_in_their_order_and_their_answers_sent():
    def run():
        yield Progress(0, 1, "faces")
        answers = yield tuple(Part(f"{base}²", pow, (base, 2)) for base in (3, 1, 2))
        return result(figures={"squares": answers})

    told = []
    assert finish(run(), told.append).figures["squares"] == [9, 1, 4]
    assert [(p.done, p.total, p.what) for p in told] == [(0, 1, "faces"), (0, 3, "3²"), (1, 3, "1²"), (2, 3, "2²")]


def test_result_as_data_is_plain_and_tells_the_verdicts():
    told = result().as_data()
    assert told["figures"] == {"opgd": 12.3}
    assert [c["holds"] for c in told["claims"]] == [True, False, None]
    assert [c.verdict for c in result().claims] == ["holds", "does not hold", "not judged"]


def test_a_table_with_a_row_too_short_is_refused():
    with pytest.raises(ValueError, match="has 2 cells"):
        Table("t", ("a", "b"), (("1",),))


def test_numbers_as_text():
    assert (number(1.236), number(None), number(float("nan")), number(2, 0)) == ("1.24", "", "", "2")
    assert number(-0.001) == "0.00"
    assert (spread([1, 3], 1), spread([2], 1), spread([])) == ("2.0 ± 1.4", "2.0", "")


def test_page_has_what_fails_first_then_sections_in_the_order_of_the_list(tmp_path):
    path = tmp_path / "p.md"
    page.update_page(path, {"shadows": page.section("shadows", result(), 3.2, quick=False)})
    page.update_page(path, {"denoising": page.section("denoising", result(title="First"), 3.2, quick=False)})
    text = path.read_text()
    assert text.index("What does not hold here") < text.index("B loses. Here: b 3.")
    assert text.index("## First") < text.index("## Title")
    assert "| method | ours dB | paper |\n|---|---:|---:|\n| opgd | 12.3 | 11.4 |" in text
    assert "* Holds: A wins. Here: a 2, b 1." in text
    assert "first look" not in text


def test_a_section_is_brought_up_to_date_and_the_others_stay_as_they_are(tmp_path):
    path = tmp_path / "p.md"
    both = {name: page.section(name, result(), 3.2, quick=False) for name in ("denoising", "shadows")}
    page.update_page(path, both)
    before = path.read_text()
    page.update_page(path, {"shadows": both["shadows"]})
    assert path.read_text() == before
    page.update_page(path, {"shadows": page.section("shadows", result(claims=()), 3.2, quick=True)})
    after = page.sections_of(path.read_text())
    assert after["denoising"] == page.sections_of(before)["denoising"]
    assert page.QUICK.strip() in after["shadows"]
    assert path.read_text().count("B loses.") == before.count("B loses.") - 2  # at the head, and in its section


def test_pages_that_cannot_be_are_refused_beforehand(tmp_path):
    page.check_page(None)
    for path in (tmp_path / "p.txt", tmp_path / "absent" / "p.md"):
        with pytest.raises(CleanplateError, match=r"name a \.md file"):
            page.check_page(path)


def test_charts_are_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from core.bench import plots

    curves = (Curve("ours", (1.0, 2.0), (3.0, 4.0)), Curve("paper", (1.0, 2.0), (3.5, 4.5), dashed=True))
    charts = [Chart(f"chart {i}", "x", "y", curves, log_y=bool(i % 2)) for i in range(4)]
    plots.charts(tmp_path / "a.png", charts)
    assert cv2.imread(str(tmp_path / "a.png")) is not None


@pytest.mark.parametrize("name", ["{}_{}.pgm", "{}/{}.pgm"])
def test_orl_faces_are_read_in_the_order_of_persons(tmp_path, name):
    for person in (10, 2, 1):
        for number_ in (1, 2):
            path = tmp_path / "orl" / name.format(f"s{person}", number_)
            path.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(path), np.full((6, 4), 10 * person + number_, np.uint8))
    faces = data.load_orl(tmp_path)
    np.testing.assert_array_equal(np.rint(255 * faces.V[:, 0]), [11, 12, 21, 22, 101, 102])
    np.testing.assert_array_equal(faces.labels, [0, 0, 1, 1, 2, 2])
    assert (faces.layout.width, faces.layout.height) == (4, 6)
    assert data.load_orl(tmp_path, (2, 3)).V.shape == (6, 6)
    assert faces.first(3).words == "3 ORL faces of 4×6 pixels"


@pytest.mark.parametrize("white", [255, 1023, 4095, 65535])
def test_faces_are_in_units_of_white_whatever_their_bit_depth(tmp_path, white):
    samples = np.array([0, white // 2, white], np.uint8 if white == 255 else ">u2")
    (tmp_path / "s1_1.pgm").write_bytes(f"P5 3 1 {white}\n".encode() + samples.tobytes())
    np.testing.assert_allclose(data.load_orl(tmp_path).V[0], samples / white, rtol=1e-6)


def test_yale_faces_leave_the_room_light_out(tmp_path):
    folder = tmp_path / "faces" / "yaleB07"
    folder.mkdir(parents=True)
    for name in ("P00A+000E+00", "P00A-005E+10", "P00_Ambient"):
        cv2.imwrite(str(folder / f"yaleB07_{name}.pgm"), np.full((6, 4), 100, np.uint8))
    faces = data.load_yale(tmp_path)
    assert (faces.title, len(faces.V), len(faces.names)) == ("pictures of Yale B subject 7", 2, 2)


@pytest.mark.parametrize("load", [data.load_orl, data.load_yale, data.load_cbcl])
def test_absent_faces_are_told_in_one_sentence(tmp_path, load):
    with pytest.raises(CleanplateError, match=r"There (is|are) no"):
        load(tmp_path)


def test_damaged_faces_are_told_with_their_name(tmp_path):
    (tmp_path / "s1_1.pgm").write_bytes(b"P5 nonsense")
    with pytest.raises(CleanplateError, match=r"s1_1\.pgm is damaged"):
        data.load_orl(tmp_path)


@pytest.mark.parametrize("key", ["opgd", "ol-huber", "bpgd"])
def test_methods_of_every_kind_are_run_alike_and_the_same_for_the_same_seed(key):
    rng = np.random.default_rng(0)
    V = (0.1 + rng.random((30, 2)) @ rng.random((2, 24)) / 4).astype(np.float32)
    layout = Layout(4, 6, Planes.GREY)
    one, two = (fit(key, layout, V, {"rank": 3, "batch": 5, "absent": 1}, 0, passes=4) for _ in range(2))
    np.testing.assert_array_equal(one.W, two.W)
    assert one.W.shape == (3, 24)
    assert np.abs(one.background - V).mean() < 0.1
    assert build(key, layout, {"rank": 3, "absent": 1}, 0).values["rank"] == 3


def test_quick_separation_scores_every_method_from_both_starts(monkeypatch):
    monkeypatch.setattr(separation_clips, "QUICK_FRAMES", 12)
    monkeypatch.setattr(separation, "QUICK_RANK", 4)
    found = finish(separation.run(None, seed=0, quick=True))
    by_start = found.figures["by_start"]
    assert all(set(by_start[start]) == set(separation.METHODS) for start in separation.STARTS)
    random, median = (by_start[start] for start in (separation.LITERAL, separation.SENSIBLE))
    assert random["bpgd"] == median["bpgd"], "a batch method has no such start"
    assert random["opgd"] != median["opgd"]
    assert all(0 <= s["outlier_f"] <= 1 for scores in by_start.values() for (s,) in scores.values())
    assert len(found.claims) == 5


def test_clips_are_taken_where_most_happens(tmp_path):
    for part in ("input", "groundtruth"):
        (tmp_path / part).mkdir()
    for number_ in range(1, 101):
        truth = np.zeros((20, 30), np.uint8)
        if 61 <= number_ <= 85:
            truth[5:10, 5:10] = 255
        cv2.imwrite(str(tmp_path / "input" / f"{number_:06d}.png"), np.full((20, 30), 90, np.uint8))
        cv2.imwrite(str(tmp_path / "groundtruth" / f"{number_:06d}.png"), truth)
    (tmp_path / "scored.txt").write_text("1 100\n")
    (sequence,) = find_sequences(tmp_path)
    assert separation_clips.busiest(sequence, 30) == 61
    assert separation_clips.busiest(sequence, 60) == 41  # it cannot begin later
