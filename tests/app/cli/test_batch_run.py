"""What a batch says on standard error, without its processes."""

from io import StringIO

from msgspec import structs
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


def test_events_are_told_once_for_all_pieces_and_not_where_it_is_to_be_quiet():
    counted = {"events": 2, "lines": [{"forward": 1, "backward": 0}], "frames": 9}
    piece, whole, odd = (
        structs.replace(done(number, "/a/long.mkv"), key=key, figures=figures)
        for number, key, figures in ((1, "k/1", counted), (2, "k", counted), (3, "k", {"events": "many"}))
    )
    for quiet, said in ((False, "long.mkv: 2 events · over the line 1 forward, 0 backward\n"), (True, "")):
        console = Console(file=StringIO(), width=200)
        with _Told(console, 3, quiet=quiet) as told:
            for job in (piece, whole, odd):
                told.end_of(job)
        assert console.file.getvalue() == said
