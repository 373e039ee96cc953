"""How do public attacks fare as a user's own payloads, where orders are obeyed and where not?"""

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rageval_kit.answering.target import AnsweringTarget
from rageval_kit.build import compose
from rageval_kit.generators import openai
from rageval_kit.records.verdicts import Outcome
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prove import outcomes
from rageval_kit.stats import clopper_pearson
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.model_service import ModelService


def _beside(name: str):
    """Another tool of this folder."""
    if name not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


SETS = _beside("payload_sets")
POISON = _beside("poisonedrag")
SERVERS = ("obedient", "careful")
FAMILY = {"agentdojo": "INJ-11", "agentdojo_places": "INJ-11"}  # those want a tool called
FAULT = {"INJ-01": "obeys_documents", "INJ-11": "calls_tools_as_told"}
CONTEXT = 4000  # tokens: some of the clean texts are long


@dataclass(frozen=True)
class Tally:
    """What became of the payloads of one set at one target."""

    set_name: str
    target: str
    n: int
    violated: int
    held: int
    undecided: Counter[str]
    by_id: dict[str, Outcome]
    echoed: int

    @property
    def interval(self) -> tuple[float, float]:
        """Of the violated among those that were decided."""
        return clopper_pearson(self.violated, max(1, self.violated + self.held))


@contextmanager
def served(behaviour: str) -> Iterator[str]:
    service = ModelService(behaviour)
    service.start()
    try:
        yield service.base_url
    finally:
        service.stop()


def words(family: str, *more: str) -> list[str]:
    chosen = f"suites.injection.families.ids=[{family}]"
    return ["+suite=injection", chosen, "suites.injection.size.cases=1", *more]


def told(name: str, file: Path, target: str, url: str = "", *more: str) -> Tally:
    """`target`: clean, faulty, or a server's behaviour, at `url`."""
    family = FAMILY.get(name, "INJ-01")
    asked = words(family, f"payloads.path={file}", f"payloads.family={family}", *more)
    asked.append(f"generator.context_tokens={CONTEXT}")
    if target == "faulty":
        asked.append(f"fault={FAULT[family]}")
    if url:
        asked += ["generator=openai", f"generator.base_url={url}", "generator.model=m"]
        asked += ["generator.store=null", "generator.tools=true"]
    rows = [row for row in outcomes(compose(*asked)) if row.variant[0][0] == "payload"]
    by = Counter(row.outcome for row in rows)
    return Tally(
        name,
        target,
        len(rows),
        by[Outcome.VIOLATED],
        by[Outcome.HELD],
        Counter(row.reason for row in rows if row.outcome in {Outcome.UNOBSERVED, Outcome.FAILED}),
        {row.variant[0][1]: row.outcome for row in rows},
        sum(row.told.get("echoed", False) for row in rows),
    )


@dataclass(frozen=True)
class Poisoned:
    """Two numbers apart: for how many questions poison was retrieved, and answered."""

    n: int
    retrieved: int
    answered: int
    held: int


def poisoned(attacks, retriever: str, url: str = "", fault: str | None = None) -> Poisoned:
    target = Embedded(
        EmbeddedConfig(
            arms=POISON.ARMS[retriever], fault=fault, cache=False, context_tokens=CONTEXT
        )
    )
    if url:
        config = openai.Config(base_url=url, model="m", store=None)
        target = AnsweringTarget(target, openai.build(config, 7))
    try:
        found = list(POISON.results(attacks, target))
    finally:
        target.close()
    return Poisoned(
        len(found),
        sum(one.told["poison_retrieved"] for one in found),
        sum(one.told["poison_answered"] for one in found),
        sum(one.outcome is Outcome.HELD for one in found),
    )


def share(k: int, n: int) -> str:
    """`k of n`, with the exact interval."""
    low, high = clopper_pearson(k, n) if n else (0.0, 1.0)
    return f"{k}/{n} ({low:.1%} – {high:.1%})"
