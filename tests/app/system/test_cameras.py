"""Which cameras are offered."""

import sys

from app.system import cameras


def _device(folder, name, index):
    (folder / name).mkdir()
    if index is not None:
        (folder / name / "index").write_text(f"{index}\n")


def test_cameras_of_linux_are_those_that_are_there_each_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(cameras, "DEVICES", tmp_path)
    assert cameras.camera_numbers() == []
    for name, index in {"video10": 0, "video2": 0, "video3": 1, "video4": None, "v4l-subdev0": 0, "videoX": 0}.items():
        _device(tmp_path, name, index)
    assert cameras.camera_numbers() == [2, 4, 10]


def test_no_folder_means_no_camera(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(cameras, "DEVICES", tmp_path / "none")
    assert cameras.camera_numbers() == []


def test_other_systems_are_offered_a_few(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cameras.camera_numbers() == [0, 1, 2, 3]
