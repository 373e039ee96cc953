"""By a question that offers its answers, the true one among them, in an order of chance."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    """As the exhibit words it; nothing where it offers no options."""
    del scene, args
    if pair.exhibit is None or "topic" not in pair.exhibit.choices:
        return None
    return Wording(pair.exhibit.questions["topic"])
