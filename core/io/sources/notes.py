"""The sentences that a source says about what it skipped or converted."""

from __future__ import annotations

import threading


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
