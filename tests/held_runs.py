"""Runs of the queue's jobs that are held, or abort, before they begin: what their processes do first."""

import os
import sys
import time

ABORTS = "aborts.mkv"
"""The decoder of this file aborts, in whatever process opens it."""


class HeldRuns:
    """Clips whose runs do not begin before they are let go.

    Parameters
    ----------
    folder : Path
        Holds a file for each clip that is held.
    """

    def __init__(self, folder):
        self._folder = folder

    def hold(self, *names):
        for name in names:
            (self._folder / f"{name}.mkv").touch()

    def let_go(self, *names):
        for name in names:
            (self._folder / f"{name}.mkv").unlink()

    def begin(self):
        """Wait, in the process of a run, until it is let go; where it is told to end it does so at once."""
        sys.addaudithook(_abort)
        while any((self._folder / os.path.basename(word)).exists() for word in sys.argv):
            time.sleep(0.01)


def _abort(event, words):
    if event == "open" and str(words[0]).endswith(ABORTS):
        os.abort()
