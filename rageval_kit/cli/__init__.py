"""What does a person's command line mean, and which exit code answers it?

Nothing heavier than click is imported here: `-h` must answer at once.
"""

import os
import signal
import sys

INTERRUPTED = 130
# A run multiplies many small matrices, one question at a time; threads of the linear algebra that
# spin between two of them cost three times what they save. Read when numpy is first imported.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def main() -> None:
    """Run the command of `sys.argv` and leave with its exit code."""
    code = INTERRUPTED
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
        from rageval_kit.cli.door import finish, start

        code = finish(start(sys.argv[1:]))
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        # A call of a foreign adapter may hang in a thread, for which the interpreter would wait.
        os._exit(code)
    sys.exit(code)
