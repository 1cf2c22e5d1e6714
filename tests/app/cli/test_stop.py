"""What signals ask of a run: a camera's input ends first, and results that get their names are waited for."""

import contextlib
import signal

import pytest

from app.cli.stop import Stop, stop_on_signals
from core.errors import CancelledError


def test_ctrl_c_completes_a_camera_first_and_gives_up_second():
    camera, file = Stop(live=True), Stop(live=False)
    assert [camera.enough(), camera.cancelled(), file.enough(), file.cancelled()] == [False] * 4
    camera.on_signal(2, None)
    file.on_signal(2, None)
    assert (camera.enough(), camera.cancelled()) == (True, False)
    assert (file.enough(), file.cancelled()) == (False, True)
    camera.on_signal(2, None)
    assert camera.cancelled()
    with pytest.raises(KeyboardInterrupt):
        file.on_signal(2, None)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no hang-up there")
@pytest.mark.parametrize("session_ends", [("SIGTERM", "SIGHUP"), ("SIGHUP", "SIGTERM"), ("SIGHUP", "SIGHUP")])
def test_a_session_that_ends_asks_a_camera_once_though_it_terminates_and_hangs_up(session_ends, capfd):
    camera = Stop(live=True)
    for name in session_ends:
        camera.on_signal(getattr(signal, name), None)
    assert (camera.enough(), camera.cancelled()) == (True, False)
    assert capfd.readouterr().err.count("cleanplate:") == 1
    camera.on_signal(signal.SIGTERM, None)
    assert camera.cancelled() == ("SIGTERM" in session_ends), "a session may hang up twice first"


@pytest.mark.parametrize(
    ("live", "said"),
    [
        (False, ["Giving up after this frame; once more ends at once."]),
        (True, ["Ending the input and completing the results; once more gives up.",
                "Giving up after this frame; once more ends at once."]),
    ],
)  # fmt: skip
def test_what_a_signal_does_is_said_at_once_while_results_are_not_there(capfd, live, said):
    stop = Stop(live)
    for _ in said:
        stop.on_signal(2, None)
    with pytest.raises(KeyboardInterrupt):
        stop.on_signal(2, None)
    assert [line for line in capfd.readouterr().err.splitlines() if line] == [
        f"cleanplate: {sentence}" for sentence in said
    ]
    late = Stop(live)
    late.hold(True)
    late.on_signal(2, None)
    assert capfd.readouterr().err == ""


def test_signals_wait_while_results_get_their_names_and_come_too_late_afterwards():
    stop = Stop(live=False)
    stop.hold(True)
    for _ in range(3):
        stop.on_signal(2, None)
    assert stop.came_too_late
    stop.hold(False)
    with pytest.raises(KeyboardInterrupt):
        stop.on_signal(2, None)


def test_a_hang_up_is_heard_but_not_under_nohup():
    if not hasattr(signal, "SIGHUP"):
        pytest.skip("no hang-up there")
    for before, is_heard in ((signal.SIG_DFL, True), (signal.SIG_IGN, False)):
        signal.signal(signal.SIGHUP, before)
        with contextlib.suppress(CancelledError), stop_on_signals(False) as stop:
            signal.raise_signal(signal.SIGHUP)
            raise CancelledError
        assert stop.cancelled() == is_heard
        assert signal.getsignal(signal.SIGHUP) == before
    with stop_on_signals(False):
        pass
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN, "what comes after a complete run changes no status"
