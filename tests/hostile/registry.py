"""Every attack."""

from __future__ import annotations

from tests.hostile import models
from tests.hostile.attack import Attack
from tests.hostile.caches import CACHES
from tests.hostile.starts import STARTS

ATTACKS: tuple[Attack, ...] = (models.ATTACK, CACHES, STARTS)
