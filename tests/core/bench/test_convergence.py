"""The convergence bench: one start, one judge, and traces that mean what they say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.io import savemat

from core.bench import convergence, plots
from core.bench.competitors import CONTENDERS, ROBUST_PGD
from core.bench.convergence import Race, Trace, race
from core.bench.faces import BATCH, Objective, Problem, faces
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.outlier_losses import OutlierLoss


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    """Forty small faces made of few parts."""
    rng = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("faces")
    savemat(folder / "cbcl.mat", {"X": 0.05 + rng.random((81, 6)) @ rng.random((6, 40))})
    return faces(folder)


def test_samples_are_scaled_and_some_are_spoiled(problem):
    assert problem.V.shape == (40, 81)
    assert problem.V.dtype == np.float32
    np.testing.assert_allclose(problem.V.max(axis=1), 1)
    spoiled = (problem.V == 0).any(axis=1).mean()  # pepper; the faces have no black
    assert 0.4 < spoiled < 0.9
    assert problem.lam == pytest.approx(1 / 9)
    np.testing.assert_allclose(np.linalg.norm(problem.W, axis=1), 1, rtol=1e-5)


def test_judge_is_within_a_ten_thousandth_of_the_minimum_and_blind_to_column_lengths(problem):
    judge = Objective(problem)
    found = judge.of(problem.W)
    exact = ProjectedGradientEncoder(1.0, True, 1e-13, 100_000)
    exact.prepare(problem.W.astype(np.float64))
    V = problem.V.astype(np.float64)
    minimum = exact.encode(V, np.zeros((len(V), len(problem.W))), OutlierLoss(problem.lam, -np.inf, np.inf)).loss / len(
        V
    )
    assert found == pytest.approx(minimum, rel=1e-4)
    lengths = np.random.default_rng(1).uniform(0.1, 10, (len(problem.W), 1)).astype(np.float32)
    assert judge.of(problem.W * lengths) == pytest.approx(found, rel=1e-4)
    assert judge.of(problem.W[:20]) > 1.01 * found  # fewer columns cannot explain as much


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda c: c.name)
def test_every_contender_starts_where_all_do_and_lowers_the_objective(problem, contender):
    if not contender.present:
        pytest.skip(f"{contender.package} is not installed")
    W = contender.begin(problem).dictionary()
    np.testing.assert_allclose(W, problem.W, rtol=1e-6)
    before = problem.W.copy()
    (trace,) = convergence.run(problem, [contender], samples=400)
    np.testing.assert_array_equal(problem.W, before)
    assert trace.samples[0] == 0
    assert trace.samples[-1] == (convergence.ITERATIONS * len(problem.V) if contender.batch else 400)
    assert trace.seconds == sorted(trace.seconds)
    assert trace.objectives[-1] < 0.9 * trace.objectives[0], trace


def test_a_slow_method_is_stopped_where_it_is(problem):
    (trace,) = convergence.run(problem, CONTENDERS[:1], longest_s=0)
    assert trace.samples == [0, BATCH]


def trace(name, objectives):
    return Trace(name, "", [0, 10, 20], [0.0, 1.0, 4.0], objectives)


def test_race_is_to_where_the_rival_ends():
    rival = replace(trace(ROBUST_PGD, [9.0, 7.0, 5.0]), seconds=[0.0, 50.0, 200.0])
    assert race([trace("opgd", [9.0, 5.0, 3.0]), rival]) == Race(5.0, 1.0, 200.0)
    assert race([trace("opgd", [9.0, 5.0, 3.0]), rival]).ratio == 200
    assert race([trace("opgd", [9.0, 8.0, 6.0]), rival]).ratio is None
    assert race([trace("opgd", [9.0, 8.0, 6.0])]) is None


def test_whole_mini_batches_only():
    layout = Layout(2, 2, Planes.GREY)
    short = Problem("", layout, np.ones((25, 4), np.float32), np.ones((1, 4), np.float32), 0.5, 0)
    assert [len(b) for b in short.batches] == [BATCH, BATCH]


def test_a_folder_without_faces_is_refused(tmp_path):
    with pytest.raises(CleanplateError, match="leave out --data"):
        faces(tmp_path)
    (tmp_path / "cbcl.mat").write_bytes(b"no such thing" * 50)
    with pytest.raises(CleanplateError, match="fetch it again"):
        faces(tmp_path)


def test_plot_names_are_checked_before_measuring(tmp_path):
    with pytest.raises(CleanplateError, match="There is no folder"):
        plots.check(tmp_path / "absent" / "a.png")
    with pytest.raises(CleanplateError, match=r"\.png"):
        plots.check(tmp_path / "a.txt")
    plots.check(tmp_path / "a.svg")


def test_convergence_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    plots.convergence(tmp_path / "a.png", "Faces", [trace("opgd", [9.0, 5.0, 3.0])])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
