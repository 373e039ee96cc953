"""Which memberships are read of somebody who has very many of them?"""

from rageval_kit.records.world import Membership
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.people import MemberKey, People

_PAGE = 100
_MOST_IN_TOKEN = 150  # as identity providers have it: beyond, the token says "too many" instead


def listed(people: People, member: MemberKey, fault: AnyFault | None) -> tuple[Membership, ...]:
    """All of them, however many pages that takes."""
    found = people.memberships.get(member, ())
    return found[:_PAGE] if fault is EventFault.GROUPS_TRUNCATED else found


def overage(people: People, principal_id: str, fault: AnyFault | None) -> set[str]:
    """Units that somebody is taken to be in for having too many to list: none."""
    if fault is not EventFault.OVERAGE_CLAIM_OPENS:
        return set()
    if len(people.memberships.get((False, principal_id), ())) <= _MOST_IN_TOKEN:
        return set()
    return {m.unit_id for kept in people.memberships.values() for m in kept}
