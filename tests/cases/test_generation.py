"""Cases of the area generation: people are their ids, and nobody is tested against themselves."""

from rageval_kit.generate.organisation import organise
from rageval_kit.records.cases import Ask
from rageval_kit.run.prepare import prepare


def bare(worlds, n):
    return worlds.world(
        [worlds.document(f"d{i:03d}", f"paper {i} of shelf {i % 7}, note {i * i}.")
         for i in range(n)], []
    )  # fmt: skip


def test_bug_085_two_thousand_people_are_two_thousand_principals(worlds):
    world = organise(bare(worlds, 4), seed=0, principals=2000, locales=("zh_CN",))
    assert len({person.principal_id for person in world.principals.values()}) == 2000
    names = [person.name for person in world.principals.values()]
    assert len(set(names)) < len(names), "names repeat, and are no keys"


def test_bug_085_nobody_is_paired_with_themselves(bench, worlds):
    prepared = prepare(
        bench.plan(organise(bare(worlds, 80), seed=0), ["ACL-*", "PRN-*", "CAC-*", "CTL-*"],
                   "suites.acl_negative.size.cases=20")
    )  # fmt: skip
    assert len(prepared.cases) > 150
    for case in prepared.cases:
        found, roles = case.coordinates, {"reader": set(), "twin": set()}
        for step in case.script.steps:
            if isinstance(step, Ask) and step.role in roles:
                caller = step.caller
                roles[step.role].add((caller.principal_id, caller.via, caller.token))
        assert not roles["reader"] & roles["twin"]
        # One person through other agents is another caller; through none, nobody else.
        is_chain = any(via for callers in roles.values() for _, via, _ in callers)
        assert found.reader_id != found.twin_id or is_chain
