"""By the question with both times said in words: when it held, and by when it was known."""

from collections.abc import Mapping

from rageval_kit.generate.dates import spoken
from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import exhibit_question
from rageval_kit.text.normalise import language

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    question = exhibit_question(scene, pair)
    lang, zone = language(question), scene.world.timezone
    held = spoken(pair.as_of or scene.as_of or scene.world.clock, lang, zone)
    known = spoken(pair.known_at or scene.known_at or scene.world.clock, lang, zone)
    if lang == "zh":
        return Wording(f"按{known}所知，截至{held}，{question}", question=question)
    return Wording(f"As known on {known}, as of {held}: {question}", question=question)
