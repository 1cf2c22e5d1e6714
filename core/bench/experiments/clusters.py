"""How well coefficients tell persons apart: k-means, and agreement with the truth."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import kmeans2
from scipy.optimize import linear_sum_assignment

STEPS = 50
"""Of k-means."""


def k_means(X: NDArray[np.floating], n_clusters: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return a cluster for each row of ``X`` (n, p), from a start by k-means++."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "One of the clusters is empty")
        found: NDArray[np.intp] = kmeans2(X.astype(np.float64), n_clusters, STEPS, minit="++", rng=rng)[1]
    return found


def accuracy(found: NDArray[np.intp], truth: NDArray[np.intp]) -> float:
    """Return the part of the samples (n,) that are right when clusters are matched to the truth one to one, at best."""
    counts = _counts(found, truth)
    return float(counts[linear_sum_assignment(-counts)].sum() / len(truth))


def normalized_mutual_information(found: NDArray[np.intp], truth: NDArray[np.intp]) -> float:
    """Return the mutual information of clusters and truth (n,) over the greater of their entropies, in [0, 1]."""
    joint = _counts(found, truth) / len(truth)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    seen = joint > 0
    information = float((joint[seen] * np.log(joint[seen] / apart[seen])).sum())
    greater = max(_entropy(joint.sum(axis=1)), _entropy(joint.sum(axis=0)))
    return information / greater if greater > 0 else 1.0


def _counts(found: NDArray[np.intp], truth: NDArray[np.intp]) -> NDArray[np.float64]:
    counts = np.zeros((found.max() + 1, truth.max() + 1))
    np.add.at(counts, (found, truth), 1)
    return counts


def _entropy(shares: NDArray[np.float64]) -> float:
    shares = shares[shares > 0]
    return float(-(shares * np.log(shares)).sum())
