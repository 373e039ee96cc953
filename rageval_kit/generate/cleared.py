"""Who of a planted tenant is cleared for the lowest label only, and who for the highest?"""

from rageval_kit.records.world import Principal, Tenant, World

TENANT = "kit-parts"
LOW, HIGH = "kit-parts-low", "kit-parts-high"
LABELS = 2  # without two of them nothing is above anybody


def has_labels(world: World) -> bool:
    return len(world.policy.labels) >= LABELS


def people(world: World) -> tuple[Principal, ...]:
    lowest, highest = world.policy.labels[0], world.policy.labels[-1]
    return (
        Principal(LOW, TENANT, clearance=lowest),
        Principal(HIGH, TENANT, clearance=highest),
    )


def tenant() -> Tenant:
    return Tenant(TENANT, TENANT)
