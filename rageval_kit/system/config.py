"""What may be chosen about the embedded system?"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rageval_kit.detect.canary import PROMPT_CANARY
from rageval_kit.records.faults import Fault as InputFault
from rageval_kit.records.faults import InputError
from rageval_kit.system.analysis import ANALYZERS, Analyzer, lacking
from rageval_kit.system.faults import FAULTS, AnyFault, fault_named

ARMS = ("sparse", "dense")
HOSTED = ("embedder", "reranker", "model")  # what others may run for the system
_HOST = re.compile(r"[a-z0-9.-]{1,253}")  # as a browser sends it: lower case, punycode


@dataclass(frozen=True)
class EmbeddedConfig:
    """Arms, sizes and switches. `fault` names one seeded fault; None is the clean system.

    `expand`: of how many of the best hits what stands beside them (neighbours, parent, relations)
    goes into the context too. `candidates` per arm, `rerank_depth` of them are reranked.
    `dense_floor`: the least cosine the dense arm returns, so that a question foreign to the corpus
    has no candidates. `analyzer`: the terms by which passages and queries are matched.
    `count_repeats`: a word that a query says twice counts twice in the sparse arm, as Lucene does
    it. `service_id`: the account of the fault `service_identity`; by default the world's first
    service account. `allowed_hosts`: whose links and images an answer may show live.
    `prompt_canary`: the mark of the hidden instructions. `refusing`: whoever answers says so and no
    more when given what the reader may not read. `hosted`: which parts others run, who are sent
    what those need. `administrators` may open anything in an emergency, and stand on record then.
    `cache_url`: a Redis in which answers are kept; null keeps them in memory.
    """

    arms: tuple[str, ...] = ARMS
    candidates: int = 100
    rerank: bool = True
    rerank_depth: int = 50
    cache: bool = True
    cache_url: str | None = field(default=None, repr=False)
    semantic_threshold: float = 0.97
    context_tokens: int = 800
    answer_sentences: int = 3
    expand: int = 1
    dense_floor: float = 0.1
    dimensions: int = 768
    fusion_constant: int = 60
    k1: float = 1.5
    b: float = 0.75
    analyzer: str = "words"
    count_repeats: bool = False
    log_lines: int = 10_000
    log_key: str = "embedded"
    service_id: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    prompt_canary: str = PROMPT_CANARY
    refusing: bool = False
    hosted: tuple[str, ...] = ("embedder", "model")
    administrators: tuple[str, ...] = ("kit-administrator",)
    fault: str | None = None

    def __post_init__(self) -> None:
        wrong = list(self._wrong())
        if wrong:
            raise InputError(wrong)

    def _wrong(self) -> list[InputFault]:
        wrong: list[InputFault] = []
        unknown = [arm for arm in self.arms if arm not in ARMS]
        if unknown or not self.arms or len(set(self.arms)) != len(self.arms):
            wrong.append(
                InputFault("retriever.arms", "names arms", repr(self.arms), f"choose from {ARMS}")
            )
        for name in ("candidates", "rerank_depth", "context_tokens", "answer_sentences"):
            if getattr(self, name) < 1:
                wrong.append(
                    InputFault(f"retriever.{name}", "must be at least 1", repr(getattr(self, name)))
                )
        if not 0.0 < self.semantic_threshold <= 1.0:
            wrong.append(
                InputFault(
                    "retriever.semantic_threshold",
                    "is a cosine in (0, 1]",
                    repr(self.semantic_threshold),
                )
            )
        if not 0.0 <= self.dense_floor < 1.0:
            wrong.append(
                InputFault("retriever.dense_floor", "is a cosine in [0, 1)", repr(self.dense_floor))
            )
        wrong.extend(self._wrong_terms())
        if self.fault is not None and self.fault not in FAULTS:
            wrong.append(
                InputFault(
                    "fault", "is not shipped", repr(self.fault), f"choose from {sorted(FAULTS)}"
                )
            )
        return wrong

    def _wrong_terms(self) -> Iterator[InputFault]:
        if self.expand < 0:
            yield InputFault("retriever.expand", "is 0 hits or more", repr(self.expand))
        if not 0.0 <= self.k1 < math.inf:
            yield InputFault("retriever.k1", "is a number of 0 or more", repr(self.k1))
        if not 0.0 <= self.b <= 1.0:
            yield InputFault("retriever.b", "is a share in [0, 1]", repr(self.b))
        for part in sorted(set(self.hosted) - set(HOSTED)):
            way_out = f"choose from {HOSTED}"
            yield InputFault("retriever.hosted", "is no part that others run", repr(part), way_out)
        for host in self.allowed_hosts:
            if not _HOST.fullmatch(host):
                way_out = "give a name such as docs.example.org, without scheme, port and path"
                yield InputFault("retriever.allowed_hosts", "is no host name", repr(host), way_out)
        if self.analyzer not in ANALYZERS:
            yield InputFault(
                "retriever.analyzer",
                "is not an analyzer",
                repr(self.analyzer),
                f"choose from {sorted(ANALYZERS)}",
            )
        elif (fault := lacking(self.analyzer)) is not None:
            yield fault

    @property
    def analyze(self) -> Analyzer:
        """The one way in which passages, titles, queries and quoted sentences are cut."""
        return ANALYZERS[self.analyzer]

    @property
    def switched(self) -> AnyFault | None:
        return None if self.fault is None else fault_named(self.fault)
