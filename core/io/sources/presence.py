"""Whether there is such an input at all: that is seen before it is opened."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

from core.errors import CleanplateError
from core.io.home import expanded
from core.io.input_spec import CAMERA, SAMPLE, InputSpec
from core.io.sources.samples.synthetic import check_sample


def check_presence(spec: InputSpec) -> None:
    """Raise a `CleanplateError` where there is no such sample, file or folder, or a camera has no number.

    Whether they can be read, and what is elsewhere, is not looked at.
    """
    if spec.is_sample:
        check_sample(spec.path.removeprefix(SAMPLE))
    elif spec.path.startswith(CAMERA):
        camera_number(spec.path)
    elif spec.is_file:
        with reaching(spec.path):
            expanded(spec.path).stat()


def camera_number(path: str) -> int:
    """Return the number of a camera."""
    number = path.removeprefix(CAMERA)
    if not re.fullmatch(r"\d{1,3}", number, re.ASCII):
        raise CleanplateError(f"{path} is no camera; write camera: and its number, such as camera:0.")
    return int(number)


@contextlib.contextmanager
def reaching(path: str) -> Iterator[None]:
    """Say what helps where the file or folder of an input cannot be reached."""
    try:
        yield
    except FileNotFoundError as error:
        if path == "-":
            raise CleanplateError("Standard input cannot be read: it holds no whole file; give a file.") from error
        raise CleanplateError(f"There is no file or folder {path}; check the path.") from error
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: there is no such person's folder.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise CleanplateError(f"{path} cannot be opened ({reason}); check the path.") from error
