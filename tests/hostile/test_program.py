"""The attacks' own tool: a program in a fork."""

import signal

from tests.hostile.program import start


def test_a_run_in_a_fork_ends_as_the_command_line_does(tmp_path):
    fine = start(
        ["run", "sample:street", "-o", "results", "--frames", "1:8", "--size", "160x120"], tmp_path / "a"
    ).wait()
    assert (fine.status, fine.hung) == (0, False), fine.err
    assert (tmp_path / "a" / "results" / "plate.png").exists()
    assert fine.peak_mib > 50
    assert fine.fault() is None


def test_what_must_not_be_is_found(tmp_path):
    refused = start(["run", "nothing.mp4", "-o", "results"], tmp_path / "a").wait()
    assert refused.status == 2
    assert refused.fault() is None
    assert "status 2" in str(refused.fault(0))
    assert "MiB" in str(refused.fault(mib=1))
    endless = start(["run", "sample:street", "-o", "results", "--passes", "1000"], tmp_path / "b")
    ended = endless.wait(seconds=2)
    assert ended.hung
    assert ended.status == -signal.SIGKILL
    assert "still running" in str(ended.fault())
