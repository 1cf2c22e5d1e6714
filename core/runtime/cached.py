"""What an object works out once, when it is first asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as cached
else:

    class cached:  # noqa: N801 - a decorator
        """A property that is worked out when it is first asked for, and kept in the object's ``__dict__``.

        That of `functools` has one lock for all objects of a class, up to Python 3.11: threads that make pictures of
        different frames would wait for each other. This one has none. Threads that ask the same object at the same time
        may each work it out; all of them get the same one.
        """

        def __init__(self, func):
            self.func, self.__doc__ = func, func.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return instance.__dict__.setdefault(self._name, self.func(instance))


__all__ = ["cached"]
