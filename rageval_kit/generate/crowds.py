"""Where does what is planted live, and by which ids is a planted crowd known?"""

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


def home_of(world: World, principal_id: str) -> str:
    """The tenant of somebody planted; where nobody was planted yet, that of most people."""
    known = world.principals.get(principal_id)
    return (known.tenant_id if known else None) or tenant_of(world)


def plain_label(world: World) -> str | None:
    """The label of what no label is to deny: none, or the lowest where having none denies."""
    return world.policy.labels[0] if world.policy.unlabelled_denied else None
