"""Which words and sentences of a chunk tell it from the others?"""

import re
from collections import Counter
from collections.abc import Iterable

from rageval_kit.generate.cells import Common
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.records.streams import stream
from rageval_kit.records.world import Document
from rageval_kit.text.sentences import sentences
from rageval_kit.text.words import words as tokens

MARK = re.compile(r" ?\[ref [^\]]{4,80}\]")
LONGEST, SHORTEST = 160, 12
WEIGHED = 3
SAMPLED = 2000
TELLING_TITLE = 4
SELDOM = 10  # a word tells something that at most one passage in so many holds


def without_marks(text: str) -> str:
    """The text without the canary that planting put into it."""
    return MARK.sub("", text)


def marked(text: str, token: str, sentence: str = "") -> str:
    """The text with a canary inside its most telling sentence, before the closing mark."""
    sentence = sentence or telling_sentence(text)
    body = sentence.rstrip("。．.!！?？;； \n")
    tail = sentence[len(body) :]
    head, found, rest = text.partition(sentence)
    if not found:
        return f"{text} [ref {token}]"
    return f"{head}{body} [ref {token}]{tail}{rest}"


def common_in(documents: Iterable[Document], seed: int) -> Common:
    """What stands in more than one place, of sentences and, by a seeded sample, of words."""
    texts: dict[str, frozenset[str]] = {}  # editions repeat most of their passages
    passages: list[str] = []
    holders: Counter[str] = Counter()
    for document in documents:
        own: set[str] = set()
        for version in document.versions:
            for chunk in version.chunks:
                text = without_marks(chunk.text)
                if text not in texts:
                    texts[text] = frozenset(sentences(text))
                passages.append(text)
                own |= texts[text]
        holders.update(own)
    held = {sentence: n for sentence, n in holders.items() if n > 1}
    sample = stream(seed, "frequencies").permutation(len(passages))[:SAMPLED]
    words: Counter[str] = Counter()
    for position in sample:
        words.update(set(tokens(passages[position])))
    return Common(held, words, len(sample))


def telling_sentence(text: str, common: Common | None = None) -> str:
    """Of the sentences of a quotable length that fewest others hold: most and rarest words."""
    options = sentences(text)
    quotable = [s for s in options if SHORTEST <= len(s) <= LONGEST] or options or [text]
    common = common or Common()
    held = common.sentences
    fewest = min(held.get(s, 1) for s in quotable)
    rarest = [s for s in quotable if held.get(s, 1) == fewest]
    longest = sorted(rarest, key=len, reverse=True)[:WEIGHED]
    told = common.told
    most = told.get("", 1)

    def tells(sentence: str) -> tuple[int, int]:
        return sum([told.get(word, most) for word in set(tokens(sentence))]), len(sentence)

    return max(longest, key=tells)[: 2 * LONGEST]


def plain_title(scene: Scene, chunk_id: str) -> str:
    """The title of the chunk's version, without the canary that it may carry."""
    return without_marks(scene.places[chunk_id].version.title)


def quotation(scene: Scene, chunk_id: str) -> str:
    """The chunk's telling sentence, after its title where other documents hold it too."""
    place = scene.places[chunk_id]
    sentence = telling_sentence(without_marks(place.chunk.text), scene.common)
    is_shared = sentence in scene.common.sentences
    return f"{plain_title(scene, chunk_id)} {sentence}" if is_shared else sentence


def title_of(scene: Scene, chunk_id: str) -> str:
    """The chunk's title; with a sentence of it where the title says little or others bear it."""
    place, common = scene.places[chunk_id], scene.common
    title = plain_title(scene, chunk_id)
    rare = [w for w in set(tokens(title)) if SELDOM * common.words.get(w, 0) <= common.n]
    if len(rare) >= TELLING_TITLE and scene.titles[place.version.title] == 1:
        return title
    return f"{title} {telling_sentence(without_marks(place.chunk.text), common)}"


def exhibit_question(scene: Scene, pair: Pair) -> str:
    """What the exhibit asks; where it states nothing of its own, the title of what must come."""
    if pair.exhibit is None or not pair.exhibit.values:
        return title_of(scene, pair.sibling_id or pair.chunk_id)
    return pair.exhibit.questions["topic"]


def rare_words(scene: Scene, chunk_id: str, n: int) -> list[str]:
    """The n words of the chunk that fewest chunks hold, in the order of the text."""
    text = without_marks(scene.places[chunk_id].chunk.text)
    counts = scene.frequencies
    words = list(dict.fromkeys(w for w in tokens(text) if len(w) > 1 and not w.isdigit()))
    rarest = set(sorted(words, key=lambda w: (counts.get(w, 0), w))[:n])
    return [word for word in words if word in rarest]


def rare_word(scene: Scene, chunk_id: str) -> str:
    """The rarest word of the chunk, for counting the documents that hold it."""
    return (rare_words(scene, chunk_id, 1) or [plain_title(scene, chunk_id)])[0]
