"""The thread of an export ends, and says why, whatever goes wrong on it."""

import sys

import pytest

from app.engine.exporter import Exporter
from app.engine.threads import Background
from core.export.job_spec import Job
from core.io.sources import InputSpec

pytestmark = pytest.mark.usefixtures("qapp")


def test_an_export_whose_program_cannot_be_loaded_any_more_fails(qtbot, tmp_path, monkeypatch):
    exporter, told = Exporter(Job(InputSpec("sample:street"), tmp_path / "out", ("mask",))), []
    exporter.failed.connect(told.append)
    monkeypatch.setitem(sys.modules, "core.export.job", None)
    background = Background(exporter, "export")
    background.start()
    qtbot.waitUntil(lambda: bool(told))
    assert background.wait()
    assert "exporting" in told[0]
