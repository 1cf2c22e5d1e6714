"""Drawn faces made of parts: what a parts-based factorization should find again."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Planes, Truth

SIDE = 64
LAYOUT = Layout(SIDE, SIDE, Planes.GREY)
N_FACES = 200

_FINE = 4
"""Drawn this many times larger, then averaged: smooth edges."""

_TALL, _MOUTH_Y = 0.385, 0.225
"""Half the height of a face, and where its mouth is below the middle; sides of the image."""

_LONG, _BALD = {1: 0.42, 2: 0.34}, 3
"""How far down the hair of some styles reaches behind the face, and the style without any."""


def face(seed: int, index: int) -> Frame:
    """Return face ``index``; its truth is itself."""
    rng = np.random.default_rng((seed, index, 64))
    values = np.rint(np.clip(_draw(rng), 0, 1) * 255).astype(np.uint8).ravel()
    return Frame(index, float(index), values, LAYOUT, Truth(clean=values), name=f"face {index + 1}")


@dataclass(frozen=True)
class _Head:
    """What the parts of one face have in common; lengths in sides of the image.

    Attributes
    ----------
    skin, hair : float
        Tones in [0, 1].
    wide, eyes, eye_y : float
        Half the width of the face, half the distance of the eyes, and where they are below the middle.
    """

    skin: float
    hair: float
    wide: float
    eyes: float = 0.0
    eye_y: float = 0.0


def _draw(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return one face, (SIDE, SIDE) in [0, 1]: parts are chosen apart from each other, light comes from one side."""
    side = SIDE * _FINE
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32) / side - np.float32(0.5)
    skin, wide = rng.uniform(0.55, 0.85), rng.uniform(0.29, 0.34)
    image = np.full((side, side), rng.uniform(0.22, 0.32), np.float32) + 0.08 * (0.5 - ys)
    head, style = _Head(skin, rng.choice([0.08, 0.2, 0.45]), wide), int(rng.integers(0, 4))
    _draw_shape(image, rng, head, style)
    head = replace(head, eyes=rng.uniform(0.125, 0.145), eye_y=rng.uniform(-0.05, -0.03))
    _draw_eyes(image, rng, head)
    _draw_nose(image, rng, head)
    _draw_mouth(image, rng, head)
    if rng.random() < 0.2:
        _draw_beard(image, xs, ys, head)
    if style != _BALD:
        _draw_hair(image, rng, xs, ys, head)
    if rng.random() < 0.35:
        _glasses(image, head.eyes, head.eye_y, round_=bool(rng.random() < 0.5))
    lit = _lit_from_a_side(image, rng, xs, ys)
    return np.asarray(cv2.resize(lit, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32)


def _draw_shape(image: NDArray[np.float32], rng: np.random.Generator, head: _Head, style: int) -> None:
    """Draw neck, shoulders, the hair behind the face, ears, and the face."""
    _ellipse(image, (0.0, 0.36), (0.13, 0.24), head.skin * 0.72)
    _ellipse(image, (0.0, 0.56), (0.42, 0.16), rng.choice([0.15, 0.35, 0.8]))
    if style in _LONG:
        _ellipse(image, (0.0, 0.02), (head.wide + 0.09, _LONG[style]), head.hair)
    for sign in (-1, 1):
        _ellipse(image, (sign * head.wide, 0.03), (0.045, 0.075), head.skin * 0.85)
    _ellipse(image, (0.0, 0.02), (head.wide, _TALL), head.skin)


def _draw_eyes(image: NDArray[np.float32], rng: np.random.Generator, head: _Head) -> None:
    dx, y, open_ = head.eyes, head.eye_y, rng.uniform(0.022, 0.038)
    for sign in (-1, 1):
        _ellipse(image, (sign * dx, y + 0.005), (0.085, 0.06), head.skin * 0.86, soft=9)
        _ellipse(image, (sign * dx, y), (0.062, open_), 0.93)
        _ellipse(image, (sign * dx, y), (0.028, min(open_, 0.028)), rng.choice([0.1, 0.3]))
        _ellipse(image, (sign * dx + 0.01, y - 0.008), (0.008, 0.008), 1.0)
    lift, thick = rng.uniform(-12, 12), rng.choice([0.012, 0.022])
    for sign in (-1, 1):
        _ellipse(image, (sign * dx, y - 0.085), (0.08, thick), min(head.hair, 0.3), angle=sign * lift)


def _draw_nose(image: NDArray[np.float32], rng: np.random.Generator, head: _Head) -> None:
    y, length = head.eye_y, rng.uniform(0.09, 0.13)
    _ellipse(image, (0.018, y + length * 0.7), (0.02, length * 0.75), head.skin * 0.86, soft=7)
    _ellipse(image, (-0.012, y + length * 0.7), (0.014, length * 0.7), min(head.skin * 1.12, 1), soft=7)
    _ellipse(image, (0.0, y + length * 1.5), (0.05, 0.022), head.skin * 0.8, soft=5)


def _draw_mouth(image: NDArray[np.float32], rng: np.random.Generator, head: _Head) -> None:
    """Draw a mouth that is closed, smiles, is open or narrow."""
    y, kind = _MOUTH_Y, rng.integers(0, 4)
    if kind == 0:
        _ellipse(image, (0, y), (0.1, 0.022), head.skin * 0.62, soft=3)
        _ellipse(image, (0, y), (0.095, 0.005), head.skin * 0.35)
    elif kind == 1:
        _smile(image, y - 0.02, 0.12, 0.055, head.skin * 0.4)
    elif kind == 2:
        _ellipse(image, (0, y + 0.01), (0.08, 0.045), head.skin * 0.6)
        _ellipse(image, (0, y + 0.012), (0.06, 0.03), 0.12)
        _ellipse(image, (0, y - 0.008), (0.045, 0.01), 0.95)
    else:
        _ellipse(image, (0, y), (0.06, 0.028), head.skin * 0.55, soft=3)


def _draw_beard(image: NDArray[np.float32], xs: NDArray[np.float32], ys: NDArray[np.float32], head: _Head) -> None:
    jaw = ((xs / head.wide) ** 2 + ((ys - 0.02) / _TALL) ** 2 < 1) & (
        (xs / 0.12) ** 2 + ((ys - _MOUTH_Y) / 0.045) ** 2 >= 1
    )
    beard = np.where(jaw, np.clip((ys - 0.13) * 9, 0, 1), 0).astype(np.float32)
    image += cv2.GaussianBlur(beard, (0, 0), 3) * 0.6 * (head.hair - image)


def _draw_hair(
    image: NDArray[np.float32],
    rng: np.random.Generator,
    xs: NDArray[np.float32],
    ys: NDArray[np.float32],
    head: _Head,
) -> None:
    """Draw the hair on top, with a fringe and a sheen."""
    fringe = rng.uniform(-0.2, -0.14)
    cap = ((xs / (head.wide + 0.035)) ** 2 + ((ys + 0.03) / _TALL) ** 2 < 1) & (
        ys < fringe + 0.5 * xs * rng.uniform(-0.4, 0.4) + 1.6 * xs**2
    )
    blend = cv2.GaussianBlur(cap.astype(np.float32), (0, 0), 2.0)
    sheen = 1 + 0.5 * np.exp(-((ys + 0.32) ** 2) / 0.004)
    image += blend * (head.hair * sheen - image)


def _lit_from_a_side(
    image: NDArray[np.float32], rng: np.random.Generator, xs: NDArray[np.float32], ys: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the image in light from the left, the front or the right, on the round of the head."""
    towards = rng.choice([-1.0, 0.0, 1.0])
    dome = np.sqrt(np.clip(1 - (xs / 0.52) ** 2 - (ys / 0.62) ** 2, 0.05, 1))
    return np.asarray(image * (0.62 + 0.42 * dome + 0.75 * towards * xs), np.float32)


def _stamp(image: NDArray[np.float32], shape: NDArray[np.uint8], tone: float, soft: float) -> None:
    blend = np.asarray(shape.astype(np.float32) / np.float32(255), np.float32)
    if soft:
        blend = np.asarray(cv2.GaussianBlur(blend, (0, 0), soft), np.float32)
    image += blend * (np.float32(tone) - image)


def _ellipse(
    image: NDArray[np.float32],
    centre: tuple[float, float],
    axes: tuple[float, float],
    tone: float,
    *,
    angle: float = 0.0,
    soft: float = 0.0,
) -> None:
    """Lay a filled ellipse over ``image``; lengths in sides of the image from its middle, ``soft`` in fine pixels."""
    side = image.shape[0]
    shape = np.zeros(image.shape, np.uint8)
    middle = (round((centre[0] + 0.5) * side), round((centre[1] + 0.5) * side))
    cv2.ellipse(shape, middle, (round(axes[0] * side), round(axes[1] * side)), angle, 0, 360, 255, -1, cv2.LINE_AA)
    _stamp(image, shape, tone, soft)


def _smile(image: NDArray[np.float32], y: float, half_width: float, depth: float, tone: float) -> None:
    side = image.shape[0]
    shape = np.zeros(image.shape, np.uint8)
    middle, axes = (side // 2, round((y + 0.5) * side)), (round(half_width * side), round(depth * side))
    cv2.ellipse(shape, middle, axes, 0, 10, 170, 255, 7, cv2.LINE_AA)
    _stamp(image, shape, tone, 1.5)


def _glasses(image: NDArray[np.float32], dx: float, y: float, *, round_: bool) -> None:
    side = image.shape[0]
    shape = np.zeros(image.shape, np.uint8)
    row = round((y + 0.505) * side)
    for sign in (-1, 1):
        column = round((sign * dx + 0.5) * side)
        if round_:
            cv2.circle(shape, (column, row), round(0.09 * side), 255, 6, cv2.LINE_AA)
        else:
            half = (round(0.098 * side), round(0.068 * side))
            cv2.rectangle(shape, (column - half[0], row - half[1]), (column + half[0], row + half[1]), 255, 6)
    inner = round((dx - 0.09) * side)
    cv2.line(shape, (side // 2 - inner, row), (side // 2 + inner, row), 255, 6, cv2.LINE_AA)
    _stamp(image, shape, 0.06, 0.7)
