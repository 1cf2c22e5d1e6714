"""What is said of a frame that is on its way."""

from app.views.going_words import AT_ONCE_S, LONG_S, GoingWords, long_words


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


def test_a_frame_that_takes_long_is_told_of_and_a_pause_at_once():
    assert not long_words(LONG_S - 0.1, "frame", pauses=False)
    assert long_words(12.3, "iteration", pauses=False) == "This iteration takes long: 12 s so far"
    assert not long_words(AT_ONCE_S / 2, "frame", pauses=True), "it would only flicker"
    assert long_words(0.5, "frame", pauses=True) == "Pausing after this frame…"
    assert long_words(12.3, "frame", pauses=True) == "Pausing after this frame: 12 s so far"
