"""What writes the pictures of a product: images, a stack, or a film that is coded as the product needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

import av

from core.errors import CleanplateError
from core.export.pictures import PICTURES
from core.export.products import BY_SCENE, COLOURED, FILMS, FORMATS, HAVE_ALPHA, PNGS, SOUNDING, STACK, TIFFS, place
from core.frames.colour import ColourStandard
from core.frames.frame import Planes
from core.io.calibration import Calibration
from core.io.sinks.base import Sink
from core.io.sinks.coded import H264, Av1, Av1Mask, Coded, H264Mask, Hevc, HevcMask
from core.io.sinks.images import PngSequence, TiffSequence
from core.io.sinks.stack import TiffStack
from core.io.sinks.video import Coding, Ffv1, Film, ProRes422, ProRes4444
from core.io.sources.base import SourceInfo

FILM_KINDS: dict[str, type[Film]] = {
    "mkv": Ffv1, "mp4": H264, "hevc": Hevc, "av1": Av1, "prores": ProRes422, "prores4444": ProRes4444,
}  # fmt: skip
"""How photographs are coded in each of `core.export.products.FILMS`."""

MASK_KINDS: dict[str, type[Film]] = {"mp4": H264Mask, "hevc": HevcMask, "av1": Av1Mask}
"""How black and white is coded where that is another thing."""


def sink_for(product: str, folder: Path, form: str, info: SourceInfo, coding: Coding) -> Sink:
    """Return the sink for the pictures of a product.

    Parameters
    ----------
    product, form : str
        Keys of `core.export.pictures.PICTURES` and `core.export.products.FORMATS`; the form may be `STACK`.
    folder : Path
    info : SourceInfo
        Of the input.
    coding : Coding
        Of films.
    """
    final, standard = place(product, folder, form), standard_of(product, info)
    profile = info.profile if product in COLOURED else None
    if form in PNGS:
        images = PngSequence(final, standard=standard, profile=profile)
        images.notes += _scale_notes(info)
        return images
    if form == STACK:
        return TiffStack(final, info.n_frames, info.calibration or Calibration(), profile)
    if form == "tiff":
        sink = TiffSequence(final, profile, info.calibration)
        sink.notes += _tiff_notes(standard)
        return sink
    sound = coding.sound if product in SOUNDING else None
    coding = replace(
        coding, aspect=info.pixel_aspect, standard=standard, sound=sound, start_s=info.start_s, timecode=info.timecode,
        bit_depth=info.full.bit_depth, levels=info.levels, mastering=info.mastering if product in COLOURED else None,
    )  # fmt: skip
    film = film_kind(product, form)(final, info.fps, coding)
    film.notes += _scale_notes(info)
    if info.live and info.has_sound and product in SOUNDING:
        film.notes.append(f"{final.name} has no sound: of streams and followed folders pictures alone are recorded.")
    if profile is not None:
        film.notes.append("Films cannot say the colour profile of the images; --format png or tiff keeps it.")
    if isinstance(film, Coded) and info.full.planes is Planes.YCC420 and info.full.full_range and product in COLOURED:
        film.notes.append(
            f"Films in {film.title} are at video levels, which all players show rightly; the input is at full range, a "
            "sixth more steps of light, which --format mkv or png keeps."
        )
    return film


def scene_notes(products: Collection[str], form: str, info: SourceInfo) -> list[str]:
    """Return a sentence where pictures that there is one of for each scene cannot say what the input does.

    Parameters
    ----------
    products : collection of str
        That are saved; those that are not in `core.export.products.BY_SCENE` do not matter.
    form : str
        Key of `core.export.products.FORMATS`, or `STACK`.
    info : SourceInfo
        Of the input.
    """
    if form in TIFFS:
        return _tiff_notes(standard_of("plate", info)) if "plate" in products else []
    return [] if BY_SCENE.isdisjoint(products) else _scale_notes(info)


def _scale_notes(info: SourceInfo) -> list[str]:
    """Return a sentence where the input states what a pixel shows, which TIFF alone can say."""
    if info.calibration is None or info.calibration.pixel_size is None:
        return []
    return ["PNG and films cannot say what a pixel shows, as the input does; --format tiff keeps its scale."]


def _tiff_notes(standard: ColourStandard | None) -> list[str]:
    """Return a sentence on what TIFF cannot say of pictures of a standard, where viewers take them for others."""
    if standard is None or standard.is_usual:
        return []
    return [
        f"TIFF cannot say what its colours stand for ({standard.title}), and viewers show them paler; --format png "
        f"says it."
    ]


def standard_of(product: str, info: SourceInfo) -> ColourStandard | None:
    """Return what the pictures of a product stand for, by the input; None: what viewers take them for."""
    is_unlike = info.standard is not None and not info.standard.is_usual
    return None if is_unlike and product not in COLOURED else info.standard


def check_encoders(products: Iterable[str], form: str) -> None:
    """Raise a `CleanplateError` where films of products need an encoder that is not there; others are not films."""
    if form not in FILMS:
        return
    for product in PICTURES.keys() & set(products):
        codec = film_kind(product, form).codec
        try:
            av.Codec(codec, "w")
        except av.codec.codec.UnknownCodecError:
            raise CleanplateError(
                f"The video library here has no encoder {codec}, which {FORMATS[form]} needs; choose another --format."
            ) from None


def check_sizes(products: Iterable[str], form: str, width: int, height: int) -> None:
    """Raise a `CleanplateError` where pictures of this size cannot be stored in this format; images always can."""
    for product in PICTURES.keys() & set(products) if form in FILMS else ():
        film_kind(product, form).check_size(width, height)


def bits_of_films() -> dict[str, int]:
    """Return how many bits of a sample photographs have in the films that keep fewer than 16, by format."""
    return {form: kind.most_bits for form, kind in FILM_KINDS.items() if kind.most_bits < 16}


def film_kind(product: str, form: str) -> type[Film]:
    """Return how films of a product are coded: with alpha, which only the foreground has, as ProRes 4444 if need be."""
    if product == "foreground" and form not in HAVE_ALPHA:
        return ProRes4444
    return MASK_KINDS.get(form, FILM_KINDS[form]) if product == "mask" else FILM_KINDS[form]
