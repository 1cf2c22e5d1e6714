"""Tries what a cluster has to withstand: ``python -m tests.cluster [N_CLIPS [N_FRAMES [KILL_S]]]``, some minutes.

Many clips by ``batch`` on this machine; on two workers in other folders, from and to ``s3://``; and on two of which one
is killed every KILL_S seconds, and the scheduler once half of the jobs are done, with ``--resume`` after that. Results
must be the same bytes, and no job may be run again but those that were lost. On a machine full of other work a worker
is spared until another job is done: where nothing can ever end, nothing does.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

import fsspec
from rich.console import Console

from app.own_command import own_command, own_environment
from tests.app.windows import write_clip
from tests.cluster.processes import Cluster, ObjectStore, Processes

PATIENCE_S = 3600.0
"""With one command."""

POLL_S = 0.1

SIZE = (320, 240)
VIDEOS = ("video", (".avi", ".mp4"))
"""Where clips are cut from, in the folder that CLEANPLATE_DATA names; without it they are drawn."""


def main(n_clips: int = 40, n_frames: int = 40, kill_s: int = 10) -> int:
    """Try all of it; returns 1 where something is not as it must be."""
    console, faults = Console(), []
    with tempfile.TemporaryDirectory(prefix="cluster-") as place:
        folder = Path(place)
        clips = folder / "clips"
        clips.mkdir()
        make_clips(clips, n_clips, n_frames)
        started = time.perf_counter()
        ended(begin("batch", clips, "-o", folder / "here", "--quiet"))
        console.print(f"{n_clips} clips of {n_frames} frames here: {time.perf_counter() - started:.0f} s")
        expected = results(folder / "here")
        processes = Processes(folder / "processes")
        try:
            for title, attempt in (("s3://", at_an_address), ("killed", partial(with_killing, kill_s))):
                started = time.perf_counter()
                said, wrong = attempt(processes, folder, expected, n_clips)
                faults += wrong
                console.print(f"{title}: {said}, {time.perf_counter() - started:.0f} s", markup=False)
        finally:
            processes.stop()
    for fault in faults:
        console.print(f"FAULT: {fault}", markup=False)
    return 1 if faults else 0


def at_an_address(processes, folder, expected, n_clips):
    """Run all from and to addresses, on workers in other folders."""
    store = ObjectStore(processes)
    os.environ.update(store.environment, XDG_STATE_HOME=str(folder / "state"))
    files = fsspec.filesystem("s3", use_listings_cache=False)
    files.mkdir("films")
    files.put(str(folder / "clips") + "/", "films/in/", recursive=True)
    cluster = Cluster(processes)
    cluster.start()
    ended(begin("batch", "s3://films/in", "-o", "s3://films/out", "--scheduler", cluster.address, "--quiet"))
    there = {path.removeprefix("films/out/"): files.cat_file(path) for path in files.find("films/out")}
    manifests = [json.loads(there.pop(name)) for name in list(there) if name.endswith("/cleanplate.json")]
    wrong = compared(there, expected)
    if len(manifests) != n_clips or not all(manifest["is_complete"] for manifest in manifests):
        wrong.append("not every manifest says that all is complete")
    if Counter(cluster.counted("begun")).most_common(1)[0][1] > 1:
        wrong.append("a job was run twice")
    cluster.kill(cluster.scheduler)
    return f"{n_clips} manifests, {len(there)} files of {len(expected)} compared", wrong


def with_killing(kill_s, processes, folder, expected, n_clips):
    """Kill a worker now and then, and the scheduler when half is done; then resume."""
    out, cluster = folder / "out", Cluster(processes)
    killer = Killer(cluster, out, kill_s)
    cluster.start()
    command = ["batch", folder / "clips", "-o", out, "--quiet", "--scheduler", cluster.address]
    batch = begin(*command)
    while batch.poll() is None:
        if states(out)["done"] >= n_clips // 2 and cluster.scheduler.poll() is None:
            cluster.kill(cluster.scheduler)
        killer.look()
        time.sleep(POLL_S)
    said = [line for line in batch.stderr.read().decode().splitlines() if not line.startswith("Note: ")]
    wrong = [] if batch.returncode == 2 and len(said) == 1 else [f"status {batch.returncode}: {said}"]
    n_before, kills_before = states(out)["done"], killer.kills
    cluster.start()
    batch = begin(*command, "--resume")
    while batch.poll() is None:
        killer.look()
        time.sleep(POLL_S)
    ended(batch)
    n_begun = len(cluster.counted("begun"))
    # A worker runs one job at a time, and each of the two had one when the scheduler was gone.
    most = n_clips + killer.kills + 2
    if n_begun > most:
        wrong.append(f"{n_begun} runs were begun, {most} at most were needed")
    wrong += compared(results(out), expected)
    return (
        f"{kills_before} workers killed, then the scheduler with {n_before} of {n_clips} done, then "
        f"{killer.kills - kills_before} workers; {n_begun} runs begun, {most} at most needed; said: {said}"
    ), wrong


class Killer:
    """Kills a worker now and then, and starts another one."""

    def __init__(self, cluster, out, kill_s):
        self._cluster, self._out, self._kill_s = cluster, out, kill_s
        self._next, self._n_done = time.monotonic() + kill_s, 0
        self.kills = 0

    def look(self):
        """Kill one where it is time, and a job was done since the last time."""
        n_done = states(self._out)["done"]
        if time.monotonic() < self._next or n_done <= self._n_done:
            return
        self._next, self._n_done = time.monotonic() + self._kill_s, n_done
        self.kills += 1
        self._cluster.kill(self._cluster.workers.pop(0))
        self._cluster.workers.append(self._cluster.add_worker())


def begin(*words):
    """Begin a command."""
    environment = {**os.environ, **own_environment()}
    return subprocess.Popen([*own_command(), *map(str, words)], env=environment, stderr=subprocess.PIPE)


def ended(process):
    """Wait for a command that must end well."""
    try:
        _, said = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    if process.returncode:
        raise RuntimeError(said.decode())


def states(folder):
    """Return how many jobs of a batch are in each state."""
    newest = {}
    with contextlib.suppress(FileNotFoundError):
        for line in (folder / "batch.jobs").read_text().splitlines()[1:]:
            with contextlib.suppress(ValueError):  # It is being written.
                job = json.loads(line)
                newest[job["number"]] = job["state"]
    return Counter(newest.values())


def results(folder):
    """Return the files of all results, without what the batch keeps of itself."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if not name.startswith(("logs/", "batch.jobs")) and "/.cleanplate" not in name
    }


def compared(found, expected):
    """Return what differs."""
    if found == expected:
        return []
    differing = {name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name)}
    return [f"{len(differing)} files are not as they must be, {min(differing)} say"]


def make_clips(folder, n_clips, n_frames):
    """Cut clips from real films, or draw them where there are none."""
    data = os.environ.get("CLEANPLATE_DATA")
    films = sorted(p for p in Path(data, VIDEOS[0]).iterdir() if p.suffix in VIDEOS[1]) if data else []
    if not films:
        for number in range(n_clips):
            write_clip(folder / f"clip{number:02d}.mkv", n_frames + number % 5, *SIZE)
        return
    number = first = 0
    while number < n_clips:
        for film in films[: n_clips - number]:
            cut(film, folder / f"clip{number:02d}.mkv", first, n_frames)
            number += 1
        first += n_frames


def cut(film, target, first, n_frames):
    """Write frames of a film, smaller; from its beginning where it has not so many."""
    import av

    frames = []
    with av.open(str(film)) as source:
        for i, frame in enumerate(source.decode(video=0)):
            if i >= first + n_frames:
                break
            if i == first:
                frames.clear()
            frames.append(frame.reformat(width=SIZE[0], height=SIZE[1], format="yuv420p").to_ndarray())
    with av.open(str(target), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for i, picture in enumerate(frames[:n_frames]):
            frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
            frame.pts = i
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
