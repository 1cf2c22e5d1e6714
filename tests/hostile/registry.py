"""Every attack."""

from __future__ import annotations

from tests.hostile import bombs, mutated_media, references
from tests.hostile.attack import Attack

ATTACKS: tuple[Attack, ...] = (mutated_media.ATTACK, bombs.ATTACK, references.ATTACK)
