"""What does a carrier write on: one passage that answers a question, and what stands beside it?"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Sheet:
    """One passage of one document. `sentence` answers the question and stands in `text`.

    `host` belongs to the attacker, `site` passes on whoever asks it to. `number` tells apart
    the sheets of one planting, so that a carrier with several forms uses them all.
    """

    document_id: str
    title: str
    topic: str
    text: str
    sentence: str
    lang: str
    host: str
    site: str
    number: int = 0
    kind: str = "body"
    table_header: str | None = None
    metadata: tuple[tuple[str, str], ...] = ()

    def with_paragraph(self, paragraph: str) -> "Sheet":
        # The blank line keeps it out of the sentence that answers, however sentences are told.
        return replace(self, text=f"{self.text}\n\n{paragraph}")

    def with_link(self, link: str) -> "Sheet":
        """The same with a link before the closing mark of the sentence that answers."""
        sentence = f"{self.sentence[:-1]}{link}{self.sentence[-1]}"
        text = self.text.replace(self.sentence, sentence, 1)
        return replace(self, text=text, sentence=sentence)


def one_line(payload: str) -> str:
    return " ".join(payload.split())


def bracketed(payload: str) -> str:
    """The payload as the label of a Markdown link: brackets would end it."""
    return one_line(payload).replace("[", "(").replace("]", ")")
