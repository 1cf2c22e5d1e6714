"""Steps of the history in words."""

import pytest

from app.window.step_words import undone_words, words_of


@pytest.mark.parametrize(
    ("step", "undone"),
    [
        ("Sensitivity 50 → 79.9", "Sensitivity back to 50"),
        ("Outlier penalty λ automatic → 0.2 and 2 more", "Outlier penalty λ back to automatic and 2 more"),
        ("Brush: background, frame 3", "Brush: background, frame 3"),
        ("In and out 1 – the end", "In and out 1 – the end"),
    ],
)
def test_what_was_taken_back_is_told_by_what_is_so_again(step, undone):
    assert undone_words(step) == undone


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (("plate", "mask"), ("plate", "mask", "events"), "Export with events"),
        (("plate", "mask"), ("plate",), "Export without mask"),
        (("plate", "mask"), ("cleaned", "plate"), "Export with cleaned, without mask"),
        (None, ("plate",), "Export with plate"),
    ],
)
def test_a_choice_of_what_is_exported_says_what_was_ticked(before, after, said):
    assert words_of({"export.save": (before, after)}, {}) == said
