"""A labelled clip, drawn from a seed: backdrop, actors, shadows, weather and camera, composed frame by frame."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.training.actors import Actor, Particle
from core.training.backdrops import draw_backdrop, specimen
from core.training.camera import (
    SHAKE_MARGIN,
    Codec,
    Exposure,
    Lens,
    Noise,
    Sensor,
    cloud_pattern,
    draw_codec,
    draw_exposure,
    draw_lens,
    draw_sensor,
    draw_shake,
)
from core.training.casting import draw_actors, draw_ground, draw_hot, draw_particles
from core.training.labelled import BACKGROUND, FOREGROUND, NOT_SCORED, SHADOW, LabelledFrame
from core.training.occluders import draw_occluder
from core.training.shadows import Ambience, cast_shadow, contact_shadow, draw_ambience, reflect
from core.training.textures import Plane, blurred, mix
from core.training.weather import Drops, Movement, draw_fall, draw_movements

BRIGHTEST = 300.0
"""Grey levels that light keeps above white (255): what a change of exposure can bring back."""

DIMMED = 0.95
"""Below this factor a pixel in a shadow is labelled so: less disappears in noise."""

OCCLUDED = 0.2
"""Share of the scenes in which something stands before the actors."""

SIZES = ((320, 240), (320, 240), (360, 240), (240, 180), (352, 288), (426, 240), (320, 180), (240, 240))


@dataclass(frozen=True)
class Composition:
    """One frame in front of the camera: light (H, W, 3) float32, labels (H, W) uint8."""

    picture: Plane
    labels: NDArray[np.uint8]


@dataclass(frozen=True)
class DrawnClip:
    """A clip whose parts were drawn from a seed (`drawn_clip`)."""

    seed: int
    size: tuple[int, int]
    n_frames: int
    kind: str
    backdrop: Plane
    movements: list[Movement]
    actors: list[Actor]
    ambience: Ambience
    occluder: Plane | None
    clouds: Plane | None
    fall: Drops | None
    shake: Plane | None
    exposure: Exposure
    lens: Lens
    noise: Noise
    codec: Codec
    sensor: Sensor

    @property
    def bit_depth(self) -> int:
        """Bits a sample."""
        return self.sensor.bit_depth

    def composed(self, actors: bool = True) -> Iterator[Composition]:
        """Yield what is in front of the camera, with the actors or without."""
        soft = blurred(self.backdrop, 6)
        for t in range(self.n_frames):
            yield self._compose(t, soft, self.actors if actors else [])

    def frames(self) -> Iterator[LabelledFrame]:
        """Yield the frames as the camera gives them, with their labels."""
        rng = np.random.default_rng([self.seed, 1])
        noise: Plane | None = None
        coded: NDArray[np.uint8] | None = None
        held, first = 1.0, 0.0
        for t, composition in enumerate(self.composed()):
            picture = composition.picture
            mean = float(picture.mean())
            first = first or mean
            held += 0.15 * ((first / max(mean, 1)) ** self.exposure.automatic - held)
            gain = self.exposure.gain[t] * np.float32(held)
            planes = zip(cv2.split(picture), gain, strict=True)
            picture = cv2.merge([plane * value + self.exposure.offset[t] for plane, value in planes])
            picture = self.lens.through(picture)
            noise = self.noise.add(picture, rng, noise)
            samples = self.sensor.samples(picture)
            if samples.dtype == np.uint8:
                coded = self.codec.coded(samples.astype(np.uint8, copy=False), coded, t)
                samples = coded
            yield LabelledFrame(samples, composition.labels)

    def _compose(self, t: int, soft: Plane, actors: list[Actor]) -> Composition:
        picture = self.backdrop.copy()
        for movement in self.movements:
            movement.move(picture, t)
        light = np.ones_like(picture)
        cover = np.zeros(picture.shape[:2], np.float32)
        mirrored = np.zeros(picture.shape[:2], np.float32)
        sprites = [(actor, sprite) for actor in actors if (sprite := actor.sprite(t, soft)) is not None]
        for actor, sprite in sprites:
            if isinstance(actor, Particle):
                continue
            feet = actor.feet(t)
            for lamp in self.ambience.lamps:
                cast_shadow(light, sprite, feet, lamp)
            if self.ambience.contact:
                contact_shadow(light, feet, 0.3 * sprite.alpha.shape[1], self.ambience.contact)
            if self.ambience.reflectance:
                found = reflect(picture, sprite, feet[1], self.ambience.reflectance)
                if found is not None:
                    rows, columns, strength = found
                    mirrored[rows, columns] = np.maximum(mirrored[rows, columns], strength)
        if self.occluder is not None:
            light += cv2.merge([self.occluder] * 3) * (1 - light)
        picture *= light
        for _, sprite in sprites:
            alpha = sprite.alpha
            if self.occluder is not None:
                alpha = alpha * (1 - self.occluder[sprite.slices])
            mix(picture[sprite.slices], sprite.colour, alpha)
            covered = cover[sprite.slices]
            covered += alpha * (1 - covered)
        if self.clouds is not None:
            start = int(t * 0.8) % picture.shape[1]
            window = self.clouds[:, start : start + picture.shape[1]]
            picture *= cv2.merge([window, window, window])
        if self.fall is not None:
            self.fall.move(picture, t)
        np.clip(picture, 0, BRIGHTEST, out=picture)
        return self._framed(t, picture, light[..., 1], cover, mirrored)

    def _framed(self, t: int, picture: Plane, light: Plane, cover: Plane, mirrored: Plane) -> Composition:
        """Cut the frame out where the camera points, and label it."""
        if self.shake is not None:
            x, y = self.shake[t] + SHAKE_MARGIN
            shift = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
            parts = (picture, light, cover, mirrored)
            picture, light, cover, mirrored = (
                np.asarray(cv2.warpAffine(part, shift, self.size, flags=cv2.INTER_LINEAR), np.float32) for part in parts
            )
        sharp = cover
        if self.lens.defocus:
            cover = blurred(cover, self.lens.defocus)
        labels = np.where(light < DIMMED, np.uint8(SHADOW), np.uint8(BACKGROUND))
        labels[mirrored > 1 - DIMMED] = NOT_SCORED
        labels[cover > 0.25] = NOT_SCORED
        # Actors of a few pixels would have edges alone after a blur.
        labels[(cover >= 0.75) | ((cover >= 0.5) & (sharp >= 0.75))] = FOREGROUND
        return Composition(picture, labels)


def drawn_clip(seed: int, size: tuple[int, int] | None = None, n_frames: int | None = None) -> DrawnClip:
    """Draw a clip: everything about it follows from the seed.

    Parameters
    ----------
    seed : int
    size : (W, H), optional
        Pixels; drawn from `SIZES` otherwise.
    n_frames : int, optional
        Mostly 80 to 200, some 15 to 60 otherwise.
    """
    rng = np.random.default_rng([seed, 0])
    drawn_size = SIZES[rng.integers(len(SIZES))]
    drawn_n = int(rng.integers(80, 201)) if rng.random() < 0.8 else int(rng.integers(15, 61))
    width, height = size or drawn_size
    n = n_frames or drawn_n
    kind = str(rng.choice(["scene", "thermal", "microscopy", "infrared"], p=[0.81, 0.06, 0.08, 0.05]))
    grey = (kind != "scene" and rng.random() < 0.85) or rng.random() < 0.16
    shake = draw_shake(rng, n, 0.05 if kind == "microscopy" else 0.13)
    margin = 2 * SHAKE_MARGIN if shake is not None else 0
    shape = (height + margin, width + margin)
    scene = specimen(rng, shape) if kind == "microscopy" else draw_backdrop(rng, shape)
    ambience = draw_ambience(rng, scene.outdoors)
    occluder = draw_occluder(rng, scene) if kind != "microscopy" and rng.random() < OCCLUDED else None
    movements = [] if kind == "microscopy" else draw_movements(rng, scene, n)
    if kind == "microscopy":
        actors = draw_particles(rng, scene.picture, n)
    else:
        actors = draw_actors(rng, scene, draw_ground(rng, scene), n)
    lens = draw_lens(rng, (height, width))
    if kind == "thermal":
        scene.picture[:] = blurred((scene.picture - scene.picture.mean()) * 0.4 + rng.uniform(40, 120), 1.0)
        actors = draw_hot(rng, actors)
        movements = []
        ambience = Ambience((), 0.0, ambience.reflectance)
        lens = Lens(lens.defocus + 0.8, lens.halo, lens.vignette)
    elif kind == "infrared":
        rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        spot = np.exp(-(rows**2 + columns**2) * rng.uniform(0.3, 1.2)).astype(np.float32)
        lens = Lens(lens.defocus, lens.halo, np.repeat(spot[..., None], 3, 2))
    return DrawnClip(
        seed=seed,
        size=(width, height),
        n_frames=n,
        kind=kind,
        backdrop=scene.picture,
        movements=movements,
        actors=actors,
        ambience=ambience,
        occluder=occluder,
        clouds=cloud_pattern(rng, shape) if scene.outdoors and rng.random() < 0.15 else None,
        fall=draw_fall(rng, shape) if scene.outdoors and rng.random() < 0.1 and kind != "microscopy" else None,
        shake=shake,
        exposure=draw_exposure(rng, n),
        lens=lens,
        noise=Noise(rng, (height, width)),
        codec=draw_codec(rng),
        sensor=draw_sensor(rng, grey, 0.5 if kind in {"microscopy", "thermal"} else 0.06),
    )
