"""Several methods over one input: in step, by the frame, with nothing lost and nothing kept."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.corruption import Corruption
from core.io.sources import InputSpec, open_source
from core.session.comparison import Comparison, figures
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings

FAST, OPGD, MEDIAN, MOG2 = Settings("fast"), Settings("opgd", {"rank": 3}), Settings("median"), Settings("mog2")


def open_faces():
    return open_source(InputSpec("sample:faces", frames=(1, 12), corruption=Corruption("salt-and-pepper", 0.1)))


def open_street():
    return open_source(InputSpec("sample:street", frames=(1, 10), size=(80, 60)))


@pytest.fixture
def compare():
    made = []

    def make(settings, open_input=open_faces):
        made.append(Comparison(open_input, settings))
        return made[-1]

    yield make
    for comparison in made:
        comparison.close()


def test_each_method_gives_what_it_gives_alone(compare):
    chosen = [FAST, OPGD, MEDIAN]
    turns = list(compare(chosen).run())
    assert all(turn.together for turn in turns)
    assert [turn.newest.frame.index for turn in turns] == list(range(12))
    for i, settings in enumerate(chosen):
        alone = list(Session(open_faces(), settings).run())
        for turn, report in zip(turns, alone, strict=True):
            assert np.array_equal(turn.reports[i].split.background, report.split.background)
            assert np.array_equal(turn.reports[i].mask, report.mask)


def test_who_reads_the_input_twice_learns_first_while_the_others_wait(compare):
    turns = list(compare([MEDIAN, replace(OPGD, passes=2), MOG2]).run())
    ahead = [turn for turn in turns if not turn.together]
    assert len(ahead) == 12
    assert [[report is None for report in turn.reports] for turn in ahead[1:]] == [[True, False, True]] * 11
    assert all(turn.reports[1].pass_index == 0 for turn in ahead)
    together = [turn for turn in turns if turn.together]
    assert [[r.frame.index for r in turn.reports] for turn in together] == [[i] * 3 for i in range(12)]
    assert {turn.reports[1].pass_index for turn in together} == {1}


def test_seeking_moves_all_alike(compare):
    comparison = compare([MEDIAN, MOG2])
    seen = []
    for turn in comparison.run():
        seen.append([report.frame.index for report in turn.reports])
        if len(seen) == 3:
            comparison.seek(9)
    assert seen == [[0, 0], [1, 1], [2, 2], [9, 9], [10, 10], [11, 11]]


def test_a_seek_before_the_start_is_where_it_starts(compare):
    comparison = compare([MEDIAN, MOG2])
    comparison.seek(9)
    assert [turn.frame.index for turn in comparison.run()] == [9, 10, 11]


def test_a_batch_method_gathers_and_iterates_while_the_others_wait(compare):
    bpgd = Settings("bpgd", {"rank": 2, "iterations": 3, "tolerance": 1e-9})
    turns = list(compare([MEDIAN, bpgd]).run())
    phases = [turn.reports[1].phase for turn in turns]
    assert phases == [Phase.GATHERING] * 12 + [Phase.ITERATING] * 3 + [Phase.APPLYING] * 12
    assert [turn.together for turn in turns] == [False] * 15 + [True] * 12
    assert [turn.phase for turn in turns] == [Phase.GATHERING] * 15 + [Phase.LEARNING] * 12


def test_a_seek_while_one_learns_waits_until_all_are_together(compare):
    comparison = compare([replace(OPGD, passes=2), MEDIAN])
    turns = comparison.run()
    next(turns)
    comparison.seek(10)
    together = [turn.newest.frame.index for turn in turns if turn.together]
    assert together == [0, 10, 11]


def test_closing_ends_the_threads_that_read_ahead(compare):
    before = threading.active_count()
    turns = compare([FAST, MEDIAN, MOG2]).run()
    next(turns)
    assert threading.active_count() > before
    turns.close()
    assert threading.active_count() == before


def test_figures_are_there_where_the_truth_is(compare):
    for turn in compare([OPGD, MEDIAN]).run():
        for report in turn.reports:
            assert set(figures(report)) == {"residual", "psnr_db", "relative_error"}
    turn = next(compare([FAST, MOG2], open_street).run())
    assert set(figures(turn.reports[0])) == {"residual", "psnr_db", "relative_error", "f_measure"}


def test_a_camera_cannot_be_compared_on_and_everything_is_closed():
    class Live:
        closed = 0
        info = replace(open_faces().info, live=True)

        def close(self):
            Live.closed += 1

    with pytest.raises(CleanplateError, match="record it"):
        Comparison(Live, [FAST, OPGD])
    assert Live.closed == 1


def test_an_unknown_method_is_one_sentence():
    with pytest.raises(CleanplateError, match="no method 'nonsense'"):
        Comparison(open_faces, [FAST, Settings("nonsense")])
