"""Several frames have to show something before it counts, and it rests where none does for long."""

from core.scene.evidence import CONFIRM, FADE, RESTS, Evidence


def after(*frames):
    evidence = Evidence()
    for seen in frames:
        evidence.take(seen=seen, belief=1.0)
    return evidence


def test_it_is_sure_after_enough_frames_that_show_it_and_stays_so():
    assert not after(*[True] * (CONFIRM - 1)).is_sure
    evidence = after(*[True] * CONFIRM, *[False] * (RESTS - 1))
    assert evidence.is_sure
    assert evidence.is_active
    evidence.take(seen=False, belief=0.0)
    assert (evidence.is_sure, evidence.is_active) == (True, False)
    evidence.take(seen=True, belief=0.0)
    assert evidence.is_active, "one frame wakes it"


def test_what_one_frame_showed_fades_and_what_a_frame_is_sure_of_counts_for_several():
    assert not after().is_there
    assert after(True, *[False] * round(1 / FADE - 1)).is_there
    assert not after(True, *[False] * (round(1 / FADE) + 1)).is_there
    evidence = Evidence()
    evidence.take(seen=True, belief=float(CONFIRM))
    assert evidence.is_sure
