"""Values of a model that was read: in one that is saved again, those that nobody has changed are what they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.parameter import Value


@dataclass(frozen=True)
class ValuesAsRead:
    """What a model had, and what has been in force for it since.

    Attributes
    ----------
    values : mapping
        By name, as the model has them; empty where there is no model.
    rank : int or None
        Basis images of the model: in force where its rank is automatic (None).
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    rank: Value = None

    def where_unchanged(self, now: Mapping[str, Value]) -> dict[str, Value]:
        """Return the values in force ``now``, as the model has them where they are the same: 1 is 1, and no 1.0."""
        return {name: self.values[name] if self._has(name, value) else value for name, value in now.items()}

    def _has(self, name: str, value: Value) -> bool:
        if name not in self.values:
            return False
        read = self.values[name]
        return value == (self.rank if name == "rank" and read is None else read)
