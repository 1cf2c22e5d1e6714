"""Every attack."""

from __future__ import annotations

from tests.hostile import models
from tests.hostile.attack import Attack

ATTACKS: tuple[Attack, ...] = (models.ATTACK,)
