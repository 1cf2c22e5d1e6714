"""Steps of the history in words."""

import pytest

from app.window.step_words import undone_words


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
