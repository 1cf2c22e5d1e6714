"""Views of a report: they know `core.report.Report`, and nothing of who made it."""
