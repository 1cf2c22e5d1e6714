"""Who passes in the street: cars, vans and people, painted once and then moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.io.sources.samples.painting import Canvas, Colour, Layer, Points, rounded, shade, softened

GAIT_PHASES = 10
"""Pictures of one double step."""


@dataclass(frozen=True)
class Sprite:
    """A painted object, facing right.

    Attributes
    ----------
    phases : tuple of layers
        Its pictures in turn as it moves; cars have one.
    foot : (x, y)
        The point of the picture that stands on the ground, in the middle of the object.
    shadow : layer
        Black with alpha, of the same size.
    stride : float
        Pixels travelled in one turn through the phases.
    """

    phases: tuple[Layer, ...]
    foot: tuple[float, int]
    shadow: Layer
    stride: float = 1.0

    def mirrored(self) -> Sprite:
        """Return it facing left."""
        width = self.shadow.shape[2]
        flipped = tuple(np.ascontiguousarray(p[:, :, ::-1]) for p in self.phases)
        return Sprite(
            flipped, (width - self.foot[0], self.foot[1]), np.ascontiguousarray(self.shadow[:, :, ::-1]), self.stride
        )


_HATCH: Points = [
    (2, -7), (1, -17), (4, -24), (13, -26), (24, -37), (33, -40), (56, -40), (65, -37), (79, -26), (93, -23), (99, -18),
    (100, -7),
]  # fmt: skip
_VAN: Points = [(1, -7), (1, -50), (5, -53), (68, -53), (76, -49), (86, -30), (97, -25), (100, -18), (100, -7)]


def car(length: float, paint: Colour) -> Sprite:
    """Paint a car ``length`` pixels long."""
    canvas, foot, shadow = _on_wheels(length, 46)
    canvas.polygon(rounded(_HATCH), shade(paint, 1.22), shade(paint, 0.62))
    canvas.polygon(
        rounded([(18, -27), (27, -36.5), (36, -38), (46, -38), (46, -26.5)], 1), (150, 176, 192), (60, 76, 90)
    )
    canvas.polygon(
        rounded([(49, -26.5), (49, -38), (56, -38), (63, -35.5), (73, -26.5)], 1), (158, 182, 198), (64, 80, 94)
    )
    canvas.polygon([(52, -27), (58, -37.5), (61, -36.5), (56, -27)], (235, 244, 248), alpha=0.4)
    canvas.polygon(
        [(5, -24.5), (13, -25.5), (78, -25.3), (93, -22.6), (92, -21.8), (6, -23)], (255, 255, 255), alpha=0.42
    )
    canvas.box(47.2, -26, 0.7, 18, shade(paint, 0.4), alpha=0.7)
    canvas.box(73, -25, 0.6, 14, shade(paint, 0.4), alpha=0.5)
    for x in (40, 66):
        canvas.box(x, -21.5, 5, 1.3, shade(paint, 0.5))
    _lamps_and_sill(canvas, paint)
    _wheels(canvas, (20.5, 79.5), 8.6)
    return Sprite((canvas.layer(),), foot, shadow)


def van(length: float, paint: Colour, stripe: Colour) -> Sprite:
    """Paint a delivery van ``length`` pixels long."""
    canvas, foot, shadow = _on_wheels(length, 60)
    canvas.polygon(rounded(_VAN, 2), shade(paint, 1.1), shade(paint, 0.72))
    canvas.box(1.5, -27, 66, 6, stripe, shade(stripe, 0.75))
    canvas.ellipse(32, -39, 8, 6.5, stripe, shade(stripe, 0.8))
    canvas.polygon([(27, -39), (31, -35), (38, -43), (36.5, -44.2), (31, -38), (28.5, -40.4)], (250, 248, 240))
    canvas.polygon(rounded([(69, -30), (69, -48), (75, -47.5), (83, -30)], 1), (158, 182, 198), (64, 80, 94))
    canvas.polygon([(71, -31), (74, -46), (76, -44), (74, -31)], (235, 244, 248), alpha=0.4)
    for x in (47, 67.3):
        canvas.box(x, -50, 0.6, 42, shade(paint, 0.55), alpha=0.6)
    canvas.box(2, -52, 66, 1.2, (255, 255, 255), alpha=0.5)
    _lamps_and_sill(canvas, paint)
    _wheels(canvas, (20, 80), 8.6)
    return Sprite((canvas.layer(),), foot, shadow)


def _on_wheels(length: float, tall: float) -> tuple[Canvas, tuple[float, int], Layer]:
    """Return a canvas whose unit is a hundredth of the length, where it stands, and the shadow below."""
    unit = length / 100
    width, height, margin = int(np.ceil(length)) + 16, int(np.ceil(tall * unit)) + 12, 8
    ground = height - 8
    shadow = Canvas(width, height, (margin, ground), unit)
    shadow.ellipse(52, 0, 52, 5, (0, 0, 0), alpha=0.62)
    blurred = softened(shadow.layer(), max(1.0, 2.2 * unit))
    return (
        Canvas(width, height, (margin, ground), unit, fine=6),
        (margin + length / 2, ground),
        blurred,
    )


def _lamps_and_sill(canvas: Canvas, paint: Colour) -> None:
    canvas.polygon([(2, -7), (1.6, -11), (99.7, -11), (100, -7), (97, -5), (4, -5)], (44, 44, 48), (28, 28, 32))
    canvas.polygon(
        rounded([(99.6, -13.5), (99.4, -18.5), (95, -21), (91, -20), (93, -15)], 1), (255, 248, 220), (214, 204, 170)
    )
    canvas.polygon([(1.2, -15), (1.4, -21.5), (5, -21.5), (4.4, -15)], (206, 48, 40), (140, 26, 26))
    canvas.box(94, -9.8, 5, 1.4, (200, 200, 204))
    canvas.box(6, -12, 88, 0.8, shade(paint, 0.45), alpha=0.6)


def _wheels(canvas: Canvas, places: tuple[float, float], radius: float) -> None:
    for x in places:
        canvas.ellipse(x, -radius, radius * 1.2, radius * 1.2, (24, 24, 27))
        canvas.ellipse(x, -radius, radius, radius, (48, 48, 52), (26, 26, 28))
        canvas.ellipse(x, -radius, radius * 0.6, radius * 0.6, (206, 208, 212), (128, 130, 136))
        for spoke in range(5):
            angle = 2 * np.pi * spoke / 5 + 0.3
            end = (x + 0.52 * radius * float(np.cos(angle)), -radius + 0.52 * radius * float(np.sin(angle)))
            canvas.limb((x, -radius), end, 0.9, 1.6, (96, 98, 104))
        canvas.ellipse(x, -radius, radius * 0.16, radius * 0.16, (60, 60, 64))


def person(
    height: float, coat: Colour, trousers: Colour, hair: Colour, skin: Colour = (222, 178, 148), *, bag: bool = False,
    skirt: bool = False,
) -> Sprite:  # fmt: skip
    """Paint a walking person ``height`` pixels tall."""
    unit = height / 100
    width, tall = int(np.ceil(62 * unit)) + 6, int(np.ceil(104 * unit)) + 6
    ground = tall - 4
    middle = width / 2
    phases = []
    for phase in range(GAIT_PHASES):
        canvas = Canvas(width, tall, (middle, ground), unit, fine=6)
        swing = float(np.sin(2 * np.pi * phase / GAIT_PHASES))
        _walk(canvas, 2 * np.pi * phase / GAIT_PHASES, swing, coat, trousers, hair, skin, bag=bag, skirt=skirt)
        phases.append(canvas.layer())
    shadow = Canvas(width, tall, (middle, ground), unit)
    shadow.ellipse(4, -0.5, 22, 3.4, (0, 0, 0), alpha=0.55)
    soft = softened(shadow.layer(), max(0.8, 2.5 * unit))
    return Sprite(tuple(phases), (middle, ground), soft, stride=0.86 * height)


def _walk(
    canvas: Canvas, turn: float, swing: float, coat: Colour, trousers: Colour, hair: Colour, skin: Colour, *, bag: bool,
    skirt: bool,
) -> None:  # fmt: skip
    bob = 1.2 * abs(swing)
    hip = (0.0, -49.0 + bob)
    shoulder = (1.0, -80.0 + bob)
    _arm(canvas, shoulder, swing, shade(coat, 0.66), shade(skin, 0.8))
    _leg(canvas, hip, turn + np.pi, shade(trousers, 0.66))
    _leg(canvas, hip, turn, trousers)
    torso: Points = [(-9, -46), (-10, -66), (-8, -84), (7, -85), (11, -70), (9, -45)]
    canvas.polygon(rounded(_lowered(torso, bob)), shade(coat, 1.18), shade(coat, 0.74))
    if skirt:
        hem: Points = [(-8, -56), (8, -56), (14, -27), (-14, -27)]
        canvas.polygon(rounded(_lowered(hem, bob), 1), coat, shade(coat, 0.7))
    canvas.polygon(rounded(_lowered([(-7, -80), (-3, -84), (-5, -50), (-9, -50)], bob), 1), (255, 255, 255), alpha=0.13)
    if bag:
        pack: Points = [(-17, -78), (-8, -80), (-8, -57), (-16, -56)]
        canvas.polygon(rounded(_lowered(pack, bob)), (150, 84, 58), (104, 56, 40))
    _arm(canvas, shoulder, -swing, shade(coat, 0.94), skin)
    canvas.box(-1, -88 + bob, 5, 6, shade(skin, 0.82))
    canvas.ellipse(2, -93 + bob, 6.4, 7.6, shade(skin, 1.08), shade(skin, 0.84))
    scalp: Points = [(-6, -88), (-6.4, -97), (0, -102.5), (8, -99), (8.2, -95.5), (0.5, -96), (-1.5, -88)]
    canvas.polygon(rounded(_lowered(scalp, bob)), shade(hair, 1.3), hair)


def _lowered(points: Points, by: float) -> Points:
    return [(x, y + by) for x, y in points]


def _leg(canvas: Canvas, hip: tuple[float, float], turn: float, colour: Colour) -> None:
    forward, lift = 17 * np.sin(turn), 6 * max(0.0, float(np.cos(turn)))
    ankle = (float(forward), -3.0 - lift)
    knee = (float(forward) * 0.55 + 2.5 + 0.6 * lift, -26.0 - 0.4 * lift)
    canvas.limb(hip, knee, 11, 8, colour)
    canvas.limb(knee, ankle, 8, 5, shade(colour, 0.92))
    canvas.limb((ankle[0] - 1, ankle[1] + 1), (ankle[0] + 6, ankle[1] + 1.6), 4.6, 3.4, (44, 36, 34))


def _arm(canvas: Canvas, shoulder: tuple[float, float], swing: float, sleeve: Colour, skin: Colour) -> None:
    elbow = (shoulder[0] + 7 * swing - 2, shoulder[1] + 15)
    hand = (shoulder[0] + 15 * swing + 3, shoulder[1] + 29 - 3 * abs(swing))
    canvas.ellipse(hand[0], hand[1], 2.6, 3, skin)
    canvas.limb(shoulder, elbow, 7.5, 6, sleeve)
    canvas.limb(elbow, hand, 6, 4.6, sleeve)
