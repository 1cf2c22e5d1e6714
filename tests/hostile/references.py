"""Files that name other files and addresses, and names that are no files: nothing but the input may be opened."""

from __future__ import annotations

import os
import random
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from core.io.input_spec import STREAMS
from tests.hostile.attack import Attack, Outcome
from tests.hostile.media import film, frames, media
from tests.hostile.program import start, waited_for_a_core_s

ENDS_WITHIN_S = 2.0
"""From the signal to the end, without the time in which other programs had the cores."""

HANGS_S = 20.0


@dataclass(frozen=True)
class Canaries:
    """What files name here, and who notices that it is opened.

    Attributes
    ----------
    film : Path
        Can be read: a list that is followed ends well, which it must not.
    pipe : Path
        Keeps whoever opens it waiting.
    port : int
        Of a server at this machine that counts connections.
    """

    film: Path
    pipe: Path
    port: int


class Listener:
    """Counts connections."""

    def __init__(self) -> None:
        self.count = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while True:
            try:
                self._socket.accept()[0].close()
            except OSError:
                return
            self.count += 1

    def close(self) -> None:
        """Listen no more."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


def playlist(target: str) -> bytes:
    """A list of segments (HLS)."""
    return f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{target}\n#EXT-X-ENDLIST\n".encode()


def master(target: str) -> bytes:
    """A list of lists (HLS)."""
    return f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{target}\n".encode()


def keyed(target: str) -> bytes:
    """A list of segments whose key lies elsewhere (HLS)."""
    return f'#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="{target}"\n'.encode() + playlist(target)[8:]


def concat(target: str) -> bytes:
    """A list of films to show one after another (ffconcat)."""
    return f"ffconcat version 1.0\nfile '{target}'\n".encode()


def dash(target: str) -> bytes:
    """A manifest (MPEG-DASH)."""
    return (
        '<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        'mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="video/mp4">'
        f'<Representation id="0" bandwidth="9"><BaseURL>{target}</BaseURL></Representation>'
        "</AdaptationSet></Period></MPD>"
    ).encode()


def session(target: str) -> bytes:
    """A description of a stream (SDP)."""
    return (
        b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 45678 RTP/AVP 96\n" + target.encode()
    )


def smil(target: str) -> bytes:
    """A presentation (SMIL)."""
    return f'<smil><body><video src="{target}"/></body></smil>'.encode()


def advanced(target: str) -> bytes:
    """A list of Windows Media (ASX)."""
    return f'<asx version="3.0"><entry><ref href="{target}"/></entry></asx>'.encode()


def winamp(target: str) -> bytes:
    """A list of files (PLS)."""
    return f"[playlist]\nFile1={target}\nNumberOfEntries=1\n".encode()


def vobsub(target: str) -> bytes:
    """Subtitles whose pictures lie in another file."""
    return f"# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\n# {target}\n".encode()


def drawing(target: str) -> bytes:
    """A drawing that shows a picture of another file (SVG)."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><image href="{target}"/></svg>'.encode()


def outside(target: str) -> bytes:
    """A film whose samples lie in another file (QuickTime: "alis" in "dref")."""
    data = bytearray(media()["h264"][1])
    here = data.index(b"url \0\0\0\1") - 4
    name = target.encode()
    record = bytes(150) + struct.pack(">HH", 2, len(name)) + name + bytes(len(name) % 2) + struct.pack(">HH", 0xFFFF, 0)
    alias = struct.pack(">I4sI", 12 + len(record), b"alis", 0) + record
    for box in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"):
        place = data.index(box) - 4
        size = int.from_bytes(data[place : place + 4], "big") + len(alias) - 12
        data[place : place + 4] = size.to_bytes(4, "big")
    data[here : here + 12] = alias
    return bytes(data)


LISTS: tuple[Callable[[str], bytes], ...] = (
    playlist, concat, master, keyed, playlist, concat, dash, session, smil, advanced, winamp, vobsub, drawing, outside,
)  # fmt: skip
SUFFIXES = (".m3u8", ".mp4", ".txt", ".mkv", ".avi", ".ffconcat", ".mpd", ".sdp", "", ".ts", ".idx", ".mov")
ADDRESSES = ("ftp://127.0.0.1:{port}/a.mp4", "file://{film}")
"""What is there is the input itself: the connection is its own, and the film is read."""

SCHEMES = (
    "http://127.0.0.1:{port}/a.mp4", "tcp://127.0.0.1:{port}", "rtsp://127.0.0.1:{port}/a",
    "rtmp://127.0.0.1:{port}/a", "file:{film}",
    "concat:{film}|{film}", "subfile,,start,0,end,0,,:{film}", "pipe:0", "cache:{film}", "async:{film}",
    "data:video/mp4;base64,AAAA", "md5:{film}", "unix:{pipe}",
)  # fmt: skip
NAMES = (
    "/dev/stdin", "-", "camera:99", "camera:/dev/zero", "sample:../a.ts", "~root/a.mp4", "~nobody-of-that-name/a.mp4",
    "a" * 256 + ".mp4", "b" * 5000, "\x1b[31mred\x1b[0m.mp4", "\u202etxt.mp4", "a\nb.png", "%d.png",
    "frame%03d.png", "*.png", "\udcff.mp4",
)  # fmt: skip


def _lists(canaries: Canaries, folder: Path, rng: random.Random) -> Iterator[tuple[str, Path | str]]:
    """Yield files that name a canary, each with a title."""
    number = 0
    while True:
        kind = LISTS[number % len(LISTS)]
        suffix = SUFFIXES[(number + number // len(LISTS)) % len(SUFFIXES)]
        path = folder / f"list-{number}{suffix}"
        address = f"http://127.0.0.1:{canaries.port}/x.ts"
        targets = (canaries.film.name, str(canaries.film), str(canaries.pipe), address, path.name, str(path))
        # A film that says its samples are elsewhere is read for what it holds, which may be enough.
        target = rng.choice(targets if kind is not outside else targets[2:4])
        path.write_bytes(kind(target))
        yield f"{kind.__name__} in {path.name} names {target}", path
        number += 1


def _specials(canaries: Canaries, folder: Path) -> Iterator[tuple[str, Path | str]]:
    """Yield pipes, sockets and devices in the place of files, and folders that hold some."""
    for suffix in (".mp4", ".png", ".tif", ""):
        os.mkfifo(folder / f"pipe{suffix}")
        yield f"pipe{suffix}", folder / f"pipe{suffix}"
        for device in ("zero", "tty", "random"):
            (folder / f"{device}{suffix}").symlink_to(f"/dev/{device}")
            yield f"link to {device}{suffix}", folder / f"{device}{suffix}"
    os.chdir(folder)  # The name of a socket is short.
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.png")
    yield "socket", folder / "socket.png"
    (folder / "loop.png").symlink_to("loop.png")
    yield "link to itself", folder / "loop.png"
    (folder / "linked.mp4").symlink_to(canaries.pipe)
    yield "link to a pipe", folder / "linked.mp4"


def _mixed(folder: Path) -> Path:
    """Return a folder of pictures and masks with pipes among them: those are left out, and the rest is read."""
    for name in ("input", "groundtruth"):
        (folder / name).mkdir(parents=True)
        for i, picture in enumerate(frames()):
            cv2.imwrite(str(folder / name / f"in{i}.png"), picture)
        os.mkfifo(folder / name / "in9.png")
        (folder / name / "in8.png").symlink_to("/dev/zero")
        (folder / name / "in7.png").mkdir()
    return folder


def run(n_cases: int, folder: Path) -> Iterator[Outcome]:
    """Let the program read what names other things, and interrupt it."""
    rng = random.Random(4)
    here = os.getcwd()
    listener = Listener()
    canaries = Canaries(folder / "canary.ts", folder / "canary.pipe", listener.port)
    canaries.film.write_bytes(film("mpegts", "mpeg2video", "yuv420p"))
    os.mkfifo(canaries.pipe)
    try:
        kinds = (_lists(canaries, folder, rng), _specials(canaries, folder), _names(canaries))
        for number, (title, source, allowed) in enumerate(_in_turn(n_cases - max(2, n_cases // 10), kinds)):
            connections = listener.count
            where = folder / f"run-{number}"
            ended = start(["run", str(source), "-o", "results", "--save", "plate", "--quiet"], where).wait(HANGS_S)
            fault = ended.fault(*allowed, seconds=HANGS_S)
            if listener.count != connections and not (str(source).startswith(STREAMS) or _is_address(source)):
                fault = "a connection was opened"
            if any(ord(sign) < 32 and sign != "\n" for sign in ended.err):
                fault = f"controls reach the terminal: {ended.err!r}"
            yield Outcome(title, fault)
        yield from _interrupted(max(2, n_cases // 10), folder, rng)
    finally:
        os.chdir(here)
        listener.close()


def _names(canaries: Canaries) -> Iterator[tuple[str, Path | str]]:
    places = {"film": canaries.film, "pipe": canaries.pipe, "port": canaries.port}
    for address in ADDRESSES + SCHEMES + NAMES:
        name = address.format(**places)
        yield f"named {name[:60]!r}", name


def _is_address(source: Path | str) -> bool:
    return str(source).startswith(tuple(address.partition("//")[0] + "//" for address in ADDRESSES))


def _in_turn(
    n_cases: int, kinds: Sequence[Iterator[tuple[str, Path | str]]]
) -> Iterator[tuple[str, Path | str, tuple[int, ...]]]:
    """Yield so many cases of all kinds in turn, with the statuses that each may end with."""
    made = 0
    while made < n_cases:
        for kind in kinds:
            found = next(kind, None)
            if found is not None and made < n_cases:
                may_be_read = found[0].startswith(outside.__name__) or _is_address(found[1])
                yield (*found, (0, 2) if may_be_read else (2,))
                made += 1


def _interrupted(n_cases: int, folder: Path, rng: random.Random) -> Iterator[Outcome]:
    """Yield what came of runs that are told to end while they open, read and work."""
    endless = [str(_mixed(folder / "mixed")), "sample:street", str(folder / "long.mp4")]
    (folder / "long.mp4").write_bytes(media()["h264"][1])
    for number in range(n_cases):
        source = endless[number % len(endless)]
        running = start(
            ["run", source, "-o", "results", "--passes", "1000", "--quiet"], folder / f"interrupted-{number}"
        )
        after = 1.0 + rng.random()
        time.sleep(after)
        without_a_core = (waited_for_a_core_s(str(running.pid)), waited_for_a_core_s())
        running.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
        began = time.perf_counter()
        ended = running.wait(HANGS_S)
        spent = time.perf_counter() - began
        # What the machine did is taken off: other programs had the cores, of this one or of who waits for it.
        now = (running.waited_for_a_core_s, waited_for_a_core_s())
        spent -= max(later - earlier for earlier, later in zip(without_a_core, now, strict=True))
        fault = ended.fault(130, 0, 143) or (f"ended {spent:.1f} s after the signal" if spent > ENDS_WITHIN_S else None)
        yield Outcome(f"{Path(source).name} interrupted after {after:.1f} s", fault)


ATTACK = Attack(
    "references",
    "playlists, manifests, URLs, FIFOs, devices",
    "no file and no connection opened but the input; ends within 2 s of Ctrl+C",
    100,
    12,
    run,
)
