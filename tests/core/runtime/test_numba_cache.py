"""What was compiled once is never compiled again: the second start takes every kernel from the cache."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

SCRIPT = """
import json, sys
import core
import numpy as np
from numba import njit
from numba.core import event
from numba.core.dispatcher import Dispatcher

compiled = event.RecordingListener()
event.register("numba:compile", compiled)

@njit(cache=True)
def of_this_file(x):
    return x + 1

of_this_file(1)

from core.frames.frame import Frame, Layout, Planes
from core.session.session import Session, Settings
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource

layout = Layout(48, 64, Planes.GREY)
rng = np.random.default_rng(0)
pictures = rng.integers(90, 110, (3, layout.n_values)).astype(np.uint8)
source = SampleSource(SourceInfo("noise", layout, 30.0, 3), lambda i: Frame(i, i / 30, pictures[i], layout))
reports = list(Session(source, Settings("fast", {"learn_every": 1})).run())
kernels = {
    id(thing): thing
    for name, module in list(sys.modules.items()) if name.startswith(("core.", "__main__"))
    for thing in vars(module).values() if isinstance(thing, Dispatcher)
}
used = [k.stats for k in kernels.values() if k.stats.cache_hits or k.stats.cache_misses]
print(json.dumps({
    "frames": len(reports),
    "kernels": len(used),
    "misses": sum(sum(s.cache_misses.values()) for s in used),
    "hits": sum(sum(s.cache_hits.values()) for s in used),
    "compiled": len(compiled.buffer),
}))
"""


def start(script):
    """Run three grey frames of 64×48 in a fresh process; return what its kernels count."""
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_second_start_compiles_nothing_again(tmp_path):
    script = tmp_path / "start.py"  # At least its own kernel is new to the first start.
    script.write_text(SCRIPT)
    first, second = start(script), start(script)
    assert first["frames"] == second["frames"] == 3
    assert first["kernels"] >= 5
    assert first["misses"] > 0
    assert first["compiled"] > 0
    assert second["hits"] >= 5, second  # fewer than were compiled: kernels within kernels are not asked for
    assert (second["misses"], second["compiled"]) == (0, 0), second
