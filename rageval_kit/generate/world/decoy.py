"""A document that answers a question, and one of the same title that does not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.crowds import plain_label, tenant_of
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.planting import Planting
from rageval_kit.generate.statements import document, topics, version
from rageval_kit.records.target import Power
from rageval_kit.records.world import World

TAKES: Mapping[str, tuple[object, ...] | None] = {}
NEEDS = frozenset({Power.PLANT})
N = 8
_SAYS = {
    "en": "The {name} office is run by the rules for offices; {name} is reviewed once in a year.",
    "zh": "{name}办事处依办事处管理规则运行，{name}每年复核一次。",
}


def plant(world: World, args: Mapping[str, object], seed: int) -> Planting:
    del args
    tenant_id = tenant_of(world)
    label = plain_label(world)
    made = []
    for topic in topics(seed, "decoy", "number", N, 1):
        true, decoy = f"kit-{topic.topic_id}-true", f"kit-{topic.topic_id}-decoy"
        held = version(true, topic.title, topic.stated(topic.values[0]), topic.lang)
        says = _SAYS[topic.lang].format(name=topic.name)
        made += [
            document(true, tenant_id, held, authority=1),
            document(decoy, tenant_id, version(decoy, topic.title, says, topic.lang), authority=1),
        ]
    return Planting(tuple(replace(one, label=label) for one in made))


def exhibits(world: World, args: Mapping[str, object], seed: int) -> Sequence[Exhibit]:
    """`nowhere` asks the same of an office that stands in no document."""
    del world, args
    nowhere = topics(seed, "decoy-nowhere", "number", N, 1)
    return [
        Exhibit(
            topic.topic_id,
            {"target": f"kit-{topic.topic_id}-true", "decoy": f"kit-{topic.topic_id}-decoy"},
            {"topic": topic.question, "nowhere": other.question},
            values={f"kit-{topic.topic_id}-true@1": topic.values[0]},
            truth=f"kit-{topic.topic_id}-true@1",
            lang=topic.lang,
        )
        for topic, other in zip(topics(seed, "decoy", "number", N, 1), nowhere, strict=True)
    ]
