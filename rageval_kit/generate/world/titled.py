"""Documents of which one passage may be read more widely than the title and the rest."""

from collections.abc import Mapping

from rageval_kit.detect import new_canary
from rageval_kit.generate.crowds import tenant_of
from rageval_kit.generate.planting import SINCE, Planting
from rageval_kit.generate.statements import SYLLABLES, topics
from rageval_kit.generate.titles import TITLED, passages_of
from rageval_kit.records.streams import python_stream, stream_digest
from rageval_kit.records.target import Power
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    State,
    SubjectKind,
    Version,
    World,
)

TAKES: Mapping[str, tuple[object, ...] | None] = {"n": None}
NEEDS = frozenset({Power.PLANT})
USUAL = 4
# The name of the plan stands in the title alone; name and numbers tie the two passages together.
_TITLES = {
    "en": "Closing of the {name} office (plan {plan})",
    "zh": "关于撤销{name}办事处的方案（代号：{plan}）",
}
_HIDDEN = {
    "en": "The {name} office, No. {number}, telephone {phone}, will be closed in autumn, and its "
    "{value} files go to the archive.",
    "zh": "{name}办事处（编号{number}，电话{phone}）将于秋季撤销，其{value}份案卷移交档案馆保存。",
}
_OPEN = {
    "en": "Visitors of the {name} office, No. {number}, telephone {phone}, report to the desk on "
    "the ground floor before noon.",
    "zh": "来访{name}办事处（编号{number}，电话{phone}）的客人请于中午前在一楼前台登记。",
}


def plant(world: World, args: Mapping[str, int], seed: int) -> Planting:
    """Nothing where the world knows no two labels, or nobody is cleared for the upper one.

    The title carries a canary of its own; it is read like the passage that has no label of its own.
    """
    labels, documents, titled = world.policy.labels, [], {}
    cleared = {person.clearance for person in world.principals.values()}
    upper = [label for label in labels[1:] if label in cleared]
    if not upper:
        return Planting()
    for place, topic in enumerate(topics(seed, "titled", "number", int(args.get("n", USUAL)), 3)):
        document_id = f"{TITLED}{place}"
        version_id = f"{document_id}@1"
        draw = python_stream(seed, "plan", version_id)
        plan = "".join(draw.choice(SYLLABLES) for _ in range(3)).capitalize()
        said = {"name": topic.name, "plan": plan}
        said |= zip(("value", "number", "phone"), topic.values, strict=True)
        token = new_canary(stream_digest(seed, "canary of title", version_id))
        hidden, shown = passages_of(document_id)
        titled[token] = hidden
        edition = Version(
            version_id,
            f"{_TITLES[topic.lang].format(**said)} [ref {token}]",
            (
                Chunk(hidden, _HIDDEN[topic.lang].format(**said)),
                Chunk(shown, _OPEN[topic.lang].format(**said), label=labels[0]),
            ),
            valid_from=SINCE,
            states=((SINCE, State.PUBLISHED),),
            language=topic.lang,
        )
        documents.append(
            Document(
                document_id,
                tenant_of(world),
                (edition,),
                label=upper[-1],
                entries=(Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.PUBLIC),),
            )
        )
    return Planting(tuple(documents), titled=titled)
