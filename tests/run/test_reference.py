"""Another engine's rights as the reference of a run: the same decisions, told, or refused."""

import json

import pytest

from rageval_kit.access import Monitor
from rageval_kit.build import compose
from rageval_kit.intake.policies.decisions import Decisions, world_of
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Grain
from rageval_kit.records.world import AccessPolicy
from rageval_kit.resources import tree
from rageval_kit.run.evaluate import evaluate
from rageval_kit.run.prepare import read_world

STAFF = {"anna": "hr", "bo": "hr", "cai": "law", "eva": "all"}
GROUPS = ("hr", "law", "all")
IDS = [
    json.loads(line)["document_id"]
    for line in (tree("suites") / "worlds" / "demo" / "snapshot" / "documents.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def by_hand(who, number):
    """Each third document to a group, each seventh not to Bo, each eleventh to everybody else."""
    if who == "bo" and number % 7 == 0:
        return False
    return STAFF[who] == GROUPS[number % 3] or number % 11 == 0


EXPECTED = {who: {d for n, d in enumerate(IDS) if by_hand(who, n)} for who in STAFF}

MODEL = """\
name: demo
model: |
  model
    schema 1.1
  type user
  type group
    relations
      define member: [user]
  type document
    relations
      define viewer: [user, user:*, group#member, user with hours]
      define blocked: [user]
      define can_read: viewer but not blocked
  condition hours(now: timestamp) { now > now }
"""


def fga(extra="", tests=""):
    tuples = [(f"user:{who}", "member", f"group:{group}") for who, group in STAFF.items()]
    for number, document in enumerate(IDS):
        tuples.append((f"group:{GROUPS[number % 3]}#member", "viewer", f"document:{document}"))
        if number % 7 == 0:
            tuples.append(("user:bo", "blocked", f"document:{document}"))
        if number % 11 == 0:
            tuples.append(("user:*", "viewer", f"document:{document}"))
    rows = [f'  - {{user: "{u}", relation: {r}, object: "{o}"}}' for u, r, o in tuples]
    return MODEL + "tuples:\n" + "\n".join(rows) + f"\n{extra}{tests}"


def cedar(extra=""):
    said = ["// who may read; a comment with a ; in it"]
    for number, document in enumerate(IDS):
        there = f'resource == Document::"{document}"'
        group = f'principal in Group::"{GROUPS[number % 3]}"'
        said.append(f'permit({group}, action == Action::"read", {there});')
        if number % 7 == 0:
            said.append(f'forbid(principal == User::"bo", action, {there});')
        if number % 11 == 0:
            said.append(f"permit(principal, action, {there});")
    return "\n".join(said) + f"\n{extra}"


ENTITIES = [
    {"uid": {"type": "User", "id": who}, "attrs": {}, "parents": [{"type": "Group", "id": group}]}
    for who, group in STAFF.items()
]


@pytest.fixture
def openfga(tmp_path):
    def words(text=None, *more):
        (tmp_path / "s.fga.yaml").write_text(text or fga())
        return ["access=openfga", f"access.store={tmp_path / 's.fga.yaml'}", *more]

    return words


@pytest.fixture
def in_cedar(tmp_path):
    def words(text=None, entities=None, *more):
        (tmp_path / "p.cedar").write_text(text or cedar())
        (tmp_path / "e.json").write_text(json.dumps(ENTITIES) if entities is None else entities)
        paths = [
            f"access.policies={tmp_path / 'p.cedar'}",
            f"access.entities={tmp_path / 'e.json'}",
        ]
        return ["access=cedar", *paths, *more]

    return words


def readable(words):
    world, *_ = read_world(compose("+suite=smoke", *words))
    monitor = Monitor(world)
    found = {}
    for who in world.principals:
        permitted = monitor.permitted(who, Grain.DOCUMENT)
        found[who] = {document for document in world.documents if document in permitted}
    return world, found


@pytest.mark.parametrize("engine", ["openfga", "in_cedar"])
def test_the_monitor_says_what_the_engine_says(engine, request):
    world, found = readable(request.getfixturevalue(engine)())
    assert found.keys() == STAFF.keys()
    in_force = set().union(*found.values())
    assert len(in_force) > 100
    for who, documents in found.items():
        # What is not in force, published or recorded at the clock nobody reads: C5 to C7.
        assert documents == EXPECTED[who] & in_force
    assert {p.tenant_id for p in world.principals.values()} == {"reference"}


@pytest.mark.parametrize("engine", ["openfga", "in_cedar"])
def test_a_run_says_which_reference_decided(engine, request, tmp_path):
    words = request.getfixturevalue(engine)()
    record = evaluate(
        compose(
            "+suite=acl_negative",
            "suites.acl_negative.families.ids=[ACL-01,ACL-08,CTL-01,LOG-06]",
            f"archive.root={tmp_path / 'archive'}",
            "report.formats=[md]",
            "suites.acl_negative.size.cases=4",
            *words,
        )
    )
    name = "OpenFGA store" if engine == "openfga" else "Cedar policies"
    pairs = sum(len(documents) for documents in EXPECTED.values())
    expected = f"decided by {name} sha256:{record.directory_digest}: {pairs:,} of 864 pairs allowed"
    assert record.decided_by == expected
    report = (tmp_path / "archive" / record.run_id / "report.md").read_text("utf-8")
    assert f"decided by {name}" in report
    families = {family.family: family for family in record.families}
    assert (families["ACL-08"].held, families["ACL-08"].violated) == (families["ACL-08"].planned, 0)
    assert families["ACL-08"].held > 0
    # What a reference does not say is told, not passed over.
    assert families["ACL-01"].not_applicable == "the world has one tenant"


def test_a_leak_against_another_engines_reference_is_found(in_cedar, tmp_path):
    record = evaluate(
        compose(
            "+suite=acl_negative",
            "suites.acl_negative.families.ids=[SID-02]",
            "suites.acl_negative.size.cases=8",
            f"archive.root={tmp_path}",
            "fault=count_unfiltered",
            *in_cedar(),
        )
    )
    assert record.decision.exit_code == 3


def refused(words):
    with pytest.raises(InputError) as caught:
        read_world(compose("+suite=smoke", *words))
    return [str(fault) for fault in caught.value.faults]


def test_a_cedar_policy_that_does_not_parse_is_named_by_line_and_all_of_them_are(in_cedar):
    first = "permit(principal, action, resource);\n\n// next\n"
    text = first + "permit(prin;\npermit(a, b, c) when {1 = 1};"
    told = refused(in_cedar(text))
    assert len(told) == 2
    assert "p.cedar:4: is a Cedar policy that does not parse" in told[0]
    assert "p.cedar:5: is a Cedar policy that does not parse" in told[1]


@pytest.mark.parametrize(
    ("entities", "said"),
    [
        ("{", "e.json: is not JSON"),
        ("{}", "is not a list of Cedar entities"),
        ('[{"uid": 3}]', "entity 1: has no uid"),
        (json.dumps(ENTITIES + ENTITIES[:1]), "entity 5: stands twice (met User::anna)"),
        (json.dumps([{"uid": {"type": "User", "id": "x"}}]), "is refused by Cedar"),
        ("[]", "names no principal"),
    ],
)
def test_entities_that_cannot_be_are_refused(entities, said, in_cedar):
    assert any(said in one for one in refused(in_cedar(None, entities)))


def test_a_policy_that_hangs_on_the_request_is_refused_and_not_passed_over(in_cedar):
    forbid = "forbid(principal, action, resource) when { context.mfa == false };"
    told = refused(in_cedar(cedar(forbid)))
    assert "a policy cannot be decided" in told[0]
    assert "mfa" in told[0]


def test_a_store_that_hangs_on_a_condition_is_refused_with_its_pairs(openfga):
    extra = (
        f'  - {{user: "user:cai", relation: viewer, object: "document:{IDS[0]}", '
        "condition: {name: hours}}\n"
    )
    everybody = f"document:{IDS[0]}"  # number 0: to everybody, so nothing hangs on it
    _, found = readable(openfga(fga(extra)))
    assert found["cai"] <= EXPECTED["cai"]
    extra = extra.replace(everybody, f"document:{IDS[2]}")
    told = refused(openfga(fga(extra)))
    assert len(told) == 1
    assert f"user:cai can_read document:{IDS[2]}: hangs on a condition" in told[0]


def test_a_store_that_contradicts_its_own_test_is_refused_by_line(openfga):
    tests = (
        "tests:\n  - check:\n"
        f"      - {{user: user:bo, object: 'document:{IDS[0]}', assertions: {{can_read: true}}}}\n"
        f"      - {{user: user:cai, object: 'document:{IDS[0]}', assertions: {{can_read: true}}}}\n"
    )
    text = fga(tests=tests)
    line = text[: text.index("user: user:bo, object: 'doc")].count("\n") + 1
    told = refused(openfga(text))
    assert len(told) == 1
    assert f"s.fga.yaml:{line}: the store contradicts its own test: user:bo can_read" in told[0]


def test_two_stores_that_disagree_are_refused_with_every_pair(openfga, tmp_path):
    other = tmp_path / "other.fga.yaml"
    extra = f'  - {{user: "user:bo", relation: blocked, object: "document:{IDS[3]}"}}\n'
    other.write_text(fga(extra))
    told = refused(openfga(None, f"access.also=[{other}]"))
    assert told == [
        f"{other}: bo may not read {IDS[3]}; the other reference says the contrary; mend one"
    ]
    other.write_text(fga())
    _, found = readable(openfga(None, f"access.also=[{other}]"))
    assert found.keys() == STAFF.keys()


def test_expected_decisions_must_come_out_and_not_contradict_each_other(in_cedar, tmp_path):
    path = tmp_path / "expected.jsonl"
    rows = [
        {"user": who, "document": document, "allowed": document in EXPECTED[who]}
        for who in STAFF
        for document in IDS
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    words = in_cedar(None, None, f"access.expected={path}")
    _, found = readable(words)
    assert found.keys() == STAFF.keys()
    rows[5] = rows[5] | {"allowed": not rows[5]["allowed"]}
    rows += [rows[7] | {"allowed": not rows[7]["allowed"]}, {"user": "anna"}]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    told = refused(words)
    assert "expected.jsonl:6" in told[0]
    assert "decided otherwise by Cedar" in told[0]
    assert f"expected.jsonl:{len(rows) - 1}" in told[1]
    assert "contradicts line 8" in told[1]
    assert "needs user, document, allowed" in told[2]
    assert len(told) == 3


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("access.user=person", "access.user: is no type of the store's model"),
        ("access.reads=reads", "access.reads: is no relation of the type 'document'"),
        ("access.store=nowhere.fga.yaml", "access.store: does not exist"),
        ("access.document=group access.reads=member", "names no document of the snapshot"),
    ],
)
def test_names_that_fit_nothing_are_refused(more, said, openfga):
    assert any(said in one for one in refused(openfga(None, *more.split())))


def test_labels_folders_tenants_and_owners_of_the_snapshot_decide_nothing():
    """The demo has them all; of its rights nothing is left but what the engine said."""
    plain, *_ = read_world(compose("+suite=smoke"))
    assert plain.policy.labels
    made = world_of(plain, Decisions("test", "0", {"x": frozenset(IDS)}, frozenset(IDS)))
    assert made.policy == AccessPolicy(archive=plain.policy.archive)
    monitor = Monitor(made)
    assert monitor.attributes() & {"C2", "C3", "C4", "C10"} == frozenset()
    places = [
        (document.document_id, version.version_id, chunk.chunk_id)
        for document in made.documents.values()
        for version in document.versions
        for chunk in version.chunks
    ]
    reasons = {name for place in places for name in monitor.decide("x", *place)}
    assert {name[:2] for name in reasons} <= {"C5", "C6", "C7"}
