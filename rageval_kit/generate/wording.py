"""What does somebody ask, and what is said beside it?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Wording:
    """A query, and what the client claims beside it; `as_of`, `known_at` where it asks for them.

    `meant`: the time that its words mean, where that is not the one that goes along with it.
    `question`: what is asked, where the text says a time in words before it.
    """

    text: str
    claims: Mapping[str, str] = field(default_factory=dict)
    as_of: datetime | None = None
    known_at: datetime | None = None
    meant: datetime | None = None
    question: str = ""

    @property
    def bare(self) -> str:
        """What is asked, whatever time it is asked about."""
        return self.question or self.text
