"""YAML read as text: no number, no boolean, no date is guessed, so that NO and 007 stay."""

from typing import Any

import yaml

from rageval_kit.intake.report import Collector

_DEEPEST = 40


def read_yaml(text: str, file: str, faults: Collector, first_line: int = 1) -> Any:
    """Give mappings, lists and text; `~`, `null` and nothing (unquoted) are None.

    Each mapping carries its line under the key None. Aliases and doubled keys are refused.
    """
    try:
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + mark.line if mark else first_line
        problem = getattr(error, "problem", None) or type(error).__name__
        faults.fault(file, line, "", None, f"is not YAML ({problem})", "mend the line")
        return None
    if node is None:
        return None
    return _value(node, file, faults, first_line, set(), 0)


def _value(
    node: yaml.Node, file: str, faults: Collector, first: int, met: set[int], depth: int
) -> Any:
    line = first + node.start_mark.line
    if depth > _DEEPEST:
        faults.fault(file, line, "", None, f"nests deeper than {_DEEPEST} levels", "flatten it")
        return None
    if isinstance(node, yaml.ScalarNode):
        if node.style is None and node.value in ("", "~", "null"):
            return None
        return node.value
    # the composer gives one node for all aliases: meeting it twice is a reference
    if id(node) in met:
        faults.fault(file, line, "", None, "repeats another part by alias", "write it out")
        return None
    met.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, file, faults, first, met, depth + 1) for item in node.value]
    mapping: dict[Any, Any] = {None: line}
    for key_node, value_node in node.value:
        key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
        where = first + key_node.start_mark.line
        if key is None:
            faults.fault(file, where, "", None, "has a key that is not text", "write a name")
        elif key in mapping:
            faults.fault(file, where, key, None, "the key stands twice", "keep one of the two")
        else:
            mapping[key] = _value(value_node, file, faults, first, met, depth + 1)
    return mapping
