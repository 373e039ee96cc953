"""How does the retriever answer by itself: the embedded one with sentences, word for word?

There is nothing to build here: the embedded system takes these settings as its own, and any other
retriever answers as it does, or not at all.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Config:
    context_tokens: int = field(default=800, metadata={"min": 1})
    sentences: int = field(default=3, metadata={"min": 1})
