"""Fixtures that tests of whole runs share."""

from tests.disk_log import disk  # noqa: F401
from tests.failing_medium import medium  # noqa: F401
from tests.small_inputs import deep_photos, film, photos  # noqa: F401
