"""Ctrl+C in places where nobody can catch it."""

import subprocess
import sys

RAISED_IN_A_CALLBACK = """
import weakref
from app import interrupts
interrupts.begin_work()
class Gone: pass
def raises(_): raise {error}
gone = Gone()
reference = weakref.ref(gone, raises)
del gone
print("went on")
"""


def told(error):
    ended = subprocess.run(
        [sys.executable, "-c", RAISED_IN_A_CALLBACK.format(error=error)], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "went on\n"
    return ended.stderr


def test_ctrl_c_in_the_midst_of_a_callback_prints_nothing():
    assert told("KeyboardInterrupt") == ""


def test_any_other_error_in_a_callback_is_told():
    assert "ValueError: really" in told("ValueError('really')")
