"""The reader signs on to a tenant, and then presents a token that is not, or no longer, good."""

from collections.abc import Callable, Mapping

from rageval_kit.generate.bounds import Bounds
from rageval_kit.generate.cells import door
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation
from rageval_kit.records.changes import SetStatus
from rageval_kit.records.target import Power
from rageval_kit.records.world import PrincipalStatus

DOOR = "sign_on"
HOUR_S = 3600
VOID = Bounds(void=True)
TAKES: Mapping[str, tuple[str, ...] | None] = {
    "then": ("switched", "replaced", "foreign", "expired", "misused", "suspended", "chained"),
}
WANTS = ("then",)


def needs(args: Mapping[str, str]) -> frozenset[Power]:
    more = {"expired": {Power.CLOCK}, "suspended": {Power.MUTATE}}
    return frozenset({Power.RESTORE, *more.get(args["then"], ())})


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({door(DOOR)})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Each way ends with a question under a token that must not show the target.

    `switched`: that of another tenant. `replaced`: that of the tenant that was left. `foreign`:
    somebody else's. `expired`: after the policy's `token_lives_s`. `misused`: the link of a
    citation, made for opening it. `suspended`: good, but of an account that is suspended since.
    `chained`: good, but through agents one of whom may not; the twin's are all allowed.
    """
    _THEN[args["then"]](walk)


def _switched(walk: Walk) -> None:
    own, other = _tenants(walk)
    token = _signed(walk, "reader", own)
    _borne(walk, "reader", token, own)
    token = _signed(walk, "reader", other)
    sibling = Wording(quotation(walk.scene, walk.pair.sibling_id))
    walk.mark("elsewhere")
    walk.ask("reader", walk.pair.reader_id, sibling, bearing=token, bounds=Bounds(tenant=other))
    walk.ask(
        "reader", walk.pair.reader_id, walk.wording, bearing=token, bounds=Bounds(tenant=other)
    )


def _replaced(walk: Walk) -> None:
    own, other = _tenants(walk)
    token = _signed(walk, "reader", own)
    _borne(walk, "reader", token, own)
    _signed(walk, "reader", other)
    _void(walk, token)


def _foreign(walk: Walk) -> None:
    own, _ = _tenants(walk)
    foreign = _signed(walk, "twin", own)
    _borne(walk, "twin", foreign, own)
    _borne(walk, "reader", _signed(walk, "reader", own), own)
    _void(walk, foreign)


def _expired(walk: Walk) -> None:
    own, _ = _tenants(walk)
    token = _signed(walk, "reader", own)
    _borne(walk, "reader", token, own)
    walk.wait(float(walk.family.policy.get("token_lives_s", HOUR_S)), exactly=True)
    _void(walk, token)


def _misused(walk: Walk) -> None:
    walk.mark("signed")
    walk.mark("borne")
    link = len(walk.steps)
    walk.ask("reader", walk.pair.reader_id, walk.wording)
    _void(walk, link)


def _suspended(walk: Walk) -> None:
    own, _ = _tenants(walk)
    token = _signed(walk, "reader", own)
    _borne(walk, "reader", token, own)
    ended = SetStatus(walk.pair.reader_id, PrincipalStatus.SUSPENDED, walk.world.clock)
    walk.happens((ended,))
    walk.wait(walk.level_s)
    _void(walk, token)


def _chained(walk: Walk) -> None:
    own = walk.scene.places[walk.pair.chunk_id].document.tenant_id
    token = _signed(walk, "twin", own)
    walk.mark("twin")
    _borne(walk, "twin", token, own)
    token = _signed(walk, "reader", own)
    walk.ask("reader", walk.pair.reader_id, walk.wording, bearing=token, bounds=Bounds(tenant=own))


_THEN: Mapping[str, Callable[[Walk], None]] = {
    "switched": _switched,
    "replaced": _replaced,
    "foreign": _foreign,
    "expired": _expired,
    "misused": _misused,
    "suspended": _suspended,
    "chained": _chained,
}


def _tenants(walk: Walk) -> tuple[str, str]:
    """Of the target, and of the sibling."""
    places = walk.scene.places
    target, sibling = places[walk.pair.chunk_id], places[walk.pair.sibling_id]
    return target.document.tenant_id, sibling.document.tenant_id


def _signed(walk: Walk, role: str, tenant_id: str) -> int:
    """Sign on in a session of the script's own; the step that shows the token."""
    who = {"reader": walk.pair.reader_id, "twin": walk.pair.twin_id}[role]
    walk.mark("signed")
    session = "/".join((role, walk.pair.chunk_id, *(value for _, value in walk.family.variant)))
    walk.look(role, who, DOOR, tenant_id, session=session)
    return len(walk.steps) - 1


def _borne(walk: Walk, role: str, token: int, tenant_id: str) -> None:
    """The question with a good token: it must be answered within the tenant."""
    who = {"reader": walk.pair.reader_id, "twin": walk.pair.twin_id}[role]
    walk.mark("borne")
    walk.ask(role, who, walk.wording, bearing=token, bounds=Bounds(tenant=tenant_id))


def _void(walk: Walk, token: int) -> None:
    walk.ask("reader", walk.pair.reader_id, walk.wording, bearing=token, bounds=VOID)
