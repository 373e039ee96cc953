"""Which payloads of the user's own does a run plant, and where are they from?"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rageval_kit.generate.family import Family
from rageval_kit.generate.payload.library import digest, techniques
from rageval_kit.generate.payload.own import with_own
from rageval_kit.records.decisions import OwnPayloads
from rageval_kit.schema import PayloadsSpec

ABSENT = "no suite of this run has the family {family}"


def with_payloads(families: Sequence[Family], spec: PayloadsSpec) -> list[Family]:
    """The families, of which the one that is named has a variant for each payload of the file."""
    if spec.path is None:
        return list(families)
    file = Path(spec.path).expanduser().absolute()
    return [with_own(one, file) if one.id == spec.family else one for one in families]


def own_payloads(families: Sequence[Family], spec: PayloadsSpec) -> OwnPayloads | None:
    """What the record says of them; None where there is no file."""
    if spec.path is None:
        return None
    path = str(Path(spec.path).expanduser().absolute())
    there = techniques(path).values() if any(one.added for one in families) else ()
    sources = Counter((one.source, one.licence) for one in there)
    return OwnPayloads(
        file=Path(path).name,
        digest=digest(path),
        family=spec.family,
        sources=tuple((source, licence, n) for (source, licence), n in sources.items()),
    )
