"""The reader asks, in the same conversation, to be told again what was said in it before."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power
from rageval_kit.text.normalise import language

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.RESTORE})  # what a conversation leaves behind must not reach the next
WORDS = {
    "en": "Please summarise what was said above.",
    "zh": "请总结上面所说的内容。",
}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.mark("summary")
    asked = replace(walk.wording, text=WORDS[language(walk.wording.text)], question="")
    walk.ask("reader", walk.pair.reader_id, asked)
