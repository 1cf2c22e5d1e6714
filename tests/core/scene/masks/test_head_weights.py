"""The weights of the head, and files of them."""

import numpy as np
import pytest

from core.errors import CleanplateError
from core.kernels.cell_features import N
from core.scene.masks import head_weights
from core.scene.masks.head_weights import REACHES, shipped


def test_the_shipped_weights_fit_the_network():
    weights = shipped()._asdict()
    n = len(REACHES)
    assert {name: value.shape for name, value in weights.items()} == {
        "enter": (N, N), "enter_bias": (N,), "spread": (n, N, 9), "mix": (n, N, N), "mix_bias": (n, N),
        "leave": (2, N), "leave_bias": (2,),
    }  # fmt: skip
    assert all(np.isfinite(value).all() for value in weights.values())


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda arrays: arrays.update(leave=np.zeros((2, 99), np.float32)), "leave has the shape 2×99, not 2×16"),
        (lambda arrays: arrays["mix"].fill(np.nan), "mix holds what is no finite number"),
        (lambda arrays: arrays.pop("enter"), "damaged; install"),
    ],
)
def test_damaged_weights_are_one_sentence(change, sentence, tmp_path, monkeypatch):
    arrays = {name: array.copy() for name, array in shipped()._asdict().items()}
    change(arrays)
    np.savez(tmp_path / "head.npz", **arrays)
    monkeypatch.setattr(head_weights.resources, "files", lambda package: tmp_path)
    with pytest.raises(CleanplateError, match=sentence):
        shipped.__wrapped__()
    (tmp_path / "head.npz").write_bytes(b"PK")
    with pytest.raises(CleanplateError, match="damaged"):
        shipped.__wrapped__()
