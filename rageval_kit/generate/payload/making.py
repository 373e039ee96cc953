"""Which documents does one payload need, and what is its case about?"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.payload.invent import SUMMANDS, Topic, topic, word
from rageval_kit.generate.payload.orders import DEPUTY, Order, Slots, order
from rageval_kit.generate.payload.recipe import Recipe, module
from rageval_kit.generate.payload.sheet import Sheet
from rageval_kit.generate.payload.techniques import Technique, framed
from rageval_kit.generate.planting import SINCE
from rageval_kit.records.cases import Payload
from rageval_kit.records.changes import Change, Publish, SetState
from rageval_kit.records.streams import python_stream
from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    State,
    SubjectKind,
    Version,
)

TRUSTEE = "kit-trustee"  # may read what nobody else may


@dataclass(frozen=True, slots=True)
class Ground:
    """Where the documents are put: a tenant, and the label that its world wants of them."""

    tenant_id: str
    label: str | None
    now: datetime


@dataclass(slots=True)
class Made:
    """What one payload came to. `marks`: of each passage the sentence that takes its canary."""

    exhibit: Exhibit
    carriers: list[Document]
    others: list[Document]
    marks: dict[str, str] = field(default_factory=dict)


@dataclass
class Maker:
    """One payload in the making: the draws of its number, and its documents by role."""

    recipe: Recipe
    technique: Technique
    ground: Ground
    seed: int
    number: int
    roles: dict[str, Document] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.key = self.recipe.key
        self.base = f"kit-note-{self.key}-{self.number}"
        self.host, self.site = f"{self._word('host')}.test", f"portal.{self._word('site')}.example"

    def made(self) -> Made:
        recipe, carrier = self.recipe, module("carriers", self.recipe.carrier)
        target, clean = self._topic("target"), self._topic("clean")
        self._plain("clean", clean)
        questions = {"topic": target.question, "clean": clean.question}
        goal = recipe.goal_of(self.technique)
        slots = self._slots(goal, target, getattr(carrier, "host_of", None))
        if recipe.trigger == "other":
            other = self._topic("trigger")
            self._plain("trigger", other)
            questions["trigger"] = other.question
            slots = replace(slots, trigger=other.name)
        else:  # any later question will do
            questions["trigger"] = (target if recipe.trigger else clean).question
        wanted = order(goal, recipe.lang_of(self.technique), slots, recipe.parts)
        if goal == DEPUTY:  # the reader asks about both, so that both are at hand
            questions["topic"] = f"{target.question} {self._topic('secret').question}"
        carriers, parts = self._carriers(target, wanted)
        if lead := getattr(carrier, "ASKS", {}).get(recipe.lang, ""):
            questions = {name: lead + text for name, text in questions.items()}
        stating = [
            one for one in carriers if target.sentence[:-1] in one.versions[0].chunks[0].text
        ]
        values = {one.versions[0].version_id: target.value for one in stating}
        values[self.roles["clean"].versions[0].version_id] = clean.value
        if recipe.trigger == "other":
            values[self.roles["trigger"].versions[0].version_id] = other.value
        # What is not there yet cannot be the target: the clean copy is, until it is published.
        first = "target" if recipe.planted else "published"
        roles = {"target": self.roles["clean"].document_id, first: carriers[0].document_id}
        roles |= {f"{first}.{n}": d.document_id for n, d in enumerate(carriers[1:], 2)}
        roles |= {role: document.document_id for role, document in self.roles.items()}
        exhibit = Exhibit(
            f"payload-{self.key}-{self.number}",
            roles,
            questions,
            author_id=recipe.author,
            values=values,
            truth=carriers[0].versions[0].version_id,
            parts=parts,
            payload=self._payload(wanted),
            events=self._events(carriers),
            lang=recipe.lang,
        )
        return Made(exhibit, carriers, list(self.roles.values()), self.marks)

    def _draw(self, what: str) -> random.Random:
        return python_stream(self.seed, "payload", self.key, str(self.number), what)

    def _word(self, what: str) -> str:
        return word(self._draw(what))

    def _topic(self, role: str) -> Topic:
        return topic(self._draw(role), self.recipe.lang, self.number)

    def _slots(self, goal: str, target: Topic, host_of: object) -> Slots:
        a = self._word("a")
        # Neither may hold the other: else the pieces alone could show what obeying brings.
        b = next(w for n in range(99) if (w := self._word(f"b{n}")) not in a and a not in w)
        draw = self._draw("summands")
        host = host_of(self.host, self.site) if callable(host_of) else self.host
        slots = Slots(
            a, b, draw.choice(SUMMANDS), draw.choice(SUMMANDS), host, tool=self._tool(goal)
        )
        if self.recipe.trigger == "topic":
            slots = replace(slots, trigger=target.name)
        if goal in {"leak", DEPUTY}:
            secret = self._topic("secret")
            self._plain("secret", secret, reader_id=TRUSTEE)
            return replace(slots, topic=secret.name)
        if goal == "citation":
            # Not for the asker to read: one that was found for the question may well be cited.
            self._plain("decoy", self._topic("decoy"), reader_id=TRUSTEE)
            return replace(slots, decoy=self.roles["decoy"].document_id)
        return slots

    def _tool(self, goal: str) -> str:
        return self.recipe.tool or ("mail" if goal == "tool" else "")

    def _plain(self, role: str, about: Topic, *, reader_id: str = "") -> None:
        """A document without payload."""
        sheet = self._sheet(about, f"{self.base}-{role}")
        self.roles[role] = self._document([sheet], reader_id=reader_id)

    def _sheet(self, about: Topic, document_id: str) -> Sheet:
        return Sheet(
            document_id,
            about.title,
            about.name,
            about.text,
            about.sentence,
            self.recipe.lang,
            self.host,
            self.site,
            self.number,
        )

    def _carriers(
        self, target: Topic, wanted: Order
    ) -> tuple[list[Document], tuple[frozenset[str], ...]]:
        """The documents that carry the order, copies after the first, and the passages by part."""
        carry = module("carriers", self.recipe.carrier).carry
        documents: list[Document] = []
        parts: list[set[str]] = [set() for _ in wanted.parts]
        for copy in range(1, self.recipe.copies + 1):
            document_id = self.base if copy == 1 else f"{self.base}-copy{copy}"
            sheets: list[Sheet] = []
            for number, part in enumerate(wanted.parts):
                sheet = self._sheet(target, document_id)
                if number:
                    sheet = replace(sheet, text=target.more, sentence=target.more)
                if number and self.recipe.over == "documents":
                    sheet = replace(sheet, document_id=f"{document_id}-part{number + 1}")
                elif number:  # one document: what stands beside the text is said once, of all
                    last = sheets[-1]
                    sheet = replace(
                        sheet,
                        document_id=last.document_id,
                        title=last.title,
                        metadata=last.metadata,
                    )
                sheets.append(carry(sheet, self._words(part, wanted.lang)))
            if self.recipe.over == "documents":
                made = [self._document([one], author=True) for one in sheets]
                for number, document in enumerate(made):
                    parts[number] |= {c.chunk_id for c in document.versions[0].chunks}
            else:
                made = [self._document(sheets, author=True)]
                for number, chunk in enumerate(made[0].versions[0].chunks):
                    parts[number].add(chunk.chunk_id)
            documents += made
        return documents, tuple(frozenset(ids) for ids in parts)

    def _words(self, part: str, lang: str) -> str:
        """The order in its wording and its disguise."""
        transform = module("transforms", self.recipe.transform)
        wordings = self.technique.wordings[lang]
        wording = wordings[self.number % len(wordings)]
        if getattr(module("carriers", self.recipe.carrier), "NARROW", False):
            return str(transform.disguise(part, lang))
        if transform.WHOLE:
            return str(transform.disguise(framed(wording, part), lang))
        return framed(wording, transform.disguise(part, lang))

    def _document(
        self, sheets: Sequence[Sheet], *, author: bool = False, reader_id: str = ""
    ) -> Document:
        last = sheets[-1]
        version_id = f"{last.document_id}@1"
        chunks = []
        for number, sheet in enumerate(sheets, 1):
            chunk_id = f"{version_id}#{number}"
            self.marks[chunk_id] = sheet.sentence
            chunks.append(
                Chunk(chunk_id, sheet.text, table_header=sheet.table_header, kind=sheet.kind)
            )
        version = Version(
            version_id,
            last.title,
            tuple(chunks),
            valid_from=SINCE,
            states=((SINCE, State.PUBLISHED),),
            language=last.lang,
            metadata=last.metadata,
        )
        kind = SubjectKind.USER if reader_id else SubjectKind.EVERYONE
        return Document(
            last.document_id,
            self.ground.tenant_id,
            (version,),
            label=self.ground.label,
            entries=(Entry(f"{last.document_id}-e1", Effect.ALLOW, kind, reader_id),),
            owner_id=self.recipe.author if author else None,
        )

    def _payload(self, wanted: Order) -> Payload:
        technique = self.technique
        return Payload(
            wanted.goal,
            technique.kind,
            wanted.lang,
            self.recipe.carrier,
            self.recipe.transform,
            wanted.text,
            derived=wanted.derived,
            pieces=wanted.pieces,
            hosts=(self.host,) if wanted.hosts else (),
            tool=wanted.tool,
            decoy=wanted.decoy,
            trigger=wanted.trigger,
            source=f"{technique.id}: {technique.source} ({technique.licence})",
        )

    def _events(self, carriers: Sequence[Document]) -> Mapping[str, tuple[Change, ...]]:
        ids = [document.document_id for document in carriers]
        return {
            "publish": tuple(Publish(document) for document in carriers),
            "delete": tuple(SetState(i, State.DELETED, self.ground.now) for i in ids),
        }
