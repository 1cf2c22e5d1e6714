"""What a person is told of cuts, and of parts of a scene that change at once."""

from dataclasses import replace

from core.scene.tuning import SETTLED_FRAMES
from core.session.scene_notes import MOST, SceneNotes
from tests.core.session.test_scenes import cut


def test_cuts_are_told_by_the_frames_of_the_input():
    notes, info = SceneNotes(), cut().info
    assert notes.sentences(info) == []
    for first in (7, 1, 3, 5, 3, 9):  # A person has sought back.
        notes.add_cut(first)
    assert "begins at frames 2, 4, 6 and 2 more:" in notes.sentences(info)[0]
    assert "begins at frames 102, 104, 106 and 2 more:" in notes.sentences(replace(info, n_before=100))[0]
    assert "scene begins: each" in notes.sentences(replace(info, numbers_frames=False))[0], "frames of all the film"


def test_as_many_as_are_told_leave_none_over():
    notes = SceneNotes()
    for first in (1, 3, 5):
        notes.add_cut(first)
    assert "begins at frames 2, 4, 6: each" in notes.sentences(cut().info)[0]


def test_more_cuts_than_are_counted_are_said_to_be_more():
    notes = SceneNotes()
    for first in range(0, 10 * MOST, 5):
        notes.add_cut(first)
    assert f"begins at frames 1, 6, 11 and at least {MOST - 3} more:" in notes.sentences(cut().info)[0]


def test_the_last_view_of_a_camera_that_turns_is_told():
    notes, info = SceneNotes(), cut().info
    for first in (6, 40):
        notes.set_view(first)
    view = "The camera turns: the plate shows the {}, and is made of the frames since."
    assert notes.sentences(info) == [view.format("view of frame 41")]
    assert notes.sentences(replace(info, n_before=100)) == [view.format("view of frame 141")]
    assert notes.sentences(replace(info, numbers_frames=False)) == [view.format("last view")]


def test_frames_in_which_nothing_is_seen_are_told_but_at_the_end():
    notes, info = SceneNotes(), cut().info
    for index in range(40):
        notes.see(index, is_blank=index in {5, 6, 38, 39})
    assert "Nothing is to be seen at frames 6, 7:" in notes.sentences(info)[0]
    assert "Nothing is to be seen in some frames:" in notes.sentences(replace(info, numbers_frames=False))[0]
    for index in range(20):  # It is read again, from the end on: what comes first is not between others.
        notes.see(index, is_blank=index < 3)
    assert "at frames 6, 7:" in notes.sentences(info)[0]


def test_a_camera_that_shows_nothing_for_long_takes_no_memory():
    notes = SceneNotes()
    for index in range(3 * MOST):
        notes.see(index, is_blank=index % 3 > 0)
    assert f"at frames 2, 3, 5 and at least {MOST - 3} more:" in notes.sentences(cut().info)[0]


def test_changes_of_a_part_are_told_but_at_a_cut():
    notes = SceneNotes()
    notes.add_cut(100)
    for first in (100, 100 + SETTLED_FRAMES):
        notes.add_change(first)
    assert len(notes.sentences(cut().info)) == 1
    notes.add_change(101 + SETTLED_FRAMES)
    assert f"changes at once at frame {102 + SETTLED_FRAMES}, and stays so:" in notes.sentences(cut().info)[1]


def test_what_to_do_about_a_part_that_is_foreground_goes_by_how_often_the_input_is_read():
    notes, info = SceneNotes(), cut().info
    notes.add_change(30)
    live, once, twice = (notes.sentences(info, n_passes=n)[0] for n in (0, 1, 2))
    assert all("draw an area" in text for text in (live, once, twice))
    assert "second pass" in once
    assert "second pass" not in live + twice
    assert "--set sudden=scene" in twice
    assert "sudden" not in live + once
    assert "draw an area" not in notes.sentences(info, has_areas=True, n_passes=2)[0]


def test_parts_that_are_followed_are_told():
    notes = SceneNotes()
    notes.set_parts([30, 60])
    (told,) = notes.sentences(cut().info, n_passes=2)
    assert "changes at once at frames 31, 61, and stays so: from there on" in told
    assert "--set sudden=foreground" in told
