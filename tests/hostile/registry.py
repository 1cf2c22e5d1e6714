"""Every attack."""

from __future__ import annotations

from tests.hostile.attack import Attack
from tests.hostile.crowds import CROWDS
from tests.hostile.full_disks import FULL_DISKS
from tests.hostile.publishing import PUBLISHING

ATTACKS: tuple[Attack, ...] = (PUBLISHING, CROWDS, FULL_DISKS)
