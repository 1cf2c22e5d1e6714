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


def number(source: str, how: str) -> int:
    done = subprocess.run([sys.executable, "-c", source, how], capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of glibc")
def test_arrays_of_frames_take_no_new_pages():
    assert number(SOURCE, "kept") < 1000
    assert number(SOURCE, "returned") > 10_000, "it would be so without"


ONE_HEAP = """
import sys, threading
if sys.argv[1] == "kept":
    import core
import numpy as np

held, done = [], threading.Event()
def work():
    held.append(np.ones(1_000_000, np.uint8))
    done.wait()
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
while len(held) < 2:
    pass
done.set()
inside = [line.split() for line in open("/proc/self/maps") if line.rstrip().endswith("[heap]")]
start, end = (int(x, 16) for x in inside[0][0].split("-"))
print(sum(start <= array.ctypes.data < end for array in held))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of glibc")
def test_threads_share_one_heap():
    assert number(ONE_HEAP, "kept") == 2
    assert number(ONE_HEAP, "returned") == 0, "it would be so without"
