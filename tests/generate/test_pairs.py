"""Each word of `who` finds pairs that the monitor denies by exactly what the word means.

The monitor here is built anew from a world that took the pair's changes one by one; what the scene
keeps for itself (its matrix, its own monitor) is not asked.
"""

from itertools import chain

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.evolve import evolve
from rageval_kit.generate.family import Word, variants, word_module
from rageval_kit.generate.scene import bits, conditions_of
from rageval_kit.generate.shelf import load
from rageval_kit.records.target import Grain, Power
from rageval_kit.records.world import Effect, PrincipalKind, SubjectKind, UnitKind
from rageval_kit.resources import tree

LADDER = {"C11", "C12", "C13", "C14"}
EVENTS = [
    ("grant", {"is": "revoked"}, {"C12"}),
    ("folder", {"is": "revoked"}, {"C12"}),
    ("folder", {"is": "broken_inheritance"}, {"C11"}),
    ("folder", {"is": "moved_into"}, {"C11"}),
    *(
        ("no_entry", {"is": how}, {"C11"})
        for how in ("empty", "missing", "unknown_principal", "wrong_type")
    ),
    ("link", {"is": "expired"}, {"C14"}),
    ("link", {"is": "revoked"}, {"C14"}),
    ("membership", {"is": "lapses"}, {"C13"}),
    *(("state", {"is": state}, {"C5"}) for state in ("deleted", "quarantined", "withdrawn")),
    ("valid_time", {"is": "superseded"}, {"C6"}),
]
EXACT = [
    ("department", {}, "document", {"C11"}),
    ("no_entry", {}, "document", {"C11"}),
    ("clearance", {}, "chunk", {"C3"}),
    ("clearance", {}, "attachment", {"C3"}),
    ("grant", {"is": "expired"}, "document", {"C12"}),
    ("grant", {"is": "not_yet"}, "document", {"C12"}),
    ("link", {"is": "never_opened"}, "document", {"C14"}),
    ("look_alike", {"is": "principal"}, "document", {"C11"}),
    *(("group", {"depth": depth}, "document", {"C11"}) for depth in (1, 2, 4, 8)),
    ("group", {"depth": 3, "shape": "diamond"}, "document", {"C11"}),
    ("group", {"depth": 1, "shape": "middle_edge_removed"}, "document", {"C13"}),
    *(
        ("deny", {"form": form, "order": order}, "document", {condition})
        for form, condition in (("name_over_group_allow", "C8"), ("group_over_name_allow", "C9"))
        for order in ("deny_first", "allow_first")
    ),
    *(("condition", {"is": f"C{n}"}, "chunk", {f"C{n}"}) for n in range(1, 15)),
]


def label(value):
    return "-".join(map(str, value.values())) if isinstance(value, dict) else None


@pytest.fixture(scope="module")
def reasons(scene):
    """What denies a reader a chunk once the changes have happened, from a monitor built anew."""
    monitors = {}

    def ask(pair, reader, changes=()):
        world = scene.world
        for change in changes:
            world = evolve(world, change)
        monitor = (
            monitors.setdefault("plain", Monitor(scene.world)) if not changes else (Monitor(world))
        )
        place = scene.places[pair.chunk_id]
        return set(
            monitor.decide(
                reader, place.document.document_id, place.version.version_id, pair.chunk_id
            )
        )

    return ask


def found(scene, name, args, part="document", limit=12):
    result = word_module("who", name).find(scene, args, limit, part)
    assert result.pairs, result.nothing
    assert len(result.pairs) <= max(limit, 1)
    assert result.available >= len({(p.reader_id, p.chunk_id) for p in result.pairs}) or (
        name == "deny"
    )
    return result.pairs


@pytest.mark.parametrize(("name", "args", "part", "meaning"), EXACT, ids=label)
def test_a_pair_is_denied_by_what_its_word_means_and_its_twin_is_not(
    name, args, part, meaning, scene, reasons
):
    for pair in found(scene, name, args, part):
        changes = (*pair.setup, *pair.event)
        assert reasons(pair, pair.reader_id, changes) == meaning == set(pair.conditions)
        assert pair.twin_id or pair.sibling_id
        if pair.twin_id:
            assert pair.twin_id != pair.reader_id
            assert reasons(pair, pair.twin_id, changes) == set()


@pytest.mark.parametrize(("name", "args", "meaning"), EVENTS, ids=label)
def test_an_event_leads_from_allowed_to_denied(name, args, meaning, scene, reasons):
    for pair in found(scene, name, args, limit=6):
        assert pair.event
        assert reasons(pair, pair.reader_id, pair.setup) == set()
        assert reasons(pair, pair.reader_id, (*pair.setup, *pair.event)) == meaning
        if pair.twin_id:
            assert pair.twin_id != pair.reader_id
            assert reasons(pair, pair.twin_id, (*pair.setup, *pair.event)) == set()
        if pair.sibling_id:
            place = scene.places[pair.sibling_id]
            assert place.document != scene.places[pair.chunk_id].document
            world = scene.world
            for change in (*pair.setup, *pair.event):
                world = evolve(world, change)
            assert not Monitor(world).decide(
                pair.reader_id,
                place.document.document_id,
                place.version.version_id,
                pair.sibling_id,
            )


def test_a_reader_of_another_tenant_is_no_guest_there(scene, reasons):
    for pair in found(scene, "tenant", {}, limit=60):
        document = scene.places[pair.chunk_id].document
        reader = scene.world.principals[pair.reader_id]
        assert reader.tenant_id != document.tenant_id
        denied = reasons(pair, pair.reader_id)
        assert "C2" in denied
        assert denied <= {"C2", "C3", "C4"} | LADDER
        assert reasons(pair, pair.twin_id) == set()


def test_pairs_denied_by_another_tenant_alone_come_first(scene):
    conditions = [pair.conditions for pair in found(scene, "tenant", {}, limit=30)]
    alone = [c == ("C2",) for c in conditions]
    assert alone == sorted(alone, reverse=True)


def test_no_passage_of_a_denied_document_is_readable(scene):
    monitor = Monitor(scene.world)
    for name in ("tenant", "department", "no_entry"):
        for pair in found(scene, name, {}, limit=40):
            document = scene.places[pair.chunk_id].document
            permitted = monitor.permitted(pair.reader_id, Grain.DOCUMENT)
            assert document.document_id not in permitted


def test_a_readable_document_may_have_a_denied_part(scene):
    monitor = Monitor(scene.world)
    pairs = found(scene, "clearance", {}, "attachment", 30)
    for pair in pairs:
        place = scene.places[pair.chunk_id]
        assert place.chunk.kind == "attachment"
        assert place.chunk.label is not None
    documents = {scene.places[p.chunk_id].document.document_id for p in pairs}
    assert any(
        document in monitor.permitted(pair.reader_id, Grain.DOCUMENT)
        for pair in pairs
        for document in documents
    )


def test_the_document_of_another_department_is_granted_to_one(scene):
    for pair in found(scene, "department", {}):
        entries = scene.effective_entries(scene.places[pair.chunk_id].document)
        units = {e.subject_id for e in entries if e.subject_kind is SubjectKind.UNIT}
        assert any(scene.world.units[u].kind is UnitKind.DEPARTMENT for u in units)


def test_a_grant_that_has_expired_is_not_one_that_is_to_come(scene):
    now = scene.world.clock
    for how, over in (("expired", True), ("not_yet", False)):
        for pair in found(scene, "grant", {"is": how}):
            ended = [
                entry.window.end is not None and entry.window.end <= now
                for entry in scene.effective_entries(scene.places[pair.chunk_id].document)
                if entry.effect is Effect.ALLOW and not entry.window.contains(now)
            ]
            assert ended
            assert all(value is over for value in ended)


def test_deny_entries_stand_in_the_order_that_the_word_names(scene):
    for order, first in (("deny_first", Effect.DENY), ("allow_first", Effect.ALLOW)):
        args = {"form": "name_over_group_allow", "order": order}
        for pair in found(scene, "deny", args):
            document_id = scene.places[pair.chunk_id].document.document_id
            world = scene.world
            for change in pair.setup:
                world = evolve(world, change)
            added = {change.entry.entry_id for change in pair.setup}
            own = [
                entry
                for entry in world.documents[document_id].entries
                if not added or entry.entry_id in added
            ]
            assert own[0].effect is first
            over = scene.effective_entries(world.documents[document_id])
            assert {entry.effect for entry in over} == {Effect.DENY, Effect.ALLOW}


def test_the_twin_of_a_nested_group_reads_through_exactly_that_depth(scene):
    """A walk of its own: breadth first over live memberships, from the twin up."""
    now = scene.world.clock
    above = {}
    for one in scene.world.memberships.values():
        live = one.window.contains(now) and not (one.revoked_at and one.revoked_at <= now)
        if live:
            above.setdefault(one.member_id, set()).add(one.unit_id)
    for depth in (1, 2, 4, 8):
        for pair in found(scene, "group", {"depth": depth}):
            entries = scene.effective_entries(scene.places[pair.chunk_id].document)
            granted = {e.subject_id for e in entries if e.effect is Effect.ALLOW}
            layer, steps = {pair.twin_id}, 0
            while not layer & granted:
                layer = set(chain.from_iterable(above.get(one, ()) for one in layer))
                steps += 1
                assert layer
            assert steps == depth


def test_a_foreign_link_helps_nobody_of_another_tenant(scene, reasons):
    for pair in found(scene, "link", {"is": "foreign_token"}):
        denied = reasons(pair, pair.reader_id, pair.setup)
        assert "C2" in denied
        assert denied <= {"C2"} | LADDER
        assert pair.link_id
        assert reasons(pair, pair.twin_id, pair.setup) == set()


def test_a_look_alike_tenant_differs_only_as_a_careless_comparison_would_miss(scene, reasons):
    # BUG-048
    from rageval_kit.generate.who.look_alike import folded

    kinds = set()
    for pair in found(scene, "look_alike", {"is": "tenant"}, limit=400):
        own = scene.world.principals[pair.reader_id].tenant_id
        other = scene.places[pair.chunk_id].document.tenant_id
        assert own != other
        assert folded(own) in folded(other) or folded(other) in folded(own)
        assert "C2" in reasons(pair, pair.reader_id)
        assert reasons(pair, pair.twin_id) == set()
        kinds.add(pair.reader_id.split("-")[1] if pair.reader_id.startswith("kit-") else "plain")
    assert {"case", "width", "prefix", "suffix", "space"} <= kinds


def test_a_member_of_a_crowd_is_denied_nothing_it_is_counted_for(scene, reasons):
    for args, visible in (({"visible": 0.1}, 20), ({"visible": 0.02, "words": 6}, 10)):
        for pair in found(scene, "crowd_member", args):
            assert reasons(pair, pair.reader_id) == set()
            assert pair.reference == visible


def test_an_all_seeing_account_stands_beside_the_reader(made, scene):
    from rageval_kit.records.cases import Ask

    for case in made["PRN-02"].cases:
        (step,) = (s for s in case.script.steps if isinstance(s, Ask) and s.role == "service")
        assert scene.world.principals[step.caller.principal_id].kind is PrincipalKind.SERVICE
        assert step.caller.principal_id not in {
            case.coordinates.reader_id,
            case.coordinates.twin_id,
        }


def test_readers_of_different_documents_are_spread(scene):
    readers = {pair.reader_id for pair in found(scene, "no_entry", {}, limit=30)}
    assert len(readers) >= 10


def test_conditions_and_bits_are_each_others_inverse():
    assert conditions_of(bits("C1", "C14")) == ("C1", "C14")
    assert bits("C1") == 1
    assert bits("C3", "C4") == 12


@pytest.mark.parametrize(
    "family",
    [family for family in load(tree("suites") / "families") if not family.is_code],
    ids=lambda family: family.id,
)
def test_shipped_variants_find_pairs_that_change_nothing_without_the_power_to(family, scene_for):
    bare = scene_for(powers=frozenset({Power.PLANT}))
    for variant in variants(family):
        who = variant.denied_by or Word("nobody")
        found_here = word_module("who", who.name).find(bare, who.args, 4, variant.part)
        assert found_here.pairs or found_here.nothing
