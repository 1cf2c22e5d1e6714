"""Who learns few pictures with many basis images is told that noise is learnt, too."""

import pytest

from core.export.preset import built_in_presets
from core.io.input_spec import InputSpec
from core.io.sources import open_source
from core.session.session import Session
from core.session.settings import Settings


def said(n_frames, method="opgd", **values):
    with_preset = built_in_presets()["faces"].values
    session = Session(
        open_source(InputSpec("sample:faces", frames=(1, n_frames))), Settings(method, {**with_preset, **values})
    )
    return [note for note in session.warnings if "basis images" in note]


def test_the_preset_for_faces_says_so_of_a_small_folder_and_what_to_do():
    assert said(40) == [
        "There are 49 basis images for 40 pictures, so noise is learnt, too: where it is to be removed, lower Rank K "
        "to about 10 (--set rank=10)."
    ]


@pytest.mark.parametrize(
    ("n_frames", "values", "told"),
    [
        (97, {}, True),
        (98, {}, False),
        (40, {"rank": 20}, False),
        (40, {"rank": 21}, True),
        (40, {"rank": None}, True),
        (40, {"content": "scene"}, False),
        (5, {"rank": 3}, True),
        (4, {"rank": 3}, False),
        (1, {"rank": 1}, False),
    ],
)
def test_it_is_told_where_there_are_more_than_half_as_many_as_pictures(n_frames, values, told):
    assert bool(said(n_frames, **values)) == told


@pytest.mark.parametrize("method", ["onmf", "b-kl"])
def test_other_methods_of_a_set_tell_of_it_too(method):
    assert len(said(16, method)) == 1
