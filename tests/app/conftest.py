"""Fixtures that tests of whole runs share, and a robot that waits longer than pytest-qt's."""

import tempfile

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from core.io import sources
from tests.disk_log import disk  # noqa: F401
from tests.small_inputs import deep_photos, film, photos  # noqa: F401

PATIENCE_MS = 120_000
"""What a test waits for comes, however busy the machine is: the five seconds of pytest-qt are too short for that."""


class PatientBot(QtBot):
    def waitSignal(self, signal, *, timeout=PATIENCE_MS, **options):
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitSignals(self, signals, *, timeout=PATIENCE_MS, **options):
        return super().waitSignals(signals, timeout=timeout, **options)

    def waitUntil(self, callback, *, timeout=PATIENCE_MS):
        return super().waitUntil(callback, timeout=timeout)

    def waitExposed(self, widget, *, timeout=PATIENCE_MS):
        return super().waitExposed(widget, timeout=timeout)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory):
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def _home(_homes, monkeypatch):
    """Give each test a home of its own: results go there by default, and are numbered where there are some already.

    pytest itself looks through all folders of the tests before, thousands in the end, for a number that is free.
    """
    monkeypatch.setenv("HOME", tempfile.mkdtemp(dir=_homes))


@pytest.fixture
def held_openings(monkeypatch):
    """Give a dict for events, by paths of inputs: each is opened once its event is set."""
    waits, opened = {}, sources.open_source

    def open_late(spec, *rest, **named):
        if spec.path in waits:
            assert waits[spec.path].wait(120)
        return opened(spec, *rest, **named)

    monkeypatch.setattr(sources, "open_source", open_late)
    return waits


@pytest.fixture
def qtbot(qapp, request):
    """A robot whose widgets are gone when the test is: each that is left takes time whenever the theme changes.

    pytest-qt asks for their end, which Qt puts off until it works in a loop of its own.
    """
    yield PatientBot(request)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
