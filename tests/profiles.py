"""Colour profiles for tests."""

from PIL import ImageCms

RGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
"""As a library makes it."""

LAB = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()


def grey():
    """One of grey samples, as far as it is looked at."""
    return RGB[:16] + b"GRAY" + RGB[20:]


def another():
    """Another one of red, green and blue: made at another time."""
    return RGB[:24] + b"\x07\xc0" + RGB[26:]
