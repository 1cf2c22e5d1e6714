"""Hash the results of many short runs, to see that a refactoring changes none of them by a byte.

::

    python scripts/fingerprint.py --save /tmp/before.txt        before the change
    python scripts/fingerprint.py --against /tmp/before.txt     after it: names each difference, ends with status 1
    python scripts/fingerprint.py --only shaken                 one run

Each run is ``python -m app run …`` in a process of its own, of the checkout that this file stands in; to measure
another commit, copy the file into a worktree of it. All take two minutes on two cores, and some more where kernels have
moved and are compiled anew. One line is printed for each result, ``run/result  hash``. With ``--data DIR``, or
CLEANPLATE_DATA in the environment, some runs are on real data. Where one fails, the program's sentence is shown and the
status is 2.

Hashes hold for one machine and one environment: matrix products differ between processors, encoders between versions.
So none are kept in the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import tifffile
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent

EVERYTHING = "plate,confidence,background,foreground,mask,matte,cleaned,basis,model"
"""What is saved where a run does not say."""

SCENES = {
    # Films and samples, over more frames than the methods below get: start, shake, light, cut, rank, depth, formats.
    "still": "{still} --format mkv --set warm_up=20",
    "still-two-passes": "{still} --passes 2 --frames 5:44 --format tiff",
    "still-mp4": "{still} --format mp4 --roi 9,7,77,61",
    "still-matte": "{still} --set shadows=off --set sensitivity=70 --set holes=0 --size 96x72",
    "shaken": "{shaken} --format mkv",
    "shaken-two-passes-grey": "{shaken} --grey --passes 2 --frames 1:40",
    "shaken-opgd": "{shaken} --method opgd --frames 1:30 --size 80x60 --format mkv",
    "lit": "{lit} --format mkv --set warm_up=15 --set park=25",
    "lit-grey": "{lit} --grey --format tiff --set memory=40 --set learn_every=2 --set sample=1024",
    "street": "sample:street --frames 1:200 --roi 60,60,200,150 --format mkv --set warm_up=60 --set park=60",
    "street-small": "sample:street --frames 100:159 --size 160x120 --seed 3",
    "street-grey": "sample:street --frames 1:60 --roi 60,90,160,120 --grey --passes 2 --format mkv",
    "street-preset": "sample:street --preset street --frames 200:240 --size 160x120 --save mask,plate,cleaned,model",
    "street-trees": "sample:street --preset trees --frames 1:40 --roi 0,0,160,120 --format mkv",
    "street-rank": "sample:street --frames 1:120 --size 160x120 --set rank=6 --set auto_rank=on --set warm_up=30"
    " --format mkv",
    "stack": "{stack} --format tiff",
    "stack-microscopy": "{stack} --preset microscopy --passes 2",
    "stack-film": "{stack} --roi 5,3,60,48 --format mkv --set warm_up=10 --set memory=30",
    "deep-photos": "{deep} --set warm_up=6",
    "deep-photos-opgd": "{deep} --method opgd --set lam=0.05 --format tiff",
    "photos-two-passes": "{photos} --passes 2",
    "photos-corrupt-laplace": "{photos} --corrupt laplace:0.3:40 --seed 2",
    "photos-corrupt-uniform": "{photos} --corrupt uniform:0.1:100:200 --method oadmm --passes 2",
    "photos-grey-truncated": "{photos} --grey --method truncated-cauchy --set iterations=20 --set rank=2",
    # What was learnt, applied to other frames.
    "street-applied": "sample:street --frames 300:330 --size 160x120 --model {out}/street-small/model.npz --format mkv",
    "still-applied": "{still} --frames 20:40 --model {out}/still/model.npz",
    # Faces, spoiled and clean, and the extensions of the papers' methods.
    "faces": "sample:faces --frames 1:60 --preset faces",
    "faces-robust-nmf": "sample:faces --frames 1:60 --method robust-nmf --corrupt salt-and-pepper:0.2 --set rank=8",
    "faces-wnmf": "sample:faces --frames 1:60 --method wnmf --corrupt salt-and-pepper:0.3 --set missing=white",
    "faces-robust-nmf+wnmf": "sample:faces --frames 1:40 --method robust-nmf+wnmf --corrupt salt-and-pepper:0.1"
    " --set lone_pixels=on",
    "faces-occluded": "sample:faces --frames 1:60 --method opgd --passes 2 --corrupt occlusion:0.1 --set rank=20",
    "faces-auto-rank": "sample:faces --frames 1:60 --method opgd --set auto_rank=on --set rank=16",
    "faces-auto-rank-oadmm": "sample:faces --frames 1:60 --method oadmm --set auto_rank=on --set rank=12",
    "faces-simplex": "sample:faces --frames 1:40 --method opgd --set dictionary_set=simplex --set h_penalty=lasso"
    " --set r_penalty=ridge",
    "faces-elastic-net": "sample:faces --frames 1:40 --method oadmm --set dictionary_set=elastic-net"
    " --set h_penalty=sparse-group --set w_lasso=0.01",
    "faces-groups": "sample:faces --frames 1:40 --method opgd --set dictionary_set=orthant --set h_penalty=group"
    " --set r_penalty=group --set w_ridge=0.1",
    "faces-brighter": "sample:faces --frames 1:40 --method oadmm --set brighter_only=on --set h_penalty=ridge",
    "faces-ol-l2": "sample:faces --frames 1:60 --method ol-l2 --corrupt occlusion:0.15 --set rank=8",
    "faces-applied": "sample:faces --frames 80:90 --model {out}/faces-robust-nmf+wnmf/model.npz",
    # Real data.
    "data-highway": "{data}/sequences/highway/input --frames 470:520 --set warm_up=20 --format mkv",
    "data-fall": "{data}/sequences/fall/input --frames 101:130 --preset trees --size 240x160 --save mask,plate,model",
    "data-foliage": "{data}/sequences/foliage/input --frames 1:60 --grey --passes 2 --save mask,plate,matte,confidence",
    "data-pedestrians": "{data}/video/pedestrians_480x360.mp4 --frames 31:80 --roi 100,60,320,240 --format mkv",
    "data-brain": "{data}/stacks/brain_u16 --roi 100,100,160,128 --preset microscopy",
    "data-orl": "{data}/faces/orl --method onmfo --frames 1:50 --size 46x56 --save basis,cleaned,model,mask",
}  # fmt: skip
"""Runs by their names: the words after `cleanplate run`. Names in braces are inputs made here (`MAKERS`), the folder of
real data, and that of the results: a run that names ``{out}/OTHER/…`` waits for OTHER."""

ONLINE = [
    "opgd", "oadmm", "onmfo", "ol-is", "ol-kl", "ol-l2sq", "ol-huber", "ol-l1", "ol-l2", "ol-alpha", "ol-beta",
    "ol-gamma", "onmf", "orpca", "ol-wang", "ol-wang2", "ol-lef", "median", "mog2", "knn",
]  # fmt: skip
"""Methods that all get the same short run on colour photographs, like those of `BATCH`."""

BATCH = [
    "bpgd", "badmm", "rnmf-mu", "b-is", "b-kl", "b-l2sq", "b-huber", "b-l1", "b-l2", "b-alpha", "b-beta", "b-gamma",
    "l2", "l1", "l21", "capped", "hypersurface", "huber", "cim", "cauchy", "truncated-cauchy", "rnmf-l1", "wnmf",
]  # fmt: skip
"""Those that learn from a set of frames, here in few iterations and at a rank at which they cannot learn it by heart.
`robust-nmf` is none of them, as it may take for ever on scenes that stand still: it has faces."""

APPLIED = [
    "oadmm", "onmfo", "bpgd", "ol-huber", "b-is", "onmf", "orpca", "ol-wang", "ol-wang2", "ol-lef", "cauchy",
    "rnmf-l1", "wnmf", "median", "mog2", "knn",
]  # fmt: skip
"""Those whose model is applied too: one of each kind of state."""

RUNS = {
    **{f"photos-{key}": f"{{photos}} --method {key} --frames 1:20" for key in ONLINE},
    **{f"photos-{key}": f"{{photos}} --method {key} --frames 1:20 --set iterations=8 --set rank=3" for key in BATCH},
    **{f"applied-{key}": f"{{photos}} --model {{out}}/photos-{key}/model.npz --frames 15:24" for key in APPLIED},
    **SCENES,
}
"""Every run, in the order in which they start: behind the one that it waits for."""

AT_ONCE = 2
"""Runs that go on side by side."""

LONGEST_S = 600
"""A run that takes longer has failed."""


class FingerprintError(Exception):
    """One sentence: which run or file, and what is wrong with it."""


def main(words: Sequence[str] | None = None) -> int:
    """Run, hash, print or compare; return the exit status."""
    options = parsed(words)
    try:
        before = None if options.against is None else read_lines(options.against)
        names = chosen(options.only, options.data)
        lines = fingerprint(names, options.data)
        if options.save is not None:
            options.save.write_text(as_text(lines))
    except (FingerprintError, OSError) as error:
        print(f"fingerprint: {error}", file=sys.stderr)
        return 2
    if before is None:
        print(as_text(lines), end="")
        return 0
    left_out = set(RUNS) - set(names)
    return told(differences(before, lines, left_out), len(lines))


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the lines to a file too")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with such a file instead of printing")
    parser.add_argument("--only", choices=RUNS, metavar="NAME", help="this run alone, and the one whose model it needs")
    data = os.environ.get("CLEANPLATE_DATA")
    parser.add_argument("--data", type=Path, metavar="DIR", default=data, help="real data [CLEANPLATE_DATA]")
    return parser.parse_args(words)


def chosen(only: str | None, data: Path | None) -> list[str]:
    """Return the names of the runs to make, each behind the one it needs; say which are skipped."""
    wanted = set(RUNS) if only is None else {only, needed(only)}
    absent = {name for name in wanted & set(RUNS) if not present(name, data)}
    if absent:
        print(f"Skipped, as their data are absent (--data): {', '.join(sorted(absent))}.", file=sys.stderr)
    return [name for name in RUNS if name in wanted - absent]


def needed(name: str) -> str | None:
    """Return the run whose results a run reads, if it does."""
    found = re.search(r"\{out\}/([^/ ]+)/", RUNS[name])
    return found[1] if found else None


def present(name: str, data: Path | None) -> bool:
    """Tell whether a run has its input: all do but those on real data."""
    source = RUNS[name].split()[0]
    return "{data}" not in source or (data is not None and Path(source.format(data=data)).exists())


# Runs


def fingerprint(names: Sequence[str], data: Path | None) -> dict[str, str]:
    """Make the runs and return the hash of each result, by ``run/result``; all failures are one error."""
    with tempfile.TemporaryDirectory(prefix="fingerprint-") as folder:
        out = Path(folder) / "out"
        places = {"out": out, "data": data, **make_inputs(Path(folder) / "in")}
        failures = []
        for done in made(names, places):
            failures += [str(error) for error in [done.exception()] if error is not None]
        if failures:
            raise FingerprintError("\n".join(failures))
        return {key: value for name in names for key, value in hashes(name, out / name).items()}


def made(names: Sequence[str], places: Mapping[str, Path | None]) -> Iterator[Future[None]]:
    """Make the runs, a few at once in the order given, and yield each when it and those before have ended."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs: dict[str, Future[None]] = {}
        for name in names:
            runs[name] = pool.submit(make, name, places, runs.get(needed(name) or ""))
        yield from runs.values()


def make(name: str, places: Mapping[str, Path | None], before: Future[None] | None) -> None:
    """Make one run, behind the one that it needs. Raises FingerprintError with what the program said."""
    if before is not None and before.exception() is not None:
        raise FingerprintError(f"{name}: what it needs has failed.")
    started = time.perf_counter()
    # The folder of a process started with -m comes first; its own children, if any, find the same modules.
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            command(name, places), cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
            timeout=LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise FingerprintError(f"{name}: not done after {LONGEST_S} seconds.") from None
    if done.returncode != 0:
        raise FingerprintError(f"{name}: {done.stderr.strip() or 'ended without a word'} (status {done.returncode})")
    print(f"{time.perf_counter() - started:5.1f} s  {name}", file=sys.stderr)


def command(name: str, places: Mapping[str, Path | None]) -> list[str]:
    """Return the words that start a run."""
    # Split first: the folders may have spaces in their names.
    words = [word.format_map(places) for word in RUNS[name].split()]
    if "--save" not in words:
        words += ["--save", EVERYTHING]
    return [sys.executable, "-m", "app", "run", *words, "-o", str(places["out"] / name), "--quiet"]


# Hashes and lines


def hashes(name: str, folder: Path) -> dict[str, str]:
    """Return the hash of each result of a run, by ``run/result``."""
    return {f"{name}/{path.name}": digest(path) for path in folder.iterdir()}


def digest(path: Path) -> str:
    """Return a short hash of the bytes of a file, or of the names and bytes of all files in a folder.

    Raw bytes serve for every format: the program writes films and models without times, random identifiers and versions
    of its own, so that the same run gives the same bytes.
    """
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    inside = sorted(file for file in path.rglob("*") if file.is_file())
    listed = "".join(f"{file.relative_to(path).as_posix()}\n{digest(file)}\n" for file in inside)
    return hashlib.sha256(listed.encode()).hexdigest()[:16]


def as_text(lines: Mapping[str, str]) -> str:
    """Return hashes as lines, sorted."""
    return "".join(f"{result}  {value}\n" for result, value in sorted(lines.items()))


def read_lines(path: Path) -> dict[str, str]:
    """Return what `as_text` made. Raises FingerprintError where a line is none of its."""
    lines = {}
    for line in path.read_text().splitlines():
        found = re.fullmatch(r"(\S+/\S+)  ([0-9a-f]{16})", line)
        if not found:
            raise FingerprintError(f"{path} is not what --save wrote: {line}")
        lines[found[1]] = found[2]
    return lines


def differences(before: Mapping[str, str], after: Mapping[str, str], left_out: Collection[str] = ()) -> list[str]:
    """Return a line for each result that differs, is missing or is new; runs left out this time count as neither."""
    expected = {result: value for result, value in before.items() if result.split("/")[0] not in left_out}
    found = []
    for result in sorted(expected.keys() | after.keys()):
        if result not in after:
            found.append(f"missing  {result}")
        elif result not in expected:
            found.append(f"extra    {result}")
        elif expected[result] != after[result]:
            found.append(f"changed  {result}  {expected[result]} -> {after[result]}")
    return found


def told(found: Sequence[str], n_results: int) -> int:
    """Print what differs, and return the exit status."""
    for line in found:
        print(line)
    print(f"{len(found)} differences, {n_results} results.")
    return 1 if found else 0


# Inputs


def make_inputs(folder: Path) -> dict[str, Path]:
    """Make every input in a folder; the same bytes each time."""
    folder.mkdir(parents=True)
    return {name: maker(folder) for name, maker in MAKERS.items()}


def texture(height: int, width: int) -> NDArray[np.float32]:
    """Return a still RGB scene with patches of several sizes, between about 30 and 200."""
    rng = np.random.default_rng(7)
    scene = np.full((height, width, 3), 110, np.float32)
    for size in (1.5, 4, 12):
        patches = cv2.GaussianBlur(rng.standard_normal((height, width, 3)).astype(np.float32), (0, 0), size)
        scene += 22 * patches / patches.std()
    return scene


def with_blob(scene: NDArray, index: int) -> NDArray[np.uint8]:
    """Return a scene with sensor noise, and something yellow that crosses it on a wavy line with a shadow."""
    picture = scene + np.random.default_rng(index).normal(0, 1.5, scene.shape).astype(np.float32)
    height, width = scene.shape[:2]
    x, y = (3 * index + 5) % width, height // 2 + round(height / 5 * np.sin(index / 6))
    picture[y + 6 : y + 11, max(0, x - 9) : x + 9] *= 0.7
    cv2.ellipse(picture, (x, y), (8, 6), 0, 0, 360, (250, 195, 40), -1)
    return picture.clip(0, 255).astype(np.uint8)


def still_pictures() -> list[NDArray[np.uint8]]:
    """Return what a camera sees that stands."""
    scene = texture(80, 112)
    return [with_blob(scene, index) for index in range(48)]


def shaken_pictures() -> list[NDArray[np.uint8]]:
    """Return what a camera sees that is held by hand, and turned a little in the end."""
    scene = texture(140, 200)
    turns = np.clip(np.arange(80) - 50, 0, 16)
    places = [(10 + round(4 * np.cos(i * 1.7)), 10 + round(3 * np.sin(i * 1.1)) + turn) for i, turn in enumerate(turns)]
    return [with_blob(scene[y : y + 120, x : x + 160], index) for index, (y, x) in enumerate(places)]


def lit_pictures() -> list[NDArray[np.uint8]]:
    """Return a scene of which a lamp lights one side from one frame on, and a cut to another."""
    dim, other = 0.6 * texture(96, 128), texture(96, 128)[::-1, ::-1]
    lamp = np.linspace(0.8, 2.2, 128, dtype=np.float32)[:, None]
    scenes = [dim] * 40 + [dim * lamp] * 30 + [other] * 20
    return [with_blob(scene, index) for index, scene in enumerate(scenes)]


def film(path: Path, pictures: Sequence[NDArray[np.uint8]], codec: str) -> Path:
    """Write pictures as a film in 4:2:0, coded on one thread."""
    height, width = pictures[0].shape[:2]
    with av.open(str(path), "w", container_options={"fflags": "+bitexact"}) as container:
        stream = container.add_stream(codec, rate=25)
        stream.height, stream.width, stream.pix_fmt = height, width, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.bit_rate = 2_000_000
        for index, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(format="yuv420p")
            frame.pts, frame.time_base = index, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def photos(folder: Path, count: int, change: Callable[[NDArray[np.uint8]], NDArray]) -> Path:
    """Write a folder of small PNG photographs, each changed before it is stored."""
    folder.mkdir()
    scene = texture(48, 64)
    for index in range(count):
        cv2.imwrite(str(folder / f"shot{index}.png"), change(with_blob(scene, index)[..., ::-1]))
    return folder


def stack(path: Path) -> Path:
    """Write a 16-bit grey TIFF of many pages: bright specks that wander over a dim slope."""
    rng = np.random.default_rng(3)
    places, slope = rng.uniform(0, 64, (6, 2)), np.linspace(2000, 9000, 80)[None, :] + np.zeros((64, 1))
    pages = []
    for _ in range(40):
        places = (places + rng.normal(0.5, 1.5, places.shape)) % (64, 80)
        page = slope + rng.normal(0, 120, slope.shape)
        for y, x in places.astype(int):
            page[max(0, y - 3) : y + 3, max(0, x - 3) : x + 3] += 20000
        pages.append(page.clip(0, 65535).astype(np.uint16))
    tifffile.imwrite(path, np.stack(pages), photometric="minisblack", metadata=None)
    return path


MAKERS: dict[str, Callable[[Path], Path]] = {
    "still": lambda folder: film(folder / "still.mkv", still_pictures(), "ffv1"),
    "shaken": lambda folder: film(folder / "shaken.mp4", shaken_pictures(), "mpeg4"),
    "lit": lambda folder: film(folder / "lit.mkv", lit_pictures(), "ffv1"),
    "photos": lambda folder: photos(folder / "photos", 24, lambda picture: picture),
    "deep": lambda folder: photos(folder / "deep", 20, lambda picture: picture.astype(np.uint16) * 250 + 9),
    "stack": lambda folder: stack(folder / "stack.tif"),
}
"""What makes each input, by the name that runs call it by."""


if __name__ == "__main__":
    sys.exit(main())
