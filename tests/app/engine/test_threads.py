"""The rule that an object is used on its own thread, as an assertion; and inputs that are opened aside."""

import threading

import pytest
from PySide6.QtCore import QObject, Signal

from app.engine.choice import Choice
from app.engine.opener import Opener
from app.engine.threads import Runner, command, listen, on_own_thread
from core.errors import CleanplateError
from core.io import sources
from core.io.sources import InputSpec
from tests.app.windows import poll, running_worker, wait_for, write_clip

pytestmark = pytest.mark.usefixtures("qapp")


class Counter(QObject):
    def __init__(self):
        super().__init__()
        self.n = 0

    @on_own_thread
    def add(self, n, *, times=1):
        self.n += n * times
        return self.n


def test_an_object_is_used_on_its_own_thread_alone():
    counter, refused = Counter(), []
    assert counter.add(2, times=3) == 6

    def elsewhere():
        try:
            counter.add(1)
        except AssertionError as error:
            refused.append(str(error))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert refused == ["Counter.add was called from another thread"]
    assert counter.n == 6


class Button(QObject):
    pressed = Signal(int)


class Receiver(Runner):
    def __init__(self):
        super().__init__()
        self.heard_on = []

    def hear(self, _n):
        self.heard_on.append(threading.get_ident())


def pressed_elsewhere(button):
    """Emit the button's signal on another thread, and return which that was."""
    thread = threading.Thread(target=lambda: button.pressed.emit(1))
    thread.start()
    thread.join()
    return thread.ident


def test_a_command_is_called_where_it_is_given_and_what_is_heard_is_called_on_the_thread_of_who_hears():
    commanding, telling, receiver = Button(), Button(), Receiver()
    command(commanding.pressed, receiver.hear)
    listen(telling.pressed, receiver.hear)
    assert pressed_elsewhere(commanding) == receiver.heard_on.pop()
    pressed_elsewhere(telling)
    assert not receiver.heard_on, "it is called when its own thread comes to it"
    wait_for(lambda: receiver.heard_on, "the call")
    assert receiver.heard_on == [threading.get_ident()]


@pytest.mark.parametrize("connect", [command, listen])
def test_nothing_but_a_method_of_an_object_with_a_thread_is_connected(connect):
    with pytest.raises(AssertionError):
        connect(Button().pressed, lambda _n: None)
    with pytest.raises(AssertionError):
        command(Button().pressed, Counter().add)


def test_an_engine_does_its_commands_on_its_own_thread_and_refuses_to_run_on_another(tmp_path):
    with running_worker() as seen:
        seen.worker.open(InputSpec(str(write_clip(tmp_path / "walk.mkv"))), Choice(), play=False)
        wait_for(lambda: seen.indices, "the first frame")
        threads = []
        seen.worker.with_session(lambda _: threads.append(threading.get_ident()))
        wait_for(lambda: threads, "the engine")
        assert threads != [threading.get_ident()]
        with pytest.raises(AssertionError):
            seen.worker.run()
        assert not seen.failures


class Source:
    def __init__(self, path):
        self.path, self.closed = path, False

    def close(self):
        self.closed = True


@pytest.fixture
def inputs(monkeypatch):
    """Inputs whose opening is held until they are released, by path."""
    made, gates = {}, {}

    def open_source(request, cancelled=None):
        gates.setdefault(request.path, threading.Event()).wait(60)
        if request.path == "bad":
            raise CleanplateError("It cannot be read.")
        made[request.path] = Source(request.path)
        return made[request.path]

    monkeypatch.setattr(sources, "open_source", open_source)
    return made, gates


def release(gates, path):
    gates.setdefault(path, threading.Event()).set()


def test_what_was_asked_for_before_is_closed_and_only_the_last_is_handed_over(inputs):
    made, gates = inputs
    posted, opened, failed = [], [], []
    opener = Opener(lambda command: posted.append(command) is None)
    opener.open(InputSpec("first"), opened.append, failed.append)
    opener.open(InputSpec("second"), opened.append, failed.append)
    release(gates, "second")
    poll(lambda: len(posted) == 1, "the second", lambda: None)
    release(gates, "first")
    opener.wait()
    for wanted in posted:
        wanted()
    assert opened == [made["second"]]
    assert made["first"].closed
    assert not made["second"].closed
    assert not failed


def test_what_cannot_be_opened_is_told_unless_it_was_given_up(inputs):
    _made, gates = inputs
    posted, opened, failed = [], [], []
    opener = Opener(lambda command: posted.append(command) is None)
    release(gates, "bad")
    opener.open(InputSpec("bad"), opened.append, failed.append)
    opener.wait()
    posted.pop()()
    assert failed == ["It cannot be read."]
    opener.open(InputSpec("bad"), opened.append, failed.append)
    opener.wait()
    opener.cancel()
    posted.pop()()
    assert len(failed) == 1
    assert not opened


def test_a_source_that_nobody_takes_any_more_is_closed(inputs):
    made, gates = inputs
    release(gates, "late")
    opener = Opener(lambda _command: False)
    opener.open(InputSpec("late"), lambda _: None, lambda _: None)
    opener.wait()
    assert made["late"].closed
