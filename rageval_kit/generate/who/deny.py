"""A deny entry stands against an allow entry: deny wins (C8 by name, C9 by group).

`name_over_name_allow`: both name the reader, and neither replaces the other.
"""

from collections.abc import Mapping, Sequence

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import count_unentitled, staged, standing, unentitled
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.records.changes import Change, Grant
from rageval_kit.records.target import Power
from rageval_kit.records.world import Document, Effect, Entry, SubjectKind, Unit

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "form": ("name_over_group_allow", "group_over_name_allow", "name_over_name_allow"),
    "order": ("deny_first", "allow_first"),
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    form = args.get("form", "name_over_group_allow")
    deny_first = args.get("order", "deny_first") == "deny_first"
    if form == "name_over_name_allow":
        return _staged(scene, form=form, deny_first=deny_first, condition="C8", limit=limit)
    condition = "C8" if form == "name_over_group_allow" else "C9"
    found = standing(
        scene,
        bit(condition),
        limit,
        part=part,
        keep=lambda _, place: _order(place.document) is deny_first,
        nothing="no deny entry stands in this order over an allow entry",
    )
    if len(found.pairs) >= limit or not scene.has(Power.MUTATE, Power.RESTORE):
        return found
    built = _staged(
        scene,
        form=form,
        deny_first=deny_first,
        condition=condition,
        limit=limit - len(found.pairs),
    )
    pairs: tuple[Pair, ...] = (*found.pairs, *built.pairs)
    return Found(pairs, found.available + built.available, "" if pairs else built.nothing)


def _order(document: Document) -> bool | None:
    """True where the document's own first entry denies, False where it allows, None without any."""
    return document.entries[0].effect is Effect.DENY if document.entries else None


def _staged(scene: Scene, *, form: str, deny_first: bool, condition: str, limit: int) -> Found:
    units = _units_of(scene)

    def script(
        reader: str, place: Place, _: str
    ) -> tuple[Sequence[Change], Sequence[Change]] | None:
        own = [u for u in units.get(reader, ()) if u.tenant_id == place.document.tenant_id]
        if not own:
            return None
        document_id, unit_id = place.document.document_id, own[0].unit_id
        unit, name = (SubjectKind.UNIT, unit_id), (SubjectKind.USER, reader)
        denied, allowed = {
            "name_over_group_allow": (name, unit),
            "group_over_name_allow": (unit, name),
            "name_over_name_allow": (name, name),
        }[form]
        entries = (
            Entry(f"kit-deny-{document_id}", Effect.DENY, *denied),
            Entry(f"kit-allow-{document_id}", Effect.ALLOW, *allowed),
        )
        ordered = entries if deny_first else entries[::-1]
        return tuple(Grant(document_id, entry) for entry in ordered), ()

    return staged(
        scene, unentitled(scene), script, condition, limit, available=count_unentitled(scene)
    )


def _units_of(scene: Scene) -> Mapping[str, list[Unit]]:
    """Units each principal is directly in: enough to choose from; the monitor decides."""
    units: dict[str, list[Unit]] = {}
    for membership in scene.world.memberships.values():
        if not membership.member_is_unit and membership.unit_id in scene.world.units:
            units.setdefault(membership.member_id, []).append(scene.world.units[membership.unit_id])
    return units
