"""The target is asked for in a way that must be rewritten: beside another, or leaning on one.

`two_questions`: the reader's own document is asked for first and the target after it;
`target_first`: the other way about; `follow_up`: after a question about its own document the reader
names the target alone; `anothers_session`: it does so in a session that the twin began.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation, title_of
from rageval_kit.text.normalise import language

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "form": ("two_questions", "target_first", "follow_up", "anothers_session"),
}
WANTS = ("form",)
TALK = "talk"
_ASKED = {"en": "What is said about {0}?", "zh": "关于{0}有什么规定？"}
_TOO = {"en": "And what is said about {0}?", "zh": "关于{0}又有什么规定？"}
_AND_FOR = {"en": "And what about {0}?", "zh": "那{0}呢？"}
_MARKS = re.compile(r"[?？]")


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """The twin does the same, in a session of its own unless the form is about another's."""
    pair, form = walk.pair, args["form"]
    target, own = (
        _MARKS.sub(" ", title_of(walk.scene, chunk_id)).strip()
        for chunk_id in (pair.chunk_id, pair.sibling_id or pair.chunk_id)
    )
    if form == "anothers_session":
        walk.mark("twin")
        walk.ask("twin", pair.twin_id, _about(walk, pair.chunk_id), session=TALK)
        walk.ask("reader", pair.reader_id, _said(walk, _AND_FOR, target), session=TALK)
        return
    if form == "follow_up":
        walk.ask("reader", pair.reader_id, _about(walk, pair.sibling_id), session=TALK)
        walk.ask("reader", pair.reader_id, _said(walk, _AND_FOR, target), session=TALK)
        walk.ask("opening", pair.twin_id, _about(walk, pair.chunk_id), session="twin")
        asked = _said(walk, _AND_FOR, target)
    else:
        first, second = (own, target) if form == "two_questions" else (target, own)
        begun, too = _said(walk, _ASKED, first), _said(walk, _TOO, second)
        asked = replace(begun, text=f"{begun.text} {too.text}")
        walk.ask("reader", pair.reader_id, asked, session=TALK)
    walk.mark("twin")
    walk.ask("twin", pair.twin_id, asked, session="twin")


def _said(walk: Walk, wordings: Mapping[str, str], topic: str) -> Wording:
    return replace(walk.wording, text=wordings[language(topic)].format(topic), question="")


def _about(walk: Walk, chunk_id: str) -> Wording:
    chunk_id = chunk_id or walk.pair.chunk_id
    return replace(walk.wording, text=quotation(walk.scene, chunk_id), question="")
