"""The OpenFGA reader: what its language says, worked by hand, and what is refused, and where."""

import random

import pytest

from rageval_kit.intake.policies import fga_model as rules
from rageval_kit.intake.policies.fga_check import Relations, Tuple, all_of, any_of, negated
from rageval_kit.intake.policies.fga_model import ModelReader
from rageval_kit.intake.policies.fga_store import read_store
from rageval_kit.intake.report import Collector

HEAD = "model\n  schema 1.1\ntype user\n"
GROUPS = "type group\n  relations\n    define member: [user, group#member]\n"


def model(text, faults=None):
    reader = ModelReader(faults or Collector())
    reader.read(HEAD + text, "m.fga")
    return reader.model()


def faults_of(text):
    faults = Collector()
    model(text, faults)
    return [str(one.fault) for one in faults.ordered()]


def relations(text, *tuples):
    return Relations(model(text), [Tuple(*words.split()) for words in tuples])


def test_the_language_is_read_as_it_is_written():
    read = model(
        GROUPS + "type doc # a comment\n  relations\n"
        "    define parent: [doc]\n"
        "    define reader: [user:*, group#member with hours] or (writer and reader from parent)\n"
        "    define writer: [user] but not blocked\n    define blocked: [user]\n"
        "condition hours(now: timestamp) {\n  now < timestamp('2024-01-01') && {1: 2}[1] == 2 }\n"
    )
    everybody = rules.Restriction("user", everybody=True)
    group = rules.Restriction("group", "member", condition="hours")
    assert read.types["doc"]["reader"] == rules.Any(
        (
            rules.Direct((everybody, group)),
            rules.All((rules.Same("writer"), rules.Through("reader", "parent"))),
        )
    )
    assert read.types["doc"]["writer"] == rules.Except(
        rules.Direct((rules.Restriction("user"),)), rules.Same("blocked")
    )
    assert read.conditions == {"hours"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("type doc\n relations\n  define r: [user] or a and b", "m.fga:6: mixes 'or' and 'and'"),
        ("type doc\n relations\n  define r: [user", "m.fga:6: ends in the middle"),
        ("type doc\n relations\n  define r: [nobody]", "m.fga:6: doc.r: there is no type 'nobody'"),
        ("type doc\n relations\n  define r: s", "m.fga:6: doc.r: there is no relation 's' here"),
        ("type doc\n relations\n  define r: x from p\n  define p: [user]", "has the relation 'x'"),
        (
            "type doc\n relations\n  define r: r from p\n  define p: r",
            "must be a relation of direct",
        ),
        ("type doc\n relations\n  define r: [user with c]", "there is no condition 'c'"),
        ("type doc\ntype doc", "m.fga:5: the type stands twice"),
        ("type doc\n relations\n  define r: [user]\n  define r: [user]", "stands twice"),
        ("extend type doc\n relations\n  define r: [user]", "there is no such type"),
        ("tipe doc", "m.fga:4: stands where a type"),
        ("type doc\n relations\n  define r: " + "(" * 60 + "[user]", "nests too deeply"),
        ("condition c(x: int) { x > {1", "m.fga:4: ends in the middle"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text, said):
    assert any(said in one for one in faults_of(text)), faults_of(text)


def test_all_faults_of_a_model_are_told_at_once():
    told = faults_of(
        "type a\n relations\n  define r: [\n  define s: [user] or\n  define t: [user]\n"
        "type b\n relations\n  define u: nothing\n"
    )
    assert [one.split(":")[1] for one in told] == ["6", "7", "11"]


def test_sets_wildcards_folders_and_denials_come_to_what_they_say():
    found = relations(
        GROUPS + "type doc\n relations\n  define parent: [doc]\n  define blocked: [user]\n"
        "  define reader: [user, user:*, group#member] or reader from parent\n"
        "  define may: reader but not blocked\n",
        "user:ann member group:hr",
        "group:hr#member member group:staff",
        "group:staff#member reader doc:top",
        "doc:top parent doc:leaf",
        "user:* reader doc:open",
        "user:ann blocked doc:open",
    )
    assert found.check("user:ann", "may", "doc:leaf") is True
    assert found.check("user:bob", "may", "doc:leaf") is False
    assert found.check("user:bob", "may", "doc:open") is True
    assert found.check("user:ann", "may", "doc:open") is False
    assert found.check("group:hr#member", "reader", "doc:leaf") is True
    assert found.check("group:staff#member", "member", "group:hr") is False
    # `user:*` is everybody of the type, and nobody of another; a set is no user.
    assert found.check("user:*", "reader", "doc:open") is True
    assert found.check("user:*", "reader", "doc:leaf") is False
    assert found.check("group:hr#member", "reader", "doc:open") is False
    assert found.check("user:ann", "nothing", "doc:open") is False
    assert found.of_type("doc") == ("doc:top", "doc:leaf", "doc:open")
    assert found.of_type("user") == ("user:ann",)


def test_a_circle_adds_nothing_and_hides_nothing():
    found = relations(
        GROUPS,
        "group:a#member member group:b",
        "group:b#member member group:a",
        "user:ann member group:b",
    )
    # Asked from either side, also after the circle was cut in the other.
    assert found.check("user:ann", "member", "group:a") is True
    assert found.check("user:ann", "member", "group:b") is True
    assert found.check("user:bob", "member", "group:a") is False
    assert found.check("user:bob", "member", "group:b") is False


def fixpoint(named, n):
    """Who is in which group, by adding until nothing is added."""
    members = {f"group:{i}": set() for i in range(n)}
    changed = True
    while changed:
        changed = False
        for user, _, group in named:
            new = members[user.partition("#")[0]] if "#" in user else {user}
            changed |= not new <= members[group]
            members[group] |= new
    return members


def test_nesting_agrees_with_a_fixpoint_on_random_circles():
    for seed in range(60):
        rng = random.Random(seed)
        named = {
            (rng.choice(("user:a", "user:b", *(f"group:{i}#member" for i in range(6)))), "member",
             f"group:{rng.randrange(6)}")
            for _ in range(11)
        }  # fmt: skip
        found = Relations(model(GROUPS), [Tuple(*one) for one in sorted(named)])
        members = fixpoint(named, 6)
        groups = list(members)
        rng.shuffle(groups)
        for user in ("user:a", "user:b"):
            for group in groups:
                expected = user in members[group]
                assert found.check(user, "member", group) is expected, (seed, user, group)


def test_what_a_condition_decides_is_left_open_and_the_rest_is_decided():
    """Kleene's three values: a condition is unknown, and only what hangs on it is."""
    c, d = frozenset({"c"}), frozenset({"d"})
    assert any_of((False, c, True)) is True
    assert any_of((False, c, d)) == {"c", "d"}
    assert all_of((True, c, False)) is False
    assert all_of((True, c)) == c
    assert (negated(True), negated(c)) == (False, c)
    read = model(
        "type doc\n relations\n  define r: [user, user with c]\ncondition c(x: int) { x > 1 }"
    )
    found = Relations(read, [Tuple("user:a", "r", "doc:1", "c"), Tuple("user:b", "r", "doc:1")])
    assert found.check("user:a", "r", "doc:1") == {"c"}
    assert found.check("user:b", "r", "doc:1") is True
    assert found.check("user:x", "r", "doc:1") is False


STORE = """\
name: small
model: |
  model
    schema 1.1
  type user
  type doc
    relations
      define reader: [user]
tuples:
  - user: user:ann
    relation: reader
    object: doc:1
tests:
  - name: t
    check:
      - users: [user:ann, user:bob]
        object: doc:1
        assertions: {reader: true}
    list_objects:
      - user: user:ann
        type: doc
        assertions:
          reader: [doc:1, doc:2]
    list_users:
      - object: doc:1
        user_filter: [{type: user}]
        assertions:
          reader: {users: [user:ann]}
"""


def store(tmp_path, text):
    path, faults = tmp_path / "s.fga.yaml", Collector()
    path.write_text(text)
    return read_store(path, faults), [str(one.fault) for one in faults.ordered()]


def test_each_expectation_of_a_store_comes_to_agree_or_not(tmp_path):
    read, faults = store(tmp_path, STORE)
    assert faults == []
    assert [(str(o.assertion), o.agrees, o.detail) for o in read.outcomes()] == [
        ("user:ann reader doc:1", True, ""),
        ("user:bob reader doc:1", False, "false"),
        ("list_objects user:ann reader doc", False, "doc:1"),
        ("list_users doc:1 reader user", True, ""),
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("user: user:ann", "user: group:x"), "s.fga.yaml:10: the model does not let 'group:x'"),
        (("relation: reader", "relation: owner"), "s.fga.yaml:10: the type 'doc' has no relation"),
        (("object: doc:1\ntests", "object: doc:1\n    x: y\n    x: z\ntests"), "stands twice"),
        (("tests:", "  - {user: user:ann, relation: reader, object: doc:1}\ntests:"), "repeats"),
        (("{reader: true}", "{owner: true}"), "s.fga.yaml:16: check: the type 'doc' has no"),
        (("{reader: true}", "{reader: perhaps}"), "s.fga.yaml:16: check reader: a check needs"),
        (("define reader: [user]", "define reader: [user"), "s.fga.yaml:8: ends in the middle"),
        (("define reader: [user]", "define reader: user"), "s.fga.yaml:8: doc.reader: there is no"),
        ((STORE, "[]"), "is not a store file"),
        ((STORE, "name: x"), "has no model"),
        (("model: |", "model_file: x.fga\nmore: |"), "cannot be opened"),
    ],
)
def test_what_a_store_may_not_hold_is_named_with_its_line(change, said, tmp_path):
    read, faults = store(tmp_path, STORE.replace(*change))
    assert read is None
    assert any(said in one for one in faults), faults
