"""How do templates become the texts of generated departmental documents?"""

import itertools
import random
from collections.abc import Iterator, Mapping
from typing import Any

from demo_words import read, version
from faker import Faker

from rageval_kit.records.streams import python_stream
from rageval_kit.records.world import Version

SEED = 20261027
MONTHS = {
    "zh": tuple(str(number) for number in range(1, 10)),
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September"),
}


class Writer:
    """Fills templates; every document draws from a stream of its own, codes never repeat."""

    def __init__(self) -> None:
        self.raw = read("templates.yaml")
        self.fakers = {"zh": Faker("zh_CN"), "en": Faker("en_US")}
        self.codes: dict[str, Iterator[str]] = {}
        for language, (first, second) in self.raw["codes"].items():
            pairs = [a + b for a in first for b in second]
            python_stream(SEED, "codes", language).shuffle(pairs)
            self.codes[language] = iter(pairs)

    def fields(self, draw: random.Random, language: str) -> dict[str, str]:
        faker = self.fakers[language]
        faker.seed_instance(draw.getrandbits(64))
        thousands = f"{draw.randrange(21_000, 980_000, 10):,}"
        return {
            "code": next(self.codes[language]),
            "name": faker.name(),
            "name2": faker.name(),
            "place": draw.choice(self.raw["places"][language]),
            "cause": draw.choice(self.raw["causes"][language]),
            "ref": f"{draw.choice('ABDFGHKMNPRT')}{draw.randrange(10**5, 10**6)}",
            "ref2": f"{draw.choice('CEJLQSUVWXYZ')}{draw.randrange(10**5, 10**6)}",
            "money": thousands,
            "money2": f"{draw.randrange(9_000, 88_000, 10):,}",
            "small": str(draw.randrange(110, 990)),
            "small2": str(draw.randrange(110, 990)),
            "week": str(draw.randrange(2, 43)),
            "month": MONTHS[language][draw.randrange(9)],
            "day": str(draw.randrange(1, 28)),
            "days": str(draw.randrange(3, 29)),
            "minutes": str(draw.randrange(12, 175)),
            "percent": str(draw.randrange(31, 97)),
            "percent2": str(draw.randrange(71, 99)),
        }

    def version(self, version_id: str, draw: random.Random, language: str, kind: int) -> Version:
        template = self.raw[language][kind]
        said = self.fields(draw, language)

        def fill(raw: str | Mapping[str, Any]) -> str | dict[str, Any]:
            if isinstance(raw, str):
                return raw.format(**said)
            return {**raw, "text": raw["text"].format(**said)}

        day = f"2026-{draw.randrange(2, 9):02d}-{draw.randrange(1, 28):02d}"
        return version(
            {
                "id": version_id,
                "title": template["title"].format(**said),
                "valid": [day, None],
                "recorded": day,
                "states": [f"{day} published"],
                "chunks": [fill(raw) for raw in template["chunks"]],
            },
            language,
        )

    def editions(
        self, document_id: str, draw: random.Random, language: str, kind: int
    ) -> Iterator[Version]:
        for number in itertools.count(1):
            yield self.version(f"{document_id}-v{number}", draw, language, kind)
