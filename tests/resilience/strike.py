"""What befalls the process at its n-th dealing with the disk: death, a signal, a full disk?

Put on PYTHONPATH as `sitecustomize`, it counts the calls by which the kit changes what is on disk
and strikes at the one that STRIKE names (`kill:17`, `int:17`, `term:17`, `full:17`); a write is
struck half way through. STRIKE_LOG takes one line per call, in order.
"""

import errno
import os
import signal

KIND, _, NUMBER = os.environ.get("STRIKE", "").partition(":")
LOG = os.environ.get("STRIKE_LOG", "")
NAMES = ("write", "fsync", "replace", "rename", "link", "unlink", "mkdir", "ftruncate")
SIGNALS = {"kill": signal.SIGKILL, "int": signal.SIGINT, "term": signal.SIGTERM}

write = os.write
calls = 0
descriptor = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if LOG else -1


def struck(name):
    call = getattr(os, name)

    def before(*args, **kwargs):
        global calls
        number, calls = calls, calls + 1
        if descriptor >= 0:
            paths = [os.path.basename(part) for part in args if isinstance(part, str | os.PathLike)]  # noqa: PTH119
            shown = paths[-1] if paths else args[0]
            write(descriptor, f"{number} {name} {shown}\n".encode())
        if KIND == "full" and name in ("write", "fsync", "mkdir") and number >= int(NUMBER):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if KIND in SIGNALS and number == int(NUMBER):
            if name == "write":
                half = args[1][: len(args[1]) // 2]
                done = write(args[0], half)
                os.kill(os.getpid(), SIGNALS[KIND])
                return done
            os.kill(os.getpid(), SIGNALS[KIND])
        return call(*args, **kwargs)

    return before


if KIND or LOG:
    for one in NAMES:
        setattr(os, one, struck(one))
