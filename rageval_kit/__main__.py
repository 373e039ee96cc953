"""What does `python -m rageval_kit` do? The same as the command `rageval-kit`."""

from rageval_kit.cli import main

if __name__ == "__main__":
    main()
