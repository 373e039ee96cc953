"""What tree of plain values do conf/, a person's folder and the command line compose to?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.build.choices import ROOT, Choices
from rageval_kit.build.overrides import typed
from rageval_kit.build.shape import Place
from rageval_kit.build.suite_package import suite_fault
from rageval_kit.records.faults import Fault, InputError

if TYPE_CHECKING:
    from omegaconf import DictConfig


_PADDING = (
    "full_key:",
    "object_type=",
    "Set the environment variable HYDRA_FULL_ERROR",
    "Config search path:",
    "provider=",
)


@dataclass(frozen=True, slots=True)
class Composed:
    """A composed tree: values, where each was written, and its text before interpolation.

    `files` are (shown path, path) of all that composed, in order.
    """

    values: Mapping[str, Any]
    scalars: tuple[tuple[str, Place, str], ...]
    typed: Mapping[str, str]
    unresolved: str
    overrides: tuple[str, ...]
    files: tuple[tuple[str, Path], ...]

    @property
    def places(self) -> dict[str, Place]:
        return {key: place for key, place, _tag in self.scalars}

    @property
    def suites(self) -> frozenset[str]:
        """Names of the suites that files define; any other came from a stray override."""
        return frozenset(
            key.split(".")[1] for key, _place, _tag in self.scalars if key.startswith("suites.")
        )


def compose(job: Sequence[str], choices: Choices, name: str = ROOT) -> Composed:
    """Compose one run; what Hydra or YAML refuse comes back as one line, exit 2."""
    import hydra
    import yaml
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    words = list(job)
    if choices.own is not None:
        quoted = choices.own.as_uri()
        words.append(f'hydra.searchpath=["{quoted}"]')
    try:
        with hydra.initialize_config_dir(
            str(choices.shipped), job_name="rageval-kit", version_base="1.3"
        ):
            config = hydra.compose(name, words)
            loader = GlobalHydra.instance().config_loader()
            defaults = loader.compute_defaults_list(name, words, RunMode.RUN).defaults
    except (HydraException, OmegaConfBaseException, yaml.YAMLError) as error:
        raise InputError([Fault("configuration", sentence(str(error)))]) from error
    faults = [
        fault
        for default in defaults
        if default.config_path and (fault := suite_fault(default.config_path, choices))
    ]
    if faults:
        raise InputError(dict.fromkeys(faults))
    parts = [
        (file, default.package or "")
        for default in defaults
        if default.config_path and (file := choices.file(default.config_path)) is not None
    ]
    scalars = tuple(
        scalar for file, package in parts for scalar in _scalars(file, package, choices)
    )
    walk = _Walk(_boolean_keys(scalars))
    values = walk.mapping(config, "")
    if walk.faults:
        raise InputError(walk.faults)
    return Composed(
        values=values,
        scalars=scalars,
        typed=typed(job),
        unresolved=OmegaConf.to_yaml(config, resolve=False),
        overrides=tuple(job),
        files=tuple((choices.shown(file), file) for file, _package in parts),
    )


def sentence(text: str) -> str:
    """Return the message of another tool on one line, without its padding."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not line.startswith(_PADDING)]
    return "; ".join(kept)


@dataclass(slots=True)
class _Walk:
    """Turns a config node into plain values and gathers what cannot be resolved or is missing."""

    names: Mapping[tuple[str, bool], str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def mapping(self, node: "DictConfig", where: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key in node:
            name = self._name(where, key)
            made[name] = self.child(node, key, f"{where}.{name}" if where else name)
        return made

    def _name(self, where: str, key: Any) -> str:
        if isinstance(key, bool):  # YAML reads the key `on` as true
            return self.names.get((where, key), str(key).lower())
        return str(key)

    def child(self, node: Any, key: Any, where: str) -> Any:
        from omegaconf import DictConfig, ListConfig, OmegaConf
        from omegaconf.errors import OmegaConfBaseException

        if OmegaConf.is_missing(node, key):
            way_out = f"write {where}=…"
            self.faults.append(Fault(where, f"missing mandatory value: {where}", "???", way_out))
            return None
        try:
            value = node[key]
        except OmegaConfBaseException as error:
            self.faults.append(Fault(where, sentence(str(error))))
            return None
        if isinstance(value, DictConfig):
            return self.mapping(value, where)
        if isinstance(value, ListConfig):
            return [self.child(value, i, f"{where}[{i}]") for i in range(len(value))]
        return value


def _boolean_keys(scalars: Sequence[tuple[str, Place, str]]) -> dict[tuple[str, bool], str]:
    """Return what a key that YAML makes a boolean was written as: (parent, value) -> `on`."""
    import yaml

    found: dict[tuple[str, bool], str] = {}
    for key, _place, _tag in scalars:
        parts = key.split(".")
        for depth, part in enumerate(parts):
            value = yaml.SafeLoader.bool_values.get(part.lower())
            if value is not None:
                found[".".join(parts[:depth]), value] = part
    return found


def _scalars(file: Path, package: str, choices: Choices) -> Iterator[tuple[str, Place, str]]:
    """Yield (dotted key, place, YAML tag) of every scalar that one file writes."""
    import yaml

    with file.open(encoding="utf-8") as stream:
        root = yaml.compose(stream, yaml.SafeLoader)
    prefix = "" if package == "_global_" else package
    shown = choices.shown(file)

    def walk(node: Any, where: str) -> Iterator[tuple[str, Place, str]]:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if where == prefix and key.value == "defaults":
                    continue
                yield from walk(value, f"{where}.{key.value}" if where else key.value)
        elif isinstance(node, yaml.SequenceNode):
            for i, value in enumerate(node.value):
                yield from walk(value, f"{where}[{i}]")
        elif node is not None:
            place = Place(shown, node.start_mark.line + 1, node.value)
            yield where, place, node.tag.removeprefix("tag:yaml.org,2002:")

    yield from walk(root, prefix)
