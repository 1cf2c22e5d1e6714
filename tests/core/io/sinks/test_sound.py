"""The sound of an input in films: what the clocks of recordings do to it."""

from fractions import Fraction
from types import SimpleNamespace

import av
import numpy as np
import pytest

from core.io.sinks import sound
from core.io.sinks.coded import H264
from core.io.sinks.joined_film import JoinedFilm
from core.io.sinks.sound import Sound
from core.io.sinks.video import Coding, Ffv1, ProRes422
from core.io.sources.failing import LostInputError
from tests.films import sounding, write_film
from tests.small_inputs import opened

N_FRAMES = 25
PICTURE = np.zeros((48, 64, 3), np.uint8)


@pytest.fixture
def recording(tmp_path):
    """A second of film with sound, as a receiver records it."""
    return sounding(tmp_path / "once.ts", write_film(tmp_path / "film.mp4", N_FRAMES, b_frames=0), "mp2", "mpegts")


def repeated(recording, times=2):
    """Return it put behind itself, so that all clocks go back in the middle."""
    path = recording.with_name("repeated.ts")
    path.write_bytes(times * recording.read_bytes())
    return path


def damaged(recording, stamp):
    """Return it with another time, 1/90000 s, in the middle of the sound."""
    data = bytearray(recording.read_bytes())
    starts = [i for i in range(len(data)) if data[i : i + 4] == b"\x00\x00\x01\xc0"]
    at = starts[len(starts) // 2] + 9
    value = stamp(_time_at(data, at), _time_at(data, starts[len(starts) // 2 - 1] + 9))
    data[at] = 0x21 | value >> 29 & 0x0E
    data[at + 1 : at + 3] = (value >> 14 & 0xFFFE | 1).to_bytes(2, "big")
    data[at + 3 : at + 5] = (value << 1 & 0xFFFE | 1).to_bytes(2, "big")
    path = recording.with_name("damaged.ts")
    path.write_bytes(data)
    return path


def _time_at(data, at):
    high, low = int.from_bytes(data[at + 1 : at + 3], "big"), int.from_bytes(data[at + 3 : at + 5], "big")
    return (data[at] & 0x0E) << 29 | high >> 1 << 15 | low >> 1


def heard(path):
    """Return the times and bytes of the packets of its sound."""
    with av.open(str(path)) as file:
        return [(float(p.pts * p.time_base), bytes(p)) for p in file.demux(audio=0) if p.size]


def coding_of(source):
    """Return how a film of all frames of a recording is coded."""
    return Coding(sound=source, start_s=opened(source).info.start_s)


def written(kind, source, n_frames, coding=None, before_s=0.0):
    film = kind(source.parent / f"out.{kind.container}", 25.0, coding or coding_of(source))
    film.set_before(0, before_s)
    film.open(film.final.parent)
    try:
        for k in range(n_frames):
            film.write(k + 1, k / 25, PICTURE)
        film.close()
    except BaseException:
        film.abort()
        raise
    return film


@pytest.mark.parametrize("kind", [H264, Ffv1, ProRes422])
def test_sound_goes_on_where_its_clock_begins_anew(recording, kind):
    film = written(kind, repeated(recording), 2 * N_FRAMES)
    assert film.notes == []
    once, both = heard(recording), heard(film.final)
    n = [data for _, data in both].index(once[0][1], 1)
    for found in (both[:n], both[n:]):
        assert [data for _, data in found] == [data for _, data in once[: len(found)]]
        assert len(found) > 0.9 * len(once)
    step_s = once[1][0] - once[0][0]
    apart = np.diff([time_s for time_s, _ in both])
    np.testing.assert_allclose(np.delete(apart, n - 1), step_s, atol=2e-3)
    assert 0 < apart[n - 1] < 1.5 * step_s


@pytest.mark.parametrize("b_frames", [0, 3])
@pytest.mark.parametrize("longer_s", [-0.15, 0.15])
def test_sound_of_recordings_put_behind_each_other_stays_beside_their_pictures(tmp_path, longer_s, b_frames):
    film = write_film(tmp_path / "film.mp4", N_FRAMES, b_frames=b_frames)
    recording = sounding(tmp_path / "once.ts", film, "mp2", "mpegts", longer_s)
    times = 5
    source = repeated(recording, times)
    begins = [frame.time_s for frame in opened(source).frames()][::N_FRAMES]
    assert len(begins) == times
    once, start_s = heard(recording), opened(recording).info.start_s
    sound = heard(written(H264, source, times * N_FRAMES).final)
    for number, begin_s in enumerate(begins):
        here = [(time_s - begin_s, data) for time_s, data in sound if begin_s <= time_s < begin_s + 0.8]
        assert len(here) > 30
        first = next(place for place, (time_s, _) in enumerate(once) if time_s - start_s > here[0][0] - 0.01)
        for (time_s, data), (wanted_s, same) in zip(here, once[first:], strict=False):
            assert (time_s, data) == (pytest.approx(wanted_s - start_s, abs=2e-3), same), number


@pytest.mark.parametrize("begins", [0.6, 0.96, 1.0, 1.6])
@pytest.mark.parametrize("b_frames", [0, 3])
def test_a_part_of_recordings_put_behind_each_other_has_the_sound_that_the_whole_has_there(tmp_path, b_frames, begins):
    film = write_film(tmp_path / "film.mp4", N_FRAMES, b_frames=b_frames)
    source = repeated(sounding(tmp_path / "once.ts", film, "mp2", "mpegts"), 3)
    whole = heard(written(H264, source, 3 * N_FRAMES).final)
    part = written(H264, source, 20, before_s=begins)
    assert part.notes == []
    there = [(time_s - begins, data) for time_s, data in whole if begins - sound.BEFORE_S <= time_s < begins + 0.8]
    assert len(there) > 30
    found = heard(part.final)
    assert [data for _, data in found] == [data for _, data in there]
    np.testing.assert_allclose([time_s for time_s, _ in found], [time_s for time_s, _ in there], atol=2e-3)


@pytest.mark.parametrize(
    "stamp", [lambda time, before: before, lambda time, before: 0, lambda time, before: before - 9]
)
def test_one_damaged_time_of_sound_moves_nothing_that_comes_later(recording, stamp):
    whole = heard(written(H264, recording, N_FRAMES).final)
    film = written(H264, damaged(recording, stamp), N_FRAMES)
    assert film.notes == []
    found = heard(film.final)
    assert [data for _, data in found] == [data for _, data in whole]
    np.testing.assert_allclose([time_s for time_s, _ in found], [time_s for time_s, _ in whole], atol=0.05)
    assert found[-1][0] == pytest.approx(whole[-1][0], abs=1e-3)


def test_a_joined_film_has_the_sound_of_a_clock_that_begins_anew(recording):
    source = repeated(recording)
    part = written(H264, source, N_FRAMES).final
    like = H264(source.with_name("joined.mp4"), 25.0, coding_of(source))
    JoinedFilm([part, part], np.arange(2 * N_FRAMES) * 3600, like).write(like.final, lambda: None)
    assert len(heard(like.final)) > 1.9 * len(heard(recording))
    assert like.notes == []


def test_sound_that_a_film_refuses_ends_with_a_note_and_pictures_go_on(recording, monkeypatch):
    def as_they_are(self, found):
        for packet, _ in found:
            packet.pts = packet.dts = packet.pts - round(self._start_s / Fraction(packet.time_base))
            yield packet

    monkeypatch.setattr(Sound, "_in_time", as_they_are)
    film = written(H264, repeated(recording), 2 * N_FRAMES)
    [note] = film.notes
    assert note.startswith("The sound of out.mp4 ends early: it cannot be written")
    with av.open(str(film.final)) as file:
        assert len(list(file.decode(video=0))) == 2 * N_FRAMES


@pytest.fixture(params=["mpegts", "matroska"])
def recording_of_10_s(request, tmp_path):
    """Ten seconds of film with sound, of which libav does not read all when it is opened."""
    film = write_film(tmp_path / "film.mp4", 10 * N_FRAMES, b_frames=0)
    return sounding(tmp_path / "long.film", film, "mp2", request.param)


@pytest.mark.parametrize("first", [0, 1 << 19])
def test_a_drive_that_fails_while_sound_is_copied_fails_the_input_and_not_the_film(tmp_path, medium, first):
    film = write_film(tmp_path / "film.mp4", 10 * N_FRAMES, b_frames=0)
    source = sounding(tmp_path / "long.mkv", film, "pcm_s16le")
    coding = coding_of(source)
    medium.fails_at = range(first, 1 << 30)
    assert first < source.stat().st_size / 1.5
    with pytest.raises(LostInputError, match=r"^long\.mkv cannot be read \(Input/output error\)"):
        written(Ffv1, source, 10 * N_FRAMES, coding)


def test_an_input_that_is_gone_before_its_sound_is_copied_is_what_cannot_be_read(recording):
    coding = coding_of(recording)
    recording.unlink()
    with pytest.raises(LostInputError, match=r"^once\.ts cannot be read \(No such file or directory\)"):
        written(H264, recording, N_FRAMES, coding)


def test_sound_that_lacks_a_part_in_a_damaged_input_has_a_note(recording_of_10_s):
    data = bytearray(recording_of_10_s.read_bytes())
    at, n_bytes = int(0.45 * len(data)), len(data) // 5
    data[at : at + n_bytes] = np.random.default_rng(1).bytes(n_bytes)
    recording_of_10_s.write_bytes(data)
    film = written(H264, recording_of_10_s, 10 * N_FRAMES)
    assert film.notes == ["The sound of out.mp4 has gaps, as that of long.film has: it may be damaged there."]
    assert np.diff([time_s for time_s, _ in heard(film.final)]).max() > 1


@pytest.mark.parametrize(("begins", "has_gap"), [(1.0, False), (3.5, True), (5.0, True), (7.8, False)])
def test_a_part_has_the_note_on_gaps_where_they_are_in_it(recording_of_10_s, begins, has_gap):
    data = bytearray(recording_of_10_s.read_bytes())
    at, n_bytes = int(0.45 * len(data)), len(data) // 5
    data[at : at + n_bytes] = np.random.default_rng(1).bytes(n_bytes)
    recording_of_10_s.write_bytes(data)
    film = written(H264, recording_of_10_s, 2 * N_FRAMES, before_s=begins)
    assert [note.partition(",")[0] for note in film.notes] == has_gap * ["The sound of out.mp4 has gaps"]


def test_sound_that_cannot_be_read_on_ends_with_a_note_and_pictures_go_on(recording_of_10_s, monkeypatch):
    def opened(*asked):
        file = whole(*asked)

        def demux(*streams):
            n_heard = 0
            for packet in file.demux(*streams):
                n_heard += packet.stream.type == "audio"
                if n_heard > 9:
                    raise av.InvalidDataError(1094995529, "Invalid data found when processing input")
                yield packet

        return SimpleNamespace(streams=file.streams, demux=demux, close=file.close)

    whole = sound.open_container
    monkeypatch.setattr(sound, "open_container", opened)
    film = written(H264, recording_of_10_s, 10 * N_FRAMES)
    assert film.notes == ["The sound of out.mp4 ends early: long.film is damaged there."]
    assert len(heard(film.final)) == 9
    with av.open(str(film.final)) as file:
        assert len(list(file.decode(video=0))) == 10 * N_FRAMES
