import itertools
import time

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Planes
from core.io.sources import list_samples
from core.io.sources.samples import faces
from core.io.sources.samples.street import DRIFT, FPS, NOISE, STOP_S
from tests.films import assert_seeks_exactly
from tests.small_inputs import opened


@pytest.fixture(autouse=True)
def _drawn_anew(monkeypatch):
    """Draw faces at each look: the suite keeps them otherwise."""
    monkeypatch.setattr(faces, "face", faces.face.__wrapped__)


@pytest.fixture(scope="module")
def street():
    return opened("sample:street", seed=2)


def labels(source, index):
    frame = next(source.frames(index))
    return frame.truth.mask


def test_samples_are_listed_and_others_named():
    assert set(list_samples()) == {"street", "faces"}
    with pytest.raises(CleanplateError, match="choose one of street, faces"):
        opened("sample:sea")


@pytest.mark.parametrize("name", ["street", "faces"])
def test_seed_decides_everything(name):
    first, again, other = (next(opened(f"sample:{name}", seed=s).frames(40)) for s in (0, 0, 1))
    np.testing.assert_array_equal(first.values, again.values)
    assert (first.values != other.values).mean() > 0.2


def test_street_is_as_announced(street):
    assert (street.info.layout.width, street.info.layout.height) == (320, 240)
    assert street.info.layout.planes is Planes.RGB
    assert street.info.n_frames == len(list(street.frames(590))) + 590
    assert_seeks_exactly_at_some_places(street)


def assert_seeks_exactly_at_some_places(street):
    frames = street.frames(100)
    for index in range(100, 104):
        np.testing.assert_array_equal(next(frames).values, next(street.frames(index)).values)


def test_faces_seek_exactly():
    assert_seeks_exactly(opened("sample:faces"), [1, 100, 199])


@pytest.mark.parametrize("seed", range(4))
def test_objects_are_there_from_the_first_frame_on(seed):
    source = opened("sample:street", seed=seed)
    shares = [(labels(source, i) == 255).mean() for i in range(0, 600, 20)]
    assert shares[0] > 0.03
    assert min(shares) > 0.005
    assert max(shares) < 0.35


def test_noise_and_scene_are_what_the_truth_says(street):
    frame = next(street.frames(200))
    background = np.dstack([frame.truth.mask] * 3) == 0
    difference = frame.image().astype(float) - frame.layout.image(frame.truth.clean)
    # The faint rim of a shadow is below what counts as shadow: compare where no object is near.
    far = background[:60]
    assert difference[:60][far].std() == pytest.approx(NOISE, abs=0.35)
    assert abs(difference[:60][far].mean()) < 0.3
    covered = np.dstack([frame.truth.mask] * 3) == 255
    assert np.abs(difference[covered]).mean() > 20


def test_noise_of_two_frames_is_not_related(street):
    noise = []
    for index in (50, 51):
        frame = next(street.frames(index))
        noise.append((frame.image().astype(float) - frame.layout.image(frame.truth.clean))[:60].ravel())
    assert abs(np.corrcoef(noise)[0, 1]) < 0.02


def test_light_drifts_slowly_and_leaves_sway(street):
    clean = [next(street.frames(i)) for i in range(0, 600, 30)]
    clean = np.array([f.layout.image(f.truth.clean).astype(float) for f in clean])
    wall = clean[:, 60:80, 10:50].mean(axis=(1, 2, 3))
    assert 1.2 * DRIFT < wall.max() / wall.min() - 1 < 2.6 * DRIFT
    still, leaves = clean[:, 60:80, 10:50], clean[:, 45:75, 245:280]
    texture = [(part / part.mean(axis=(1, 2, 3), keepdims=True)).std(axis=0).mean() for part in (still, leaves)]
    assert texture[1] > 5 * texture[0]


def test_one_object_stops_and_leaves(street):
    lane = np.array([(labels(street, i)[120:150] == 255) for i in range(0, 600, 6)])
    height_of_van = lane.sum(axis=1) > 20  # columns where something tall stands on the far lane
    standing = 0
    longest = 0
    for before, after in itertools.pairwise(height_of_van):
        same = before.any() and (before & after).sum() > 0.97 * (before | after).sum()
        standing = standing + 1 if same else 0
        longest = max(longest, standing)
    assert STOP_S - 1.5 < longest * 6 / FPS < STOP_S + 2
    assert not height_of_van[-1][:200].all()


def seconds_each(steps):
    """Return the processor time of one step, the least of some runs."""
    spent = []
    for _ in range(3):
        started = time.process_time()
        n = sum(1 for _ in steps())
        spent.append((time.process_time() - started) / n)
    return min(spent)


def test_a_frame_of_the_street_takes_no_longer_than_drawing_its_noise_a_few_times(street):
    rng, n_values = np.random.default_rng(0), street.info.layout.n_values
    noise = seconds_each(lambda: (rng.standard_normal(n_values) for _ in range(20)))
    assert seconds_each(lambda: itertools.islice(street.frames(), 60)) < 3 * noise


def test_faces_differ_in_their_parts():
    faces = np.array([f.values for f in opened("sample:faces").frames()], float)
    assert faces.shape == (200, 64 * 64)
    variance = faces.std(axis=0).reshape(64, 64)
    assert variance[24:36, 16:48].mean() > 12  # eyes, brows, glasses
    assert variance[2:14, 20:44].mean() > 25  # hair
    assert np.linalg.matrix_rank(faces - faces.mean(axis=0)) > 100
    frame = next(opened("sample:faces").frames())
    np.testing.assert_array_equal(frame.truth.clean, frame.values)
    assert opened("sample:faces").info.fps is None
