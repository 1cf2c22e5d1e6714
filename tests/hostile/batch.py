"""Many short runs of the program in one fork after another: what it loads is loaded once for some dozen of them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.hostile.media import media
from tests.hostile.program import POLL_S, Ended, fork

SIZE = 25
"""Runs of a fork: an error that one leaves behind reaches few others."""

PATIENCE_S = 60.0

COMPILED_WITHIN_S = 600.0


def compile_kernels() -> None:
    """Let the program read whole files of 8 and 16 bits: what is measured later is not the compiler."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        folder = Path(name)
        # Some kernels come late in a run, and others where pictures are cut out.
        saved = ["--save", "plate,mask,cleaned,foreground", "-o", "results-street"]
        cases = [["run", "sample:street", "--size", "160x120", "--frames", "1:80", "--passes", "1", *saved]]
        for kind in ("deep", "ffv1", "h264", "pgm-deep", "png", "stack-deep", "stack-plain"):
            suffix, contents = media()[kind]
            (folder / f"{kind}{suffix}").write_bytes(contents)
            for colour, *more in (["colour"], ["grey", "--grey"]):
                cases.append(["run", f"{kind}{suffix}", "-o", f"results-{kind}-{colour}", *more])
        run_batch(cases, folder, patience_s=COMPILED_WITHIN_S)


def run_batch(cases: Sequence[Sequence[str]], folder: Path, patience_s: float = PATIENCE_S) -> list[Ended]:
    """Run the program with each of these arguments; one that ends the process or hangs is followed by a new fork.

    Parameters
    ----------
    cases : sequence of sequences of str
        Arguments of the command line.
    folder : Path
        Made if need be; where the program starts.
    patience_s : float
        After so long without an end a run hangs, seconds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ended: list[Ended] = []
    while len(ended) < len(cases):
        first = len(ended)
        process = fork(_run_all, [list(case) for case in cases[first:]], str(folder))
        begun = time.perf_counter()
        hung = False
        while True:
            alive = process.is_alive()
            while len(ended) < len(cases) and (record := folder / f"{len(ended) - first}.json").exists():
                ended.append(_read(record, folder, len(ended) - first))
                begun = time.perf_counter()
            if not alive:
                break
            if time.perf_counter() - begun > patience_s:
                hung = True
                os.kill(int(process.pid or 0), signal.SIGKILL)
            process.join(POLL_S)
        if len(ended) < len(cases):
            texts = _texts(folder, len(ended) - first)
            ended.append(Ended(int(process.exitcode or 0), *texts, time.perf_counter() - begun, 0.0, hung))
        for record in folder.glob("*.json"):
            record.unlink()
    return ended


def _texts(folder: Path, number: int) -> tuple[str, str]:
    out, err = (folder / f"{number}.{name}" for name in ("out", "err"))
    return tuple(path.read_text(errors="replace") if path.exists() else "" for path in (out, err))  # type: ignore[return-value]


def _read(record: Path, folder: Path, number: int) -> Ended:
    told = json.loads(record.read_text())
    return Ended(told["status"], *_texts(folder, number), told["seconds"], told["peak_mib"], hung=False)


def _run_all(cases: list[list[str]], folder: str) -> None:
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    from app.cli.main import invoke
    from app.system.stderr import silence_libraries
    from core.runtime.memory import peak_mib

    silence_libraries()
    for number, arguments in enumerate(cases):
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")  # The peak is that of this case.
        began = time.perf_counter()
        with Path(f"{number}.out").open("w") as out, Path(f"{number}.err").open("w") as err:
            sys.stdout, sys.stderr = out, err
            status = invoke(arguments)
        told = {"status": status, "seconds": time.perf_counter() - began, "peak_mib": peak_mib()}
        Path(f"{number}.part").write_text(json.dumps(told))
        Path(f"{number}.part").rename(f"{number}.json")
    os._exit(0)
