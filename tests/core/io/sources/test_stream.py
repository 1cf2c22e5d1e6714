"""Streams of the network: served at this machine, cut off, and back."""

import io
import socket
import threading
import time
from itertools import islice, pairwise

import av
import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.hours import hours_words
from core.io.input_spec import STREAMS, InputSpec
from core.io.sources import live, open_source, stream
from core.io.sources.holes import Holes
from core.io.sources.notes import Notes
from core.io.sources.stream import stream_source
from core.project.document import ProjectInput
from core.project.places import StreamInputError, found
from core.runtime.announcing import announced_to
from tests.films import sounding, write_film
from tests.rtsp_camera import RtspCamera

SIDE = 64


def transport_stream(n_frames, first=0, form="mpegts"):
    """Return a film, in which each frame is brighter than the one before."""
    packed = io.BytesIO()
    with av.open(packed, "w", format=form) as container:
        stream = container.add_stream("mpeg2video" if form == "mpegts" else "mpeg4", rate=25)
        stream.width = stream.height = SIDE
        stream.pix_fmt = "yuv420p"
        for i in range(n_frames):
            picture = np.full((SIDE, SIDE, 3), min(20 + 4 * (first + i), 255), np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        container.mux(stream.encode(None))
    return packed.getvalue()


class Server:
    """Answers every request with the next film, then hangs up, at once or once it may."""

    def __init__(self, *films, length=False):
        self.films, self.length = list(films), length
        self.n_asked = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._socket.getsockname()[1]}/live.ts"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            with connection:
                connection.recv(4096)
                self.n_asked += 1
                if not self.films:
                    continue
                film = self.films.pop(0)
                length = f"Content-Length: {len(film)}\r\n" if self.length else ""
                connection.sendall(f"HTTP/1.1 200 OK\r\n{length}Connection: close\r\n\r\n".encode() + film)

    def close(self):
        self._socket.close()


@pytest.fixture
def server():
    made = []

    def make(*films, **options):
        made.append(Server(*films, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_a_stream_is_read_live_as_it_is_sent(server):
    source = open_source(InputSpec(server(transport_stream(30)).address))
    assert source.info.live
    assert source.info.n_frames is None
    assert source.info.fps == 25
    assert (source.info.layout.width, source.info.layout.height) == (SIDE, SIDE)
    frames = list(islice(source.frames(), 20))
    assert [frame.index for frame in frames] == list(range(20))
    means = [float(frame.values[: SIDE * SIDE].mean()) for frame in frames]
    assert all(b > a for a, b in pairwise(means)), "each is brighter than the one before"
    source.close()


@pytest.mark.parametrize("has_sound", [True, False])
def test_a_stream_says_whether_it_has_sound(server, tmp_path, has_sound):
    film = write_film(tmp_path / "film.mp4", 30, b_frames=0)
    sent = sounding(tmp_path / "sent.ts", film, "mp2", "mpegts").read_bytes() if has_sound else transport_stream(30)
    source = open_source(InputSpec(server(sent).address))
    assert source.info.has_sound is has_sound
    source.close()


def test_pictures_one_by_one_have_no_rate_that_could_be_told(server):
    sent = b""
    for level in range(0, 240, 8):
        packed = cv2.imencode(".jpg", np.full((SIDE, SIDE, 3), level, np.uint8))[1].tobytes()
        sent += (
            f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(packed)}\r\n\r\n".encode() + packed + b"\r\n"
        )
    told, untold = (
        open_source(InputSpec(server(transport_stream(30)).address)),
        open_source(InputSpec(server(sent).address)),
    )
    assert (told.info.is_rate_told, untold.info.is_rate_told) == (True, False)
    assert len(list(islice(untold.frames(), 5))) == 5
    told.close()
    untold.close()


def test_a_stream_that_is_cut_off_is_looked_for_and_goes_on(server):
    cut = transport_stream(30)[: 188 * 60]
    sends = server(cut, cut)
    source = stream_source(sends.address, patient=True)
    frames, seen, times, told = source.frames(), [], [], []
    given_up = threading.Timer(60, source.close)
    given_up.daemon = True
    given_up.start()
    try:
        with announced_to(told.append):
            for frame in frames:
                seen.append(frame.index)
                times.append(frame.time_s)
                if sends.n_asked >= 2 and len(seen) > 35:
                    break
    finally:
        given_up.cancel()
    frames.close()
    source.close()
    assert seen == list(range(len(seen))), "numbers go on"
    assert sends.n_asked >= 2
    assert told[0] == f"{source.info.title} gives no frames; it is looked for another 60 s…"
    begin, end = max(pairwise(times), key=lambda pair: pair[1] - pair[0])
    assert source.warnings == [
        f"Nothing came from {hours_words(begin)} to {hours_words(end)}: {source.info.title} was away and came back."
    ]


def test_several_times_in_which_nothing_came_are_one_note():
    notes = Notes()
    holes = Holes(notes, "The stream")
    holes.add(12.3, 45.9)
    assert notes.sentences == ["Nothing came from 0:00:12 to 0:00:45: The stream was away and came back."]
    holes.add(3600, 3700)
    holes.add(3800, 3810)
    assert notes.sentences == [
        "Nothing came 3 times, for 144 s in all, the longest from 1:00:00 to 1:01:40: "
        "The stream was away and came back."
    ]


def test_who_is_away_is_said_to_be_looked_for_now_and_then(server, monkeypatch):
    monkeypatch.setattr(live, "TELL_S", 0.5)
    monkeypatch.setattr(stream, "AWAY_S", 3.0)
    told = []
    asked = server(transport_stream(30)[: 188 * 60])
    source = stream_source(asked.address, patient=True)
    with announced_to(told.append):
        assert list(source.frames())
    assert 2 < asked.n_asked < 10, "who hangs up at once is not asked as often as can be"
    assert 2 < len(told) < 8
    assert told[0] == f"{source.info.title} gives no frames; it is looked for another 3 s…"
    assert source.warnings[-1].startswith(f"{source.info.title} gives no more frames;")


def test_without_patience_a_stream_that_is_gone_ends_with_a_sentence(server):
    source = stream_source(server(transport_stream(30)[: 188 * 60]).address)
    assert list(source.frames())
    assert source.warnings == [
        f"{source.info.title} gives no more frames; check the network, and whether it still sends."
    ]
    assert list(source.frames()) == []
    source.close()


def test_a_film_on_a_server_is_read_once(server):
    """A container with a length has an end; it is no stream that was cut off."""
    film = transport_stream(30, form="matroska")
    sends = server(film, film, length=True)
    source = stream_source(sends.address, patient=True)
    assert len(list(source.frames())) == 29, "the first told what it shows"
    assert source.warnings == []
    source.close()


def test_who_does_not_answer_is_one_sentence(server, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    for address in (f"http://127.0.0.1:{port}/", f"rtsp://127.0.0.1:{port}/", server().address):
        with pytest.raises(CleanplateError, match="is not there or gives no picture; check its address"):
            open_source(InputSpec(address))
    monkeypatch.setattr(live, "OPEN_TIMEOUT_S", 0.3)
    began = time.monotonic()
    with pytest.raises(CleanplateError, match="is not there or gives no picture"):
        open_source(InputSpec(f"udp://127.0.0.1:{port}"))
    assert time.monotonic() - began < 20


def test_datagrams_are_read():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    film, ended = transport_stream(200), threading.Event()

    def send():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            while not ended.is_set():
                for start in range(0, len(film), 188 * 7):
                    out.sendto(film[start : start + 188 * 7], ("127.0.0.1", port))
                    if ended.wait(0.001):
                        return

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    try:
        source = open_source(InputSpec(f"udp://127.0.0.1:{port}"))
        assert [frame.index for frame in islice(source.frames(), 5)] == list(range(5))
        source.close()
    finally:
        ended.set()
        sender.join(10)


@pytest.mark.parametrize("listing", [b"#EXTM3U\n#EXTINF:1,\n{}\n", b"ffconcat version 1.0\nfile '{}'\n"])
def test_what_an_answer_names_is_not_opened(server, tmp_path, listing):
    film = tmp_path / "film.ts"
    film.write_bytes(transport_stream(5))
    canary = server(transport_stream(5))
    for target in (str(film), f"file:{film}", canary.address):
        with pytest.raises(CleanplateError, match="gives no picture"):
            open_source(InputSpec(server(listing.replace(b"{}", target.encode())).address))
    assert canary.n_asked == 0


@pytest.mark.parametrize("address", ["rtsp://", "http://[::1", "udp://@"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(CleanplateError, match="address"):
        stream_source(address)


def test_a_password_is_not_shown():
    with pytest.raises(CleanplateError) as told:
        stream_source("http://guest:secret@127.0.0.1:1/live")
    assert "secret" not in str(told.value)
    assert "127.0.0.1:1/live" in str(told.value)


@pytest.mark.parametrize("scheme", STREAMS)
def test_a_project_connects_to_nothing_by_itself(tmp_path, scheme):
    with pytest.raises(StreamInputError, match="give that address yourself"):
        found(ProjectInput(path=f"{scheme}127.0.0.1/live"), tmp_path / "day.cleanplate")


def test_a_camera_of_the_network_is_read_and_looked_for_when_it_hangs_up():
    camera = RtspCamera(60)
    try:
        source = stream_source(camera.address, patient=True)
        frames, seen = source.frames(), []
        for frame in frames:
            seen.append(frame.index)
            if camera.n_clients >= 2 and len(seen) > 70:
                break
        frames.close()
        source.close()
    finally:
        camera.close()
    assert seen == list(range(len(seen)))
    assert (source.info.layout.width, source.info.layout.height) == (SIDE, SIDE)
