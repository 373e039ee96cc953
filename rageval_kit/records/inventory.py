"""What should an index hold, by its source?"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A passage as its source has it at an instant.

    `digest`: sha-256 of its text, as it is indexed (a table's header on the line before). `since`:
    when it came to be so: the last of its recording, its state and its date of effect; None since
    ever. `in_force`: some reader could be shown it now, so the
    index must hold it; another passage may stand there or not. `gone_at`: when it was deleted.
    """

    chunk_id: str
    version_id: str
    digest: str
    since: datetime | None = None
    in_force: bool = True
    gone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SourceIndex:
    """All passages by id at `now`. `model`: whose vectors the index must hold; '' any one.

    `timed_from`: what the source held before that instant was loaded in bulk, or is by a rebuild;
    when it was indexed says nothing of how fast the index follows. None: all times count.
    """

    entries: Mapping[str, SourceEntry]
    now: datetime
    model: str = ""
    timed_from: datetime | None = None
