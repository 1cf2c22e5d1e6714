"""Fixtures that tests of whole runs share."""

from small_inputs import deep_photos, film, photos  # noqa: F401
