"""Which folder does a person mean by a run, and what does it hold?"""

from pathlib import Path
from typing import TYPE_CHECKING

from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import InputError

if TYPE_CHECKING:
    from rageval_kit.records.decisions import RunRecord

RECORD = "summary.json"


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


def run_record(folder: Path) -> "RunRecord":
    """Return the record that a run was archived with, checked against its type."""
    from rageval_kit.archive.encoding import decode_record
    from rageval_kit.archive.reading import read_file
    from rageval_kit.records.decisions import RunRecord

    return decode_record(read_file(folder, RECORD), RunRecord, where=f"{folder / RECORD}")
