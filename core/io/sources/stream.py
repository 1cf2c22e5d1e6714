"""Streams of the network: surveillance cameras, and other programs that send a video."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import av

from core.errors import CleanplateError
from core.io.sources import packets, pixels, room
from core.io.sources.container import FORMATS, films_in
from core.io.sources.live import LiveKind, LiveSource
from core.io.sources.live_device import LiveDevice
from core.io.sources.notes import Notes
from core.runtime.stopping import never

READ_TIMEOUT_S = 10.0
"""How long a stream may be silent before it is opened anew; some send a picture every few seconds."""

AWAY_S = 60.0
"""How long a stream that is gone is looked for: cameras of the network start anew within a minute."""

LIVE_FORMATS = (*FORMATS, "rtsp", "rtp", "mpjpeg")
"""What libav may read a stream as. What lists other addresses (hls, dash) is left out, as for files."""

RATELESS = frozenset({"mpjpeg"})
"""Formats that say no rate: libav makes one up."""

PROTOCOLS = ("rtsp", "rtp", "srtp", "udp", "tcp", "http", "https", "httpproxy", "tls")
"""What libav may open to read a stream: the network, never a file."""


def stream_source(address: str, given_up: Callable[[], bool] = never, *, patient: bool = False) -> LiveSource:
    """Open a stream by its address.

    Parameters
    ----------
    address : str
        ``rtsp://``, ``http://``, ``https://`` or ``udp://``; what it names is connected to.
    given_up, patient
        As `core.io.sources.live.LiveSource` has them.

    Raises
    ------
    CleanplateError
        The address is none, nobody answers there in time, or what answers sends no video that can be read.
    """
    kind = LiveKind(
        f"The stream {_without_password(address)}",
        partial(LiveDevice, "stream", partial(_read, address)),
        absent="check its address and the network",
        gone="check the network, and whether it still sends",
        away_s=AWAY_S,
        ends_itself=True,
    )
    return LiveSource(kind, given_up, patient=patient)


def _without_password(address: str) -> str:
    """Return an address as it may be shown."""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
    except ValueError as error:
        raise CleanplateError(f"{address} is no address of a stream ({error}); check it.") from error
    if not host:
        raise CleanplateError(f"{address} names no computer; an address is like rtsp://192.168.0.10/stream.")
    return parts._replace(netloc=host).geturl()


def _read(address: str, device: LiveDevice) -> None:
    most = room.most_pixels(None)
    # The same as a stream that cannot be opened: what fails here, or ends, is looked for again.
    with contextlib.suppress(*packets.UNREADABLE, *pixels.UNUSABLE):
        container = av.open(
            address, "r", metadata_errors="ignore", timeout=READ_TIMEOUT_S,
            container_options={
                "format_whitelist": ",".join(LIVE_FORMATS), "protocol_whitelist": ",".join(PROTOCOLS),
                "rtsp_flags": "prefer_tcp",
            },
            options={"max_pixels": str(most)},
        )  # fmt: skip
        with container:
            if films_in(container):
                _read_pictures(container, device, most)


def _read_pictures(container: av.container.InputContainer, device: LiveDevice, most: int) -> None:
    # Which one libav prefers depends on what has come so far: it could be another each time that it is opened.
    stream, notes = films_in(container)[0], Notes()
    stream.codec_context.options = {"max_pixels": str(most)}
    packets.spread(stream.codec_context)
    device.has_sound = bool(container.streams.audio)
    if container.format.name not in RATELESS:
        device.fps = float(stream.guessed_rate or stream.average_rate or 0)
    # A film that a server holds has a length, and waits there; what is live goes on, whoever reads it.
    device.waits = bool(container.duration)
    form: pixels.Pixels | None = None
    for decoded in packets.decode(container, stream, notes, "", lambda _packet: not device.is_stopped):
        if form is None or not form.fits(decoded):
            form = pixels.of_frame(decoded)
        device.give(form.values(decoded), form.layout)
        if device.is_stopped:
            return
    # A stream that is cut off has no length, or an end that cannot be read.
    device.is_complete = device.waits and not notes.sentences
