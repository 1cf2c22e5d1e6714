"""The entry of the console script; ``python -m app`` does the same."""

import sys

from app import interrupts
from app.system import bundle


def main() -> None:
    """Run the program."""
    interrupts.end_at_once()
    if bundle.is_bundle():
        bundle.begin(sys.argv[1:])
    from app.cli.main import main as program  # noqa: PLC0415 - takes a while, and Ctrl+C may come at any time

    program()


if __name__ == "__main__":
    main()
