"""Each job in a process of its own: what it tells, and every way in which it may end."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.batch.process import ProcessLauncher
from core.errors import CleanplateError
from tests.core.batch.drawn_jobs import job
from tests.patience import PATIENCE_S, until

TELLS = 'print(\'{"progress":{"done":3,"total":10,"seconds_left":7.5,"fps":2.0,"peak_mib":50.0}}\', flush=True);'


def launched(tmp_path, program, n_cores=None):
    launch = ProcessLauncher([sys.executable, "-c", f"import os, signal, sys, time; {program}"], {"TOLD": "yes"})
    return launch(job(1, tmp_path), tmp_path / "logs" / "1.log", n_cores)


def told_number(folder):
    """Return the number of the process that a log names."""
    return int((folder / "logs" / "1.log").read_text().split("\n\n")[1].splitlines()[0])


def state_of(number):
    """Return what Linux says of a process; nothing where there is none."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")")[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def ended(run):
    return until(run.outcome, "its end")


def test_progress_and_figures_are_told_by_lines_and_words_go_to_the_log(tmp_path):
    say = "print('no line of ours'); print('a note', os.environ['TOLD'], file=sys.stderr);"
    wait = "sys.stdout.flush(); time.sleep(0.3);"
    run = launched(tmp_path, f'{TELLS} {say} {wait} print(\'{{"done":{{"frames":10,"files":["mask"]}}}}\')')
    assert until(lambda: run.progress, "progress").total == 10
    outcome = ended(run)
    assert outcome.is_done
    assert outcome.figures == {"frames": 10, "files": ["mask"]}
    log = (tmp_path / "logs" / "1.log").read_text()
    assert log.startswith("cleanplate run /in/clip1.mkv -o")
    assert log.endswith("a note yes\n")


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("os.abort()", "by the signal SIGABRT"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "by the signal SIGSEGV"),
        ("os._exit(7)", "with status 7"),
        ("print('Note: x\\ncleanplate: It is so.', file=sys.stderr); sys.exit(2)", "It is so."),
    ],
)
def test_however_it_ends_there_is_a_sentence(tmp_path, program, said):
    outcome = ended(launched(tmp_path, TELLS + program))
    assert not outcome.is_done
    assert not outcome.no_room
    assert said in outcome.sentence


@pytest.mark.parametrize(
    "program", ["print('{\"no_room\":true}', flush=True); sys.exit(2)", "os.kill(os.getpid(), signal.SIGKILL)"]
)
def test_too_little_memory_is_told_apart(tmp_path, program):
    outcome = ended(launched(tmp_path, program))
    assert not outcome.is_done
    assert outcome.no_room


def test_it_gives_up_when_told_also_while_it_is_held(tmp_path):
    on_term = "signal.signal(signal.SIGTERM, lambda *_: os._exit(130));"
    run = launched(tmp_path, f"{on_term} {TELLS} time.sleep(100)")
    until(lambda: run.progress, "progress")
    assert run.suspend()
    run.cancel()
    outcome = ended(run)
    assert not outcome.is_done
    assert not outcome.no_room


def test_what_does_not_give_up_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("core.batch.process.PATIENCE_S", 0.2)
    run = launched(tmp_path, f"signal.signal(signal.SIGTERM, signal.SIG_IGN); {TELLS} time.sleep(100)")
    until(lambda: run.progress, "progress")
    run.cancel()
    assert "SIGKILL" in ended(run).sentence


def test_nothing_waits_for_a_child_that_keeps_the_pipe(tmp_path, monkeypatch):
    monkeypatch.setattr("core.batch.process.PATIENCE_S", 2.0)
    child = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(8)'])"
    run = launched(tmp_path, f'import subprocess; {child}; print(\'{{"done":{{"frames":3}}}}\')')
    slowest, outcome, begun = 0.0, None, time.monotonic()
    while outcome is None:
        before = time.monotonic()
        assert before < begun + PATIENCE_S
        outcome = run.outcome()
        slowest = max(slowest, time.monotonic() - before)
        time.sleep(0.01)
    assert slowest < 1
    assert time.monotonic() - begun < 8, "the child has not ended"
    assert outcome.is_done
    assert outcome.figures == {"frames": 3}


@pytest.mark.skipif(sys.platform != "linux", reason="the state of a process is read as Linux tells it")
def test_a_held_process_does_not_outlive_this_program(tmp_path):
    program = f"""
import os, sys, time
from pathlib import Path
sys.path.insert(0, {os.getcwd()!r})
from tests.core.batch.test_process import TELLS, launched, state_of, told_number
from tests.patience import until
folder = Path({str(tmp_path)!r})
tells_on = "exec('while True: ' + " + repr(TELLS) + " + 'time.sleep(0.05)')"
run = launched(folder, "print(os.getpid(), file=sys.stderr, flush=True);" + tells_on)
until(lambda: run.progress, "progress")
run.suspend()
until(lambda: state_of(told_number(folder)) == "T", "its rest")
os._exit(0)
"""
    # In a session of its own, whose end the system notices.
    subprocess.run([sys.executable, "-c", program], check=True, start_new_session=True, timeout=PATIENCE_S)
    number = told_number(tmp_path)
    until(lambda: state_of(number) in {"", "Z"}, "the end of a process that nobody lets go on")


def test_cores_are_shared(tmp_path):
    run = launched(tmp_path, "print(os.environ['CLEANPLATE_CORES'], file=sys.stderr)", n_cores=3)
    assert ended(run).is_done
    assert (tmp_path / "logs" / "1.log").read_text().endswith("3\n")


def test_what_cannot_be_started_is_one_sentence(tmp_path):
    launch = ProcessLauncher([str(tmp_path / "nothing")])
    with pytest.raises(CleanplateError, match="No process could be started"):
        launch(job(1, tmp_path), tmp_path / "1.log", None)


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="the system has no such scale")
def test_jobs_of_the_window_step_back(tmp_path):
    as_low = min(os.nice(0) + 3, 19)
    steps_back = f"""
import os, sys, time
end = time.monotonic() + {PATIENCE_S}
while os.nice(0) < {as_low} and time.monotonic() < end:
    time.sleep(0.01)
print(os.nice(0), file=sys.stderr)
"""
    launch = ProcessLauncher([sys.executable, "-c", steps_back], niceness=3)
    assert ended(launch(job(1, tmp_path), tmp_path / "1.log", None)).is_done
    assert (tmp_path / "1.log").read_text().endswith(f"\n{as_low}\n")
