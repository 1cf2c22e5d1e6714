"""Views of a report: they know `core.session.report.Report`, and nothing of who made it."""
