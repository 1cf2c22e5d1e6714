"""The entry of the console script; ``python -m app`` does the same."""

from app import interrupts


def main() -> None:
    """Run the program."""
    interrupts.end_at_once()
    from app.cli.main import main as program  # noqa: PLC0415 - takes a while, and Ctrl+C may come at any time

    program()


if __name__ == "__main__":
    main()
