"""What an input shows is decided by its kind and by how alike its frames are, never by its size."""

import contextlib
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import frame_from_image
from core.io.corruption import Corruption
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.io.sources.failing import failed, no_room
from core.runtime.stopping import StoppedError
from core.session.content import FOR_IMAGES, N_FRAMES, SeenContent, decided
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings

ASKED = {"content": None}


class Images:
    """Pictures without a rate; counts how often they are opened."""

    def __init__(self, pictures, fps=None):
        self._frames = [frame_from_image(i, float(i), picture) for i, picture in enumerate(pictures)]
        self.info = SourceInfo("pictures", self._frames[0].layout, fps, len(self._frames))
        self.warnings, self.n_opened = [], 0

    def frames(self, first=0):
        self.n_opened += 1
        yield from self._frames[first:]

    def close(self):
        pass


def scene(side=24, n=12, noise=6, seed=0):
    rng = np.random.default_rng(seed)
    empty = rng.integers(40, 200, (side, side))
    pictures = []
    for t in range(n):
        picture = empty + rng.normal(0, noise, empty.shape)
        picture[: side // 3, t : t + side // 4] = 250
        pictures.append(np.clip(picture, 0, 255).astype(np.uint8))
    return pictures


def different(side=24, n=12, seed=0):
    return list(np.random.default_rng(seed).integers(0, 255, (n, side, side)).astype(np.uint8))


@pytest.mark.parametrize("side", [19, 300])
def test_pictures_without_a_rate_are_judged_by_how_alike_they_are_and_not_by_size(side):
    assert decided(ASKED, Images(scene(side))) == {"content": "scene"}
    assert decided(ASKED, Images(different(side))) == {"content": "images"}


def blurred(rng, side=96):
    coarse = rng.uniform(60, 190, (side // 16, side // 16))
    return np.kron(coarse, np.ones((16, 16)))


def noisy(empty, noise, seed=0):
    rng = np.random.default_rng(seed)
    return [np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8) for picture in empty]


@pytest.mark.parametrize("noise", [2, 20, 60])
def test_a_still_scene_is_one_scene_however_noisy_the_camera_is(noise):
    rng = np.random.default_rng(1)
    assert decided(ASKED, Images(noisy([blurred(rng)] * 10, noise))) == {"content": "scene"}
    assert decided(ASKED, Images(noisy([blurred(rng) for _ in range(10)], noise))) == {"content": "images"}


def group(rng, n, much=0.2):
    """Several pictures of one thing."""
    thing = blurred(rng)
    return [thing + much * (blurred(rng) - 125) for _ in range(n)]


def test_a_set_that_is_sorted_by_what_it_shows_is_an_image_set_and_a_scene_that_changes_slowly_is_none():
    rng = np.random.default_rng(3)
    things = [picture for _ in range(10) for picture in group(rng, 10)]
    assert decided(ASKED, Images(noisy(things, 2)[:10])) == {"content": "scene"}, "by the first thing alone"
    assert decided(ASKED, Images(noisy(things, 2))) == {"content": "images"}
    morning, evening = group(rng, 100), blurred(rng)
    turning = [picture + t / 50 * (evening - morning[0]) for t, picture in enumerate(morning)]
    assert decided(ASKED, Images(noisy(turning, 2))) == {"content": "scene"}


@pytest.mark.parametrize("n_declared", [None, 1000])
def test_where_the_end_is_not_known_the_first_frames_decide(n_declared):
    rng = np.random.default_rng(3)
    source = Images(noisy([picture for _ in range(10) for picture in group(rng, 10)], 2))
    source.info = replace(source.info, n_frames=n_declared)
    assert decided(ASKED, source) == {"content": "scene"}


def test_faces_sorted_by_person_are_an_image_set_also_where_the_first_pictures_are_alike(data):
    people = [f"s{person}_{number}.pgm" for person in range(10, 20) for number in range(1, 11)]
    images = [cv2.imread(str(data / "faces" / "orl" / name), cv2.IMREAD_GRAYSCALE) for name in people]
    assert decided(ASKED, Images(images[:10])) == {"content": "scene"}, "one person is no set"
    assert decided(ASKED, Images(images)) == {"content": "images"}


@pytest.mark.parametrize("corruption", [None, Corruption("salt-and-pepper", 0.1), Corruption("occlusion", 0.1)])
def test_sequences_of_one_scene_are_scenes(data, corruption):
    folders = sorted((data / "sequences").iterdir())
    assert len(folders) > 5
    for folder in folders:
        source = open_source(InputSpec(str(folder / "input"), corruption=corruption))
        assert decided(ASKED, source) == {"content": "scene"}, folder.name


def test_faces_that_are_spoiled_stay_an_image_set():
    for kind in ("salt-and-pepper", "laplace", "uniform"):
        source = open_source(InputSpec("sample:faces", corruption=Corruption(kind, 0.5)))
        assert decided(ASKED, source) == {"content": "images"}, kind


def test_a_film_is_one_scene_and_is_not_read_for_that():
    film = Images(different(), fps=25.0)
    assert decided(ASKED, film) == {"content": "scene"}
    assert film.n_opened == 0


@pytest.mark.parametrize("values", [{}, {"content": "images"}, {"content": "scene"}])
def test_what_is_told_or_not_asked_for_is_not_decided(values):
    pictures = Images(scene())
    assert decided(values, pictures) == {}
    assert pictures.n_opened == 0


def test_a_single_picture_is_an_image_set():
    assert decided(ASKED, Images(scene(n=1))) == {"content": "images"}


class Broken(Images):
    """Reading the frame at index 4 raises an error."""

    def __init__(self, pictures, error):
        super().__init__(pictures)
        self._error = error

    def frames(self, first=0):
        for frame in super().frames(first):
            if frame.index == 4:
                raise self._error
            yield frame


@pytest.mark.parametrize("error", [failed("0004.png", OSError(5, "Input/output error")), no_room("a"), StoppedError()])
def test_nothing_is_decided_of_what_is_lost_while_it_is_looked_at(error):
    with pytest.raises(type(error)):
        decided(ASKED, Broken(scene(), error))


@pytest.mark.parametrize(("pictures", "shows"), [(scene(), "scene"), (different(), "images")])
def test_what_was_read_before_the_damage_decides(pictures, shows):
    assert decided(ASKED, Broken(pictures, CleanplateError("0004.png is of another size."))) == {"content": shows}


@pytest.mark.parametrize(("path", "shows"), [("sample:street", "scene"), ("sample:faces", "images")])
@pytest.mark.parametrize("view", [{}, {"grey": True, "size": (80, 60)}])
def test_the_samples_are_what_they_are_in_any_size(path, shows, view):
    source = open_source(InputSpec(path, **view))
    assert decided(ASKED, source) == {"content": shows}


def seem_images(source, first=0, n=60):
    seen = SeenContent(source.info)
    for frame in islice(source.frames(first), n):
        seen.see(frame)
    return seen.are_images(None)


def passing(side, share):
    """A still picture of which a share is black, and a square that passes through it."""
    empty = np.random.default_rng(1).integers(40, 200, (side, side))
    empty[: round(share * side)] = 0
    pictures = [empty.copy() for _ in range(16)]
    for t, picture in enumerate(pictures):
        picture[side // 3 : side // 2, 2 * t : 2 * t + side // 6] = 250
    return [picture.astype(np.uint8) for picture in pictures]


@pytest.mark.parametrize("side", [12, 24, 300])
@pytest.mark.parametrize("share", [0.0, 0.56, 1.0])
def test_a_scene_of_which_most_is_black_or_nothing_moves_seems_no_image_set(side, share):
    assert not seem_images(Images(passing(side, share)))
    assert not seem_images(Images(passing(side, share)[:1] * 8))


def test_what_returns_is_a_scene_however_it_flickers():
    dark, bright = different(48, 2)
    assert not seem_images(Images([dark, dark // 2] * 12))
    assert seem_images(Images(smooth(different(48, 12))))
    assert not seem_images(Images(smooth([dark, bright] * 12)))


def smooth(pictures):
    """What averaging over small blocks does not take away."""
    return [np.kron(picture[::8, ::8], np.ones((8, 8))).astype(np.uint8) for picture in pictures]


@pytest.mark.parametrize("gains", [(0.93, 1.05), (0.81, 1.18), (0.7, 1.35), (0.5, 1.0)])
def test_photographs_of_one_place_are_a_scene_however_they_are_exposed(gains):
    rng = np.random.default_rng(5)
    exposed = [
        gain * picture
        for gain, picture in zip(rng.permutation(np.linspace(*gains, 12)), [blurred(rng)] * 12, strict=True)
    ]
    for picture in exposed:
        top, left = rng.integers(0, 64, 2)
        picture[top : top + 32, left : left + 16] = 20  # Somebody stands there.
    source = Images(noisy(exposed, 2))
    assert not seem_images(source)
    assert decided(ASKED, source) == {"content": "scene"}
    others = Images(noisy([gain * blurred(rng) for gain in np.linspace(*gains, 12)], 2))
    assert seem_images(others)
    assert decided(ASKED, others) == {"content": "images"}


@pytest.mark.parametrize("path", ["faces/orl", "faces/yaleB02"])
def test_faces_seem_an_image_set(data, path):
    assert seem_images(open_source(InputSpec(str(data / path))))


def test_the_faces_of_the_sample_seem_an_image_set():
    assert seem_images(open_source(InputSpec("sample:faces")))


@pytest.mark.parametrize("first", [0, 40, 80, 200, 240, 280, 320])
def test_leaves_that_move_all_over_the_picture_are_one_scene(data, first):
    assert not seem_images(open_source(InputSpec(str(data / "sequences/foliage"))), first)


@pytest.mark.parametrize(
    ("key", "scene_rank", "set_rank"), [("opgd", 5, 49), ("ol-huber", 5, 40), ("bpgd", 5, 49), ("ol-wang", 5, 49)]
)
def test_methods_go_by_it(key, scene_rank, set_rank):
    for pictures, rank in ((scene(), scene_rank), (different(), set_rank)):
        session = Session(Images(pictures), Settings(key))
        assert session.method.W.shape[1] == rank
        assert (session.method.warming is not None) == (rank == scene_rank and key != "bpgd")
        told = Session(Images(pictures), Settings(key, {"content": "images"}))
        assert told.method.W.shape[1] == set_rank
        assert told.decided == {}


def test_a_model_knows_what_was_decided():
    session = Session(Images(scene()), Settings("opgd"))
    for _ in session.run():
        pass
    model = session.model()
    assert model.values["content"] == "scene"
    applied = Session(Images(different()), Settings(), model)
    assert applied.method.W.shape[1] == 5
    assert replace(model).values["content"] == applied.method.values["content"]


@pytest.mark.parametrize("key", ["opgd", "onmf", "ol-huber", "ol-wang", "bpgd", "truncated-cauchy"])
@pytest.mark.parametrize("pictures", [scene(), different()])
def test_a_model_fits_what_was_decided_when_it_is_read_again_and_goes_on_with_it(key, pictures, tmp_path):
    session = Session(Images(pictures), Settings(key))
    reports = session.run()
    for _ in range(7):  # In the middle of the warm-up of a scene.
        next(reports)
    reports.close()
    session.model().save(tmp_path / "model.npz")
    model = Model.load(tmp_path / "model.npz")
    again = Session(Images(pictures), Settings(), model, goes_on=True)
    assert again.method.values["content"] == session.decided["content"]
    again.model().save(tmp_path / "again.npz")
    assert again.method.W.shape == session.method.W.shape
    assert Model.load(tmp_path / "again.npz").values == model.values


def test_a_model_that_does_not_say_goes_on_with_what_the_input_shows():
    session = Session(Images(scene()), Settings("opgd"))
    next(session.run())
    model = session.model()
    older = replace(model, values={name: value for name, value in model.values.items() if name != "content"})
    for goes_on, shown in ((True, "scene"), (False, None)):
        pictures = Images(scene())
        applied = Session(pictures, Settings(), older, goes_on=goes_on)
        assert applied.method.values["content"] == shown
        assert pictures.n_opened == goes_on


def test_the_default_method_does_not_ask():
    assert "content" not in catalogue.row("fast").defaults()
    pictures = Images(scene())
    assert Session(pictures, Settings()).decided == {}
    assert pictures.n_opened == 0


def test_who_learns_a_scene_of_different_pictures_is_told_what_they_are_and_not_of_cuts():
    session = Session(open_source(InputSpec("sample:faces")), Settings())
    with contextlib.closing(session.run()) as reports:
        first = next(reports)
        assert session.warnings == [], "too few were seen"
        for _ in islice(reports, N_FRAMES):
            pass
        session.scenes.begin_scene(5, first.split.samples(session.layout), n_before=0)
        assert session.warnings == [FOR_IMAGES]
    for path, key in (("sample:faces", "opgd"), ("sample:street", "fast")):
        session = Session(open_source(InputSpec(path)), Settings(key))
        with contextlib.closing(session.run()) as reports:
            for _ in islice(reports, N_FRAMES + 1):
                pass
            assert FOR_IMAGES not in session.warnings
