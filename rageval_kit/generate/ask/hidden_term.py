"""By what only the target says: a word or phrase of it, or its title, that the reader cannot know.

What is asked for in the end (a prefix, a misspelling) is for the step to say.
"""

from collections.abc import Mapping

from rageval_kit.generate.hidden_terms import hidden_term, hidden_title
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.walk import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {"of": ("body", "title")}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    """None where all that the target says stands elsewhere too."""
    find = hidden_title if args.get("of") == "title" else hidden_term
    term = find(scene, pair)
    return Wording(term) if term else None
