"""The sentences that a source says about what it skipped or converted."""

from __future__ import annotations

import threading


def of_the_first(n: int, what: str, done: str, name: str, reason: str) -> str:
    """Return a sentence on so many files, such as "2 images were skipped; the first, a.png, is empty."."""
    if n == 1:
        return f"1 {what} was {done}: {name} {reason}."
    return f"{n} {what}s were {done}; the first, {name}, {reason}."


class Notes:
    """Sentences by key: saying a key again replaces its sentence, so that a count can grow and nothing repeats."""

    def __init__(self) -> None:
        self._sentences: dict[str, str] = {}
        self._lock = threading.Lock()

    def say(self, key: str, sentence: str) -> None:
        """Keep a sentence."""
        with self._lock:
            self._sentences[key] = sentence

    def say_once(self, key: str, sentence: str) -> None:
        """Keep a sentence, unless there is one: it speaks of the first of several."""
        with self._lock:
            self._sentences.setdefault(key, sentence)

    def forget(self, key: str) -> None:
        """Take a sentence back: what it says is over."""
        with self._lock:
            self._sentences.pop(key, None)

    @property
    def sentences(self) -> list[str]:
        """Every sentence so far, in the order in which their keys were first said."""
        with self._lock:
            return list(self._sentences.values())
