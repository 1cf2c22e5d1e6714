"""Paths that begin with a home."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.io.home import expanded


def test_the_home_stands_where_the_tilde_was(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert expanded("~/clip.mp4") == tmp_path / "clip.mp4"


@pytest.mark.parametrize("path", ["~nobody-is-called-so/clip.mp4", "clip~.mp4", "in/~/clip.mp4"])
def test_other_names_stay_as_they_are(path: str) -> None:
    assert expanded(path) == Path(path)
