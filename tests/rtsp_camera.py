"""A camera of the network that speaks RTSP: one client after the other, H.264 over the same connection."""

import re
import socket
import struct
import threading
import time
from fractions import Fraction

import av
import numpy as np

SIDE = 64
CLOCK = 90_000 // 25
"""Ticks of a frame."""


def units(n_frames):
    """Return the H.264 units of each frame of a film that gets brighter, without start codes."""
    coder = av.CodecContext.create("libx264", "w")
    coder.width = coder.height = SIDE
    coder.pix_fmt, coder.framerate, coder.time_base = "yuv420p", 25, Fraction(1, 25)
    coder.options = {"preset": "ultrafast", "tune": "zerolatency", "g": "5"}
    films = []
    for i in range(n_frames):
        picture = np.full((SIDE, SIDE, 3), 20 + 4 * i % 200, np.uint8)
        frame = av.VideoFrame.from_ndarray(picture, "rgb24")
        frame.pts = i
        for packet in coder.encode(frame):
            films.append([unit for unit in re.split(b"\x00\x00\x00?\x01", bytes(packet)) if unit])
    return films


class RtspCamera:
    """Serves ``address`` until it is closed; hangs up on each client after ``n_frames``."""

    def __init__(self, n_frames):
        self._frames = units(n_frames)
        self.n_clients = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self._socket.getsockname()[1]}/live"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._socket.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            with client:
                self.n_clients += 1
                try:
                    self._answer(client)
                except OSError:
                    continue

    def _answer(self, client):
        with client.makefile("rb") as asks:
            while True:
                head = []
                while (line := asks.readline().strip()) or not head:
                    head.append(line.decode())
                    if not line:
                        return
                number = next(line for line in head if line.lower().startswith("cseq"))
                method = head[0].split()[0]
                more, body = "", ""
                if method == "DESCRIBE":
                    body = "v=0\r\ns=live\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:track\r\n"
                    more = f"Content-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
                elif method == "SETUP":
                    more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n"
                elif method == "OPTIONS":
                    more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
                client.sendall(f"RTSP/1.0 200 OK\r\n{number}\r\n{more}\r\n{body}".encode())
                if method == "PLAY":
                    self._play(client)
                    return

    def _play(self, client):
        sequence = 0
        for i, found in enumerate(self._frames):
            for unit in found:
                last = 0x80 if unit is found[-1] else 0
                packet = struct.pack(">BBHII", 0x80, 96 | last, sequence & 0xFFFF, i * CLOCK, 7) + unit
                client.sendall(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                sequence += 1
            time.sleep(0.005)
