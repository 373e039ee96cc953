"""Is there a cutoff, where a measure divides by it?"""

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import check_cutoff


def divisor(kind: str, k: int | None, way_out: str) -> int:
    """`k` itself; without one the measure is refused, and `way_out` names what to use."""
    check_cutoff(kind, k)
    if k is None:
        raise InputError.one(kind, "divides by k and cannot do without one", "null", way_out)
    return k
