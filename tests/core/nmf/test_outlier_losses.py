"""The fast method solves the problem of the papers: with full sample and no forgetting it reaches their objective."""

import numpy as np
import pytest

from core import catalogue
from core.frames.frame import Layout, Planes
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.outlier_losses import OutlierLoss

LAYOUT = Layout(24, 32, Planes.GREY)
LAM, RANK = 0.2, 3


def clip(n=120):
    """Samples (n, F) float32: a scene, two lights that come and go, noise, and a block that passes."""
    rng = np.random.default_rng(0)
    parts = 0.15 + 0.3 * rng.random((RANK, LAYOUT.n_values))
    light = np.stack([np.ones(n), 0.5 + 0.5 * np.sin(np.arange(n) / 9), 0.5 + 0.5 * np.cos(np.arange(n) / 5)], 1)
    V = light @ parts + 0.01 * rng.standard_normal((n, LAYOUT.n_values))
    pictures = V.reshape(n, 24, 32)
    for t in range(n):
        pictures[t, 6:14, t % 26 : t % 26 + 6] = 0.9
    return np.clip(V, 0, 1).astype(np.float32)


def start(V):
    """Return a dictionary (K, F) of three frames, columns of norm 1."""
    W = V[[5, 33, 100]]
    return W / np.linalg.norm(W, axis=1, keepdims=True)


def learn(key, V, passes, **chosen):
    """Return the dictionary (F, K) after some passes, from `start` and a past of five samples that agrees with it.

    Without that past the first dictionary problems have many solutions, and each rule takes another.
    """
    row = catalogue.row(key)
    method = row.build(LAYOUT, {**row.defaults(), "rank": RANK, "lam": LAM, "warm_up": 0, **chosen}, 0)
    method.step(V[0])
    state = {name: np.zeros_like(array) for name, array in method.state().items()}
    if "pending_V" in state:
        state["pending_V"], state["pending_H"] = state["pending_V"][:0], state["pending_H"][:0]
    A, n = 100.0 * np.eye(RANK), 5
    past = n if key == "fast" else 1  # statistics are sums in the one, means in the others
    state["W"], state["A"], state["B"] = start(V), past * A, past * A @ start(V)
    known = (0.01, 0.01, n, 0, RANK) if key == "fast" else (A.trace() / 2, n, 0.01, n)
    state["scalars"][: len(known)] = known
    method.load(state)
    for _ in range(passes):
        for v in V:
            method.step(v)
    return method.W


def objective(W, V):
    """Mean loss of all samples, each encoded to convergence."""
    encoder = ProjectedGradientEncoder(1.0, True, 1e-10, 2000)
    encoder.prepare(np.ascontiguousarray(W.T, np.float64))
    V = V.astype(np.float64)
    H = np.maximum(0, np.linalg.lstsq(W.astype(np.float64), V.T)[0].T)
    return encoder.encode(V, H, OutlierLoss(LAM, -np.inf, np.inf)).loss / len(V)


def test_fast_reaches_the_objective_of_opgd_and_oadmm():
    V = clip()
    plain = {"batch": 1, "rounds": 1, "recency": 1.0, "dictionary_tolerance": 1e-7}
    exact = {**plain, "encode_tolerance": 1e-6, "encode_steps": 300}
    reached = {
        "start": objective(start(V).T, V),
        "fast": objective(learn("fast", V, 8, sample=100_000_000, forget=False, learn_every=1, bounded=False), V),
        "opgd": objective(learn("opgd", V, 8, **exact), V),
    }
    assert reached["fast"] == pytest.approx(reached["opgd"], rel=0.001), reached
    assert reached["start"] > 1.1 * reached["fast"], reached
    # The two that solve the same problems to the end agree from early on, and the second of them is slow.
    early = {key: objective(learn(key, V, 2, **exact), V) for key in ("opgd", "oadmm")}
    assert early["oadmm"] == pytest.approx(early["opgd"], rel=0.001), early
