"""Fixtures that tests of whole runs share."""

from tests.small_inputs import deep_photos, film, photos  # noqa: F401
