"""What a job of the queue makes."""

from pathlib import Path

import pytest

from app.equivalent_command import option_words, told_beside
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
            "mask · FFV1 · opgd · rank = 6 · grey",
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
    assert makes(asked) == "mask · as its project says · overwrite"
    film = job(1, tmp_path, input="/in/day.cleanplate", options=("--save", "mask,cleaned", "--format", "mp4"))
    assert makes(film) == "mask, cleaned · H.264 · as its project says"
    assert makes(job(1, tmp_path, options=("--format", "mp4"))) == "plate, mask, cleaned · H.264 · fast"


def test_jobs_of_one_clip_in_which_something_was_painted_are_told_apart(tmp_path):
    spec = InputSpec("a.mkv")
    asked = [
        Job(spec, Path("out"), ("mask",), format="mp4", quality="low"), Job(spec, Path("out"), ("mask",), format="mp4"),
        Job(spec, Path("out"), ("plate",)), Job(spec, Path("out"), ("plate",), overwrite=True),
    ]  # fmt: skip
    told = [makes(job(1, tmp_path, input="/q/a 1.cleanplate", options=tuple(told_beside(one)))) for one in asked]
    assert told == [
        "mask · H.264 · as its project says · quality low", "mask · H.264 · as its project says",
        "plate · as its project says", "plate · as its project says · overwrite",
    ]  # fmt: skip
