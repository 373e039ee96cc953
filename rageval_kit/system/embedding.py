"""How do other search engines get passages, words and vectors like those of the embedded system?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rageval_kit.records.world import AccessPolicy, Document
from rageval_kit.system.dense import FeatureTable, Vectors, embed_bag, embed_texts
from rageval_kit.system.segment import Passage, Source, sources
from rageval_kit.system.vocabulary import Vocabulary, first_bag
from rageval_kit.text.words import words


@dataclass(frozen=True, slots=True)
class Embedded:
    """A passage with the words of its body (without its title's) and its vector."""

    passage: Passage
    words: tuple[str, ...]
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Embedding:
    """Weights are those of the documents it was made from; later ones change no other vector."""

    vocabulary: Vocabulary
    dimensions: int

    def passages(self, documents: Iterable[Document], policy: AccessPolicy) -> list[Embedded]:
        """Passages of documents that came after the first ones."""
        found = list(sources(documents, policy))
        texts = [one.body + one.title for one in found]
        return _together(found, embed_texts(texts, self.vocabulary, self.dimensions))

    def query(self, text: str) -> Vectors:
        vector: Vectors = embed_texts([words(text)], self.vocabulary, self.dimensions)[0]
        return vector


def first_embedding(
    documents: Iterable[Document], policy: AccessPolicy, dimensions: int
) -> tuple[Embedding, list[Embedded]]:
    found = list(sources(documents, policy))
    bag, vocabulary = first_bag(one.words for one in found)
    vectors = embed_bag(bag, vocabulary, FeatureTable(list(vocabulary.base), dimensions))
    return Embedding(vocabulary, dimensions), _together(found, vectors)


def _together(found: Sequence[Source], vectors: Vectors) -> list[Embedded]:
    return [
        Embedded(source.passage, tuple(dict.fromkeys(source.body)), vector)
        for source, vector in zip(found, vectors, strict=True)
    ]
