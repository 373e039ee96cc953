"""By the title of the target, in a form in which questions are seldom asked."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation, title_of

LONG = 600  # characters at least: above 512, where many a limit lies
_SIGN = "\U0001f50e"  # beyond the first plane, where a sign takes two units of UTF-16
TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("lines", "long", "sign")}
WANTS = ("is",)


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    title = title_of(scene, pair.chunk_id)
    if args["is"] == "lines":
        return Wording(f"{title}\n\n{quotation(scene, pair.chunk_id)}\r\n")
    if args["is"] == "sign":
        return Wording(f"{_SIGN} {title} {_SIGN}")
    return Wording(" ".join([title] * (LONG // len(title) + 1)))
