"""What does a run need in hand before it starts: parts that are built, paths that are resolved?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from rageval_kit.answering.target import AnsweringTarget
from rageval_kit.archive.masking import Mask
from rageval_kit.build.check import EMBEDDED, GENERATORS, METRICS, RETRIEVERS
from rageval_kit.build.kinds import config_class
from rageval_kit.gates.policy import GatePolicy
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Target
from rageval_kit.resources import tree
from rageval_kit.schema import AccessSpec, CorpusSpec, FamilySelection, RunSpec, ServiceLevels


@dataclass(frozen=True, slots=True)
class Request:
    """One checked request: the spec, and how it was asked for.

    `command`, the overrides, and both texts may hold `secrets`: whatever writes or prints them
    goes through `mask`. `config_files` are (shown path, sha-256) of all that composed.
    `requests(command, config_dir=…, config_name=…)` gives the same request again.
    """

    spec: RunSpec
    command: tuple[str, ...] = field(repr=False)
    config_text: str = field(repr=False)
    resolved_text: str = field(repr=False)
    secrets: frozenset[str] = field(repr=False)
    config_files: tuple[tuple[str, str], ...] = ()
    config_dir: Path | None = None
    config_name: str = "config"

    def mask(self, key: bytes) -> Mask:
        """Return what blanks the secrets; `key` is that of the archive, or random for a console."""
        return Mask.of(self.secrets, key)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that `run.evaluate` is given: built parts and absolute paths, no configuration node."""

    request: Request
    target: Target
    metrics: Mapping[str, Any]
    gate: GatePolicy
    snapshot: Path
    directory: Path
    archive_root: Path

    @property
    def spec(self) -> RunSpec:
        return self.request.spec


def plan(request: Request) -> Plan:
    """Build every part of a checked request; only here do adapters and metrics come to life."""
    spec = request.spec
    snapshot = snapshot_folder(spec.corpus)
    return Plan(
        request=request,
        target=_target(spec),
        metrics=_metrics(spec),
        gate=spec.gate,
        snapshot=snapshot,
        directory=directory_file(spec.access, snapshot),
        archive_root=Path(spec.archive.root).expanduser().absolute(),
    )


def with_spec(
    made: Plan,
    *,
    seed: int | None = None,
    fault: str | None = None,
    families: Sequence[str] | None = None,
    refusing: bool = False,
    at_once: bool = False,
) -> Plan:
    """Return a plan of its own with another seed or fault, or with some families only.

    `refusing` puts the embedded system behind a model that refuses. `at_once`: with service levels
    of 0 s, so that nothing is a lag.
    """
    spec = made.spec
    suites = spec.suites
    if families is not None:
        chosen = FamilySelection(ids=tuple(families))
        first = next(iter(suites))
        suites = {first: replace(suites[first], families=chosen)}
    if at_once:
        suites = {
            name: replace(
                suite,
                service_levels_s=ServiceLevels(
                    **{level.name: 0.0 for level in fields(ServiceLevels)}
                ),
            )
            for name, suite in suites.items()
        }
    if refusing:
        config = replace(spec.retriever.config, refusing=True)  # type: ignore[type-var]
        spec = replace(spec, retriever=replace(spec.retriever, config=config))
    spec = replace(
        spec, seed=spec.seed if seed is None else seed, fault=fault or spec.fault, suites=suites
    )
    return plan(replace(made.request, spec=spec))


def _target(spec: RunSpec) -> Target:
    kind = spec.retriever.kind
    config = spec.retriever.config
    if kind == EMBEDDED:  # the one system whose parts other groups choose
        config = replace(
            config,  # type: ignore[type-var]
            fault=spec.fault,
            rerank=spec.reranker.kind != "none",
            rerank_depth=spec.reranker.depth,
            **_answering(spec.generator.config),
        )
    target: Any = RETRIEVERS.module(kind, "retriever").build(config)
    if not isinstance(target, Target):
        raise InputError.one("retriever.kind", "does not build a system under test", f"'{kind}'")
    generator = GENERATORS.module(spec.generator.kind, "generator")
    build = getattr(generator, "build", None)  # without one the retriever answers by itself
    return (
        target
        if build is None
        else AnsweringTarget(target, build(spec.generator.config, spec.seed))
    )


def _answering(generator: Any) -> dict[str, Any]:
    """What of a generator's settings the embedded system takes as its own."""
    names = {"context_tokens": "context_tokens", "answer_sentences": "sentences"}
    return {
        own: getattr(generator, name) for own, name in names.items() if hasattr(generator, name)
    }


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


def snapshot_folder(corpus: CorpusSpec) -> Path:
    if corpus.path is not None:
        return Path(corpus.path).expanduser().absolute()
    return tree("suites") / "worlds" / (corpus.name or "") / "snapshot"


def directory_file(access: AccessSpec, snapshot: Path) -> Path:
    if access.path is not None:
        return Path(access.path).expanduser().absolute()
    around = snapshot.parent if access.name is None else tree("suites") / "worlds" / access.name
    return around / "directory.json"
