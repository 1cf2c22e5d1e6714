"""Putting the computer to sleep: only where there is a way, and nothing fails where it is refused."""

from app.system import sleep


def test_sleep_is_asked_of_the_system_where_it_can(monkeypatch):
    asked = []
    monkeypatch.setattr(sleep.subprocess, "Popen", lambda words, **_: asked.append(words))
    monkeypatch.setattr(sleep.shutil, "which", {"systemctl": "/bin/systemctl"}.get)
    assert sleep.can_sleep()
    sleep.sleep()
    assert asked == [["systemctl", "suspend"]]


def test_without_a_way_nothing_happens(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert not sleep.can_sleep()
    sleep.sleep()
