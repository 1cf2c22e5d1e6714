"""What a job of the queue makes."""

from pathlib import Path

import pytest

from app.equivalent_command import option_words
from app.panels.job_words import makes
from core.export.job_spec import Job
from core.io.input_spec import InputSpec
from core.session.settings import Settings
from tests.core.batch.drawn_jobs import job


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Job(InputSpec("a.mkv"), Path("out")), "plate, mask, cleaned · PNG · fast"),
        (
            Job(InputSpec("a.mkv", grey=True), Path("out"), ("mask",), Settings("opgd", {"rank": 6}), "mkv"),
            "mask · MKV · opgd · rank = 6 · grey",
        ),
        (
            Job(InputSpec("a.mkv"), Path("out"), model=Path("/models/day.npz")),
            "plate, mask, cleaned · PNG · model day.npz",
        ),
    ],
)
def test_it_is_said_what_is_written_how_and_by_which_method(tmp_path, asked, words):
    assert makes(job(1, tmp_path, options=tuple(option_words(asked)))).replace(" · passes 1", "") == words


def test_of_a_project_it_is_said_that_it_knows(tmp_path):
    assert makes(job(1, tmp_path, input="/in/day.cleanplate")) == "As its project says"


def test_what_is_asked_of_a_project_beside_what_it_says_is_told_and_nothing_else(tmp_path):
    asked = job(1, tmp_path, input="/in/day.cleanplate", options=("--overwrite", "--save", "mask"))
    assert makes(asked) == "As its project says · overwrite · save mask"
