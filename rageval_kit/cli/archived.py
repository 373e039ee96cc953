"""Which folder does a person mean by a run, and what does it hold?"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import InputError

if TYPE_CHECKING:
    from rageval_kit.records.decisions import RunRecord

RECORD = "summary.json"
_NAMED = 5


def run_folder(run: str, root: Path) -> Path:
    """Return the folder of a run given as a path, or as an id under `root`."""
    if not run or "\0" in run:
        raise InputError.one("RUN", "is not a path or an id", repr(run))
    given = Path(run).expanduser()
    if given.is_dir():
        return given
    named = root / run
    if given.name == run and run not in (".", "..") and named.is_dir():
        return named
    known = [folder.name for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []
    way_out = nearest(run, sorted(known)[-5:]) if known else f"there is no run under {root}"
    raise InputError.one("RUN", "is neither a folder nor the id of a run", f"'{run}'", way_out)


def sealed_folder(run: str, root: Path) -> Path:
    """Return the folder of a run as `run_folder` does, but only while it is what was sealed.

    What is told from an archive that was touched would be told in its name.
    """
    from rageval_kit.archive.folder import MANIFEST
    from rageval_kit.archive.reading import read_file
    from rageval_kit.archive.verify import verify

    folder = run_folder(run, root)
    if not (folder / MANIFEST).exists():
        read_file(folder, RECORD)  # of an unfinished run, the record is what is missed first
    found = verify(folder)
    if found.ok:
        return folder
    named = "; ".join(found.problems[:_NAMED])
    more = len(found.problems) - _NAMED
    met = f"{named}; and {more:,} more" if more > 0 else named
    way_out = f"rageval-kit verify {shlex.quote(str(folder))} lists every problem"
    raise InputError.one(str(folder), "is not what was sealed, or was never sealed", met, way_out)


def run_record(folder: Path) -> "RunRecord":
    """Return the record that a run was archived with, checked against its type."""
    from rageval_kit.archive.encoding import decode_record
    from rageval_kit.archive.reading import read_file
    from rageval_kit.records.decisions import RunRecord

    return decode_record(read_file(folder, RECORD), RunRecord, where=f"{folder / RECORD}")
