"""At which levels can what a reader was shown in one world differ from what another shows?"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping

from rageval_kit.detect.values import stated
from rageval_kit.records.cases import Observation
from rageval_kit.records.target import UNREACHED, Seen, Stage

LISTS = (Stage.RETRIEVE_SPARSE, Stage.RETRIEVE_DENSE, Stage.RETRIEVE, Stage.RERANK)
_NUMBER = re.compile(r"(?<![A-Za-z0-9-])\d+(?:[.,]\d+)*(?![A-Za-z0-9-])")
_WHOLE = re.compile(r"(?<![\w.+-])\d+(?![\w.])")
_MARKS = re.compile(r"\[[^\]]{1,80}\]")  # of citations and canaries


def _numbers(seen: Seen) -> object:
    text = unicodedata.normalize("NFKC", " ".join(seen.texts))
    return frozenset(_NUMBER.findall(_MARKS.sub(" ", text)))


def _counted(seen: Seen) -> object:
    """Whole numbers beside the ids: of scores, which a shared index moves, none is one."""
    text = "\n".join(seen.texts)
    for name in sorted(seen.ids, key=len, reverse=True):
        text = text.replace(name, "")
    return frozenset(_WHOLE.findall(text))


Reading = Callable[[Seen, int], object]
READINGS: Mapping[str, tuple[tuple[Stage, ...], Reading]] = {
    "ids": (LISTS, lambda seen, k: frozenset(seen.ids[:k])),
    "order": (LISTS, lambda seen, k: seen.ids[:k]),
    "scores": (LISTS, lambda seen, k: seen.scores[:k]),
    "counts": ((Stage.SUGGEST,), lambda seen, _: seen.count),
    "facets": ((Stage.SUGGEST,), lambda seen, _: frozenset(seen.facets)),
    "suggestions": ((Stage.SUGGEST,), lambda seen, _: (seen.ids, seen.texts)),
    "status": ((Stage.CITATION, Stage.SUGGEST), lambda seen, _: seen.status),
    "body": ((Stage.CITATION,), lambda seen, _: seen.texts),
    "size": ((Stage.CITATION,), lambda seen, _: sum(map(len, seen.texts))),
    "answer": ((Stage.ANSWER,), lambda seen, _: seen.texts),
    "numbers": ((Stage.ANSWER,), lambda seen, _: _numbers(seen)),
    "counted": ((Stage.LOG,), lambda seen, _: _counted(seen)),
    "hit": ((Stage.CACHE,), lambda seen, _: (bool(seen.ids or seen.texts), seen.status)),
}
UNANSWERED = UNREACHED | {"timeout", "adapter", "no_other_world", "unparsable", "unsupported"}
OPENED = frozenset({"status", "body", "size"})
LEVELS = (*READINGS, "errors", "values")


def shown(
    observation: Observation,
    level: str,
    k: int,
    taps: Collection[Stage] = frozenset(Stage),
    values: Collection[str] = (),
) -> dict[Stage, object]:
    """What the observation shows at the level, by tap; none where no tap spoke of it."""
    if level == "values":
        seen = observation.seen.get(Stage.ANSWER)
        return {Stage.ANSWER: stated("\n".join(seen.texts), values)} if seen else {}
    if level == "errors":
        # a call that nobody answered says nothing of either world
        return {} if observation.error in UNANSWERED else {Stage.SUGGEST: observation.error}
    if level in OPENED and Stage.ANSWER in observation.seen:
        return {}  # there the tap holds what the answer cites, which `ids` and `answer` speak of
    stages, reading = READINGS[level]
    found = {
        stage: reading(observation.seen[stage], k)
        for stage in stages
        if stage in observation.seen and (stage not in LISTS or stage in taps)
    }
    return {stage: value for stage, value in found.items() if value is not None}


def differing(
    mine: Mapping[Stage, object], other: Mapping[Stage, object], level: str, wanted: str = ""
) -> Iterator[tuple[Stage, bool]]:
    """Of each tap that spoke both times: does what is mine differ from the other?"""
    for stage in mine:
        if stage in other:
            yield stage, _differs(level, mine[stage], other[stage], wanted)


def _differs(level: str, mine: object, other: object, wanted: str) -> bool:
    """Of values and counts only more is a breach: less is the twin's business."""
    if level == "values" and isinstance(mine, frozenset) and isinstance(other, frozenset):
        return bool(mine - other - {wanted})
    if level == "counts" and isinstance(mine, int) and isinstance(other, int):
        return mine > other
    return mine != other
