"""Where does a planted crowd live, and by which ids is it known?"""

from collections.abc import Mapping

from rageval_kit.records.world import World

CROWD = "kit-crowd"
KEEPER = "kit-keeper"


def prefix(args: Mapping[str, object]) -> str:
    """No two crowds share a beginning: what belongs to one is found by it."""
    words = f"-{args['words']}w" if "words" in args else ""
    return f"{CROWD}{words}-{args['visible']}-"


def tenant_of(world: World) -> str:
    """The tenant of most people."""
    counts: dict[str, int] = dict.fromkeys(sorted(world.tenants), 0)
    for principal in world.principals.values():
        if principal.tenant_id in counts:
            counts[principal.tenant_id] += 1
    return max(counts, key=lambda tenant: counts[tenant])
