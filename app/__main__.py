"""``python -m app`` does what ``cleanplate`` does."""

from app.cli import main

if __name__ == "__main__":
    main()
