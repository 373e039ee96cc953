"""What does a run need in hand before it starts: parts that are built, paths that are resolved?"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rageval_kit.archive.masking import Mask
from rageval_kit.build.check import EMBEDDED, METRICS, RETRIEVERS
from rageval_kit.build.kinds import config_class
from rageval_kit.gates.policy import GatePolicy
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Target
from rageval_kit.schema import RunSpec


@dataclass(frozen=True, slots=True)
class Request:
    """One checked request: the spec, and how it was asked for.

    `command`, the overrides, and both texts may hold `secrets`: whatever writes or prints them
    goes through `mask`. `config_files` are (shown path, sha-256) of all that composed.
    """

    spec: RunSpec
    command: tuple[str, ...] = field(repr=False)
    config_text: str = field(repr=False)
    resolved_text: str = field(repr=False)
    secrets: frozenset[str] = field(repr=False)
    config_files: tuple[tuple[str, str], ...] = ()

    def mask(self, key: bytes) -> Mask:
        """Return what blanks the secrets; `key` is that of the archive, or random for a console."""
        return Mask.of(self.secrets, key)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that `run.evaluate` is given: built parts and absolute paths, no configuration node.

    `snapshot` and `directory` None: `spec.corpus.name` is made by the kit, rights lie in it.
    """

    request: Request
    target: Target
    metrics: Mapping[str, Any]
    gate: GatePolicy
    snapshot: Path | None
    directory: Path | None
    archive_root: Path

    @property
    def spec(self) -> RunSpec:
        return self.request.spec


def plan(request: Request) -> Plan:
    """Build every part of a checked request; only here do adapters and metrics come to life."""
    spec = request.spec
    return Plan(
        request=request,
        target=_target(spec),
        metrics=_metrics(spec),
        gate=spec.gate,
        snapshot=_absolute(spec.corpus.path),
        directory=_absolute(spec.access.path),
        archive_root=Path(spec.archive.root).expanduser().absolute(),
    )


def _target(spec: RunSpec) -> Target:
    kind = spec.retriever.kind
    config = spec.retriever.config
    if kind == EMBEDDED:  # the one system whose parts other groups choose
        config = replace(
            config,  # type: ignore[type-var]
            fault=spec.fault,
            rerank=spec.reranker.kind != "none",
            rerank_depth=spec.reranker.depth,
            context_tokens=spec.generator.context_tokens,
            answer_sentences=spec.generator.sentences,
        )
    target: Any = RETRIEVERS.module(kind, "retriever").build(config)
    if not isinstance(target, Target):
        raise InputError.one("retriever.kind", "does not build a system under test", f"'{kind}'")
    return target


def _metrics(spec: RunSpec) -> dict[str, Any]:
    """Return callables by name; a module's `build` is used where its config is not the metric."""
    made: dict[str, Any] = {}
    for name, part in spec.metrics.items():
        module = METRICS.module(part.kind, f"metrics.{name}")
        build = getattr(module, "build", None)
        made[name] = build(part.config) if build is not None else part.config
        if not callable(made[name]):
            shown = config_class(module, part.kind).__name__
            raise InputError.one(f"metrics.{name}.kind", "is not a metric", shown)
    return made


def _absolute(path: str | None) -> Path | None:
    return None if path is None else Path(path).expanduser().absolute()
