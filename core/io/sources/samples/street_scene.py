"""The street itself: sky, houses, pavements and road."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.io.sources.samples.painting import Canvas, Colour, shade, speckle

WIDTH, HEIGHT = 320, 240
FAR_KERB, NEAR_KERB = 136, 205
"""Rows where the road begins and ends."""

_HOUSES: tuple[tuple[int, int, int, Colour, Colour], ...] = (
    # left, width, top, wall, awning
    (-14, 74, 30, (196, 120, 92), (58, 108, 98)),
    (60, 58, 52, (226, 206, 168), (176, 62, 54)),
    (118, 70, 22, (152, 164, 168), (214, 160, 72)),
    (188, 52, 44, (214, 168, 108), (66, 92, 132)),
    (240, 92, 34, (188, 142, 132), (120, 76, 96)),
)
_GROUND = 122
"""Row where the houses stand."""


def backdrop(rng: np.random.Generator) -> NDArray[np.float32]:
    """Paint everything that never moves, (3, HEIGHT, WIDTH) in [0, 255]."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.box(0, 0, WIDTH, 80, (142, 186, 222), (232, 232, 222))
    for _ in range(9):
        x, y, size = rng.uniform(-10, WIDTH), rng.uniform(4, 34), rng.uniform(10, 24)
        for _ in range(7):
            dx, dy = rng.normal(0, size * 0.7), rng.normal(0, size * 0.14)
            canvas.ellipse(x + dx, y + dy, size * 0.6, size * 0.2, (255, 252, 246), alpha=0.13)
    for left, width, top, wall, awning in _HOUSES:
        _house(canvas, rng, left, width, top, wall, awning)
    _ground(canvas, rng)
    _lamp(canvas, 92)
    _bench(canvas, 150)
    canvas.texture(0.012 * speckle(rng, HEIGHT, WIDTH, 0.6) + 0.018 * speckle(rng, HEIGHT, WIDTH, 9))
    picture = canvas.layer()[:3]
    # Houses in the evening light of the left; the corners of a lens are darker.
    ys, xs = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    sun = 1.05 - 0.12 * xs / WIDTH
    corners = 1 - 0.16 * (((xs - WIDTH / 2) / WIDTH) ** 2 + ((ys - HEIGHT / 2) / HEIGHT) ** 2) * 2
    warm = np.array([1.02, 1.0, 0.96], np.float32)[:, None, None]
    return np.asarray(np.clip(picture * (sun * corners) * warm, 0, 232), np.float32)


def _house(
    canvas: Canvas, rng: np.random.Generator, left: int, width: int, top: int, wall: Colour, awning: Colour
) -> None:
    canvas.box(left, top, width, _GROUND - top, shade(wall, 1.04), shade(wall, 0.84))
    for row in np.arange(top + 4, _GROUND - 30, 3.0):  # courses of brick
        canvas.box(left, float(row), width, 0.5, shade(wall, 0.9), alpha=0.35)
    canvas.box(left + width - 2.5, top, 2.5, _GROUND - top, shade(wall, 0.62), alpha=0.6)
    canvas.box(left - 1, top - 3, width + 2, 4, shade(wall, 1.2), shade(wall, 0.9))
    canvas.box(left, top + 1, width, 2.5, shade(wall, 0.6), alpha=0.5)
    shop = _GROUND - 28
    columns = max(2, round(width / 19))
    step = width / columns
    rows = max(1, int((shop - top - 6) // 22))
    for row in range(rows):
        y = top + 8 + row * (shop - top - 6) / rows
        for column in range(columns):
            _window(canvas, rng, left + (column + 0.5) * step - 5, y, 10, 14, wall)
    canvas.box(left, shop - 1, width, 3, shade(wall, 1.15), shade(wall, 0.8))
    _shop(canvas, left, width, shop, awning, wall)


def _window(
    canvas: Canvas, rng: np.random.Generator, x: float, y: float, width: float, height: float, wall: Colour
) -> None:
    canvas.box(x - 1.2, y - 1.2, width + 2.4, height + 2.4, shade(wall, 1.25))
    lit = rng.random() < 0.2
    glass, low = ((238, 206, 138), (206, 160, 96)) if lit else ((92, 116, 138), (52, 66, 82))
    canvas.box(x, y, width, height, glass, low)
    if not lit:
        canvas.polygon(
            [(x, y + height * 0.6), (x + width * 0.6, y), (x + width, y), (x, y + height)], (190, 210, 222), alpha=0.25
        )
    if rng.random() < 0.5:
        for side in (0, 1):
            canvas.box(x + side * width * 0.72, y, width * 0.28, height, (236, 228, 214), (206, 196, 180), alpha=0.75)
    canvas.box(x + width / 2 - 0.4, y, 0.8, height, shade(wall, 1.3))
    canvas.box(x, y + height * 0.42, width, 0.8, shade(wall, 1.3))
    canvas.box(x - 2, y + height + 1, width + 4, 1.6, shade(wall, 1.3), shade(wall, 0.8))
    if rng.random() < 0.35:  # a box of flowers
        canvas.box(x - 0.5, y + height - 1, width + 1, 2.4, (96, 66, 50))
        for _ in range(9):
            tone = ((204, 74, 84), (96, 138, 72), (232, 180, 90))[rng.integers(0, 3)]
            canvas.ellipse(x + rng.uniform(0, width), y + height - 1 - rng.uniform(0, 2), 0.9, 0.9, tone)


def _shop(canvas: Canvas, left: float, width: float, top: float, awning: Colour, wall: Colour) -> None:
    door = left + width - 17
    canvas.box(left + 4, top + 10, width - 26, _GROUND - top - 14, (58, 70, 80), (104, 112, 112))
    canvas.box(left + 4, top + 20, width - 26, 3.5, (226, 196, 140), alpha=0.5)  # what the window shows
    for k in range(int((width - 30) // 7)):
        goods = ((202, 120, 84), (120, 150, 110), (214, 190, 140), (128, 110, 150))[k % 4]
        canvas.box(left + 7 + 7 * k, top + 15.5 - (k % 2), 4, 5 + (k % 2), goods, shade(goods, 0.7))
    canvas.polygon(
        [(left + 4, top + 24), (left + 16, top + 10), (left + 24, top + 10), (left + 10, top + 24)],
        (220, 230, 235),
        alpha=0.18,
    )
    canvas.box(left + 4, _GROUND - 4, width - 26, 4, shade(awning, 0.7), shade(awning, 0.5))
    canvas.box(door, top + 9, 11, _GROUND - top - 9, shade(awning, 0.85), shade(awning, 0.6))
    canvas.box(door + 2, top + 11, 7, 9, (122, 142, 152), (84, 98, 108))
    canvas.ellipse(door + 9.4, top + 22, 0.7, 0.7, (230, 206, 140))
    stripes = max(4, round((width - 8) / 6))
    step = (width - 8) / stripes
    for k in range(stripes):
        tone: Colour = awning if k % 2 else (236, 230, 218)
        x0, x1 = left + 4 + k * step, left + 4 + (k + 1) * step
        canvas.polygon(
            [(x0, top + 1), (x1, top + 1), (x1 + 0.5, top + 9), (x0 - 0.5, top + 9)],
            shade(tone, 1.05),
            shade(tone, 0.86),
        )
        canvas.ellipse((x0 + x1) / 2, top + 9, step / 2, 1.4, shade(tone, 0.82))
    canvas.box(left + 4, top + 10, width - 8, 4, (20, 20, 24), alpha=0.28)  # its shadow
    canvas.box(left, _GROUND - 1.5, width, 1.5, shade(wall, 0.5))


def _ground(canvas: Canvas, rng: np.random.Generator) -> None:
    paving: Colour = (186, 178, 166)
    canvas.box(0, _GROUND, WIDTH, FAR_KERB - _GROUND, shade(paving, 0.8), shade(paving, 1.02))
    canvas.box(0, _GROUND, WIDTH, 3, (40, 38, 40), alpha=0.3)
    for k in range(-30, 31):  # joints run to a point far behind the houses
        canvas.polygon(_joint(k * 13.0, _GROUND, FAR_KERB, 0.5), shade(paving, 0.74), alpha=0.6)
    canvas.box(0, 128.5, WIDTH, 0.5, shade(paving, 0.74), alpha=0.6)
    canvas.box(0, FAR_KERB - 2.4, WIDTH, 1.4, (206, 200, 190))
    canvas.box(0, FAR_KERB - 1, WIDTH, 1.6, (112, 108, 106))
    asphalt: Colour = (98, 99, 104)
    canvas.box(0, FAR_KERB + 0.6, WIDTH, NEAR_KERB - FAR_KERB, shade(asphalt, 0.98), shade(asphalt, 1.16))
    for worn in (149, 167, 178, 202):  # by wheels
        canvas.box(0, worn - 2, WIDTH, 4, (72, 73, 78), alpha=0.22)
    for _ in range(26):
        x, y, size = rng.uniform(0, WIDTH), rng.uniform(FAR_KERB + 4, NEAR_KERB - 4), rng.uniform(3, 14)
        canvas.ellipse(x, y, size, size * 0.22, (66, 66, 70), alpha=0.14)
    canvas.box(0, FAR_KERB + 4, WIDTH, 0.9, (214, 208, 190), alpha=0.7)
    for k in range(-5, 6):
        x0, x1 = 160 + 40 * k - 11.0, 160 + 40 * k + 11.0
        canvas.polygon(
            [(x0, 171.2), (x1, 171.2), (x1 + k * 0.35, 173), (x0 + k * 0.35, 173)], (226, 220, 204), alpha=0.85
        )
    canvas.box(0, NEAR_KERB - 0.5, WIDTH, 2.2, (92, 90, 90))
    canvas.box(0, NEAR_KERB + 1.2, WIDTH, 3, (214, 208, 198))
    canvas.box(0, NEAR_KERB + 4.2, WIDTH, HEIGHT - NEAR_KERB, shade(paving, 0.94), shade(paving, 1.1))
    for k in range(-14, 15):
        canvas.polygon(_joint(k * 13.0, NEAR_KERB + 4.2, HEIGHT, 0.8), shade(paving, 0.76), alpha=0.7)
    for joint in (218.0, 231.0):
        canvas.box(0, joint, WIDTH, 0.9, shade(paving, 0.76), alpha=0.7)
    canvas.ellipse(206, 188, 9, 2.6, (70, 68, 70))
    canvas.ellipse(206, 187.7, 8, 2.1, (104, 102, 104), (84, 82, 84))


def _joint(offset: float, top: float, bottom: float, thick: float) -> list[tuple[float, float]]:
    def at(y: float) -> float:
        return WIDTH / 2 + offset * (y - 40) / 90

    return [(at(top), top), (at(top) + thick, top), (at(bottom) + thick, bottom), (at(bottom), bottom)]


def _lamp(canvas: Canvas, x: float) -> None:
    iron: Colour = (52, 58, 62)
    canvas.ellipse(x + 3, 133, 7, 1.2, (30, 30, 34), alpha=0.35)
    canvas.box(x - 0.9, 70, 1.8, 63, shade(iron, 1.3), iron)
    canvas.box(x - 1.8, 124, 3.6, 9, iron)
    canvas.box(x - 0.4, 70, 0.5, 63, (150, 156, 160), alpha=0.5)
    canvas.polygon([(x - 3, 70), (x + 3, 70), (x + 4, 61), (x - 4, 61)], (250, 238, 206), (214, 200, 164))
    canvas.polygon([(x - 5, 61), (x + 5, 61), (x, 56.5)], iron)
    canvas.box(x - 3.4, 70, 6.8, 1.2, iron)


def _bench(canvas: Canvas, x: float) -> None:
    wood: Colour = (142, 98, 62)
    canvas.ellipse(x + 11, 129.5, 14, 1.4, (30, 30, 34), alpha=0.35)
    for leg in (2, 19):
        canvas.box(x + leg, 117, 1.4, 12, (48, 50, 54))
    for y in (116.5, 119.5, 123.5):
        canvas.box(x, y, 22.5, 1.9, shade(wood, 1.15), shade(wood, 0.8))
