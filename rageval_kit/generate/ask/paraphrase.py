"""By a paraphrase: near enough to another question for a cache, or further from it."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import plain_title, rare_words, telling_sentence, without_marks
from rageval_kit.text.normalise import language

OUTSIDE = {
    "en": "Please tell me what is said under “{title}” concerning {words}?",
    "zh": "请告诉我《{title}》里关于{words}是怎么说的？",
}
BESIDE = {"en": "Please explain: {text}", "zh": "请解释：{text}"}
TAKES: Mapping[str, tuple[str, ...] | None] = {
    "similarity": ("inside", "outside"),
    "lang": ("same", "other"),
}
WORDS = 4


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    """`question` holds what is said in other words: the title, then the telling sentence.

    `inside`: the same words in another order. `outside`: other words around the rarest ones. In the
    other language stands what is put around them: names and terms stay.
    """
    title = plain_title(scene, pair.chunk_id)
    sentence = telling_sentence(without_marks(scene.places[pair.chunk_id].chunk.text), scene.common)
    lang = language(sentence)
    if args.get("lang") == "other":
        lang = "en" if lang == "zh" else "zh"
    if args.get("similarity") == "outside":
        words = " ".join(rare_words(scene, pair.chunk_id, WORDS))
        text = OUTSIDE[lang].format(title=title, words=words)
    else:
        text = f"{sentence} {title}"
        if args.get("lang") == "other":
            text = BESIDE[lang].format(text=text)
    return Wording(text, question=f"{title} {sentence}")
