"""What is said of a frame that is on its way."""

from app.views.going_words import AT_ONCE_S, GoingWords


def test_only_what_takes_a_moment_is_spoken_of(monkeypatch):
    now = [5.0]
    monkeypatch.setattr("app.views.going_words.time.monotonic", lambda: now[0])
    words = GoingWords()
    assert words.of(0) == ""
    now[0] += AT_ONCE_S + 0.01
    assert words.of(0) == "Going to frame 1…"
    assert words.of(11) == "Going to frame 12…", "another was sought meanwhile"
    assert words.of(None) == ""
    assert words.of(4) == "", "counted anew"
