"""Ctrl+C and requests to end in places where nobody can catch them."""

import signal
import subprocess
import sys

import pytest

from app.interrupts import ENDING

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


STAGES = """
import signal, sys
from app import interrupts
number = signal.Signals(int(sys.argv[1]))
if sys.argv[2] == "ignored":
    signal.signal(number, signal.SIG_IGN)
elif number != signal.SIGINT:  # Tests that outlive their terminal have children that ignore that it goes.
    signal.signal(number, signal.SIG_DFL)
interrupts.end_at_once()
if sys.argv[2] in ("work", "end"):
    interrupts.begin_work()
if sys.argv[2] == "end":
    interrupts.end_work()
try:
    signal.raise_signal(number)
except KeyboardInterrupt:
    print("put away")
    sys.exit(7)
print("went on")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of other processes are another thing there")
@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
@pytest.mark.parametrize("stage", ["import", "work", "end", "ignored"])
def test_each_request_to_end_is_heard_from_the_start(number, stage):
    words = [sys.executable, "-c", STAGES, str(int(number)), stage]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    is_ctrl_c = number is signal.SIGINT
    told = (ended.returncode, ended.stdout, ended.stderr)
    if stage == "work":
        assert told == (7, "put away\n", "")
    elif stage == "end":
        assert told == ((0, "went on\n", "") if is_ctrl_c else (-number, "", ""))
    elif stage == "ignored" and not is_ctrl_c:
        assert told == (0, "went on\n", "")
    else:
        assert told == (130, "", "cleanplate: Interrupted; nothing was written.\n")
