"""Opening a video file: that file alone, whatever it says of others."""

from __future__ import annotations

import io
import re
import threading
from pathlib import Path
from typing import BinaryIO, NoReturn

import av
from av.stream import Disposition

from core.errors import CancelledError
from core.io.regular_file import failure_of, open_regular
from core.io.sources import failing
from core.io.sources.unusable import NoVideoError, UnusableError

FORMATS = (
    "mov", "matroska", "webm", "avi", "mpeg", "mpegvideo", "mpegts", "asf", "flv", "ogg", "mxf", "yuv4mpegpipe", "gif",
    "apng", "jpegxl_anim",
    # Streams of one codec without a container.
    "h261", "h263", "h264", "hevc", "vvc", "evc", "av1", "obu", "ivf", "m4v", "mjpeg", "mjpeg_2000", "vc1", "dirac",
    "dnxhd", "cavsvideo", "avs2", "avs3", "apv",
    # Recorders, broadcast, surveillance, microscopes and telescopes.
    "dv", "gxf", "lxf", "wtv", "nut", "nuv", "nsv", "rm", "pva", "swf", "cine", "ser", "fits", "dhav", "ifv", "flic",
    "smjpeg", "filmstrip",
    # Single pictures.
    "bmp_pipe", "dds_pipe", "dpx_pipe", "exr_pipe", "gif_pipe", "hdr_pipe", "j2k_pipe", "jpeg_pipe", "jpegls_pipe",
    "jpegxl_pipe", "jpegxs_pipe", "pam_pipe", "pbm_pipe", "pcx_pipe", "pfm_pipe", "pgm_pipe", "pgmyuv_pipe", "pgx_pipe",
    "phm_pipe", "png_pipe", "ppm_pipe", "psd_pipe", "qoi_pipe", "sgi_pipe", "sunrast_pipe", "tiff_pipe", "webp_pipe",
)  # fmt: skip
"""What libav may read a file as, by its names: formats whose pictures lie in the file itself.

Left out are lists of other files and addresses (hls, concat, dash, sdp, image2, …) and text drawn as pictures (tty).
"""

_LIST = re.compile(
    rb"\s*(#EXTM3U|ffconcat version|v=0\s|\[playlist\]|\[reference\]|"
    rb"(<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(MPD|smil|asx|playlist|AssetMap|CompositionPlaylist|SmoothStreamingMedia)\b)",
    re.IGNORECASE | re.DOTALL,
)
_LIST_START = 4096

_STARTS = re.compile(
    rb"....(ftyp|moov|mdat|free|skip|wide)|\x1a\x45\xdf\xa3|RIFF....AVI |GIF8[79]a|OggS|FLV\x01|"
    rb"\x30\x26\xb2\x75\x8e\x66\xcf\x11|\x00\x00\x01[\xb3\xba]|\x47.{187}\x47|.{4}\x47.{191}\x47|"
    rb"\x06\x0e\x2b\x34\x02\x05\x01\x01|YUV4MPEG2 ",
    re.DOTALL,
)
"""How films begin: MP4 and MOV, Matroska, AVI, GIF, Ogg, FLV, WMV, MPEG, streams of it, MXF and Y4M."""

_BUFFER = 1 << 18


def begins(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is a film of a usual kind."""
    return _STARTS.match(data) is not None


class VideoFile:
    """A file as libav reads it: no name of it is taken for an address, and reading can be ended from another thread.

    Parameters
    ----------
    path : Path
    given_up : threading.Event
        Set it to let every read end at once.

    Attributes
    ----------
    title : str
        Its name, for people.
    name : str
        What libav is told: nothing where it needs none, for it takes what is called as an image for nothing else.

    Raises
    ------
    CleanplateError
        It is no regular file.
    OSError
        As the built-in ``open``.
    """

    def __init__(self, path: Path, given_up: threading.Event) -> None:
        self.title = path.name
        self._given_up, self._has_failed = given_up, False
        self._file: BinaryIO = open_regular(path)
        self.name = "" if begins(self.start()) else path.name
        self.seek(0)

    def read(self, n_bytes: int) -> bytes:
        """Return the next bytes; none at the end.

        What fails does so once: libav asks again, and PyAV prints a second error.
        """
        if self._has_failed:
            return b""
        try:
            if self._given_up.is_set():
                raise CancelledError(f"Reading {self.title} was cancelled.")
            return self._file.read(n_bytes)
        except Exception:
            self._has_failed = True
            raise

    def check(self) -> None:
        """Raise a `CleanplateError` where a read has failed: what libav made of it is no damage of the file."""
        if (failure := failure_of(self._file)) is not None:
            raise failing.failed(self.title, failure) from failure

    def start(self) -> bytes:
        """Return the first bytes, whatever came of others."""
        try:
            self._file.seek(0)
            return self._file.read(_LIST_START)
        except OSError:
            return b""

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to a place in the file and return it; -1, as libav has it, where there is no such place."""
        try:
            return self._file.seek(offset, whence)
        except (OSError, ValueError):
            return -1

    def tell(self) -> int:
        """Return the place in the file."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_container(file: VideoFile, most_pixels: int) -> av.container.InputContainer:
    """Return an open file as libav's container, which has a video.

    Parameters
    ----------
    file : VideoFile
    most_pixels : int
        Larger pictures are not decoded to find out what the streams are.

    Raises
    ------
    CleanplateError
        It cannot be read as a video, or names other files.
    """
    try:
        container = av.open(
            file, "r", metadata_errors="ignore", buffer_size=_BUFFER, io_open=refuse,
            container_options={"format_whitelist": ",".join(FORMATS), "protocol_whitelist": "none"},
            options={"max_pixels": str(most_pixels)},
        )  # fmt: skip
    except (av.FFmpegError, OSError, ValueError) as error:
        if _LIST.match(file.start()):
            raise UnusableError.of(
                file.title, "is a list that names other files or addresses, which are not opened",
                "open one of them itself",
            ) from error  # fmt: skip
        raise NoVideoError.of(
            file.title, "cannot be read as a video (it may be empty, damaged or of another kind)", "try another file"
        ) from error
    if films_in(container):
        return container
    what = "holds no video" if not container.streams.video else "is coded in a way that is not known here"
    container.close()
    raise UnusableError.of(file.title, what, "try another file")


def films_in(container: av.container.InputContainer) -> list[av.VideoStream]:
    """Return the videos of an open file that can be decoded, but covers and stills only where it holds nothing else."""
    videos = [video for video in container.streams.video if video.codec_context is not None]
    is_cover = Disposition.attached_pic
    return [video for video in videos if not video.disposition & is_cover and video.frames != 1] or videos


def video_of(container: av.container.InputContainer) -> av.VideoStream:
    """Return the video of an open file that is read: of several films the one that libav prefers, as players do.

    That is the one that the file marks as its default; of equal ones, the one of more frames at the beginning, then of
    the higher bit rate, then the first. Each opening of one file gives the same.
    """
    films = films_in(container)
    best = container.streams.best("video")
    return next((film for film in films if film is best), films[0])


def refuse(url: str, flags: int, options: dict[str, str]) -> NoReturn:
    """Open nothing, in place of what opens files that another one names."""
    raise PermissionError("a file that another one names is not opened")
