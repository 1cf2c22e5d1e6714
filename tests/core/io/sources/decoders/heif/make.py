"""Make the files in this folder anew: pip install pillow-heif, whose encoder is under another licence than this."""

from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image

from tests.core.io.sources.decoders.made import drawn

HERE = Path(__file__).parent


def save(name, mode, image, more=(), **options):
    """Write a file of one image, or of several."""
    height, width = image.shape[:2]
    file = pillow_heif.from_bytes(mode, (width, height), image.tobytes())
    for other in more:
        file.add_frombytes(mode, (width, height), other.tobytes())
    file.save(HERE / name, **{"quality": 95} | options)


def turned(orientation):
    """Return an EXIF directory that says how a picture is to be turned."""
    exif = Image.Exif()
    exif[0x112] = orientation
    return exif.tobytes()


def main():
    """Write them all."""
    deep = drawn(1023, np.uint16)
    opacity = np.full((48, 64, 1), 128)
    save("colour.heic", "RGB", drawn())
    save("grey.heic", "L", drawn()[..., 1])
    save("odd.heif", "RGB", drawn(size=(47, 63)))
    save("ten_bits.heic", "RGB;10", deep)
    save("ten_bits_grey.heic", "L;16", (deep[..., 1] << 6).astype(np.uint16))
    save("ten_bits_422.hif", "RGB;10", deep, chroma=422)
    save("alpha.heic", "RGBA", np.dstack([drawn(), opacity]).astype(np.uint8))
    save("alpha_deep.heic", "RGBA;10", np.dstack([deep, 4 * opacity]).astype(np.uint16))
    save("burst.heic", "RGB", drawn() // 2, [drawn(), drawn() // 4], primary_index=1)
    save("flat.heic", "L", np.zeros((512, 512), np.uint8))
    save("turned_6.heic", "RGB", drawn(), exif=turned(6))
    save("turned_7.heic", "RGB", drawn(), exif=turned(7))


if __name__ == "__main__":
    main()
