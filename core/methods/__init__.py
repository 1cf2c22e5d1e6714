"""Methods: each composes parts of `core.nmf` and ends in rows of the catalogue."""
