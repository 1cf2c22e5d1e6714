"""``python -m app`` does what ``cleanplate`` does."""

from app.cli.main import main

if __name__ == "__main__":
    main()
