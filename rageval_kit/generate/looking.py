"""What is asked at a door, and when was somebody shown the target there?"""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.handles import handle_of
from rageval_kit.generate.hidden_terms import beginning_of, misspelt, prefix_of
from rageval_kit.generate.walk import Walk
from rageval_kit.generate.words import rare_word, title_of
from rageval_kit.records.cases import Expectation, Look, Observation
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids
from rageval_kit.text.normalise import fold

# By what each door is usually asked; a door that is not named here, by the question itself.
USUAL: Mapping[str, str] = {
    "suggest": "prefix",
    "spelling": "misspelt",
    "facets": "word",
    "related": "sibling",
    "preview": "target",
    "batch": "both",
    "summary": "place",
    "history": "nothing",
    "share": "nothing",
    "shared": "nothing",
    "export": "nothing",
}
TALK = "talk"  # the session of a script whose conversation is looked at later
WAYS = (
    "question", "prefix", "misspelt", "word", "target", "sibling", "both", "many", "place",
    "nothing",
    "letters",
)  # fmt: skip


def text_for(walk: Walk, door: str, way: str = "") -> str:
    """What the reader types at the door."""
    pair, scene = walk.pair, walk.scene
    way = way or USUAL.get(door, "question")
    if way in {"question", "prefix", "misspelt"}:
        said = walk.wording.text
        return {"question": said, "prefix": prefix_of(said), "misspelt": misspelt(said)}[way]
    if way in {"target", "sibling", "both", "many"}:
        own = min(walk.roles.get("sibling", frozenset()), default="")
        target = handle_of(walk, {})
        many = f"{own}\n{own}\n{own}\n{target}"  # more than a check of the first three covers
        both = f"{own}\n{target}"
        return {"target": target, "sibling": own, "both": both, "many": many}[way]
    if way == "letters":
        return beginning_of(title_of(scene, pair.chunk_id))
    if way == "word":
        return rare_word(scene, pair.chunk_id)
    if way == "place":
        document = scene.places[pair.chunk_id].document
        return document.folder_id or document.tenant_id
    return ""


def count_expected(walk: Walk, word: str) -> None:
    """At the step just made: of how many documents that hold the word a passage may be read."""
    last = len(walk.steps) - 1
    step = walk.steps[last]
    if not isinstance(step, Look):
        return
    n = walk.scene.count_of(word, walk.monitor, step.caller.principal_id)
    walk.expected[last, 0] = replace(walk.expected[last, 0], visible_count=n)


def repeated(walk: Walk, role: str, principal_id: str) -> None:
    """Somebody else looks at all that the reader looked at, each once and at the end."""
    looks = [step for step in walk.steps if isinstance(step, Look) and step.role == "reader"]
    for look in {(one.door, one.text, one.session): one for one in looks}.values():
        walk.mark(role)
        walk.look(
            role, principal_id, look.door, look.text, session=look.session, bearing=look.bearing
        )


def shows_target(expectation: Expectation, observation: Observation, aids: Aids) -> bool:
    """By its id, by its canary, by the term that it alone holds, or by a count above none."""
    target = expectation.roles["target"]
    wanted = expectation.steps[observation.step, observation.part].wanted
    for stage, seen in observation.seen.items():
        if stage is Stage.REPLY:  # beside what the door is mapped to show, its echo of the question
            continue
        if target & set(seen.ids) or any(n for _, n in seen.facets):
            return True
        for text in seen.texts:
            if wanted and fold(wanted) in fold(text):
                return True
            if aids.canaries_in and target & set(aids.canaries_in(text, "")):
                return True
    return False
