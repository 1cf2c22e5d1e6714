"""Films that are joined packet by packet; what they hold is tested where pieces are joined."""

import contextlib

import numpy as np
import pytest

from core.errors import CancelledError
from core.io.sinks.joined_film import JoinedFilm
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
    film = JoinedFilm([part], np.arange(N_FRAMES) * 3600, 3600, sounding(tmp_path / "in.mkv", part, "aac"))
    check = Checks(last)
    with contextlib.suppress(CancelledError):
        film.write(tmp_path / "out.mkv", "matroska", check)
    assert check.n_calls == (last or N_FRAMES)
    assert film._sound._file is None
