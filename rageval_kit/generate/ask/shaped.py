"""By the title of the target, in a form in which questions are seldom asked."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.walk import Wording
from rageval_kit.generate.words import quotation, title_of

LONG = {"long": 600, "longest": 4500}  # characters at least: above 512, and above 4,096
_SIGN = "\U0001f50e"  # beyond the first plane, where a sign takes two units of UTF-16
TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("lines", "sign", "dated", *LONG)}
WANTS = ("is",)


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    """`dated`: it is asked about now, as it is known now, both said."""
    title, shape = title_of(scene, pair.chunk_id), args["is"]
    if shape == "lines":
        return Wording(f"{title}\n\n{quotation(scene, pair.chunk_id)}\r\n")
    if shape == "sign":
        return Wording(f"{_SIGN} {title} {_SIGN}")
    if shape == "dated":
        return Wording(title, as_of=scene.world.clock, known_at=scene.world.clock)
    said = f"{title} "
    return Wording((said * -(-LONG[shape] // len(said))).strip())
