"""Which scenes there are of a whole run, by those that its pieces have found."""

import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.pieces.part import Part
from core.export.pieces.scenes import whole_scenes
from core.export.products import places, single_suffix
from core.export.tables import write_columns
from tests.small_inputs import save_png


def piece(folder, frames, *firsts, form="png"):
    """Write what a piece leaves of these frames, with plates of scenes that begin at these; None: of one, as a file."""
    folder.mkdir()
    numbers = np.array(frames)
    write_columns("times", {"frame": numbers, "time_s": numbers / 25}, *places("times", folder, "png"))
    for product in ("plate", "confidence"):
        for first in firsts:
            suffix = single_suffix(form)
            name = f"{product}{suffix}" if first is None else f"{product}-by-scene/{first:06d}{suffix}"
            (folder / name).parent.mkdir(exist_ok=True)
            save_png(folder / name, np.full((2, 3), 7, np.uint8))
    return Part(folder, form)


@pytest.mark.parametrize("form", ["png", "tiff"])
@pytest.mark.parametrize(
    ("firsts", "found"),
    [
        (((1,), (0,), (0,)), [(1, [100, 100, 100])]),
        (((1,), (0, 150), (0,)), [(1, [100, 49]), (150, [51, 100])]),
        (((1, 80), (80,), (0, 240)), [(1, [79]), (80, [21, 100, 39]), (240, [61])]),
        (((1,), (97,), (0,)), [(1, [100]), (97, [100, 100])]),
        (((1,), (101,), (0,)), [(1, [100]), (101, [100, 100])]),
        (((1, 80), (83,), (0,)), [(1, [79]), (80, [21, 100, 100])]),
        (((1, 95), (0,), (0,)), [(1, [94]), (95, [6, 100, 100])]),
        (((None,), (None,), (None,)), [(1, [100, 100, 100])]),
    ],
    ids=["none", "inside", "two", "seen by the next alone", "between", "seen twice", "no more in the next", "files"],
)
def test_scenes_of_the_whole_follow_from_cuts_of_pieces(tmp_path, firsts, found, form):
    parts = [
        piece(tmp_path / str(n), range(100 * n + 1, 100 * n + 101), *of_piece, form=form)
        for n, of_piece in enumerate(firsts)
    ]
    scenes = whole_scenes(parts, ["plate", "confidence"])
    assert [(scene.first, [part.n_frames for part in scene.parts]) for scene in scenes] == found
    assert [scene.n_frames for scene in scenes] == [sum(counts) for _, counts in found]
    assert scenes[0].parts[0].picture("plate").shape == (2, 3)


def test_a_piece_that_lacks_a_picture_is_refused(tmp_path):
    part = piece(tmp_path / "0", range(1, 101), 1, 50)
    (tmp_path / "0/plate-by-scene/000050.png").unlink()
    with pytest.raises(CleanplateError, match="lacks plates; run what is missing again"):
        whole_scenes([part], ["plate", "confidence"])


def test_a_picture_that_is_none_is_refused(tmp_path):
    part = piece(tmp_path / "0", range(1, 101), 1)
    (tmp_path / "0/plate-by-scene/000001.png").write_bytes(b"no picture")
    [scene] = whole_scenes([part], ["plate", "confidence"])
    with pytest.raises(CleanplateError, match="run what is missing again"):
        scene.parts[0].picture("plate")
