"""Which words and sentences of a chunk tell it from the others?"""

import re

from rageval_kit.generate.scene import Scene
from rageval_kit.text.sentences import sentences
from rageval_kit.text.words import words as tokens

MARK = re.compile(r" ?\[ref [^\]]{4,80}\]")
LONGEST, SHORTEST = 160, 12


def without_marks(text: str) -> str:
    """The text without the canary that planting put into it."""
    return MARK.sub("", text)


def marked(text: str, token: str) -> str:
    """The text with a canary inside its most telling sentence, before the closing mark."""
    sentence = telling_sentence(text)
    body = sentence.rstrip("。．.!！?？;； \n")
    tail = sentence[len(body) :]
    head, found, rest = text.partition(sentence)
    if not found:
        return f"{text} [ref {token}]"
    return f"{head}{body} [ref {token}]{tail}{rest}"


def telling_sentence(text: str) -> str:
    """The sentence with most different words among those of a quotable length."""
    options = [s.strip() for s in sentences(text)]
    quotable = [s for s in options if SHORTEST <= len(s) <= LONGEST] or options or [text]
    return max(quotable, key=lambda s: (len(set(tokens(s))), len(s)))[: 2 * LONGEST]


def rare_words(scene: Scene, chunk_id: str, n: int) -> list[str]:
    """The n words of the chunk that fewest chunks hold, in the order of the text."""
    text = without_marks(scene.places[chunk_id].chunk.text)
    counts = scene.frequencies
    words = list(dict.fromkeys(w for w in tokens(text) if len(w) > 1 and not w.isdigit()))
    rarest = set(sorted(words, key=lambda w: (counts.get(w, 0), w))[:n])
    return [word for word in words if word in rarest]


def rare_word(scene: Scene, chunk_id: str) -> str:
    """The rarest word of the chunk, for counting the documents that hold it."""
    return (rare_words(scene, chunk_id, 1) or [scene.places[chunk_id].version.title])[0]
