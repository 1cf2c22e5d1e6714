"""The one error that people see."""


class CleanplateError(Exception):
    """A user-correctable error: one sentence that says what happened, where, and what to do next.

    The command line prints it and ends with status 2; the window shows it and goes on.
    """


class CancelledError(CleanplateError):
    """The person cancelled; nothing was written."""
