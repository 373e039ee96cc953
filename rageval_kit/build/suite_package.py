"""Does the file of a suite write under its own name, or over another suite?"""

import re

from rageval_kit.build.choices import Choices
from rageval_kit.records.faults import Fault

_GROUP = "suite/"
_HEADER = re.compile(r"\s*#+\s*@")


def suite_fault(config_path: str, choices: Choices) -> Fault | None:
    """Return the fault of one composed file, or None where it is right or no file of a suite.

    Hydra merges what two files write to one package, so the first suite would be lost unsaid.
    """
    file = choices.file(config_path)
    if file is None or not config_path.startswith(_GROUP):
        return None
    met = _package(file.read_text(encoding="utf-8"))
    wanted = f"suites.{config_path.removeprefix(_GROUP).replace('/', '.')}"
    if met in (None, wanted):  # without one Hydra takes the group, which is no key and is refused
        return None
    return Fault(
        choices.shown(file),
        "writes to another package than the one of its own name",
        f"# @package {met}",
        f"write # @package {wanted} in the first line",
    )


def _package(text: str) -> str | None:
    """Return the package that Hydra reads in the head of a file; the last one counts."""
    found = None
    for line in text.splitlines():
        if line.strip() and not _HEADER.match(line):
            break
        words = line.strip().lstrip("#").split()
        if words[:1] == ["@package"]:
            found = " ".join(words[1:])
    return found
