"""Keeping the libraries' own messages away from the person."""

from __future__ import annotations

import logging
import os
import sys
import warnings


def silence_libraries() -> None:
    """Let only this program's own sentences reach standard error.

    OpenCV, libpng, libjpeg and FFmpeg print from C what the person gets as one clear sentence. File descriptor 2 is
    therefore led away, and ``sys.stderr`` writes to a copy of it. Call it once, when the program starts.
    """
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    logging.getLogger().addHandler(logging.NullHandler())
    warnings.simplefilter("ignore")
    try:
        kept = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    except OSError:
        return  # no standard error at all, as in a program without a console
    sys.stderr = open(kept, "w", buffering=1, encoding=sys.stderr.encoding, errors="backslashreplace")  # noqa: SIM115
