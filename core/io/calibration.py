"""Scale and interval that a TIFF stack states, as ImageJ and OME write them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

import tifffile

Axes = tuple[tuple[str, int], ...]
"""What follows each other from page to page, slowest first: T (time), Z (depth), C (channel), each with its length."""

IMAGEJ_AXES = {"T": "frames", "Z": "slices", "C": "channels"}
"""ImageJ's words for the axes, in the order of its pages, slowest first."""

AXIS_WORDS = {"T": "time points", "Z": "depths", "C": "channels"}
"""What people call places along them."""

APART = {
    "Z": "depth, or of their maximum (ImageJ: Image > Stacks > Z Project…, all time frames)",
    "C": "channel (ImageJ: Image > Color > Split Channels)",
}
"""Of what one stack is to be saved each, where others follow each other in it, and how."""

IMAGEJ_KEPT = ("hyperstack", "mode", "unit", "yunit", "zunit", "spacing", "finterval", "tunit", "fps", "loop")
"""What ImageJ states of scale and time; contrast, labels and look-up tables are of the pictures that were there."""

OME_KEPT = (
    *(f"PhysicalSize{axis}{what}" for axis in "XYZ" for what in ("", "Unit")),
    *("TimeIncrement", "TimeIncrementUnit"),
)
"""What OME states of scale and time."""

LONGEST_DESCRIPTION = 16 << 20
"""Characters; OME describes each plane of a long recording in some hundred."""

UNEVEN = 0.1
"""Share of an interval by which times of planes may be early or late: cameras and clocks are."""

UNIQUE = "urn:uuid:00000000-0000-0000-0000-000000000000"
"""Name of a document: the nil one, because the same run gives the same bytes, and no other file refers to it."""


NO_LENGTH = {"", "pixel", "pixels"}
"""Units of files that state none."""

PRINT_DPI = {72, 96, 100, 150, 200, 240, 300, 600, 1200}
"""Pixels in an inch that programs write where nothing was measured: for printers, not of the scene."""

TO_AN_INCH = {"inch": 1.0, "cm": 2.54}
"""Of the units in which programs count what they print."""

TIFF_UNITS = {2: "inch", 3: "cm"}

SECONDS = {
    **dict.fromkeys(("ns", "nsec"), 1e-9),
    **dict.fromkeys(("µs", "us", "usec"), 1e-6),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("", "s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86400.0),
}
"""In units of time, as ImageJ and OME write them; where none is said, ImageJ means seconds, and so does OME."""

METRES = {
    "nm": 1e-9, "nanometer": 1e-9, "um": 1e-6, "µm": 1e-6, "μm": 1e-6, "micron": 1e-6, "microns": 1e-6,
    "micrometer": 1e-6, "mm": 1e-3, "millimeter": 1e-3, "cm": 1e-2, "centimeter": 1e-2, "m": 1.0, "meter": 1.0,
    "inch": 0.0254, "inches": 0.0254, "km": 1e3,
}  # fmt: skip
"""Units of length that files use, in metres."""


@dataclass(frozen=True)
class PixelSize:
    """How large the scene is that a pixel shows.

    Attributes
    ----------
    width : float
        In ``unit``.
    unit : str
        As the file has it.
    aspect : float
        Height over width.
    """

    width: float
    unit: str
    aspect: float = 1.0

    @property
    def metres(self) -> tuple[float, float] | None:
        """Width and height; None where the unit is no known one."""
        metres = METRES.get(self.unit.lower())
        return None if metres is None else (self.width * metres, self.width * self.aspect * metres)

    @property
    def micrometres(self) -> tuple[float, float] | None:
        """Width and height; None where the unit is no known one."""
        if self.metres is None:
            return None
        # 0.108 µm stay 0.108: the way through metres leaves a trace behind the 15th digit.
        width, height = (float(f"{1e6 * side:.12g}") for side in self.metres)
        return width, height


@dataclass(frozen=True)
class Calibration:
    """What a stack says of its pages.

    Attributes
    ----------
    convention : str
        Of the description: ImageJ's, OME's, or none.
    resolution : (x, y), optional
        Pixels in a unit, as numerators and denominators of the TIFF tags.
    resolution_unit : int
        Of the TIFF tag: 1 none, 2 inch, 3 cm.
    axes : tuple
    stated : dict
        What of the description is kept, by the convention's names.
    """

    convention: Literal["imagej", "ome", ""] = ""
    resolution: tuple[tuple[int, int], tuple[int, int]] | None = None
    resolution_unit: int = 1
    axes: Axes = ()
    stated: Mapping[str, str] = field(default_factory=dict)

    @property
    def pixel_size(self) -> PixelSize | None:
        """How large the scene is that a pixel shows; None where the file does not say."""
        (width, unit), (height, its_unit) = self._side("X"), self._side("Y")
        if not width:
            return None
        is_comparable = its_unit == unit or {unit.lower(), its_unit.lower()} <= METRES.keys()
        if not height or not is_comparable:
            return PixelSize(width, unit)
        times = 1.0 if its_unit == unit else METRES[its_unit.lower()] / METRES[unit.lower()]
        return PixelSize(width, unit, height * times / width)

    def _side(self, axis: Literal["X", "Y"]) -> tuple[float, str]:
        """Return how much of the scene a side of a pixel shows, and in what unit; 0 where the file does not say."""
        if self.convention == "ome":
            length = self.stated.get(f"PhysicalSize{axis}", "")
            unit = self.stated.get(f"PhysicalSize{axis}Unit", "µm")
        else:
            count, units = (0, 1) if self.resolution is None else self.resolution["XY".index(axis)]
            length = str(1 / (count / units)) if count > 0 else ""
            if self.convention == "imagej":
                unit = self.stated.get("unit", "")
                unit = self.stated.get("yunit", unit) if axis == "Y" else unit
            else:
                unit = TIFF_UNITS.get(self.resolution_unit, "")
            if unit in TO_AN_INCH and round(count / units * TO_AN_INCH[unit]) in PRINT_DPI:
                unit = ""
        try:
            size = float(length)
        except ValueError:
            return 0.0, ""
        known = math.isfinite(size) and size > 0 and unit.lower() not in NO_LENGTH
        return (size, _plain(unit)) if known else (0.0, "")

    @property
    def interval_s(self) -> float | None:
        """Seconds from page to page; None where the file does not say, or pages are not of one time after another.

        ImageJ's ``fps`` is how quickly it plays a stack, not how quickly that was recorded.
        """
        if any(size > 1 for axis, size in self.axes if axis != "T"):
            return None
        names = ("TimeIncrement", "TimeIncrementUnit") if self.convention == "ome" else ("finterval", "tunit")
        number, unit = (self.stated.get(name, "").strip() for name in names)
        try:
            interval_s = float(number) * SECONDS.get(_plain(unit).lower(), math.nan)
        except ValueError:
            return None
        return interval_s if math.isfinite(interval_s) and interval_s > 0 else None

    def mixture(self, n_pages: int) -> str:
        """Return the end of a sentence on pages that follow each other along several axes; empty where along one."""
        sizes = {axis: size for axis, size in self.axes if size > 1}
        if len(sizes) < 2 or math.prod(sizes.values()) != n_pages:
            return ""
        said = " × ".join(f"{size} {AXIS_WORDS[axis]}" for axis, size in sizes.items())
        # Without times a stack of one depth would be a single picture.
        apart = ", and for each ".join(
            how for axis, how in APART.items() if axis in sizes and (axis == "C" or "T" in sizes)
        )
        return (
            f"holds {said}, which are read one after another as frames of one scene; save one stack for each {apart}."
        )

    def description(self, n_pages: int, shape: tuple[int, ...], dtype: str) -> str:
        """Return the description for a file of pages of this shape, (H, W) or (H, W, C); empty where there is none."""
        axes = self._axes_of(n_pages)
        if self.convention == "imagej":
            counts = {IMAGEJ_AXES[axis]: size for axis, size in axes}
            lines = {"ImageJ": "1.11a", "images": n_pages, **counts, **self.stated}
            return "".join(f"{name}={value}\n" for name, value in lines.items())
        if self.convention == "ome":
            colours = shape[2] if len(shape) == 3 else 1
            document = tifffile.OmeXml(UUID=UNIQUE)
            letters = "".join(axis for axis, _ in axes)
            document.addimage(
                dtype, (*(size for _, size in axes), *shape), (n_pages, 1, 1, shape[0], shape[1], colours),
                axes=f"{letters}YX{'S' if colours > 1 else ''}", **self.stated,
            )  # fmt: skip
            return str(document.tostring())
        return ""

    def _axes_of(self, n_pages: int) -> Axes:
        """Return the axes of so many pages: the file's own where they are all there."""
        if self.axes and math.prod(size for _, size in self.axes) == n_pages:
            return self.axes
        sizes = dict(self.axes)
        return (("Z" if sizes.get("Z", 1) > 1 and sizes.get("T", 1) == 1 else "T", n_pages),)


def _plain(unit: str) -> str:
    """Return a unit as people write it: ImageJ stores what is no ASCII as an escape."""
    return unit.replace("\\u00B5", "µ").replace("\\u00b5", "µ").replace("μ", "µ")


def read_calibration(file: tifffile.TiffFile) -> Calibration:
    """Return what an open file states; nothing where that cannot be understood."""
    try:
        return _read(file)
    except Exception:  # tifffile does not say what it raises on damaged tags, and the pictures may be whole.
        return Calibration()


def _read(file: tifffile.TiffFile) -> Calibration:
    page = file.pages[0]
    assert isinstance(page, tifffile.TiffPage)
    tags = {name: page.tags[name].value for name in ("XResolution", "YResolution") if name in page.tags}
    whole = len(tags) == 2 and all(len(value) == 2 and value[1] > 0 for value in tags.values())
    resolution = (tags["XResolution"], tags["YResolution"]) if whole else None
    unit = page.tags["ResolutionUnit"].value if "ResolutionUnit" in page.tags else 1
    scale = Calibration("", resolution, int(unit) if int(unit) in (1, 2, 3) else 1)
    text = page.description
    if len(text) > LONGEST_DESCRIPTION:
        return scale
    if file.is_imagej:
        return _imagej(text, scale)
    return _ome(text, scale) if file.is_ome else scale


def _imagej(text: str, scale: Calibration) -> Calibration:
    lines = dict(line.partition("=")[::2] for line in text.splitlines())
    axes = tuple(
        (axis, int(lines[name])) for axis, name in IMAGEJ_AXES.items() if lines.get(name, "").isdecimal()
    )  # fmt: skip
    stated = {name: lines[name] for name in IMAGEJ_KEPT if name in lines}
    return Calibration("imagej", scale.resolution, scale.resolution_unit, axes, stated)


def _ome(text: str, scale: Calibration) -> Calibration:
    pixels = ElementTree.fromstring(text).find(".//{*}Pixels")
    if pixels is None:
        return scale
    order = pixels.get("DimensionOrder", "XYZCT")[:1:-1]
    sizes = {axis: pixels.get(f"Size{axis}", "") for axis in order if axis in IMAGEJ_AXES}
    axes = tuple((axis, int(size)) for axis, size in sizes.items() if size.isdecimal() and int(size) > 1)
    stated = {name: value for name in OME_KEPT if (value := pixels.get(name))}
    if Calibration("ome", stated=stated).interval_s is None:
        stated |= _even_steps(pixels)
    return Calibration("ome", scale.resolution, scale.resolution_unit, axes, stated)


def _even_steps(pixels: ElementTree.Element) -> dict[str, str]:
    """Return the time increment, as OME states it, of planes that each state their own time; empty where it varies.

    Bio-Formats and programs of microscopes often write such times alone.
    """
    planes = [plane for plane in pixels.iterfind("{*}Plane") if plane.get("TheC") == plane.get("TheZ") == "0"]
    units = {plane.get("DeltaTUnit", "s") for plane in planes}
    try:
        times = {int(plane.get("TheT", "")): float(plane.get("DeltaT", "")) for plane in planes}
    except ValueError:
        return {}
    if len(times) < 2 or len(units) > 1 or times.keys() != set(range(len(times))):
        return {}
    step = (times[len(times) - 1] - times[0]) / (len(times) - 1)
    is_even = step > 0 and all(abs(times[t] - times[t - 1] - step) <= UNEVEN * step for t in range(1, len(times)))
    return {"TimeIncrement": f"{step:.6g}", "TimeIncrementUnit": units.pop()} if is_even else {}
