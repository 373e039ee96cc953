"""Which groups and options are there to choose from, shipped and in a person's own folder?"""

from dataclasses import dataclass
from pathlib import Path

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.resources import tree

ROOT = "config"


@dataclass(frozen=True, slots=True)
class Choices:
    """The shipped conf/ and, where given, a folder of one's own that only adds to it."""

    shipped: Path
    own: Path | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        return (self.shipped,) if self.own is None else (self.shipped, self.own)

    def groups(self) -> frozenset[str]:
        return frozenset(
            folder.relative_to(root).as_posix()
            for root in self.folders
            for folder in root.rglob("*")
            if folder.is_dir() and any(folder.glob("*.yaml"))
        )

    def options(self, group: str) -> frozenset[str]:
        return frozenset(
            file.stem for root in self.folders for file in (root / group).glob("*.yaml")
        )

    def file(self, config_path: str) -> Path | None:
        """Return the file behind Hydra's `group/option`, or None where it has none."""
        for root in self.folders:
            candidate = root / f"{config_path}.yaml"
            if candidate.is_file():
                return candidate
        return None

    def shown(self, file: Path) -> str:
        """Return the path as people know it: `conf/gate/default.yaml`, or as they gave it."""
        if file.is_relative_to(self.shipped):
            return f"conf/{file.relative_to(self.shipped).as_posix()}"
        return str(file)


def choices(config_dir: Path | None = None) -> Choices:
    """Return what can be chosen; a missing folder, or one that shadows a shipped file, is refused.

    Hydra would keep the shipped file silently, so a person would run something else than meant.
    """
    shipped = tree("conf")
    if config_dir is None:
        return Choices(shipped)
    if not config_dir.is_dir():
        raise InputError.one("--config-dir", "is not a folder", str(config_dir))
    own = config_dir.resolve()
    clashes = [
        Fault(
            str(file),
            f"has the name of the shipped conf/{name}, which it cannot replace",
            "",
            "give your file another name and choose it by that name",
        )
        for file in sorted(own.rglob("*.yaml"))
        if (name := file.relative_to(own).as_posix()) and (shipped / name).is_file()
    ]
    if clashes and own != shipped:
        raise InputError(clashes)
    return Choices(shipped, own)
