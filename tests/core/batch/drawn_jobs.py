"""Jobs for tests, and runs that do what a test tells them."""

from core.batch.job import BatchJob, JobProgress
from core.batch.job_list import JobList
from core.batch.running import Outcome

DONE = Outcome(True, figures={"frames": 3})


def job(number, folder, **fields):
    plain = {"name": f"clip{number}", "input": f"/in/clip{number}.mkv", "output": str(folder / f"clip{number}")}
    return BatchJob(number=number, **{**plain, **fields})


def job_list(folder, n_jobs):
    jobs = JobList(folder / "list.jobs")
    jobs.add(job(number, folder) for number in range(1, n_jobs + 1))
    return jobs


class Run:
    """A run that ends when the test sets how."""

    def __init__(self, started, n_cores):
        self.job, self.n_cores = started, n_cores
        self.progress = None
        self.ends = None
        self.told = []

    def outcome(self):
        return self.ends

    def cancel(self):
        self.told.append("cancel")
        self.ends = self.ends or Outcome(False, "given up")

    def suspend(self):
        self.told.append("suspend")
        return True

    def go_on(self):
        self.told.append("go on")

    def has_read(self, peak_mib=100.0):
        self.progress = JobProgress(1, 10, peak_mib=peak_mib)


class Runs:
    """Launches them, and keeps all that were launched by the number of their job."""

    def __init__(self):
        self.by_number, self.order = {}, []

    def __call__(self, started, log, n_cores):
        self.order.append(started.number)
        self.by_number[started.number] = run = Run(started, n_cores)
        return run

    def __getitem__(self, number):
        return self.by_number[number]
