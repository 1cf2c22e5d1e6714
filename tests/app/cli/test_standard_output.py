"""What the program prints, where it cannot be printed: the status and one sentence tell of it."""

import os
import subprocess
import sys

import pytest


def program(*words, stdout=subprocess.PIPE, cwd=None, before="", **variables):
    """Run the program in a process of its own, after some code."""
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    entry = [sys.executable, "-c", f"{before}\nfrom app.__main__ import main; main()", *words]
    environment = {**os.environ, "PYTHONPATH": paths, **variables}
    return subprocess.run(
        entry, stdout=stdout, stderr=subprocess.PIPE, text=True, env=environment, cwd=cwd, timeout=60, check=False
    )


def test_signs_that_the_locale_lacks_are_printed_as_escapes():
    ended = program("methods", "opgd", PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\\u" in ended.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has this device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_under_what_is_printed_is_one_sentence(unbuffered):
    with open("/dev/full", "w") as full:
        ended = program("--version", stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == 2
    assert ended.stderr.startswith("cleanplate: What the program prints could not be written")
    assert ended.stderr.count("\n") == 1


def into_a_pipe_that_nobody_reads(*words, **variables):
    read, write = os.pipe()
    os.close(read)
    try:
        return program(*words, stdout=write, **variables)
    finally:
        os.close(write)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["--version"], ["--help"], ["methods"], ["methods", "--json"]])
def test_what_only_prints_ends_as_other_tools_do_where_nobody_reads_on(words, unbuffered):
    ended = into_a_pipe_that_nobody_reads(*words, PYTHONUNBUFFERED=unbuffered)
    assert (ended.returncode, ended.stderr) == (141, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_run_whose_figures_nobody_reads_says_so(photos, tmp_path, unbuffered):
    words = ["run", str(photos), "--method", "median", "-o", str(tmp_path / "out"), "--save", "mask", "--json"]
    ended = into_a_pipe_that_nobody_reads(*words, PYTHONUNBUFFERED=unbuffered)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("cleanplate: What ")
    assert (tmp_path / "out/mask").is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not remove a folder in use")
def test_a_working_folder_that_is_gone_is_one_sentence(tmp_path):
    ended = program("methods", cwd=tmp_path, before="import os; os.rmdir(os.getcwd())")
    assert ended.returncode == 2
    assert "is gone" in ended.stderr
    assert ended.stderr.count("\n") == 1
