"""By what only the target says: a word or phrase of it or of its title, that nobody else knows.

What is asked for in the end (a prefix, a misspelling) is for the step to say.
"""

from collections.abc import Mapping

from rageval_kit.generate.hidden_terms import hidden_term, hidden_title, hidden_title_word
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {"of": ("body", "title", "title_word")}
_FIND = {"title": hidden_title, "title_word": hidden_title_word}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    """None where all that the target says stands elsewhere too."""
    term = _FIND.get(args.get("of", ""), hidden_term)(scene, pair)
    return Wording(term) if term else None
