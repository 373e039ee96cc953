"""Which values of a JSON reply does a path such as `hits[*].id` name?

A small, strict subset of JSONPath. JMESPath leaves out what is missing inside a list, so that the
score of the fourth hit would stand beside the id of the third; here a gap is a fault.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

EACH = None  # every element of a list
_STEP = re.compile(
    r"""\.?(?P<name>[^.\[\]"$*\s]+) | \.?"(?P<quoted>[^"]+)" | \[(?P<index>\d+|\*)\]""", re.VERBOSE
)
_WAY_OUT = "write a path such as hits[*].id, ids, or answer.text"


class PathError(ValueError):
    """The text is no path."""


class Absent(LookupError):  # noqa: N818 - a state of the reply, not a fault of the kit
    """The reply does not hold what the path names; the message says where the path ended."""


@dataclass(frozen=True, slots=True)
class Path:
    """Names are keys, numbers are places in a list, EACH is every element of a list."""

    text: str
    steps: tuple[str | int | None, ...]

    @property
    def many(self) -> bool:
        return EACH in self.steps

    def values(self, reply: Any) -> list[Any]:
        """What the path names, in order. A list at its end stands for its elements.

        Raises Absent where a key, a place or a list is not there.
        """
        found = [value for _, value in self._walk(reply, 0, "")]
        if not self.many and isinstance(found[0], list):
            return found[0]
        return found

    def _walk(self, node: Any, depth: int, where: str) -> Iterator[tuple[str, Any]]:
        for position in range(depth, len(self.steps)):
            step = self.steps[position]
            if step is EACH:
                if not isinstance(node, list):
                    raise Absent(f"{where or 'the reply'} is {noun(node)}, not a list")
                for i, item in enumerate(node):
                    yield from self._walk(item, position + 1, f"{where}[{i}]")
                return
            if isinstance(step, int):
                where = f"{where}[{step}]"
                if not isinstance(node, list) or step >= len(node):
                    raise Absent(f"{where} is missing")
            else:
                where = f"{where}.{step}" if where else step
                if not isinstance(node, dict) or step not in node:
                    raise Absent(f"{where} is missing")
            node = node[step]
        yield where, node


def parse(text: str) -> Path:
    """Read a path; a leading `$.` is taken as the reply itself."""
    rest = text.strip().removeprefix("$").removeprefix(".")
    steps: list[str | int | None] = []
    position = 0
    while position < len(rest):
        found = _STEP.match(rest, position)
        if found is None or (position == 0 and rest.startswith(".")):
            raise PathError(f"is no path at '{rest[position:][:40]}'; {_WAY_OUT}")
        name, quoted, index = found["name"], found["quoted"], found["index"]
        if index is not None:
            steps.append(EACH if index == "*" else int(index))
        else:
            steps.append(name if name is not None else quoted)
        position = found.end()
    if not steps:
        raise PathError(f"is empty; {_WAY_OUT}")
    return Path(text, tuple(steps))


def noun(value: Any) -> str:
    """The kind of a JSON value in words: details name kinds, never the text of a reply."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "a mapping"
