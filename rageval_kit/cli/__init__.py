"""What does a person's command line mean, and which exit code answers it?

Nothing heavier than click is imported here: `-h` must answer at once.
"""

import sys


def main() -> None:
    """Run the command of `sys.argv` and leave with its exit code."""
    from rageval_kit.cli.door import start

    sys.exit(start(sys.argv[1:]))
