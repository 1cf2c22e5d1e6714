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


def test_more_cuts_than_are_counted_are_said_to_be_more():
    notes = SceneNotes()
    for first in range(0, 10 * MOST, 5):
        notes.add_cut(first)
    assert f"begins at frames 1, 6, 11 and at least {MOST - 3} more:" in notes.sentences(cut().info)[0]


def test_changes_of_a_part_are_told_but_at_a_cut():
    notes = SceneNotes()
    notes.add_cut(100)
    for first in (100, 100 + SETTLED_FRAMES):
        notes.add_change(first)
    assert len(notes.sentences(cut().info)) == 1
    notes.add_change(101 + SETTLED_FRAMES)
    assert f"changes at once at frame {102 + SETTLED_FRAMES}, and stays so:" in notes.sentences(cut().info)[1]
