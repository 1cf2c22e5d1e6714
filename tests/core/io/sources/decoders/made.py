"""Small image files that tests of decoders share."""

import io
from fractions import Fraction

import av
import cv2
import numpy as np
from PIL import Image

from core.io.sources import decoders

ORIENTATIONS = (1, 2, 3, 4, 5, 6, 7, 8)


def drawn(white=255, dtype=np.uint8, size=(48, 64)):
    """Return an RGB picture (H, W, 3) that tells its corners apart, from 0 to ``white``."""
    y, x = np.mgrid[: size[0], : size[1]]
    ramps = np.dstack([x / (size[1] - 1), y / (size[0] - 1), np.full(size, 0.25)])
    ramps[: size[0] // 4, : size[1] // 4] = (1, 0, 0)
    return np.rint(ramps * white).astype(dtype)


def encoded(suffix, image, options=()):
    """Return a file of a grey, RGB or RGBA image, as OpenCV writes it."""
    if image.ndim == 3:
        image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR if image.shape[2] == 3 else cv2.COLOR_RGBA2BGRA)
    return cv2.imencode(suffix, image, list(options))[1].tobytes()


def by_pillow(form, image, orientation=None, **options):
    """Return a file as Pillow writes it, which says how to turn it."""
    memory = io.BytesIO()
    if orientation:
        options["exif"] = Image.Exif()
        options["exif"][0x112] = orientation
    Image.fromarray(image).save(memory, form, **options)
    return memory.getvalue()


def by_libav(codec, form, image, **options):
    """Return a file of a picture that libav knows in one format, as it writes it in another."""
    known = {2: "gray16le", 3: "rgb48le", 4: "rgba64le"}[image.ndim if image.ndim == 2 else image.shape[2]]
    frame = av.VideoFrame.from_ndarray(image, known).reformat(format=form)
    frame.pts = 0
    writer = av.CodecContext.create(codec, "w")
    writer.width, writer.height, writer.pix_fmt, writer.time_base = frame.width, frame.height, form, Fraction(1, 25)
    writer.options = options
    return b"".join(bytes(packet) for packet in [*writer.encode(frame), *writer.encode(None)])


def decoded(data):
    """Return what a file holds."""
    return decoders.opened(data).decode()


def upright(image, orientation):
    """Return an image turned as EXIF has it, by Pillow."""
    memory = io.BytesIO()
    exif = Image.Exif()
    exif[0x112] = orientation
    Image.fromarray(image).save(memory, "PNG", exif=exif)
    from PIL import ImageOps

    with Image.open(memory) as stored:
        return np.asarray(ImageOps.exif_transpose(stored))


def apart(image, other):
    """Return the mean difference of two pictures."""
    assert image.shape == other.shape
    return float(np.abs(image.astype(int) - other.astype(int)).mean())
