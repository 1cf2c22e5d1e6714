"""What a batch says on standard error, without its processes."""

from io import StringIO

from rich.console import Console

from app.cli.batch_run import _Told
from core.batch.job import BatchJob, JobState


def done(number, source, *notes):
    return BatchJob(
        number=number, name=str(number), input=source, output=f"/out/{number}", state=JobState.DONE,
        figures={"notes": list(notes)},
    )  # fmt: skip


def test_a_note_of_all_pieces_of_a_film_is_told_once():
    console = Console(file=StringIO(), width=200)
    with _Told(console, 5, quiet=True) as told:
        for number in (1, 2, 3):
            told.end_of(done(number, "/a/long.mkv", "it is dark", *(["it is long"] if number == 3 else [])))
        told.end_of(done(4, "/b/long.mkv", "it is dark"))
    dark, long = "Note: long.mkv: it is dark\n", "Note: long.mkv: it is long\n"
    assert console.file.getvalue() == dark + long + dark
