"""Files that hold several videos: stills are not taken for the film, and which film is read is said."""

import av
import numpy as np
import pytest
from av.stream import Disposition

from core.errors import CleanplateError
from core.io.sources.stream import stream_source
from core.io.sources.video import VideoSource
from tests.core.io.sources.test_stream import Server
from tests.films import assert_seeks_exactly

COVER, PLAIN, DEFAULT = Disposition.attached_pic, Disposition(0), Disposition.default

STILL = ("mjpeg", "yuvj420p", (160, 120), 1)
FILM = ("libx264", "yuv420p", (64, 48), 50)
LARGE = ("libx264", "yuv420p", (320, 240), 50)


def write(path, *videos, **of_file):
    """Write videos beside each other: how each is coded, its samples, size, number of pictures and disposition."""
    with av.open(str(path), "w", options=of_file) as file:
        streams = []
        for codec, pix_fmt, size, _, disposition in videos:
            stream = file.add_stream(codec, rate=25)
            stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
            stream.disposition = disposition
            streams.append(stream)
        for index in range(max(video[3] for video in videos)):
            for stream, (_, pix_fmt, (width, height), count, _) in zip(streams, videos, strict=True):
                if index < count:
                    image = np.full((height, width, 3), 20 + 4 * index, np.uint8)
                    file.mux(stream.encode(av.VideoFrame.from_ndarray(image, "rgb24").reformat(format=pix_fmt)))
        for stream in streams:
            file.mux(stream.encode(None))
    return path


def size_of(source):
    return source.info.layout.width, source.info.layout.height


@pytest.mark.parametrize("suffix", [".mkv", ".mp4", ".avi"])
def test_a_still_before_the_film_is_not_taken_for_it(tmp_path, suffix):
    source = VideoSource(write(tmp_path / f"a{suffix}", (*STILL, PLAIN), (*FILM, PLAIN)))
    assert size_of(source) == (64, 48)
    assert len(list(source.frames())) == 50
    assert [frame.layout.width for frame in next(source.glimpses(3))] == [64, 64]
    assert_seeks_exactly(source, [30])
    source.close()


def test_a_cover_has_no_note(tmp_path):
    source = VideoSource(write(tmp_path / "a.mp4", (*STILL, COVER), (*FILM, PLAIN)))
    assert size_of(source) == (64, 48)
    assert len(list(source.frames())) == 50
    assert source.warnings == []
    source.close()


@pytest.mark.parametrize(
    ("first", "second", "number", "size"),
    [(PLAIN, DEFAULT, 2, "320×240"), (DEFAULT, PLAIN, 1, "64×48"), (PLAIN, PLAIN, 1, "64×48")],
)
def test_of_several_films_it_is_said_which_is_read(tmp_path, first, second, number, size):
    source = VideoSource(write(tmp_path / "two.mkv", (*FILM, first), (*LARGE, second)))
    assert "{}×{}".format(*size_of(source)) == size
    assert source.warnings == [f"two.mkv holds 2 videos; number {number} is read, of {size}."]
    source.close()


def test_a_file_that_holds_a_single_picture_is_read_as_before(tmp_path):
    source = VideoSource(write(tmp_path / "one.mp4", (*STILL, PLAIN)))
    assert len(list(source.frames())) == 1
    assert source.warnings == []
    source.close()


@pytest.mark.parametrize("unknown", [(0,), (0, 1)])
def test_what_cannot_be_decoded_is_passed_over_where_there_is_another_film(tmp_path, unknown):
    path = write(tmp_path / "new.mkv", (*FILM, DEFAULT), (*LARGE, PLAIN))
    codec = b"V_MPEG4/ISO/AVC"
    parts = path.read_bytes().split(codec)
    names = [b"V_MPEG9/ISO/XYZ" if i in unknown else codec for i in range(2)]
    path.write_bytes(parts[0] + names[0] + parts[1] + names[1] + parts[2])
    if len(unknown) == 2:
        with pytest.raises(CleanplateError, match="coded in a way that is not known"):
            VideoSource(path)
        return
    source = VideoSource(path)
    assert size_of(source) == (320, 240)
    assert source.warnings == []
    source.close()


def test_of_a_film_on_a_server_a_still_is_not_taken_for_it(tmp_path):
    sent = write(tmp_path / "a.mp4", (*STILL, PLAIN), (*FILM, PLAIN), movflags="faststart").read_bytes()
    server = Server(sent, length=True)
    try:
        source = stream_source(server.address)
        assert size_of(source) == (64, 48)
        source.close()
    finally:
        server.close()
