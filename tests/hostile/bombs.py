"""Small files that claim to be, or unpack to, far more than fits; and pictures of every odd size."""

from __future__ import annotations

import itertools
import random
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from tests.hostile.attack import Attack, Outcome
from tests.hostile.batch import SIZE, run_batch
from tests.hostile.media import HEIC, chunk, film, frames, media, packed_zeros, png, stack

AT_ONCE = 2
Made = tuple[str, bytes]


def png_bombs() -> Iterator[tuple[str, Made]]:
    """Yield black pictures of huge sizes packed close, and chunks that unpack to gigabytes."""
    for side, depth, colour in (
        (16_000, 1, 0), (30_000, 1, 3), (12_000, 8, 2), (9_000, 8, 6), (8_000, 16, 2), (20_000, 8, 0), (5_000, 8, 2),
    ):  # fmt: skip
        yield f"png {side}² {depth} bit colour {colour}", (".png", png(side, side, depth=depth, colour=colour))
    claim = zlib.compress(bytes(1000))
    for width, height in ((2**31 - 1, 2**31 - 1), (1_000_000, 1_000_000), (60_000, 60_000), (0, 5), (5, 0), (2**31, 1)):
        yield f"png claims {width}×{height}", (".png", png(width, height, depth=8, colour=6, data=claim))
    packed = packed_zeros(300 << 20)
    small = zlib.compress(bytes(65 * 48), 9)
    for kind, name in ((b"zTXt", b"a\0\0"), (b"iCCP", b"a\0\0"), (b"iTXt", b"a\0\1\0\0\0")):
        extra = chunk(kind, name + packed)
        yield f"png with {kind.decode()}", (".png", png(64, 48, depth=8, data=small, extra=extra))
        yield f"large png with {kind.decode()}", (".png", png(15_000, 15_000, extra=extra))
    yield "png whose samples go on", (".png", png(64, 48, depth=8, data=packed))
    control = chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0)) + chunk(
        b"fcTL", struct.pack(">IIIIIHHBB", 0, 14_000, 14_000, 0, 0, 1, 25, 0, 0)
    )
    for suffix in (".png", ".apng"):
        yield f"animated in {suffix}", (suffix, png(14_000, 14_000, depth=8, colour=2, extra=control))


def other_images() -> Iterator[tuple[str, Made]]:
    """Yield pictures of other kinds that claim to be huge."""
    jpg = bytearray(media()["jpg"][1])
    progressive = bytearray(media()["jpg-progressive"][1])
    for data, name in ((jpg, "jpg"), (progressive, "progressive jpg")):
        place = next(i for i in range(len(data)) if data[i] == 0xFF and data[i + 1] in {0xC0, 0xC2})
        for width, height in ((65_500, 65_500), (65_535, 9_000), (20_000, 20_000), (6_000, 6_000)):
            changed = bytearray(data)
            changed[place + 5 : place + 9] = struct.pack(">HH", height, width)
            yield f"{name} claims {width}×{height}", (".jpg", bytes(changed))
        scan = data.rindex(b"\xff\xda")
        yield f"{name} of many scans", (".jpg", bytes(data[:scan]) + bytes(data[scan:-2]) * 4000 + b"\xff\xd9")
    place = progressive.index(b"\xff\xc2")
    progressive[place + 5 : place + 9] = struct.pack(">HH", 2_000, 2_000)
    scan = progressive.rindex(b"\xff\xda")
    yield "2000² of many scans", (".jpg", bytes(progressive[:scan]) + bytes(progressive[scan:-2]) * 4000 + b"\xff\xd9")
    bmp = bytearray(media()["bmp"][1])
    for width, height in ((100_000, 100_000), (2**31 - 1, 2), (-5, -(2**31)), (30_000, -30_000)):
        bmp[18:26] = struct.pack("<ii", width, height)
        yield f"bmp claims {width}×{height}", (".bmp", bytes(bmp))
    for head in (
        b"P6 60000 60000 255\n",
        b"P5 99999999 99999999 65535\n",
        b"P4 200000 200000\n",
        b"P2 50000 50000 9\n",
    ):
        yield f"{head[:20].decode().strip()}", (".ppm", head + bytes(100))
    for form in ("VP8X", "VP8L"):
        body = (
            struct.pack("<I", 0)[:4] + b"\xff\x3f\0\xff\x3f\0" if form == "VP8X" else b"\x2f\xff\xff\xff\x0f" + bytes(9)
        )
        whole = form.encode() + struct.pack("<I", len(body)) + body
        yield f"webp claims much in {form}", (".webp", b"RIFF" + struct.pack("<I", len(whole) + 4) + b"WEBP" + whole)
    for side in (8_000, 4_000):
        black = np.zeros((side, side), np.uint8)
        for suffix, options in ((".avif", [cv2.IMWRITE_AVIF_SPEED, 10]), (".jp2", [])):
            yield f"{suffix} of {side}²", (suffix, cv2.imencode(suffix, black, options)[1].tobytes())
    size = struct.Struct(">4sIII")
    small = cv2.imencode(".avif", black, [cv2.IMWRITE_AVIF_SPEED, 10])[1].tobytes()
    small = small.replace(size.pack(b"ispe", 0, side, side), size.pack(b"ispe", 0, 64, 48))
    yield "avif claims less than it has", (".avif", small)
    jp2, code = media()["jp2"][1], media()["jp2"][1].index(b"\xff\x4f\xff\x51")
    for width, height, tile in ((60_000, 60_000, 60_000), (60_000, 60_000, 1), (2_000, 2_000, 16), (2**32 - 1, 1, 1)):
        grid = struct.pack(">6I", width, height, 0, 0, tile, tile)
        yield f"jp2 claims {width}×{height} in tiles of {tile}", (".jp2", jp2[: code + 8] + grid + jp2[code + 32 :])
    dpx = media()["dpx"][1]
    for width, height in ((60_000, 60_000), (2**31 - 1, 2), (6_000, 6_000), (0, 5)):
        yield f"dpx claims {width}×{height}", (".dpx", dpx[:772] + struct.pack(">II", width, height) + dpx[780:])
    heic = (HEIC / "flat.heic").read_bytes()
    for sides in ((20_000, 20_000), (64, 48), (2**32 - 1, 1), (5_000, 5_000)):
        claim = heic.replace(size.pack(b"ispe", 0, 512, 512), size.pack(b"ispe", 0, *sides))
        yield f"heic claims {sides[0]}×{sides[1]}", (".heic", claim)
    gif = bytearray(media()["gif"][1])
    gif[6:10] = struct.pack("<HH", 65_535, 65_535)
    yield "gif claims 65535²", (".gif", bytes(gif))
    yield "gif as png", (".png", bytes(gif))


def tiffs() -> Iterator[tuple[str, Made]]:
    """Yield stacks whose strips unpack to far too much, whose tags claim it, and whose directories go on for ever."""
    packed = packed_zeros(800 << 20)
    for claim in (16, 40_000):
        entries = [
            (256, 4, claim), (257, 4, claim), (258, 3, 8), (259, 3, 8), (262, 3, 1), (273, 4, 8), (277, 3, 1),
            (278, 4, claim), (279, 4, len(packed)),
        ]  # fmt: skip
        yield f"strip of 800 MB in {claim}²", (".tif", tiff(entries, packed))
    for tag, value in (
        (256, 2**31), (257, 2**31), (277, 60_000), (278, 1), (322, 2**30), (258, 64), (279, 2**32 - 1),
        (273, 2**32 - 1),
    ):  # fmt: skip
        entries = {
            256: (4, 64), 257: (4, 48), 258: (3, 8), 259: (3, 1), 262: (3, 1), 273: (4, 8), 277: (3, 1), 278: (4, 48),
            279: (4, 64 * 48),
        }  # fmt: skip
        entries[tag] = (4, value)
        if tag == 322:
            entries |= {322: (4, 2**20), 323: (4, 2**20), 324: (4, 8), 325: (4, 3072)}
        yield f"tag {tag} is {value}", (".tif", tiff([(t, *e) for t, e in sorted(entries.items())], bytes(64 * 48)))
    whole = bytearray(media()["stack-plain"][1])
    first = struct.unpack_from("<I", whole, 4)[0]
    n_tags = struct.unpack_from("<H", whole, first)[0]
    struct.pack_into("<I", whole, first + 2 + 12 * n_tags, first)
    yield "directories in a circle", (".tif", bytes(whole))
    n_pages = 200_000
    pages = b"".join(struct.pack("<HHHIII", 1, 256, 4, 1, 1, 8 + 18 * (i + 1)) for i in range(n_pages))
    yield f"{n_pages} directories", (".tif", b"II*\0" + struct.pack("<I", 8) + pages)
    imagej = media()["stack-imagej"][1].replace(b"images=6", b"images=9", 1).replace(b"frames=6", b"frames=9", 1)
    yield "more planes than there are", (".tif", imagej)
    yield "large and flat", (".tif", stack(np.zeros((1, 9000, 9000), np.uint8), compression="zlib"))


def films() -> Iterator[tuple[str, Made]]:
    """Yield films that claim, or have, huge pictures, rates and lengths, and change their size on the way."""
    for kind, width, height in itertools.product(
        ("h264", "ffv1", "raw", "mjpeg", "webm", "gif"), (65_535, 30_000), (30_000,)
    ):
        data = bytearray(media()[kind][1])
        for form in (">HH", "<HH", "<II", ">II"):
            data = data.replace(struct.pack(form, 64, 48), struct.pack(form, width, height))
        yield f"{kind} claims {width}×{height}", (media()[kind][0], bytes(data))
    for side in (8_000, 4_000):
        yield (
            f"flat film of {side}²",
            (".mkv", film("matroska", "ffv1", "gray", pictures=np.zeros((1, side, side, 3), np.uint8))),
        )
    yield (
        "flat film of 12000×9000",
        (".mp4", film("mp4", "mjpeg", "yuvj420p", pictures=np.zeros((1, 9_000, 12_000, 3), np.uint8))),
    )
    transport = film("mpegts", "mpeg2video", "yuv420p")
    larger = film("mpegts", "mpeg2video", "yuv420p", pictures=frames().repeat(2, 1).repeat(2, 2))
    yield "film that changes its size", (".ts", transport + larger)
    y4m = media()["y4m"][1]
    for head in (b"F1000000000:1", b"F1:1000000000", b"F0:0", b"F1:0"):
        yield f"y4m at {head.decode()}", (".y4m", y4m.replace(b"F25:1", head, 1))
    for side in (b"W70000 H70000", b"W2000000000 H2", b"W0 H0", b"W-5 H5"):
        yield f"y4m of {side.decode()}", (".y4m", y4m.replace(b"W64 H48", side, 1))
    mp4 = media()["h264"][1]
    fields = ((b"mvhd", 16), (b"mdhd", 12), (b"mdhd", 16), (b"stts", 8), (b"stts", 12), (b"stsz", 12))
    for (box, place), value in itertools.product(fields, (1, 2**32 - 1)):
        data = bytearray(mp4)
        at = data.index(box) + place
        data[at : at + 4] = struct.pack(">I", value)
        yield f"{box.decode()} + {place} is {value}", (".mp4", bytes(data))


def tiff(entries: list[tuple[int, int, int]], samples: bytes) -> bytes:
    """Return a TIFF file of one page with these tags: number, type and value."""
    directory = b"".join(struct.pack("<HHII", tag, dtype, 1, value) for tag, dtype, value in entries)
    head = b"II*\0" + struct.pack("<I", 8 + len(samples))
    return head + samples + struct.pack("<H", len(entries)) + directory + bytes(4)


SIZES = (
    (1, 1), (1, 2), (2, 1), (1, 64), (64, 1), (2, 2), (3, 3), (7, 5), (1, 70_000), (2, 70_000), (70_000, 2),
    (70_000, 1), (16_384, 3), (16_385, 3), (3, 16_386), (32_769, 2), (65_536, 1), (333, 1), (5, 999), (17, 4_001),
)  # fmt: skip
HOW = (
    [], ["--format", "mkv"], ["--format", "mp4", "--save", "mask,cleaned,foreground"], ["--format", "tiff", "--grey"],
    ["--size", "1x1"], ["--size", "3x2000"], ["--save", "plate,mask,matte,confidence,basis,model"],
    ["--method", "mog2"],
)  # fmt: skip


def sizes(rng: random.Random) -> Iterator[tuple[str, Made, list[str]]]:
    """Yield pictures and stacks of odd sizes, and how they are read and written."""
    while True:
        for width, height in rng.sample(SIZES, len(SIZES)):
            how = rng.choice(HOW)
            noise = np.random.default_rng(width + height).integers(0, 255, (3, height, width), np.uint8)
            if rng.random() < 0.5:
                made: Made = (".tif", stack(noise))
            else:
                made = (".png", cv2.imencode(".png", noise[0])[1].tobytes())
            yield f"{made[0]} of {width}×{height} {' '.join(how)}", made, how


def run(n_cases: int, folder: Path) -> Iterator[Outcome]:
    """Let the program read bombs, and pictures of odd sizes."""
    rng = random.Random(7)
    makers: list[Iterator[tuple[str, Made]]] = [png_bombs(), other_images(), tiffs(), films()]
    odd = sizes(rng)
    cases: list[tuple[str, Made, list[str]]] = []
    while len(cases) < n_cases:
        for maker in makers:
            cases.extend(
                (*found, rng.choice(([], ["--size", "64x48"], ["--roi", "0,0,8,8"])))
                for found in itertools.islice(maker, 1)
            )
        cases.append(next(odd))
    cases = cases[:n_cases]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for outcomes in pool.map(lambda part: _run_part(part, folder / str(part[0][0])), _parts(cases)):
            yield from outcomes


def _parts(cases: list[tuple[str, Made, list[str]]]) -> list[list[tuple[int, tuple[str, Made, list[str]]]]]:
    numbered = list(enumerate(cases))
    return [numbered[first : first + SIZE] for first in range(0, len(numbered), SIZE)]


def _run_part(part: list[tuple[int, tuple[str, Made, list[str]]]], folder: Path) -> list[Outcome]:
    folder.mkdir()
    names, arguments = [], []
    for number, (name, (suffix, data), how) in part:
        path = folder / f"{number}{suffix}"
        path.write_bytes(data)
        names.append(" ".join((name, *how)))
        usual = [] if "--save" in how else ["--save", "plate,mask"]
        arguments.append(["run", str(path), "-o", f"results-{number}", "--quiet", *usual, *how])
    ended = run_batch(arguments, folder)
    return [Outcome(name, one.fault()) for name, one in zip(names, ended, strict=True)]


ATTACK = Attack(
    "bombs",
    "bombs and sizes 1×1 to 70000×2",
    "status 0 or 2 with one sentence; 0 “went wrong”, 0 signals, 0 over 30 s, 0 over 2 GiB",
    250,
    25,
    run,
)
