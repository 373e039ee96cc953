"""By the question with a relative date: what it means hangs on when it is asked."""

from collections.abc import Mapping

from rageval_kit.generate.relative import PHRASES, end_of_last
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import exhibit_question
from rageval_kit.text.normalise import language

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": tuple(PHRASES)}
WANTS = ("is",)


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    question = exhibit_question(scene, pair)
    asked = pair.as_of or scene.as_of or scene.world.clock
    phrase = PHRASES[args["is"]][language(question)]
    meant = end_of_last(args["is"], asked, scene.world.timezone)
    return Wording(f"{phrase}{question}", meant=meant, question=question)
