"""Small films that tests of sources make."""

from fractions import Fraction

import av
import cv2
import numpy as np


def numbered(index, height=48, width=64):
    """Return an RGB picture that differs from that of every other index, and is not symmetric."""
    image = np.zeros((height, width, 3), np.uint8)
    image[: height // 3, : width // 3, 0] = 220
    image[height // 2 :, :, 1] = (index * 37) % 200 + 30
    cv2.circle(image, ((index * 5) % width, height // 2), 7, (40, 90, 250), -1)
    return image


def write_film(
    path, count, *, codec="libx264", pix_fmt="yuv420p", options=None, ticks=None, size=(64, 48), b_frames=3,
    of_file=None,
):  # fmt: skip
    """Write ``count`` numbered pictures; ``ticks`` are their times in milliseconds (by default 40 apart)."""
    ticks = ticks or [40 * i for i in range(count)]
    with av.open(str(path), "w", options=of_file or {}) as container:
        stream = container.add_stream(codec, rate=25, options=options or {})
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000 if codec == "libx264" else 25)
        if codec != "ffv1":
            stream.codec_context.gop_size = 12
            stream.codec_context.max_b_frames = b_frames
        for index, tick in enumerate(ticks):
            frame = av.VideoFrame.from_ndarray(numbered(index, size[1], size[0]), "rgb24").reformat(format=pix_fmt)
            frame.pts, frame.time_base = tick, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def sounding(path, film, codec, container=None, longer_s=0.0):
    """Write the film with a tone that is coded so, and lasts for so much longer than the pictures."""
    with av.open(str(film)) as source, av.open(str(path), "w", format=container) as out:
        picture = out.add_stream_from_template(source.streams.video[0])
        tone = out.add_stream(codec, rate=48000, layout="mono")
        tone.bit_rate = 64000
        frames = source.streams.video[0].frames or 16
        packets = [packet for packet in source.demux(video=0) if packet.dts is not None]
        for packet in packets:
            packet.stream = picture
            out.mux(packet)
        samples = (8000 * np.sin(np.arange(48000) / 20)).astype(np.int16)
        for start in range(0, 48000 * frames // 25 + round(48000 * longer_s), 1024):
            values = np.resize(samples[start % 4800 :], 1024)[None]
            frame = av.AudioFrame.from_ndarray(values, format="s16", layout="mono")
            frame.sample_rate, frame.pts = 48000, start
            out.mux(tone.encode(frame))
        out.mux(tone.encode(None))
    return path


def write_planes(path, pix_fmt, size, pictures, coder="ffv1", *, colour=(2, 0)):
    """Write lossless film of the very samples given, lists of planes; ``colour`` holds the tags of matrix and range."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(coder, rate=25)
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        stream.codec_context.colorspace, stream.codec_context.color_range = colour
        for index, planes in enumerate(pictures):
            frame = av.VideoFrame(*size, pix_fmt)
            for plane, samples in zip(frame.planes, planes, strict=True):
                lines = np.zeros((plane.height, plane.line_size // samples.itemsize), samples.dtype)
                lines[:, : samples.shape[1]] = samples
                plane.update(lines.tobytes())
            frame.pts, frame.time_base = index, Fraction(1, 25)
            frame.colorspace, frame.color_range = colour
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def turn_upright(path, turn=(0, 1, -1, 0)):
    """Set the display matrix of an MP4, by default as a telephone held upright does: turn by 90 degrees clockwise."""
    data = bytearray(path.read_bytes())
    matrix = data.index(b"tkhd") + 4 + 40
    one = 0x10000
    a, b, c, d = (one * x for x in turn)
    values = (a, b, 0, c, d, 0, 0, 0, 0x40000000)
    data[matrix : matrix + 36] = b"".join(v.to_bytes(4, "big", signed=True) for v in values)
    path.write_bytes(data)


def exactly(source):
    """Return (index, time, samples) of each frame."""
    return [(f.index, f.time_s, f.values) for f in source.frames()]


def assert_seeks_exactly(source, places):
    """Check that reading from each place gives what reading from the start gave, for some frames."""
    told = exactly(source)
    for place in places:
        frames = source.frames(place)
        for index, time_s, values in told[place : place + 3]:
            frame = next(frames)
            assert frame.index == index
            assert frame.time_s == time_s
            np.testing.assert_array_equal(frame.values, values)
        frames.close()
    assert list(source.frames(len(told))) == []
