"""What is quoted to answer a query, from which passages, and when is there nothing to quote?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from rageval_kit.system.analysis import Analyzer
from rageval_kit.system.authority import believed
from rageval_kit.system.boundaries import told_apart
from rageval_kit.system.cache import Served
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.retrieval import Query
from rageval_kit.system.sanitise import visible
from rageval_kit.system.segment import Passage
from rageval_kit.system.vocabulary import Vocabulary
from rageval_kit.text.normalise import language
from rageval_kit.text.sentences import sentences

# The same words whether nothing exists or nothing may be seen: a refusal must not tell which.
ABSTENTIONS: Mapping[str, str] = MappingProxyType(
    {
        "en": "No content was found that answers this question.",
        "zh": "没有找到可以回答该问题的内容。",
    }
)
_TITLE_SHARE = 0.3
_LEAST_COVERAGE = 0.15
_STRIPS_NOTHING = frozenset(
    {
        TrustFault.STRIPS_NOTHING,
        TrustFault.OBEYS_HIDDEN_TEXT,
        TrustFault.OBEYS_INVISIBLE_CHARACTERS,
    }
)


@dataclass(frozen=True, slots=True)
class Context:
    """Passages within the budget, best first, each with its title where that may be seen."""

    passages: tuple[Passage, ...]
    titles: tuple[str, ...]


def build_context(
    ranked: Sequence[Passage], titles: Sequence[str], config: EmbeddedConfig
) -> Context:
    """A passage that does not fit is left out whole; a smaller one after it may still fit."""
    ranked = given(ranked, config.switched)
    ranked, titles = told_apart(ranked, titles, config.switched)
    left = config.context_tokens
    kept: list[int] = []
    for number, passage in enumerate(ranked):
        if passage.length <= left:
            kept.append(number)
            left -= passage.length
    return Context(tuple(ranked[n] for n in kept), tuple(titles[n] for n in kept))


def given(passages: Sequence[Passage], fault: AnyFault | None) -> Sequence[Passage]:
    """The passages without what a person reading the document would not see."""
    if fault in _STRIPS_NOTHING:
        return passages
    return [
        passage if shown is passage.text else replace(passage, text=shown)
        for passage in passages
        for shown in [visible(passage.text)]
    ]


def answer(
    query: Query, context: Context, vocabulary: Vocabulary, config: EmbeddedConfig
) -> Served:
    """Quotes the sentences that cover most of the query, in the order of the context."""
    fault = config.switched
    quoted = _quoted(query, context, vocabulary, config)
    cited = list(dict.fromkeys(number for number, _ in quoted))
    if fault is Fault.ECHO_QUERY:
        text = query.text
    elif not quoted:
        text = ABSTENTIONS[language(query.text)]
    else:
        text = " ".join(f"{sentence} [{cited.index(number) + 1}]" for number, sentence in quoted)
    return Served(
        answer=text,
        cited_ids=tuple(context.passages[number].chunk_id for number in cited),
        cited_titles=tuple(context.titles[number] for number in cited),
        context_ids=tuple(passage.chunk_id for passage in context.passages),
        context_texts=tuple(passage.text for passage in context.passages),
    )


def _quoted(
    query: Query, context: Context, vocabulary: Vocabulary, config: EmbeddedConfig
) -> list[tuple[int, str]]:
    if query.weight <= 0:
        return []
    wanted = {word: vocabulary.weight(word) / query.weight for word in query.words}
    scored: list[tuple[float, int, int, str]] = []
    for number, (passage, title) in enumerate(zip(context.passages, context.titles, strict=True)):
        bonus = _TITLE_SHARE * _covered(wanted, frozenset(config.analyze(title)[0]))
        for place, (sentence, found) in enumerate(_cut(passage.text, config.analyze)):
            share = _covered(wanted, found) + bonus
            if share >= _LEAST_COVERAGE:
                scored.append((-share, number, place, sentence))
    scored = believed(scored, context.passages, wanted, vocabulary, config)
    chosen = sorted(scored)[: config.answer_sentences]
    if config.switched is TimeFault.CONFLICT_HIDDEN:
        chosen = [one for one in chosen if one[1] == chosen[0][1]]
    return [(number, text) for _, number, _, text in sorted(chosen, key=lambda item: item[1:3])]


def _covered(wanted: Mapping[str, float], found: frozenset[str]) -> float:
    return sum(weight for word, weight in wanted.items() if word in found)


@lru_cache(maxsize=8192)
def _cut(text: str, analyze: Analyzer) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((sentence, frozenset(analyze(sentence)[0])) for sentence in sentences(text))
