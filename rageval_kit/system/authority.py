"""Where passages of different authority answer a question, which of them is believed?"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.segment import Passage
from rageval_kit.system.vocabulary import Vocabulary
from rageval_kit.text.words import words

# A sentence that may be quoted: minus the share of the question it covers, the number of its
# passage in the context, its place there, its text.
Scored = tuple[float, int, int, str]
# A passage of higher authority answers too where it covers half of what another one covers and
# holds the question's most telling word: otherwise it is about something else.
_ANSWERS_TOO = 0.5
# How a question asks, not what about; seldom met in statements, so that it would seem to tell much.
_ASKING = frozenset(
    words(
        "what who whom whose when where which why how many much do does did is are was were "
        "什么 多少 哪 哪个 哪里 谁 何时 为何 怎么 如何 几 吗 呢 各是"
    )
)


def believed(
    scored: list[Scored],
    passages: Sequence[Passage],
    asked: Collection[str],
    vocabulary: Vocabulary,
    config: EmbeddedConfig,
) -> list[Scored]:
    """The sentences without those in whose place a passage of higher authority answers.

    However many say otherwise, however well they match and however new they are: none of that
    counts. `asked`: the words of the question.
    """
    match config.switched:
        case TrustFault.AUTHORITY_IGNORED:
            return scored
        case TrustFault.MAJORITY_BELIEVED:
            return _of_the_majority(scored, asked, vocabulary, config)
        case TrustFault.NEWEST_SOURCE_BELIEVED:
            ranks = [passage.since for passage in passages]
        case _:
            ranks = [passage.authority for passage in passages]
    if len(set(ranks)) < 2:  # noqa: PLR2004 - the usual case: nobody outranks anybody
        return scored
    return _outranked(scored, ranks, _about_it(scored, passages, asked, vocabulary, config))


def _about_it(
    scored: Sequence[Scored],
    passages: Sequence[Passage],
    asked: Collection[str],
    vocabulary: Vocabulary,
    config: EmbeddedConfig,
) -> frozenset[int]:
    """Numbers of the passages that hold the most telling word of the question that any holds."""
    held = {
        number: frozenset(config.analyze(f"{passages[number].title}\n{passages[number].text}")[0])
        for number in {number for _, number, _, _ in scored}
    }
    about = [word for word in asked if word not in _ASKING]
    met = [word for word in about if any(word in own for own in held.values())]
    telling = max(met, key=lambda word: (vocabulary.weight(word), word), default="")
    return frozenset(number for number, own in held.items() if not telling or telling in own)


def _outranked(
    scored: list[Scored], ranks: Sequence[int], about_it: frozenset[int]
) -> list[Scored]:
    best: dict[int, float] = {}
    for share, number, _, _ in scored:
        if number in about_it:
            best[ranks[number]] = min(best.get(ranks[number], 0.0), share)
    return [one for one in scored if not _is_outranked(one[0], ranks[one[1]], best)]


def _is_outranked(share: float, rank: int, best: Mapping[int, float]) -> bool:
    return any(
        other > rank and covered <= _ANSWERS_TOO * share  # shares are negative: less is more
        for other, covered in best.items()
    )


def _of_the_majority(
    scored: list[Scored], asked: Collection[str], vocabulary: Vocabulary, config: EmbeddedConfig
) -> list[Scored]:
    """Those that say what most passages say beyond the question; rare words tell the most."""
    found = {text: frozenset(config.analyze(text)[0]) for *_, text in scored}
    said: dict[int, set[str]] = {}
    for _, number, _, text in scored:
        said.setdefault(number, set()).update(found[text].difference(asked))
    holders = Counter(word for own in said.values() for word in own)
    if not holders:
        return scored
    most = max(holders, key=lambda word: (holders[word] * vocabulary.weight(word), word))
    return [one for one in scored if most in found[one[3]]]
