"""Fitting the head, where torch is installed; and what is said where it is not."""

import sys

import numpy as np
import pytest

from core.errors import CleanplateError
from core.kernels.head import N
from core.scene.masks.head_weights import FEATURES, Weights, load_weights
from core.training.__main__ import main
from core.training.augment import BLUE, RED, TINT, importance, varied
from core.training.examples import Example
from core.training.fit import draw_batches, drawn_weights, fit, logits, score
from core.training.weights import first_weights, save_weights
from tests.labelled import make_sequence
from tests.reference import kernels_head


def example(seed, size=(24, 40)):
    """Foreground is where features 0, 2 and 5 are high, everywhere else they are low."""
    rng = np.random.default_rng(seed)
    real = np.kron(rng.random((size[0] // 8, size[1] // 8)) < 0.4, np.ones((8, 8)))
    features = rng.normal(0, 0.1, (N, *size))
    features[[0, 2, 5]] += 0.7 * real
    features = features.clip(-0.98, 0.98)
    active = np.ones(size, np.uint8)
    active[:8, :16] = 0
    half = np.float16
    return Example(
        (features * active).astype(half), active, real.astype(half), np.zeros(size, half), np.ones(size, half), 0.0
    )


def test_weights_come_back_from_their_file_with_where_they_came_from(tmp_path):
    save_weights(tmp_path / "head.npz", first_weights(), seed=3, rounds=2, clips=10, examples=99)
    with np.load(tmp_path / "head.npz") as file:
        arrays = dict(file)
    assert [int(arrays[k]) for k in ("features", "seed", "rounds", "clips", "examples")] == [FEATURES, 3, 2, 10, 99]
    for name, value in Weights.of(arrays)._asdict().items():
        np.testing.assert_array_equal(value, first_weights()._asdict()[name])


def test_crops_are_mirrored_together_with_their_labels_and_know_no_colour():
    examples = [example(seed) for seed in range(4)]
    chroma = set()
    for features, active, target, weight in draw_batches(examples, 8, np.random.default_rng(0)):
        assert features.shape[0] == active.shape[0] == target.shape[0] == weight.shape[0]
        inside = active[:, 0] > 0
        assert features[:, 5][inside & (target[:, 0] > 0)].mean() > 0.5
        assert abs(features[:, 5][inside & (target[:, 0] == 0)].mean()) < 0.1
        assert features.shape[2:] == (24, 40)
        chroma |= {bool(x.any()) for x in features[:, [BLUE, RED, TINT]].any((2, 3))}
    assert chroma == {True, False}


def test_footage_varies_and_keeps_what_is_told_apart():
    rng, one = np.random.default_rng(0), example(0)
    features = one.features.astype(np.float32)
    looks = [varied(features, one.active, rng) for _ in range(20)]
    for look in looks:
        assert np.isfinite(look).all()
        assert np.abs(look).max() < 3
        assert not look[:, one.active == 0].any()
    assert np.std([look[5].mean() for look in looks]) > 0
    np.testing.assert_array_equal(features, one.features.astype(np.float32))


def test_hopeless_foreground_hardly_counts_and_shadows_do():
    flat, seen = np.zeros((16, 20, 20), np.float32), np.zeros((16, 20, 20), np.float32)
    seen[2] = 0.9
    nothing, all_of_it = np.zeros((20, 20), np.float32), np.ones((20, 20), np.float32)
    assert (importance(flat, all_of_it, nothing) < 0.2).all()
    np.testing.assert_array_equal(importance(seen, all_of_it, nothing), 1)
    assert (importance(seen, nothing, all_of_it) > 1).all()
    np.testing.assert_array_equal(importance(seen, nothing, all_of_it, shadows=2), 2)


def test_without_torch_it_is_said_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(CleanplateError, match=r"pip install 'cleanplate\[train\]'"):
        fit([example(0)], 3, 0)
    assert main(["--composites", "0", "--out", str(tmp_path / "head.npz")]) == 2
    assert "torch" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_composites_need_clips_and_clips_need_to_be_licensed(capsys, tmp_path):
    assert main(["--out", str(tmp_path / "head.npz")]) == 2
    assert "--clips" in capsys.readouterr().err
    (tmp_path / "towncentre_1920x1080.mp4").write_bytes(b"not for this")
    assert main(["--clips", str(tmp_path), "--out", str(tmp_path / "head.npz")]) == 2
    assert "holds none of" in capsys.readouterr().err


def test_torch_runs_the_network_that_the_kernels_run():
    torch = pytest.importorskip("torch")
    weights, one = drawn_weights(np.random.default_rng(1)), example(0)
    features, active = one.features.astype(np.float32), one.active.astype(np.float32)
    network = {name: torch.from_numpy(value) for name, value in weights._asdict().items()}
    found = logits(torch, network, torch.from_numpy(features)[None], torch.from_numpy(active)[None, None])[0].numpy()
    wanted = kernels_head.network(weights, features, active)
    np.testing.assert_allclose(found, wanted, atol=1e-4 * np.abs(wanted).max())


def test_fitting_learns_what_is_foreground():
    pytest.importorskip("torch")
    told, unseen = [], [example(seed) for seed in (20, 21)]
    weights = fit([example(seed) for seed in range(6)], 150, 0, tell=lambda step, loss: told.append((step, loss)))
    assert [step for step, _ in told] == [150]
    assert score(weights, unseen).f > 0.9
    assert score(drawn_weights(np.random.default_rng(0)), unseen).f < 0.6, "not by chance"
    with pytest.raises(CleanplateError, match="no example"):
        fit([], 3, 0)


def test_the_same_seed_gives_the_same_weights():
    pytest.importorskip("torch")
    once, again, other = (fit([example(0)], 3, seed)._asdict() for seed in (0, 0, 1))
    for name, value in once.items():
        np.testing.assert_array_equal(value, again[name])
    assert (once["enter"] != other["enter"]).any()
    gone_on = fit([example(0)], 3, 0, Weights.of(once))._asdict()
    assert 0 < np.abs(gone_on["enter"] - once["enter"]).max() < 0.05


def test_the_command_trains_and_scores_itself_on_labelled_folders(tmp_path, capsys):
    pytest.importorskip("torch")
    folder = make_sequence(tmp_path / "square")
    out = tmp_path / "head.npz"
    words = [
        "--rounds",
        "2",
        "--steps",
        "3",
        "--drawn",
        "1",
        "--composites",
        "0",
        "--size",
        "80",
        "60",
        "--frames",
        "12",
    ]
    assert main([*words, "--labelled", str(folder), "--validate", str(folder), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "round 2 of 2" in said
    assert said.count("square: P ") == 2
    with np.load(out) as file:
        assert int(file["rounds"]) == 2
        assert int(file["clips"]) == 2
        assert int(file["examples"]) > 2
    # It goes on from there: with other clips, and no weights that are none.
    again = [*words[2:], "--rounds", "1", "--start", str(out)]
    assert main([*again, "--out", str(tmp_path / "on.npz")]) == 0
    assert "round 3 of 3" in capsys.readouterr().out
    before, after = (load_weights(path).enter for path in (out, tmp_path / "on.npz"))
    assert 0 < np.abs(after - before).max() < 0.1
    with np.load(tmp_path / "on.npz") as file:
        assert int(file["clips"]) == 3
    # No round: all stays as it is but the bias of foreground.
    assert main([*words[2:], "--rounds", "0", "--start", str(out), "--out", str(tmp_path / "bias.npz")]) == 0
    assert "bias of foreground" in capsys.readouterr().out
    one, other = (load_weights(path) for path in (out, tmp_path / "bias.npz"))
    for name, value in other._asdict().items():
        rest = np.s_[1:] if name == "leave_bias" else np.s_[:]
        np.testing.assert_array_equal(value[rest], one._asdict()[name][rest])
    (tmp_path / "none.npz").write_bytes(b"no weights")
    assert main([*words, "--start", str(tmp_path / "none.npz"), "--out", str(tmp_path / "on.npz")]) == 2
    assert "none.npz holds no weights" in capsys.readouterr().err
