"""How commands go to the engine: a bounded queue under a lock, read between two frames."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Hashable
from typing import Generic, TypeVar

Message = TypeVar("Message")

CAPACITY = 4096
"""Messages that wait at most: far more than a person can ask for while one frame is processed."""


class Mailbox(Generic[Message]):
    """Messages from any thread for one reader, in the order in which they were sent.

    Parameters
    ----------
    capacity : int
        Messages that wait at most; more are refused.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._changed = threading.Condition()
        self._messages: deque[tuple[Message, Hashable]] = deque()
        self._closed = False

    def post(self, message: Message, *, topic: Hashable = None) -> bool:
        """Leave a message.

        Parameters
        ----------
        topic
            The message takes the place of the one just before it, if that is still there and has the same topic:
            of the many values of a slider that is dragged, the newest holds.

        Returns
        -------
        bool
            False where the mailbox is closed, and nobody will read the message, or full.
        """
        with self._changed:
            if self._closed:
                return False
            if topic is not None and self._messages and self._messages[-1][1] == topic:
                self._messages.pop()
            if len(self._messages) >= self._capacity:
                return False
            self._messages.append((message, topic))
            self._changed.notify()
            return True

    def take(self, timeout_s: float | None) -> list[Message]:
        """Return and remove all messages; where there are none, wait for one up to ``timeout_s`` (None: for ever)."""
        with self._changed:
            if not self._messages and timeout_s != 0 and not self._closed:
                self._changed.wait(timeout_s)
            messages = [message for message, _ in self._messages]
            self._messages.clear()
            return messages

    @property
    def is_closed(self) -> bool:
        """Whether nothing is taken any more."""
        with self._changed:
            return self._closed

    def close(self) -> None:
        """Refuse further messages and wake the reader, who may take what is there already."""
        with self._changed:
            self._closed = True
            self._changed.notify()
