"""Which job runs when: with runs that end as the test says."""

import pytest

from core.batch.job import BatchJob, JobState
from core.batch.job_list import JobList
from core.batch.running import Outcome
from core.batch.scheduler import LEAST_BYTES, Scheduler
from core.errors import CleanplateError
from core.runtime.cores import all_cores
from tests.core.batch.drawn_jobs import DONE, Runs, job_list


@pytest.fixture
def scheduler(tmp_path):
    lists = []

    def make(n_jobs, **options):
        runs = Runs()
        lists.append(job_list(tmp_path, n_jobs))
        return Scheduler(lists[-1], runs, **{"available": lambda: None, **options}), runs

    yield make
    for jobs in lists:
        jobs.close()


def states(made):
    return [job.state.value for job in made.jobs.jobs]


def test_jobs_run_in_their_order_and_two_at_a_time(scheduler):
    made, runs = scheduler(4)
    made.step()
    assert runs.order == [1, 2]
    assert [run.n_cores for run in runs.by_number.values()] == [max(1, all_cores() // 2)] * 2
    runs[2].ends = DONE
    assert [job.number for job in made.step()] == [2]
    assert runs.order == [1, 2, 3]
    made.jobs.move([4], -1)
    for number in (1, 3, 4):
        made.step()
        runs[number].ends = DONE
    made.step()
    assert made.is_idle
    assert states(made) == ["done"] * 4
    assert made.jobs[1].figures == {"frames": 3}


def test_a_job_that_is_alone_has_all_cores(scheduler):
    made, runs = scheduler(1)
    made.step()
    assert runs[1].n_cores is None


def test_a_failure_costs_one_job_and_is_tried_again_as_often_as_asked(scheduler):
    made, runs = scheduler(2, retries=1, workers=1)
    made.step()
    runs[1].ends = Outcome(False, "it aborted")
    assert made.step() == []
    assert runs.order == [1, 1]
    runs[1].ends = Outcome(False, "it aborted again")
    assert [job.sentence for job in made.step()] == ["it aborted again"]
    runs[2].ends = DONE
    made.step()
    assert states(made) == ["failed", "done"]
    made.retry(1)
    made.step()
    runs[1].ends = DONE
    made.step()
    assert states(made) == ["done", "done"]
    assert made.jobs[1].sentence == ""


def test_a_run_that_was_lost_is_no_failure_and_is_begun_again(scheduler):
    made, runs = scheduler(1)
    made.step()
    runs[1].ends = Outcome(False, was_lost=True)
    assert made.step() == []
    assert runs.order == [1, 1]
    assert made.jobs[1].n_failed == 0
    made.cancel(1)
    runs[1].ends = Outcome(False, was_lost=True)
    made.step()
    assert states(made) == ["cancelled"]


def test_a_run_knows_whether_what_it_finds_is_its_own(scheduler):
    made, runs = scheduler(2)
    made.jobs[2].folder.mkdir()
    made.step()
    assert [runs[number].job.owns_output for number in (1, 2)] == [True, False]


def test_a_second_job_waits_for_memory_and_the_first_never_does(scheduler):
    free = [LEAST_BYTES // 2]
    made, runs = scheduler(3, available=lambda: free[0])
    made.step()
    assert runs.order == [1]
    free[0] = LEAST_BYTES * 3 // 2
    made.step()
    assert runs.order == [1], "the first has not taken its own yet"
    runs[1].has_read()
    made.step()
    assert runs.order == [1, 2]


def test_what_runs_have_told_is_what_the_next_is_taken_to_need(scheduler):
    made, runs = scheduler(3, available=lambda: LEAST_BYTES * 2)
    made.step()
    runs[1].has_read(peak_mib=5000.0)
    runs[2].ends = DONE
    made.step()
    assert runs.order == [1, 2]
    runs[1].ends = DONE
    made.step()
    assert runs.order == [1, 2, 3]


def test_a_job_that_found_no_room_runs_again_alone_and_then_fails_for_good(scheduler):
    made, runs = scheduler(3)
    made.step()
    runs[1].ends = Outcome(False, "no room", no_room=True)
    made.step()
    assert states(made) == ["waiting", "running", "waiting"], "no other overtakes it"
    runs[2].ends = DONE
    made.step()
    assert states(made) == ["running", "done", "waiting"]
    runs[1].ends = Outcome(False, "no room", no_room=True)
    made.step()
    assert states(made) == ["failed", "done", "running"]


def test_what_is_there_before_a_job_begins_is_not_its_own_before_it_reads(scheduler, tmp_path):
    (tmp_path / "clip1").mkdir()
    made, runs = scheduler(2)
    made.step()
    assert [job.owns_output for job in made.jobs.jobs] == [False, True]
    assert "--overwrite" not in made.jobs[1].words
    runs[1].has_read()
    made.step()
    assert made.jobs[1].words[-1] == "--overwrite"


def test_cancelled_jobs_are_not_run_and_running_ones_are_asked_to_give_up(scheduler):
    made, runs = scheduler(4, workers=1)
    made.step()
    made.cancel(2)
    made.cancel(1)
    assert runs[1].told == ["cancel"]
    assert [made.is_given_up(number) for number in (1, 2)] == [True, False], "the second has ended already"
    made.step()
    assert states(made) == ["cancelled", "cancelled", "running", "waiting"]
    runs[3].ends = DONE
    made.cancel(3)
    made.retry(1)
    assert made.step()[0].state is JobState.DONE, "it was complete already"
    assert runs.order == [1, 3, 1], "its place is before the fourth"


def test_a_paused_job_stands_still_and_leaves_its_place_to_others(scheduler):
    made, runs = scheduler(3, workers=1)
    made.step()
    made.pause(1)
    made.pause(2)
    made.step()
    assert states(made) == ["paused", "paused", "running"]
    made.resume(1)
    made.step()
    assert states(made) == ["waiting", "paused", "running"]
    runs[3].ends = DONE
    made.step()
    assert states(made) == ["running", "paused", "done"]
    assert runs[1].told == ["suspend", "go on"]
    made.pause(1)
    made.cancel(1)
    made.step()
    assert states(made) == ["cancelled", "paused", "done"]
    assert made.is_idle


def test_what_is_stopped_waits_at_the_next_start_and_so_does_what_was_killed(scheduler, tmp_path):
    made, runs = scheduler(3)
    made.step()
    made.pause(2)
    made.stop()
    assert made.has_stopped
    assert states(made) == ["waiting", "paused", "waiting"]
    made.step()
    assert states(made) == ["running", "paused", "running"]
    made.jobs.close()  # As if it had been killed: nothing more was written.
    again = JobList(tmp_path / "list.jobs")
    assert [job.state.value for job in again.jobs] == ["waiting", "paused", "waiting"]
    again.close()
    assert runs.order == [1, 2, 1, 3]


def test_a_job_begins_when_those_before_it_are_done_and_others_go_first(scheduler):
    made, runs = scheduler(4)
    made.jobs.change(1, after=(2, 3))
    made.step()
    assert runs.order == [2, 3]
    runs[2].ends = DONE
    made.step()
    assert runs.order == [2, 3, 4]
    runs[4].ends = runs[3].ends = DONE
    made.step()
    assert runs.order == [2, 3, 4, 1]
    assert runs[1].n_cores is None, "it runs alone"


def test_a_job_whose_part_failed_fails_with_a_sentence_and_runs_when_that_is_done(scheduler):
    made, runs = scheduler(2)
    made.jobs.change(1, after=(2,))
    made.step()
    runs[2].ends = Outcome(False, "it aborted")
    assert [job.number for job in made.step()] == [2, 1]
    assert made.jobs[1].sentence == "A part of clip1 failed, clip2; run it again (--resume)."
    assert made.is_idle
    made.retry(1)
    made.retry(2)
    made.step()
    runs[2].ends = DONE
    made.step()
    assert made.jobs[1].state is JobState.RUNNING


def test_a_job_that_is_complete_as_all_is_stopped_is_done_once_the_list_can_be_written(scheduler, monkeypatch):
    made, runs = scheduler(2)
    made.step()
    runs[1].ends = DONE
    made.stop()

    def refuse(_job):
        raise CleanplateError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(made.jobs._file, "append", refuse)
        for _ in range(2):
            with pytest.raises(CleanplateError):
                made.has_stopped  # noqa: B018 - it is asked for again and again
    assert made.has_stopped
    assert states(made) == ["done", "waiting"]


def test_a_job_that_ends_while_the_list_cannot_be_written_is_settled_by_the_next_step(tmp_path, monkeypatch):
    jobs = JobList(tmp_path / "q.jobs")
    jobs.add([BatchJob(number=1, name="a", input="a", output=str(tmp_path / "a"))])

    class Run:
        progress = None
        done = None

        def outcome(self):
            return self.done

    run = Run()
    scheduler = Scheduler(jobs, lambda *_: run)
    scheduler.step()
    append, run.done = jobs._file.append, Outcome(True)

    def refuse(_job):
        raise CleanplateError("The disk is full.")

    jobs._file.append = refuse
    with pytest.raises(CleanplateError):
        scheduler.step()
    jobs._file.append = append
    scheduler.step()
    assert (jobs[1].state, scheduler.is_idle) == (JobState.DONE, True)
    jobs.close()
