"""Arrays of a frame's size use memory again."""

import subprocess
import sys

import pytest

SOURCE = """
import resource, sys
if sys.argv[1] == "kept":
    import core
import numpy as np

def touch(n):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(n):
        held = [np.ones(6_000_000 + 100_000 * k, np.uint8) for k in range(8)]
        del held
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

touch(3)
print(touch(20))
"""


def faults(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", SOURCE, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of glibc")
def test_arrays_of_frames_take_no_new_pages():
    assert faults("kept") < 1000
    assert faults("returned") > 10_000, "it would be so without"
