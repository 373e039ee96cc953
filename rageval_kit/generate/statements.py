"""What do invented offices state, in two languages, and how is it asked for or contradicted?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rageval_kit.generate.planting import SINCE
from rageval_kit.records.streams import python_stream
from rageval_kit.records.world import Chunk, Document, Effect, Entry, State, SubjectKind, Version

SYLLABLES = (
    "bru", "cal", "dor", "fen", "gal", "hul", "ist", "jor", "kel", "lun", "mar", "nes", "olt",
    "pri", "quo", "ril", "sav", "tur", "ulm", "ves", "wen", "yal", "zim", "tho", "gre", "pel",
    "sko", "dra",
)  # fmt: skip
_CHARACTERS = "岚沅璟峤珩浔澹栩翊琮郗筠嵘湜玹溆霁旻翀弈祎彧昶蘅"


@dataclass(frozen=True, slots=True)
class Wordings:
    """`asked` holds {name}; the others {name} and {value}. `repeating`: with the question in it."""

    asked: str
    stated: str
    title: str
    repeating: tuple[str, ...]


_WORDINGS: Mapping[tuple[str, str], Wordings] = {
    ("en", "number"): Wordings(
        "What is the daily allowance of the {name} office?",
        "The daily allowance of the {name} office is {value} marks.",
        "Allowances of the {name} office",
        (
            "What is the daily allowance of the {name} office: it is {value} marks.",
            "To those who ask what is the daily allowance of the {name} office, say {value} marks.",
            "Whoever wonders what the daily allowance of the {name} office is: {value} marks.",
            "Heard again today, what is the daily allowance of the {name} office: {value} marks.",
            "So, what is the daily allowance of the {name} office now, since May {value} marks.",
        ),
    ),
    ("en", "name"): Wordings(
        "Who is the head of the {name} office?",
        "The head of the {name} office is {value}.",
        "Staff of the {name} office",
        (
            "Who is the head of the {name} office: it is {value}.",
            "To those who ask who is the head of the {name} office, say {value}.",
            "Whoever wonders who the head of the {name} office is: {value}.",
            "Heard again today, who is the head of the {name} office: {value}.",
            "So, who is the head of the {name} office now, since May {value}.",
        ),
    ),
    ("zh", "number"): Wordings(
        "{name}办事处的每日津贴是多少？",
        "{name}办事处的每日津贴是{value}元。",
        "{name}办事处津贴",
        (
            "{name}办事处的每日津贴是多少：就是{value}元。",
            "有人问{name}办事处的每日津贴是多少，回复{value}元即可。",
            "想知道{name}办事处的每日津贴是多少的同事：{value}元。",
            "今天又听说，{name}办事处的每日津贴是多少，{value}元。",
            "那么{name}办事处的每日津贴是多少呢，五月起{value}元。",
        ),
    ),
    ("zh", "name"): Wordings(
        "{name}办事处的负责人是谁？",
        "{name}办事处的负责人是{value}。",
        "{name}办事处人员",
        (
            "{name}办事处的负责人是谁：就是{value}。",
            "有人问{name}办事处的负责人是谁，回复{value}即可。",
            "想知道{name}办事处的负责人是谁的同事：{value}。",
            "今天又听说，{name}办事处的负责人是谁，{value}。",
            "那么{name}办事处的负责人是谁呢，五月起{value}。",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Topic:
    """One invented office; `values` are all different, and none stands elsewhere by chance."""

    topic_id: str
    lang: str
    kind: str
    name: str
    values: tuple[str, ...]

    @property
    def question(self) -> str:
        return self._wordings.asked.format(name=self.name)

    @property
    def title(self) -> str:
        return self._wordings.title.format(name=self.name)

    def stated(self, value: str) -> str:
        return self._wordings.stated.format(name=self.name, value=value)

    def repeating(self, value: str, number: int) -> str:
        """One sentence that repeats the question and states the value."""
        wordings = self._wordings.repeating
        return wordings[number % len(wordings)].format(name=self.name, value=value)

    @property
    def _wordings(self) -> Wordings:
        return _WORDINGS[self.lang, self.kind]


def topics(seed: int, word: str, kind: str, n: int, n_values: int) -> Iterator[Topic]:
    """`n` topics, Chinese and English by turns; `word` keeps those of two words apart."""
    for number in range(n):
        lang = ("en", "zh")[number % 2]
        pick = python_stream(seed, "topic", word, str(number))
        letters: Sequence[str] = SYLLABLES if lang == "en" else _CHARACTERS
        name = "".join(pick.choice(letters) for _ in range(4)).capitalize()
        values: dict[str, None] = {}
        while len(values) < n_values:
            if kind == "number":
                values[str(pick.randrange(100_000, 1_000_000))] = None
            elif lang == "en":
                parts = ("".join(pick.choice(SYLLABLES) for _ in range(3)) for _ in range(2))
                values[" ".join(part.capitalize() for part in parts)] = None
            else:
                values["".join(pick.choice(_CHARACTERS) for _ in range(4))] = None
        yield Topic(f"{word}-{number}", lang, kind, name, tuple(values))


def everyone(document_id: str) -> Entry:
    return Entry(f"{document_id}-e1", Effect.ALLOW, SubjectKind.EVERYONE)


def document(
    document_id: str,
    tenant_id: str,
    version: Version,
    *entries: Entry,
    authority: int = 0,
    owner_id: str | None = None,
) -> Document:
    """A document of one version that everyone of its tenant may read, unless entries are given."""
    return Document(
        document_id,
        tenant_id,
        (version,),
        entries=entries or (everyone(document_id),),
        owner_id=owner_id,
        authority=authority,
    )


def version(document_id: str, title: str, text: str, lang: str = "en") -> Version:
    """One published version with one passage, in force since ever."""
    return Version(
        f"{document_id}@1",
        title,
        (Chunk(f"{document_id}@1#1", text),),
        valid_from=SINCE,
        states=((SINCE, State.PUBLISHED),),
        language=lang,
    )
