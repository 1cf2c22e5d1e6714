"""Small files of every kind that the program reads, made from nothing."""

from __future__ import annotations

import io
import zlib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image

N_FRAMES, WIDTH, HEIGHT = 6, 64, 48

HEIC = Path(__file__).parents[1] / "core" / "io" / "sources" / "decoders" / "heif"
"""Files that no library here writes."""

FILMS: dict[str, tuple[str, str, str, str]] = {
    # kind: suffix, container, codec, pixel format
    "h264": (".mp4", "mp4", "libx264", "yuv420p"),
    "hevc": (".mp4", "mp4", "libx265", "yuv420p"),
    "fragments": (".mp4", "mp4", "libx264", "yuv420p"),
    "mov": (".mov", "mov", "prores_ks", "yuv422p10le"),
    "ffv1": (".mkv", "matroska", "ffv1", "bgr0"),
    "deep": (".mkv", "matroska", "ffv1", "gray16le"),
    "mkv": (".mkv", "matroska", "libx264", "yuv420p"),
    "webm": (".webm", "webm", "libvpx-vp9", "yuv420p"),
    "vp8": (".webm", "webm", "libvpx", "yuv420p"),
    "mjpeg": (".avi", "avi", "mjpeg", "yuvj420p"),
    "raw": (".avi", "avi", "rawvideo", "bgr24"),
    "divx": (".avi", "avi", "mpeg4", "yuv420p"),
    "mpeg": (".mpg", "mpeg", "mpeg2video", "yuv420p"),
    "transport": (".ts", "mpegts", "libx264", "yuv420p"),
    "wmv": (".wmv", "asf", "wmv2", "yuv420p"),
    "flash": (".flv", "flv", "flv1", "yuv420p"),
    "mxf": (".mxf", "mxf", "mpeg2video", "yuv420p"),
    "y4m": (".y4m", "yuv4mpegpipe", "wrapped_avframe", "yuv420p"),
    "gif": (".gif", "gif", "gif", "rgb8"),
    "apng": (".apng", "apng", "apng", "rgb24"),
}

IMAGES: dict[str, tuple[str, Any]] = {
    "png": (".png", np.uint8), "png16": (".png", np.uint16), "jpg": (".jpg", np.uint8), "webp": (".webp", np.uint8),
    "bmp": (".bmp", np.uint8), "ppm": (".ppm", np.uint8), "tif": (".tif", np.uint8),
    "avif": (".avif", np.uint8), "jp2": (".jp2", np.uint8), "jp2-deep": (".jp2", np.uint16),
}  # fmt: skip

STACKS: dict[str, dict[str, Any]] = {
    "plain": {}, "zlib": {"compression": "zlib"},
    "lzma": {"compression": "lzma"}, "tiled": {"compression": "zlib", "tile": (16, 16)},
    "predictor": {"compression": "zlib", "predictor": 2}, "big": {"bigtiff": True}, "imagej": {"imagej": True},
    "motorola": {"byteorder": ">"},
}  # fmt: skip


def frames(dtype: Any = np.uint8) -> NDArray[Any]:
    """Return frames (N, H, W, 3): a bright square that crosses a gradient with some noise."""
    rng = np.random.default_rng(12)
    base = np.add.outer(np.arange(HEIGHT), np.arange(WIDTH))[..., None] + np.array([0, 20, 40])
    pictures = np.stack([base + rng.integers(0, 6, base.shape) for _ in range(N_FRAMES)])
    for i, picture in enumerate(pictures):
        picture[10:26, 4 + 7 * i : 18 + 7 * i] = 230
    white = np.iinfo(dtype).max
    return (pictures.clip(0, 255) * (white // 255)).astype(dtype)


@cache
def media() -> dict[str, tuple[str, bytes]]:
    """Return suffix and contents of a file of each kind; those that no library here can write are left out."""
    files: dict[str, tuple[str, bytes]] = {}
    for kind, (suffix, container, codec, form) in FILMS.items():
        try:
            files[kind] = (suffix, film(container, codec, form, fragmented=kind == "fragments"))
        except (av.FFmpegError, ValueError):
            continue
    for kind, (suffix, dtype) in IMAGES.items():
        files[kind] = (suffix, cv2.imencode(suffix, frames(dtype)[0])[1].tobytes())
    for kind, options in STACKS.items():
        files[f"stack-{kind}"] = (".tif", stack(frames()[..., 0], **options))
    files["stack-colour"] = (".tif", stack(frames(), photometric="rgb"))
    files["stack-deep"] = (".tif", stack(frames(np.uint16)[..., 1], compression="zlib"))
    pictures = [Image.fromarray(picture) for picture in frames()]
    for kind, form, suffix, options in (
        ("stack-lzw", "TIFF", ".tif", {"compression": "tiff_lzw", "save_all": True, "append_images": pictures[1:]}),
        (
            "stack-packbits",
            "TIFF",
            ".tif",
            {"compression": "packbits", "save_all": True, "append_images": pictures[1:]},
        ),
        ("stack-jpeg", "TIFF", ".tif", {"compression": "jpeg", "save_all": True, "append_images": pictures[1:]}),
        ("jpg-progressive", "JPEG", ".jpg", {"progressive": True}),
        ("webp-animated", "WEBP", ".webp", {"save_all": True, "append_images": pictures[1:], "lossless": True}),
        ("avif-animated", "AVIF", ".avif", {"save_all": True, "append_images": pictures[1:]}),
        ("gif-animated", "GIF", ".gif", {"save_all": True, "append_images": pictures[1:]}),
        ("png-animated", "PNG", ".png", {"save_all": True, "append_images": pictures[1:]}),
    ):
        memory = io.BytesIO()
        pictures[0].save(memory, form, **options)
        files[kind] = (suffix, memory.getvalue())
    files["j2k"] = (".j2k", files["jp2"][1][files["jp2"][1].index(b"\xff\x4f\xff\x51") :])
    for kind, name in (("heic", "colour"), ("heic-deep", "ten_bits"), ("heic-alpha", "alpha"), ("heic-burst", "burst")):
        files[kind] = (".heic", (HEIC / f"{name}.heic").read_bytes())
    for kind, form in (("dpx", "gbrp10be"), ("dpx-grey", "gray16le")):
        files[kind] = (".dpx", picture("dpx", form))
    files["pgm-deep"] = (".pgm", b"P5 64 48 4095\n" + frames(np.uint16)[0, :, :, 0].astype(">u2").tobytes())
    return files


def film(container: str, codec: str, form: str, *, fragmented: bool = False, pictures: Any = None) -> bytes:
    """Return a film; ``pictures`` (N, H, W, 3) uint8, by default `frames`."""
    memory = io.BytesIO()
    options = {"fflags": "+bitexact"} | ({"movflags": "frag_keyframe+empty_moov"} if fragmented else {})
    with av.open(memory, "w", format=container, container_options=options) as file:
        stream: Any = file.add_stream(codec, rate=25, options={"x265-params": "log-level=none"})
        shown = frames() if pictures is None else pictures
        stream.height, stream.width = shown.shape[1:3]
        stream.pix_fmt = form
        for i, picture in enumerate(shown):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(format=form)
            frame.pts = i
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return memory.getvalue()


def picture(codec: str, form: str) -> bytes:
    """Return a file of one picture by a codec that needs no container."""
    coder: Any = av.CodecContext.create(codec, "w")
    coder.width, coder.height, coder.pix_fmt, coder.time_base = WIDTH, HEIGHT, form, Fraction(1, 25)
    frame = av.VideoFrame.from_ndarray(frames()[0], format="rgb24").reformat(format=form)
    frame.pts = 0
    return b"".join(bytes(packet) for packet in [*coder.encode(frame), *coder.encode(None)])


def stack(pages: NDArray[Any], **options: Any) -> bytes:
    """Return a TIFF file of these pages."""
    memory = io.BytesIO()
    options.setdefault("photometric", "minisblack")
    tifffile.imwrite(memory, pages, software=False, **({} if "imagej" in options else {"metadata": None}), **options)
    return memory.getvalue()


def png(
    width: int, height: int, *, depth: int = 1, colour: int = 0, data: bytes | None = None, extra: bytes = b""
) -> bytes:
    """Return a black PNG of this size, packed as close as can be; ``extra`` are chunks behind the header."""
    if data is None:
        line = 1 + (width * depth * {0: 1, 2: 3, 3: 1, 6: 4}[colour] + 7) // 8
        data = packed_zeros(line * height)
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([depth, colour, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra
        + (chunk(b"PLTE", bytes(6)) if colour == 3 else b"") + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )  # fmt: skip


def packed_zeros(n_bytes: int) -> bytes:
    """Return what `zlib.compress` might make of so many zeros, of which it packs one part that is repeated."""
    part = 1 << 20
    packer, last = zlib.compressobj(9), zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    begun = packer.compress(bytes(part)) + packer.flush(zlib.Z_FULL_FLUSH)
    head, packed = begun[:2], begun[2:]
    rest = last.compress(bytes(n_bytes % part)) + last.flush()
    checksum = (n_bytes % 65521) << 16 | 1  # Adler's, of zeros.
    return head + packed * (n_bytes // part) + rest + checksum.to_bytes(4, "big")


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of a PNG file."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
