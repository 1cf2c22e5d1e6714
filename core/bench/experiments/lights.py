"""One face under many lights, and what it would look like without shadows.

A matt surface shows ``v = b · s`` where nothing hides the light: ``s`` is where the light comes from, ``b`` the pixel's
albedo times its normal (Lambert's law). With the lights known, three numbers a pixel explain all pictures but for
shadows and highlights, so a robust fit of ``b`` tells which pixels lie in shadow and what they would show without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench.experiments.data import FaceSet, drawn_faces, load_yale
from core.errors import CleanplateError

DIM = 0.05
"""A pixel is scored where it would show at least so much without shadow, units of white."""

SHADOW, LIT = 0.5, 0.8
"""It lies in shadow where it shows less than this part of that, and in light where it shows more than this part."""

SWEEPS = 30
"""Of the robust fit."""


@dataclass(frozen=True)
class LitFace:
    """One face under n lights.

    Attributes
    ----------
    faces : FaceSet
        The pictures, each scaled to maximum 1.
    ideal : (n, F) float32
        What they would show without shadows, units of white.
    shadow, lit : (n, F) bool
        Pixels in cast shadow, and in full light; neither where the surface turns away from the light.
    known : bool
        The pictures were drawn, so that what they would show is no estimate.
    """

    faces: FaceSet
    ideal: NDArray[np.float32]
    shadow: NDArray[np.bool_]
    lit: NDArray[np.bool_]
    known: bool


def yale_lights(data: Path, size: tuple[int, int]) -> LitFace:
    """Return one person of the extended Yale B set, whose file names tell the lights.

    Parameters
    ----------
    data : Path
    size : (width, height)
        Working size, pixels.

    Raises
    ------
    CleanplateError
        There is none, or a name does not tell the light.
    """
    faces = load_yale(data, size=size)
    lights = np.stack([direction(name) for name in faces.names])
    return _scaled(faces, shadow_free(faces.V, lights), known=False)


def direction(name: str) -> NDArray[np.float64]:
    """Return where the light of a Yale B picture comes from, (3,): right, up, towards the camera; length 1.

    The name gives azimuth and elevation in degrees: ``yaleB02_P00A+035E-20``.
    """
    found = re.search(r"A([+-]\d+)E([+-]\d+)", name)
    if found is None:
        raise CleanplateError(f"The name {name} does not tell its light, as A+035E-20 would; fetch the files again.")
    azimuth, elevation = np.deg2rad([float(found[1]), float(found[2])])
    return np.array([
        np.cos(elevation) * np.sin(azimuth), np.sin(elevation), np.cos(elevation) * np.cos(azimuth),
    ])  # fmt: skip


def shadow_free(V: NDArray[np.float32], lights: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return what a matt surface would show without shadows, ``max(0, b · s)`` with ``b`` fitted to each pixel.

    Solves ``min over b of Σ_j |v_j − b · s_j|`` over the lights that are not behind the surface, by reweighted least
    squares; it begins with the brighter half of a pixel's pictures, which hardly any shadow can reach.

    Parameters
    ----------
    V : (n, F) float32
        Pictures, units of white.
    lights : (n, 3)
        Directions, length 1.

    Returns
    -------
    (n, F) float32
        Units of white.
    """
    weights = (np.median(V, axis=0) <= V).astype(np.float64)
    outer = np.einsum("ni,nj->nij", lights, lights).reshape(len(lights), 9)
    ideal = np.zeros(V.shape)
    for _ in range(SWEEPS):
        normal = (weights.T @ outer).reshape(-1, 3, 3) + 1e-6 * np.eye(3)
        b = np.linalg.solve(normal, ((weights * V).T @ lights)[:, :, None])[:, :, 0]
        ideal = lights @ b.T
        weights = (ideal > 0) / np.maximum(np.abs(V - ideal), 1e-3)
    return np.maximum(ideal, 0).astype(np.float32)


def drawn_lights(n: int, size: int, seed: int) -> LitFace:
    """Return a drawn face on a round head under ``n`` lights; a straight edge beside it throws its shadow on each.

    Parameters
    ----------
    n : int
    size : int
        Width and height, pixels.
    seed : int
    """
    rng = np.random.default_rng(seed)
    albedo = drawn_faces(1, (size, size), seed).V[0].reshape(size, size)
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    normals = np.stack([0.8 * x, -0.8 * y, np.sqrt(np.maximum(1 - 0.64 * (x**2 + y**2), 0.04))])
    normals /= np.linalg.norm(normals, axis=0)
    azimuth, elevation = rng.uniform(-1.0, 1.0, n), rng.uniform(-0.6, 0.6, n)
    lights = np.stack([
        np.cos(elevation) * np.sin(azimuth), np.sin(elevation), np.cos(elevation) * np.cos(azimuth),
    ], axis=1)  # fmt: skip
    ideal = np.maximum(np.einsum("ni,ihw->nhw", lights, normals), 0) * albedo
    angle, where = rng.uniform(0, 2 * np.pi, n), rng.uniform(0.1, 0.9, n)
    side = np.cos(angle)[:, None, None] * x + np.sin(angle)[:, None, None] * y
    hidden = np.stack(
        [cv2.GaussianBlur((s > w).astype(np.float32), (0, 0), 1) for s, w in zip(side, where, strict=True)]
    )
    noise = rng.normal(0, 0.005, ideal.shape)
    V = np.clip(ideal * (1 - 0.9 * hidden) + noise, 0, 1).reshape(n, -1).astype(np.float32)
    faces = FaceSet("drawn pictures of one face", drawn_faces(1, (size, size)).layout, V)
    return _scaled(faces, ideal.reshape(n, -1).astype(np.float32), known=True)


def _scaled(faces: FaceSet, ideal: NDArray[np.float32], *, known: bool) -> LitFace:
    """Return the pictures scaled to maximum 1 as the paper has them, and which of their pixels are scored."""
    shadow = (ideal > DIM) & (SHADOW * ideal > faces.V)
    lit = (ideal > DIM) & (LIT * ideal < faces.V)
    scale = faces.V.max(axis=1, keepdims=True)
    scaled = FaceSet(faces.title, faces.layout, faces.V / scale, names=faces.names)
    return LitFace(scaled, ideal / scale, shadow, lit, known)
