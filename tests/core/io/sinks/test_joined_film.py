"""Films that are joined packet by packet; what they hold is tested where pieces are joined."""

import contextlib
from fractions import Fraction

import av
import numpy as np
import pytest

from core.errors import CancelledError
from core.io.sinks.coded import H264, Av1, Hevc
from core.io.sinks.joined_film import JoinedFilm
from core.io.sinks.video import Coding, Ffv1, ProRes422, ProRes4444
from tests.films import sounding, write_film

N_FRAMES = 12


class Checks:
    """Ends the work at its ``last``-th call, if any."""

    def __init__(self, last=None):
        self.n_calls, self.last = 0, last

    def __call__(self):
        self.n_calls += 1
        if self.n_calls == self.last:
            raise CancelledError("Enough.")


@pytest.mark.parametrize("last", [None, 3])
def test_the_sound_is_closed_however_a_film_ends(tmp_path, last):
    part = tmp_path / "part.mkv"
    write_film(part, N_FRAMES)
    like = Ffv1(tmp_path / "out.mkv", 25.0, Coding(sound=sounding(tmp_path / "in.mkv", part, "aac")))
    film = JoinedFilm([part], np.arange(N_FRAMES) * 3600, like)
    check = Checks(last)
    with contextlib.suppress(CancelledError):
        film.write(like.final, check)
    assert check.n_calls == (last or N_FRAMES)
    assert like.sound._file is None


def shape_of_pixels(path):
    """Return it as the container says it, and as the coded pictures do."""
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        next(file.decode(stream))
        return stream.sample_aspect_ratio, stream.codec_context.sample_aspect_ratio


@pytest.mark.parametrize("aspect", [Fraction(16, 11), None])
@pytest.mark.parametrize("kind", [H264, Hevc, Av1, ProRes422, ProRes4444])
def test_a_joined_film_has_the_shape_of_pixels_of_its_parts(tmp_path, kind, aspect):
    part = kind(tmp_path / f"part.{kind.container}", 25.0, Coding(aspect=aspect))
    part.open(tmp_path)
    for k in range(3):
        part.write(k + 1, k / 25, np.full((48, 64, 3), 60 * k, np.uint8))
    part.close()
    path = tmp_path / f"joined.{kind.container}"
    JoinedFilm([part.final] * 2, np.arange(6) * 3600, kind(path, 25.0)).write(path, lambda: None)
    assert shape_of_pixels(path) == shape_of_pixels(part.final)
    assert (shape_of_pixels(path)[0] or 1) == (aspect or 1)
