"""Shapes of people, vehicles, animals and things: pure geometry, one unit high, feet at the origin, y upwards."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

SKIN, HAIR, UPPER, LOWER, SHOES, DARK, LIGHT, EXTRA = range(1, 9)
"""Indices of materials; 0 is outside."""
N_MATERIALS = 9


@dataclass(frozen=True)
class Shape:
    """A filled polygon or, with a width, a line with round ends; `material` is an index."""

    points: Points
    material: int
    width: float = 0.0


@dataclass(frozen=True)
class Pose:
    """What a figure does: phase of its steps (radians), stride 0 to 1, lean and arm angles, facing -1 or 1."""

    phase: float
    stride: float
    lean: float
    arm: float
    facing: float


class Figure(Protocol):
    """A thing that can be drawn in a pose."""

    half_width: float
    """Of the box around it, in heights."""

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield the shapes from back to front."""


def ellipse(x: float, y: float, rx: float, ry: float, n: int = 14) -> Points:
    """Return the corners of an ellipse."""
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.stack([x + rx * np.cos(angle), y + ry * np.sin(angle)], 1)


def _line(*points: tuple[float, float]) -> Points:
    return np.asarray(points, np.float64)


class Person:
    """A person who stands, walks or sits, with clothes of several cuts."""

    half_width = 0.42

    def __init__(self, rng: np.random.Generator) -> None:
        self.broad = rng.uniform(0.8, 1.35)
        self.sideways = rng.random() < 0.65
        self.sitting = rng.random() < 0.12
        self.coat = rng.choice([0.0, 0.0, 0.12, 0.28])
        self.long_hair = rng.random() < 0.35
        self.hat = rng.random() < 0.15
        self.bag = rng.choice(["none", "none", "back", "hand"])
        self.bare_arms = rng.random() < 0.35
        self.bare_legs = rng.random() < 0.15
        self.head = rng.uniform(0.9, 1.15)

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield the far limbs, the trunk, the head, the near limbs."""
        hip, shoulder = (0.32, 0.62) if self.sitting else (0.5, 0.81)
        lean = pose.lean * 0.25
        half = 0.105 * self.broad * (0.72 if self.sideways else 1.0)
        top = lean * (shoulder - hip)
        yield from self._limbs(pose, -1, hip, shoulder, top, half)
        skirt = self.coat
        yield Shape(
            _line(
                (-half * 0.85 - skirt * 0.2, hip - 0.04 - skirt),
                (-half * 0.8, hip + 0.12),
                (top - half, shoulder - 0.03),
                (top - half * 0.6, shoulder + 0.02),
                (top + half * 0.6, shoulder + 0.02),
                (top + half, shoulder - 0.03),
                (half * 0.8, hip + 0.12),
                (half * 0.85 + skirt * 0.2, hip - 0.04 - skirt),
            ),
            UPPER,
        )
        if self.bag == "back":
            back = top - pose.facing * half
            yield Shape(ellipse(back, shoulder - 0.13, 0.05, 0.12), EXTRA)
        yield Shape(_line((top, shoulder), (top * 1.2, shoulder + 0.05)), SKIN, 0.055)
        head_x, head_y = top * 1.3, shoulder + 0.115
        if self.long_hair:
            yield Shape(ellipse(head_x - pose.facing * 0.015, head_y - 0.02, 0.062 * self.head, 0.09), HAIR)
        yield Shape(ellipse(head_x, head_y, 0.05 * self.head, 0.068 * self.head), SKIN)
        behind = -pose.facing * (0.018 if self.sideways else 0.0)
        yield Shape(ellipse(head_x + behind, head_y + 0.027, 0.052 * self.head, 0.046 * self.head), HAIR)
        if self.hat:
            yield Shape(_line((head_x - 0.06, head_y + 0.045), (head_x + 0.06, head_y + 0.045)), EXTRA, 0.03)
        yield from self._limbs(pose, 1, hip, shoulder, top, half)

    def _limbs(self, pose: Pose, side: int, hip: float, shoulder: float, top: float, half: float) -> Iterator[Shape]:
        swing = np.sin(pose.phase + (np.pi if side < 0 else 0)) * pose.stride
        apart = side * half * (0.2 if self.sideways else 0.5)
        if self.sitting:
            knee = (apart + pose.facing * 0.2, hip - 0.02)
            foot = (knee[0] + 0.02 * side, 0.02)
        else:
            knee = (apart + pose.facing * 0.14 * swing, 0.27 + 0.02 * abs(swing))
            bend = pose.stride * max(0.0, np.cos(pose.phase + (np.pi if side < 0 else 0)))
            foot = (apart + pose.facing * (0.24 * swing - 0.1 * bend), 0.03 + 0.07 * bend)
        start = (apart * 0.9, hip - 0.01)
        yield Shape(_line(start, knee), LOWER, 0.095 * self.broad)
        yield Shape(_line(knee, foot), SKIN if self.bare_legs else LOWER, 0.068 * self.broad)
        yield Shape(_line(foot, (foot[0] + pose.facing * 0.06, foot[1] - 0.01)), SHOES, 0.045)
        joint = (top + side * half * (0.3 if self.sideways else 1.0), shoulder - 0.03)
        angle = -0.5 * swing + (pose.arm if side > 0 else pose.arm * 0.3)
        outward = 0.0 if self.sideways else side * 0.05
        elbow = (joint[0] + pose.facing * 0.16 * np.sin(angle) + outward, joint[1] - 0.16 * np.cos(angle))
        fore = angle + 0.35 * pose.stride + max(0.0, pose.arm)
        hand = (elbow[0] + pose.facing * 0.15 * np.sin(fore), elbow[1] - 0.15 * np.cos(fore))
        if self.bag == "hand" and side > 0:
            yield Shape(ellipse(hand[0], hand[1] - 0.08, 0.06, 0.08, 6), EXTRA)
        yield Shape(_line(joint, elbow), UPPER, 0.062 * self.broad)
        yield Shape(_line(elbow, hand), SKIN if self.bare_arms else UPPER, 0.05 * self.broad)
        yield Shape(ellipse(hand[0], hand[1], 0.022, 0.026, 8), SKIN)


class Vehicle:
    """A car, van, truck or bus from the side or nearly from the front."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.frontal = rng.random() < 0.4
        self.boxy = rng.choice([0.0, 0.5, 1.0])
        length = rng.uniform(2.4, 3.1) if self.boxy < 1 else rng.uniform(1.8, 3.6)
        self.half_width = (rng.uniform(0.5, 0.75) if self.frontal else length / 2) + 0.03
        self.windows = int(rng.integers(1, 4)) if self.boxy < 1 else int(rng.integers(0, 7))

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield wheels, body, windows and lights."""
        w = self.half_width - 0.03
        if self.frontal:
            for x in (-0.8 * w, 0.8 * w):
                yield Shape(_line((x, 0.03), (x, 0.25)), DARK, 0.22 * w)
            yield Shape(_line((-w, 0.1), (-w, 0.55), (-0.75 * w, 1), (0.75 * w, 1), (w, 0.55), (w, 0.1)), UPPER)
            yield Shape(_line((-0.85 * w, 0.58), (-0.68 * w, 0.93), (0.68 * w, 0.93), (0.85 * w, 0.58)), DARK)
            for x in (-0.78 * w, 0.78 * w):
                yield Shape(ellipse(x, 0.42, 0.14 * w, 0.07, 8), LIGHT)
            yield Shape(_line((-0.3 * w, 0.25), (0.3 * w, 0.25)), EXTRA, 0.1)
            return
        f = pose.facing
        nose = 0.55 + 0.45 * self.boxy
        roof_front, roof_back = 0.45 + 0.5 * self.boxy, -0.6 - 0.38 * self.boxy
        body = _line(
            (-w, 0.15), (-w, 0.55), (roof_back * w, 1), (roof_front * w * 0.8, 1), (0.55 * w, nose), (w, nose * 0.9),
            (w, 0.15),
        )  # fmt: skip
        yield Shape(body * (f, 1), UPPER)
        start, stop = roof_back * w * 0.85, roof_front * w * 0.75
        for number in range(self.windows):
            left = start + (stop - start) * number / self.windows
            right = left + (stop - start) / self.windows * 0.85
            yield Shape(_line((left, 0.62), (left, 0.92), (right, 0.92), (right, 0.62)) * (f, 1), DARK)
        yield Shape(_line((-w, 0.2), (w, 0.2)), LOWER, 0.09)
        for x in (-0.6 * w, 0.62 * w):
            yield Shape(ellipse(f * x, 0.17, 0.17, 0.17, 16), DARK)
            yield Shape(ellipse(f * x, 0.17, 0.08, 0.08, 10), EXTRA)
        yield Shape(ellipse(f * w * 0.95, 0.45, 0.04, 0.05, 8), LIGHT)


class Cyclist:
    """A bicycle and who rides it."""

    half_width = 0.6

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield wheels, frame and rider."""
        f = pose.facing
        for x in (-0.33, 0.33):
            ring = ellipse(x, 0.2, 0.19, 0.19, 18)
            for start, stop in zip(ring, np.roll(ring, -1, 0), strict=True):
                yield Shape(np.stack([start, stop]), DARK, 0.025)
        pedal = (0.07 * np.cos(pose.phase), 0.2 + 0.07 * np.sin(pose.phase))
        for a, b in (((-0.33, 0.2), (0, 0.2)), ((0, 0.2), (-0.1, 0.45)), ((0, 0.2), (0.28, 0.45)),
                     ((-0.1, 0.42), (0.27, 0.42)), ((0.33, 0.2), (0.26, 0.52))):  # fmt: skip
            yield Shape(_line(a, b) * (f, 1), EXTRA, 0.03)
        yield Shape(_line((-0.1, 0.5), (0.08, 0.36), pedal) * (f, 1), LOWER, 0.085)
        yield Shape(_line((-0.1, 0.52), (0.06, 0.8)) * (f, 1), UPPER, 0.15)
        yield Shape(_line((0.06, 0.78), (0.16, 0.62), (0.25, 0.55)) * (f, 1), UPPER, 0.05)
        yield Shape(ellipse(0.1 * f, 0.92, 0.055, 0.075), SKIN)
        yield Shape(ellipse(0.08 * f, 0.95, 0.055, 0.05), HAIR)


class Animal:
    """A four-legged animal seen from the side, or a bird with a round body."""

    half_width = 0.95

    def __init__(self, rng: np.random.Generator) -> None:
        self.long, self.high = rng.uniform(0.4, 0.65), rng.uniform(0.15, 0.28)
        self.spots = rng.uniform(-0.35, 0.35, (int(rng.integers(0, 5)), 2))

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield legs, tail, body with spots, head."""
        f, belly = pose.facing, 0.5
        for number, x in enumerate((-0.8, -0.65, 0.65, 0.8)):
            swing = np.sin(pose.phase + number * 2.1) * pose.stride * 0.16
            hip = (x * self.long, belly)
            yield Shape(_line(hip, (hip[0] + swing, 0.03)) * (f, 1), LOWER, 0.09)
        tail = 0.75 + 0.1 * np.sin(pose.phase)
        yield Shape(_line((-self.long, 0.62), (-self.long - 0.2, tail)) * (f, 1), UPPER, 0.06)
        yield Shape(ellipse(0, 0.58, self.long, self.high), UPPER)
        for x, y in self.spots:
            yield Shape(ellipse(x * f, 0.58 + y * 0.5, 0.1, 0.07), EXTRA)
        yield Shape(_line((self.long * 0.8, 0.65), (self.long + 0.12, 0.83)) * (f, 1), UPPER, 0.18)
        yield Shape(ellipse((self.long + 0.16) * f, 0.86, 0.16, 0.11), UPPER)
        yield Shape(_line((self.long + 0.1, 0.9), (self.long + 0.06, 1.0)) * (f, 1), HAIR, 0.06)


class Thing:
    """A bag, box, ball or blob: a smooth random outline that may wobble, with patches inside."""

    half_width = 0.75

    def __init__(self, rng: np.random.Generator) -> None:
        angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.radius = np.full(40, 0.5)
        rough = rng.choice([0.0, 0.08, 0.2])
        for k in range(2, 6):
            self.radius += rough * rng.normal() / k * np.cos(k * angle + rng.uniform(0, 6))
        if rng.random() < 0.35:
            corner = np.maximum(abs(np.cos(angle)), abs(np.sin(angle)))
            self.radius = 0.48 / corner
        self.radius = np.clip(self.radius, 0.15, 0.72)
        self.aspect = rng.uniform(0.5, 1.0)
        self.wobble = rng.choice([0.0, 0.1])
        self.patches = rng.uniform(-0.25, 0.25, (int(rng.integers(0, 4)), 2))

    def shapes(self, pose: Pose) -> Iterator[Shape]:
        """Yield the outline and its patches."""
        angle = np.linspace(0, 2 * np.pi, len(self.radius), endpoint=False)
        radius = self.radius * (1 + self.wobble * np.sin(3 * angle + pose.phase))
        outline = np.stack([radius * np.cos(angle) * self.aspect, 0.5 + radius * np.sin(angle)], 1)
        yield Shape(outline, UPPER)
        for x, y in self.patches:
            yield Shape(ellipse(x * self.aspect, 0.5 + y, 0.12 * self.aspect, 0.1), LOWER)
