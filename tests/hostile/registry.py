"""Every attack."""

from __future__ import annotations

from tests.hostile import areas, bombs, models, mutated_media, references
from tests.hostile.attack import Attack
from tests.hostile.caches import CACHES
from tests.hostile.crowds import CROWDS
from tests.hostile.full_disks import FULL_DISKS
from tests.hostile.publishing import PUBLISHING
from tests.hostile.starts import STARTS

ATTACKS: tuple[Attack, ...] = (
    mutated_media.ATTACK, bombs.ATTACK, models.ATTACK, areas.ATTACK, PUBLISHING, CROWDS, references.ATTACK, CACHES,
    STARTS, FULL_DISKS,
)  # fmt: skip
