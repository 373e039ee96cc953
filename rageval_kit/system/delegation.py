"""Whose rights count where a call passes through others before it arrives?

Everybody's: who asked, and every one through whom it came.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.rights import Visible

_HOPS_OF_A_FIXED_HEADER = 2


def parties(reader: Reader, fault: AnyFault | None) -> tuple[Reader, ...]:
    """Who asked, then the hops in their order; none of them passes anything on."""
    asked = replace(reader, via=())
    hops = tuple(Reader(hop, within=reader.within) for hop in reader.via)
    if fault is DeputyFault.LAST_HOP_ONLY:
        return hops[-1:]
    if fault is DeputyFault.HOPS_NOT_ASKED:
        return (asked,)
    if fault is DeputyFault.LONG_CHAIN_CUT:
        hops = hops[:_HOPS_OF_A_FIXED_HEADER]
    return asked, *hops


def agreed(seen: Sequence[Visible], fault: AnyFault | None) -> Visible:
    """What each of several may see."""
    join = np.logical_or if fault is DeputyFault.RIGHTS_ADD_UP else np.logical_and
    return Visible(
        join.reduce([one.passages for one in seen]), join.reduce([one.titles for one in seen])
    )
