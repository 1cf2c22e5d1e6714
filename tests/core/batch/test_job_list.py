"""The list on disk: every change is kept, whatever ends its writer."""

import errno
import io

import pytest

from core.batch import job_file
from core.batch.job import BatchJob, JobState
from core.batch.job_file import read_jobs
from core.batch.job_list import JobList
from core.errors import CleanplateError
from tests.core.batch.drawn_jobs import job, job_list


def numbers(jobs):
    return [each.number for each in jobs.jobs]


@pytest.fixture
def jobs(tmp_path):
    made = job_list(tmp_path, 4)
    yield made
    made.close()


def test_changes_order_and_removals_are_read_again(jobs):
    jobs.change(2, state=JobState.FAILED, sentence="so – «it» is", figures={"files": ["mask"]})
    jobs.move([3, 4], -1)
    jobs.change(1, state=JobState.DONE)
    jobs.remove(lambda each: each.number == 2)
    jobs.add([job(jobs.next_number(), jobs.path.parent, options=("--save", "mask"))])
    before = jobs.jobs
    jobs.close()
    again = JobList(jobs.path)
    assert again.jobs == before
    assert numbers(again) == [1, 3, 4, 5]
    again.close()


def test_a_change_is_on_the_disk_when_it_is_made(jobs, disk):
    jobs.change(2, state=JobState.RUNNING, owns_output=True)
    assert disk.steps == [("sync", jobs.path.stat().st_ino)]


def test_a_change_that_does_not_reach_the_disk_is_none(jobs, monkeypatch):
    def fails(path):
        raise OSError(errno.EIO, "Input/output error", str(path))

    before = jobs.path.read_bytes()
    monkeypatch.setattr(job_file, "sync_file", fails)
    with pytest.raises(CleanplateError, match="Input/output error"):
        jobs.change(2, state=JobState.RUNNING)
    assert jobs[2].state is JobState.WAITING
    assert jobs.path.read_bytes() == before


def test_a_change_that_cannot_be_written_is_none(jobs, monkeypatch):
    def full(job):
        raise CleanplateError("no room")

    before = jobs[2]
    with monkeypatch.context() as patched:
        patched.setattr(jobs._file, "append", full)
        with pytest.raises(CleanplateError, match="no room"):
            jobs.change(2, state=JobState.RUNNING)
    assert jobs[2] == before


@pytest.mark.parametrize(
    ("chosen", "step", "expected"),
    [([1], -1, [1, 2, 3, 4]), ([2, 4], -1, [2, 1, 4, 3]), ([1, 2], -1, [1, 2, 3, 4]), ([1, 2], 1, [3, 1, 2, 4]),
     ([4], 1, [1, 2, 3, 4]), ([3, 4], 1, [1, 2, 3, 4]), ([1, 3], 1, [2, 1, 4, 3])],
)  # fmt: skip
def test_jobs_move_by_a_place_together(jobs, chosen, step, expected):
    jobs.move(chosen, step)
    assert numbers(jobs) == expected


def test_a_line_that_was_cut_off_is_left_out(jobs):
    jobs.change(1, state=JobState.DONE)
    jobs.close()
    packed = jobs.path.read_bytes()
    jobs.path.write_bytes(packed[:-20])
    again = JobList(jobs.path)
    assert again[1].state is JobState.WAITING
    again.change(1, state=JobState.CANCELLED)
    again.close()
    last = JobList(jobs.path)
    assert last[1].state is JobState.CANCELLED, "the line after it was read as a part of it"
    last.close()


def test_two_do_not_work_on_one_list(jobs):
    with pytest.raises(CleanplateError, match="Another window or command"):
        JobList(jobs.path)
    jobs.close()
    JobList(jobs.path).close()


@pytest.mark.parametrize(
    ("contents", "said"),
    [(b"", "not a list"), (b"hello\n", "not a list"), (b'{"version":2}\n', "newer"), (b"\xff\xfe\n", "not a list"),
     (b'{"version":1}\n{"number":-1}\n', "not a list"), (b'{"version":1}\n' + b"[" * 100_000, "")],
)  # fmt: skip
def test_what_is_no_list_is_one_sentence(tmp_path, contents, said):
    path = tmp_path / "foreign.jobs"
    path.write_bytes(contents)
    if not said:  # It was cut off.
        JobList(path).close()
        return
    with pytest.raises(CleanplateError, match=said) as caught:
        JobList(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == contents
    assert [entry.name for entry in tmp_path.iterdir()] == ["foreign.jobs"], "the lock stays"


def test_a_name_that_is_no_text_is_one_sentence(jobs):
    with pytest.raises(CleanplateError, match="is no text"):
        jobs.add([job(9, jobs.path.parent, input="/in/\udcff.mkv")])


def test_half_a_line_is_taken_back_where_the_disk_is_full(tmp_path):
    class Full(io.FileIO):
        def write(self, line):
            return super().write(line[:10])

    jobs = JobList(tmp_path / "q.jobs")
    jobs.add([BatchJob(number=1, name="a", input="a", output=str(tmp_path / "a"))])
    with Full(tmp_path / "q.jobs", "ab") as full:
        jobs._file._file = full
        with pytest.raises(CleanplateError, match="disk is full"):
            jobs.change(1, state=JobState.RUNNING)
        jobs._file._file = None
    jobs.change(1, state=JobState.FAILED)
    jobs.close()
    assert read_jobs(tmp_path / "q.jobs")[0].state == JobState.FAILED


def read_again(jobs):
    jobs.close()
    return read_jobs(jobs.path)


def test_a_long_sentence_keeps_its_beginning_and_its_end(jobs):
    jobs.change(1, state=JobState.FAILED, sentence="Output exists: " + "/out/mask, " * 1000 + "\udcff --overwrite")
    assert read_again(jobs) == jobs.jobs
    assert jobs[1].sentence.startswith("Output exists: ")
    assert jobs[1].sentence.endswith("? --overwrite")


def test_an_area_of_many_corners_is_an_option(jobs):
    area = ",".join(f"{x}.5,{x}.25" for x in range(1000))
    jobs.add([job(9, jobs.path.parent, options=("--event-area", area))])
    assert read_again(jobs)[-1].options == ("--event-area", area)


@pytest.mark.parametrize("fields", [{"options": ("x" * 200_000,)}, {"input": "/" + "x" * 5000}, {"name": "a\0b"}])
def test_what_could_not_be_read_again_is_not_written(jobs, fields):
    before = jobs.jobs
    for refused in (jobs.add, jobs.begin_anew):
        with pytest.raises(CleanplateError, match="cannot be kept"):
            refused([job(9, jobs.path.parent, **fields)])
    with pytest.raises(CleanplateError, match="cannot be kept"):
        jobs.change(2, **fields)
    assert jobs.jobs == read_again(jobs) == before


def test_a_list_never_grows_longer_than_what_is_read(jobs, monkeypatch):
    monkeypatch.setattr(job_file, "MOST_BYTES", 4096)
    for _ in range(100):
        jobs.change(1, state=JobState.RUNNING)
        jobs.change(1, state=JobState.WAITING)
        assert jobs.path.stat().st_size <= 4096
    with pytest.raises(CleanplateError, match="run some of them first"):
        jobs.add(job(number, jobs.path.parent) for number in range(10, 100))
    assert read_again(jobs) == jobs.jobs
