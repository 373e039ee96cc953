"""What is a standard's identifier called, in which edition, and where is it published?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast


@dataclass(frozen=True, slots=True)
class Standard:
    """One identifier, printed as `label`; `scheme` is empty for one the kit does not know."""

    label: str
    scheme: str = ""
    edition: str = ""
    id: str = ""
    name: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Scheme:
    """A list of identifiers in one edition; `prefix` is how its labels begin."""

    key: str
    title: str
    organization: str
    edition: str
    prefix: str
    url: str
    names: Mapping[str, str]


@cache
def _mapping() -> Mapping[str, object]:
    import yaml

    from rageval_kit.resources import tree

    path = tree("suites") / "mappings" / "standards.yaml"
    return cast("Mapping[str, object]", yaml.safe_load(path.read_text(encoding="utf-8")))


@cache
def schemes() -> tuple[Scheme, ...]:
    read = cast("Mapping[str, Mapping[str, object]]", _mapping()["schemes"])
    return tuple(
        Scheme(
            key=key,
            title=str(entry["title"]),
            organization=str(entry["organization"]),
            edition=str(entry["edition"]),
            prefix=str(entry["prefix"]),
            url=str(entry["url"]),
            names=cast("Mapping[str, str]", entry["names"]),
        )
        for key, entry in read.items()
    )


@cache
def family_standards(family: str) -> tuple[str, ...]:
    """Labels of the identifiers a family gives evidence for, in the order of the mapping."""
    read = cast("Mapping[str, Mapping[str, list[str]]]", _mapping()["families"])
    prefixes = {scheme.key: scheme.prefix for scheme in schemes()}
    return tuple(
        f"{prefixes[key]}{id_}" for key, ids in read.get(family, {}).items() for id_ in ids
    )


def standard(label: str) -> Standard:
    """The identifier behind a label; an unknown one keeps its label and nothing else."""
    for scheme in schemes():
        if label.startswith(scheme.prefix):
            id_ = label.removeprefix(scheme.prefix)
            if id_ in scheme.names:
                number = id_.rpartition("-")[2] if scheme.key == "cwe" else id_
                url = scheme.url.replace("{id}", number)
                return Standard(label, scheme.key, scheme.edition, id_, scheme.names[id_], url)
    return Standard(label)


def named_standards(labels: Iterable[str]) -> tuple[Standard, ...]:
    return tuple(standard(label) for label in dict.fromkeys(labels))
