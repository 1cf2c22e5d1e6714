"""What is said of plates at the end of a run."""

import numpy as np
import pytest

from core.export.plate_notes import SeenScenes, unseen


def never_seen(confidence, n_kept, **more):
    """Return what is said of a single scene."""
    seen = SeenScenes()
    seen.add(unseen(confidence, n_kept))
    return seen.notes(**more)


def seen_but(share):
    """Return the confidence of a scene of which this share was never seen."""
    confidence = np.ones((10, 100), np.float32)
    confidence.reshape(-1)[: round(1000 * share)] = 0
    return confidence


def scenes(*shares):
    seen = SeenScenes()
    for number, share in enumerate(shares):
        seen.add(unseen(seen_but(share), 20, 100 * number + 1))
    return seen


def test_what_was_never_seen_is_said():
    confidence = np.ones((10, 10), np.float32)
    assert never_seen(confidence, 20) == []
    confidence[0, :5] = 0
    where = "plate and cleaned frames show a guess there (--save confidence)."
    assert never_seen(confidence, 20) == [f"5.0 % of the scene was never seen: {where}"]
    confidence[1] = 2 / 20
    assert never_seen(confidence, 20) == [
        f"5.0 % of the scene was never seen, and 10.0 % was seen in fewer than 5 of the frames kept: {where}"
    ]
    for n_kept in (2000, None):
        assert never_seen(confidence, n_kept) == [f"5.0 % of the scene was never seen: {where}"]


def test_nearly_all_is_not_told_as_all():
    confidence = np.zeros((50, 50), np.float32)
    assert never_seen(confidence, 20)[0].startswith("All of the scene was never seen: ")
    confidence[0, 0] = 1
    known = never_seen(confidence, 20, has_model=True)[0]
    assert "was not seen here" in known
    assert "plate and cleaned frames show what the model knows there" in known
    assert never_seen(confidence, 20)[0].startswith("Nearly all of the scene was never seen: ")
    confidence[:] = 1 / 20
    confidence[0, 0] = 0
    assert "never seen, and nearly all was seen in" in never_seen(confidence, 20)[0]


@pytest.mark.parametrize(("n_frames", "n_few", "said"), [(5, 0, None), (9, 1, "1.0 % of the scene"), (2, 0, "All")])
def test_what_was_hardly_seen_is_said_and_all_of_it_is_where_there_are_hardly_frames(n_frames, n_few, said):
    confidence = np.ones((10, 10), np.float32)
    confidence[0, :n_few] = np.float32(2 / 9)
    found = never_seen(confidence, n_frames)
    assert bool(found) == (said is not None)
    if said is not None:
        assert found[0].startswith(said)
        assert "seen in fewer than 5 of the frames kept: plate and cleaned frames may be wrong there" in found[0]


def test_of_several_scenes_it_is_said_which_are_meant():
    guess = "plate and cleaned frames show a guess there"
    assert scenes(0, 0.02, 0).notes() == [
        f"2.0 % of the scene from frame 101 on was never seen: {guess} (--save confidence)."
    ]
    assert scenes(0, 0.02).notes(saved_as="confidence.png")[0].endswith("(see confidence-by-scene).")
    assert scenes(0, 0, 0).notes() == []


def test_of_many_scenes_the_worst_are_told_in_their_order_and_others_counted():
    said = scenes(0.01, 0.03, 0.5, 0, 0.02, 0.04).notes()
    assert [text.split()[0] for text in said[:3]] == ["3.0", "50.0", "4.0"]
    assert said[3:] == ["So it is with less of 2 more scenes (--save confidence)."]
