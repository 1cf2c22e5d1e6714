import errno

import av
import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes, frame_from_image
from core.frames.planar import PlanarPicture
from core.io.sinks.video import Ffv1
from core.io.sources import failing
from core.io.sources.base import SourceInfo
from core.io.sources.container import VideoFile
from core.io.sources.measured import measured
from core.io.sources.video import VideoSource
from core.io.sources.views import Rgb
from core.session.session import Session
from core.session.settings import Settings
from tests.core.io.sources.particles import HIGH, LOW, particles
from tests.small_inputs import opened

START = 15
"""Frames that are not scored: the background is not known yet."""


def stack(folder, frames, name="stack.tif"):
    tifffile.imwrite(folder / name, np.stack(frames), photometric="minisblack", metadata=None)
    return folder / name


def found(path):
    return np.array([report.mask > 0 for report in Session(opened(path), Settings()).run()])


def f_measure(masks, truth):
    a, b = masks[START:], np.array(truth)[START:]
    return 2 * np.count_nonzero(a & b) / (np.count_nonzero(a) + np.count_nonzero(b))


def iou(a, b):
    return np.count_nonzero(a[START:] & b[START:]) / np.count_nonzero(a[START:] | b[START:])


class Frames:
    """A source of pictures at hand."""

    def __init__(self, images):
        self.images, self.warnings = images, []
        self.info = SourceInfo("pictures", frame_from_image(0, 0.0, images[0]).layout, None, len(images))

    def frames(self, first=0):
        for index in range(first, len(self.images)):
            yield frame_from_image(index, float(index), self.images[index])

    def close(self):
        pass


@pytest.mark.parametrize(
    ("low", "high", "empty", "least"),
    # In 800 samples the blobs' rims, which are truth down to a tenth of their light, are little above the noise.
    [(LOW, HIGH, 0, 0.85), (LOW, HIGH, 30, 0.85), (500, 1300, 0, 0.8), (100, 60000, 0, 0.85)],
    ids=["2 % of the range", "none at first", "1 % of the range", "most of the range"],
)  # fmt: skip
def test_particles_are_found_in_whatever_part_of_the_range_they_lie(tmp_path, low, high, empty, least):
    frames, truth = particles(80, low=low, high=high, empty=empty)
    assert f_measure(found(stack(tmp_path, frames)), truth) > least


def walkers(n_frames):
    """Return frames (H, W) uint8 of two bright things and a dark one that pass before a texture, with shadows."""
    rng, y, x = np.random.default_rng(1), *np.mgrid[:96, :128]
    scene = 110 + 40 * np.sin(x / 9) * np.cos(y / 7) + 25 * np.sin((x + 2 * y) / 3)
    frames = []
    for index in range(n_frames):
        picture = scene.copy()
        for row, speed, grey in ((18, 2, 235), (50, 3, 20), (72, -2, 200)):
            column = (speed * index) % 128
            thing = (abs(y - row) < 9) & (abs(x - column) < 6)
            picture[(abs(y - row - 10) < 3) & (abs(x - column - 4) < 8)] *= 0.7
            picture[thing] = grey
        frames.append((picture + rng.normal(0, 2, picture.shape)).clip(0, 255).round().astype(np.uint8))
    return frames


@pytest.fixture(scope="module")
def clip():
    return walkers(70)


@pytest.mark.parametrize(("share", "pedestal"), [(0.1, 3000), (0.02, 800), (0.02, 0)])
def test_a_clip_in_a_part_of_the_range_gives_the_masks_of_the_whole(tmp_path, clip, share, pedestal):
    whole, part = (
        found(stack(tmp_path, [np.rint(257.0 * s * picture + p).astype(np.uint16) for picture in clip], f"{s}.tif"))
        for s, p in ((1, 0), (share, pedestal))
    )
    assert iou(whole, part) > 0.9


def test_video_of_10_bits_gives_the_masks_of_8(tmp_path, clip):
    shallow = Ffv1(tmp_path / "8.mkv", 25.0)
    shallow.open(tmp_path)
    for index, picture in enumerate(clip):
        shallow.write(index, index / 25, picture)
    shallow.close()
    deep = tmp_path / "10.mkv"
    write_10_bits(deep, clip)
    source = opened(deep)
    assert (source.info.layout.bit_depth, source.info.layout.planes) == (10, Planes.YCC420)
    assert not source.info.layout.is_measured, "white is where the standard says"
    assert iou(found(shallow.final), found(deep)) > 0.9


def write_10_bits(path, pictures):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.height, stream.width, stream.pix_fmt = *pictures[0].shape, "yuv420p10le"
        for picture in pictures:
            frame = av.VideoFrame.from_ndarray(np.dstack([picture] * 3), "rgb24").reformat(format="yuv420p10le")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def test_a_range_is_measured_over_the_input_without_dead_and_hot_pixels():
    frames, _ = particles(40)
    for page in frames:
        page[0, :4], page[1, :4] = 0, 65535
    layout = measured(Frames(frames)).info.layout
    assert 0.8 * (HIGH - LOW) < layout.contrast < 1.1 * (HIGH - LOW)
    assert 0.8 * LOW < layout.pedestal <= LOW


def test_counts_in_grey_are_looked_at_between_percentiles_of_the_whole_input():
    rng = np.random.default_rng(0)
    images = [
        rng.integers(base, base + 1000, (64, 80)).astype(np.uint16) for base in np.linspace(3000, 5000, 9).astype(int)
    ]
    low, high = measured(Frames(images)).info.levels
    assert low == pytest.approx(np.percentile(images[:2], 1), abs=1)
    assert high == pytest.approx(np.percentile(images[-2:], 99), abs=1)
    assert measured(Frames([np.dstack([image] * 3) for image in images])).info.levels is None
    assert measured(Frames([(image >> 6).astype(np.uint8) for image in images])).info.levels is None


def test_where_there_is_only_noise_it_sets_the_grey_level():
    rng = np.random.default_rng(0)
    noise = [rng.normal(5000, 40, (60, 80)).astype(np.uint16) for _ in range(10)]
    assert measured(Frames(noise)).info.layout.contrast / 255 == pytest.approx(40 / 5, rel=0.1)


def test_neither_texture_nor_slow_changes_of_the_light_are_noise():
    texture = np.random.default_rng(0).uniform(1000, 3000, (60, 80))
    frames = [(texture + 100 * index).astype(np.uint16) for index in range(10)]
    assert measured(Frames(frames)).info.layout.contrast == pytest.approx(2900, rel=0.05)


@pytest.mark.parametrize("value", [0, 700, 65535])
def test_nothing_is_known_of_what_is_flat(value):
    source = Frames([np.full((6, 8), value, np.uint16)] * 3)
    assert measured(source) is source


def write_film(path, clip):
    film = Ffv1(path, 25.0)
    film.open(path.parent)
    for index, picture in enumerate(clip):
        film.write(index, index / 25, np.dstack([picture] * 3))
    film.close()
    return film.final


@pytest.mark.parametrize("as_film", [False, True], ids=["pictures", "film"])
@pytest.mark.parametrize(("share", "least"), [(0.25, 0), (0.25, 100)], ids=["dark", "fog"])
def test_faint_clips_of_8_bits_give_the_masks_of_the_whole(tmp_path, clip, share, least, as_film):
    faint = [np.rint(share * picture + least).astype(np.uint8) for picture in clip]
    (tmp_path / "1").mkdir(), (tmp_path / "2").mkdir()
    write = write_film if as_film else lambda path, frames: stack(path.parent, frames)
    whole, part = write(tmp_path / "1" / "a.mkv", clip), write(tmp_path / "2" / "a.mkv", faint)
    assert opened(part).info.layout.is_measured
    assert iou(found(whole), found(part)) > 0.9


def test_what_spans_half_of_8_bits_or_more_is_as_it_was_coded(clip):
    bright, half = Frames(clip), Frames([picture // 2 + 100 for picture in clip])
    assert measured(bright) is bright
    assert measured(half) is not half
    assert measured(Frames([(0.6 * picture).astype(np.uint8) for picture in clip])).info.layout.contrast == 255


@pytest.mark.parametrize("least", [0, 60])
def test_clips_that_hardly_differ_are_hardly_measured_otherwise(clip, least):
    """From faint to usual there is no step: neither in what a grey level is, nor in where no light lies."""
    shares = np.arange(0.3, 0.75, 0.01)
    layouts = [
        measured(Frames([np.rint(share * picture + least).astype(np.uint8) for picture in clip[:6]])).info.layout
        for share in shares
    ]
    used, dark = (np.array(values) for values in zip(*((layout.used, layout.dark) for layout in layouts), strict=True))
    assert used[0] < 0.4, "faint: as it is"
    assert (used[-1], dark[-1]) == (1, 0), "as it was coded"
    assert (np.diff(used) > -0.01).all()
    assert np.diff(used).max() < 0.12
    assert np.abs(np.diff(dark)).max() <= 0.2 * max(dark)


def write_h264(path, clip, n_between, **container):
    with av.open(str(path), "w", options=container) as film:
        stream = film.add_stream("libx264", rate=25)
        stream.height, stream.width, stream.pix_fmt, stream.gop_size = *clip[0].shape, "yuv420p", n_between
        for picture in clip:
            film.mux(stream.encode(av.VideoFrame.from_ndarray(np.dstack([picture] * 3), "rgb24")))
        film.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("name", "n_between", "options"),
    [("a.mp4", 12, {}), ("one.mp4", 1000, {}), ("a.h264", 12, {}), ("a.mkv", 12, {"live": "1"})],
    ids=["many key frames", "one", "no time stamps", "no length"],
)
def test_a_film_that_begins_in_the_dark_is_not_faint(tmp_path, clip, name, n_between, options):
    film = write_h264(tmp_path / name, [np.full_like(clip[0], 16)] * 20 + clip, n_between, **options)
    assert not opened(film).info.layout.is_measured


def test_a_faint_film_with_one_key_frame_is_measured_between(tmp_path, clip):
    film = write_h264(tmp_path / "a.mp4", [picture // 4 for picture in clip], 1000)
    assert opened(film).info.layout.is_measured


def test_a_film_that_cannot_be_read_where_it_is_looked_at_is_as_it_was_coded(tmp_path, clip, monkeypatch):
    film = VideoSource(write_h264(tmp_path / "a.mkv", [picture // 4 for picture in clip], 12))

    def fails(self, n_bytes):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(VideoFile, "read", fails)
    assert measured(film) is film


@pytest.mark.parametrize("error", [failing.failed("a.tif", OSError(errno.EIO, "gone")), failing.no_room("a.tif")])
def test_a_place_that_cannot_be_had_is_an_error_and_one_that_is_damaged_is_passed_over(error):
    """The contrast of the places that are left would be another one."""
    rng = np.random.default_rng(3)
    source = Frames([rng.integers(0, 2000 if i < 30 else 20000, (40, 50)).astype(np.uint16) for i in range(60)])
    whole = source.frames

    def fails_with(error):
        def frames(first=0):
            if first > 25:
                raise error
            return whole(first)

        return frames

    source.frames = fails_with(CleanplateError("a.tif is damaged there; choose other frames."))
    assert measured(source).info.layout.is_measured
    source.frames = fails_with(error)
    with pytest.raises(failing.LostInputError):
        measured(source)


@pytest.mark.parametrize("bit_depth", [8, 10])
def test_no_light_lies_below_what_is_seen_in_coded_samples(bit_depth):
    """Of a grey film with the levels of video, whose picture spans more than its samples."""
    rng, unit = np.random.default_rng(0), 1 << (bit_depth - 8)
    layout = Layout(60, 80, Planes.GREY, bit_depth, full_range=False)
    low = rng.integers(190 * unit, 215 * unit, layout.n_values).astype(layout.dtype)
    frames = [Frame(index, index / 25, low, layout) for index in range(6)]
    source = Frames([np.zeros((60, 80), np.uint8)])
    source.info, source.frames = SourceInfo("film", layout, 25.0, 6), lambda first=0: iter_of(frames[first:])
    found = measured(source).info.layout
    assert found.is_measured
    assert 185 * unit <= found.dark <= 195 * unit


def iter_of(frames):
    yield from frames


def test_a_grey_level_is_a_quarter_of_a_sample_at_least():
    assert Layout(4, 6, Planes.GREY, 16, used=1e-4).contrast == 64
    assert Layout(4, 6, Planes.GREY, used=0.4).contrast == pytest.approx(102)
    assert Layout(4, 6, Planes.GREY).contrast == 255
    assert Layout(4, 6, Planes.YCC420, 10).contrast == 1023


def test_frames_have_the_layout_that_was_measured(tmp_path):
    frames, _ = particles(6)
    source = opened(stack(tmp_path, frames), frames=(2, 5), roi=(4, 4, 90, 80), size=(60, 50))
    assert source.info.layout.is_measured
    assert all(frame.layout == source.info.layout for frame in source.frames(1))


def test_a_model_keeps_the_contrast_it_was_learnt_at(tmp_path):
    frames, _ = particles(20)
    session = Session(opened(stack(tmp_path, frames)), Settings())
    for _ in session.run():
        pass
    session.model().save(tmp_path / "model.npz")
    from core.session.model import Model

    model = Model.load(tmp_path / "model.npz")
    assert model.layout == session.layout
    brighter = stack(tmp_path, [2 * page for page in frames], "brighter.tif")
    assert Session(opened(brighter), Settings(), model).layout == session.layout


def test_a_faint_film_in_red_green_and_blue_has_the_pedestal_and_contrast_of_its_picture(tmp_path, clip):
    film = write_h264(tmp_path / "a.mp4", [picture // 4 + 40 for picture in clip], 12)
    source = opened(film)
    rgb = Rgb(source)
    frame, whole = next(source.frames()), next(rgb.frames())
    assert frame.layout.pedestal > frame.layout.black
    assert rgb.info.layout == whole.layout == PlanarPicture.of(frame).expanded().layout
    as_rgb = measured(Frames([frame.image() for frame in source.frames()])).info.layout
    assert whole.layout.pedestal == pytest.approx(as_rgb.pedestal, abs=2)
    assert whole.layout.contrast == pytest.approx(as_rgb.contrast, rel=0.03)


@pytest.mark.parametrize("brightest", [1.0, 0.5], ids=["light differs", "light is the same"])
@pytest.mark.parametrize(("pedestal", "least"), [(400, 0), (0, 300), (400, 300)])
def test_where_nothing_dark_is_in_sight_the_light_shows_where_no_light_lies(pedestal, least, brightest):
    texture, noise = least + np.random.default_rng(1).uniform(0, 1000, (60, 80)), np.random.default_rng(2)
    lights = np.linspace(brightest, 0.5, 40)
    frames = [np.rint(pedestal + light * texture + noise.normal(0, 4, (60, 80))).astype(np.uint16) for light in lights]
    found = measured(Frames([frame.clip(0) for frame in frames])).info.layout.pedestal
    darkest = pedestal + 0.5 * least
    assert found == pytest.approx(darkest if brightest == 0.5 else pedestal, abs=25)
