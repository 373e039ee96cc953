"""How does the embedded system present itself as a target?"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version

from rageval_kit.records.changes import Change
from rageval_kit.records.target import Caller, Grain, Indexed, Power, Request, Response, Stage
from rageval_kit.records.world import World
from rageval_kit.system import doors
from rageval_kit.system.analysis import STEMMER
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.service import SINKS, System

_ALWAYS_SHOWN = frozenset(
    {
        Stage.INDEX,
        Stage.QUERY,
        Stage.RETRIEVE,
        Stage.CONTEXT,
        Stage.CITATION,
        Stage.ANSWER,
        Stage.ANSWER_STREAM,
        Stage.TOOL,
        Stage.LOG,
        Stage.SUGGEST,
        Stage.EGRESS,
    }
)
_ARM_STAGES = {"sparse": Stage.RETRIEVE_SPARSE, "dense": Stage.RETRIEVE_DENSE}


class Embedded:
    """Grain chunk, every tap its parts have, every power. Calls may come from several threads."""

    def __init__(self, config: EmbeddedConfig | None = None) -> None:
        self.config = config or EmbeddedConfig()
        self._system = System(self.config)

    @property
    def name(self) -> str:
        fault = f", fault={self.config.fault}" if self.config.fault else ""
        return f"embedded ({'+'.join(self.config.arms)}{fault})"

    @property
    def grain(self) -> Grain:
        return Grain.CHUNK

    @property
    def taps(self) -> frozenset[Stage]:
        taps = _ALWAYS_SHOWN | {_ARM_STAGES[arm] for arm in self.config.arms}
        if self.config.rerank:
            taps |= {Stage.RERANK_INPUT, Stage.RERANK}
        if self.config.cache:
            taps |= {Stage.CACHE}
        return taps

    @property
    def powers(self) -> frozenset[Power]:
        return frozenset(Power)

    @property
    def prompt_canary(self) -> str:
        return self.config.prompt_canary

    @property
    def scans(self) -> bool:
        return True

    def connect(self, world: World) -> None:
        self._system.connect(world)

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return self._system.ask(requests, answering=False)

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        return self._system.ask(requests, answering=True)

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response:
        return self._system.resolve(handle, caller, as_of)

    def count(self, query: str, caller: Caller) -> Response:
        return self._system.count(query, caller)

    @property
    def doors(self) -> frozenset[str]:
        return doors.names()

    def look(self, door: str, text: str, caller: Caller, session: str = "") -> Response:
        return self._system.look(door, text, caller, session)

    def inventory(self) -> Iterator[Indexed]:
        return self._system.inventory()

    @property
    def sinks(self) -> frozenset[str]:
        return SINKS

    def read(self, sink: str, caller: Caller) -> Response:
        """Whoever the caller is: operators stand outside the directory of the world."""
        del caller
        return self._system.read(sink)

    def apply(self, change: Change) -> bool:
        return self._system.apply(change)

    def restore(self) -> None:
        self._system.restore()

    @property
    def delegates(self) -> bool:
        return True

    @property
    def copied(self) -> bool:
        return not self.config.cache_url  # a cache elsewhere is shared by all copies

    def beside(self, world: World) -> "Embedded":
        other = Embedded(self.config)
        other._system.connect(world, beside=self._system)
        return other

    def describe(self) -> Mapping[str, str]:
        config = self.config
        return {
            "target": "embedded",
            "sparse": f"bm25s {version('bm25s')}, lucene, k1={config.k1}, b={config.b}"
            + (", repeats counted" if config.count_repeats else ""),
            "analyzer": _analyzer(config.analyzer),
            "dense": f"hashed words and trigrams, {config.dimensions} dimensions, exact",
            "numpy": version("numpy"),
            "arms": "+".join(config.arms),
            "fusion": f"reciprocal rank, constant {config.fusion_constant}",
            "reranker": "weighted word overlap" if config.rerank else "none",
            "cache": f"exact and cosine >= {config.semantic_threshold}"
            f"{', kept in Redis' if config.cache_url else ''}"
            if config.cache
            else "none",
            "context": f"with what stands beside the first {config.expand} hits",
            "answerer": "extractive",
            "fault": config.fault or "none",
        }

    def close(self) -> None:
        self._system.close()


def _analyzer(name: str) -> str:
    if name != "english":
        return name
    return f"{name}, Porter stems of {STEMMER} {version(STEMMER)}"


Config = EmbeddedConfig


def build(config: EmbeddedConfig) -> Embedded:
    return Embedded(config)
