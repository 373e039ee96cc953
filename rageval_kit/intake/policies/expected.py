"""Does a reference decide as a list of decisions says that it must?"""

from pathlib import Path

from rageval_kit.intake.files import read_rows
from rageval_kit.intake.policies.decisions import Decisions
from rageval_kit.intake.report import Collector
from rageval_kit.records.faults import InputError

_KEYS = ("user", "document", "allowed")


def read_expected(path: Path, decisions: Decisions) -> int:
    """Hold rows of user, document and allowed against the reference; how many there were.

    Refused, all at once: a row without one of the three, two rows that contradict each other, a
    row that the reference decides otherwise.
    """
    faults = Collector()
    said: dict[tuple[str, str], tuple[bool, int]] = {}
    for row in read_rows(path, faults):
        values = [row.data.get(key) for key in _KEYS] if isinstance(row.data, dict) else []
        user, document, stated = values if len(values) == len(_KEYS) else (None, None, None)
        allowed = {"true": True, "false": False}.get(str(stated).lower())
        if not (isinstance(user, str) and isinstance(document, str)) or allowed is None:
            rule = f"needs {', '.join(_KEYS)}"
            faults.fault(row.file, row.line, "", None, rule, "allowed is true or false")
            continue
        other = said.setdefault((user, document), (allowed, row.line))
        pair = f"{user} reads {document}"
        if other[0] != allowed:
            rule = f"contradicts line {other[1]}"
            faults.fault(row.file, row.line, "allowed", pair, rule, "keep one of the two")
        elif (document in decisions.readable.get(user, ())) != allowed:
            rule = f"is decided otherwise by {decisions.decided_by}"
            faults.fault(row.file, row.line, "allowed", pair, rule, "mend the policies or this row")
    if faults.faults:
        raise InputError(fault.fault for fault in faults.ordered())
    return len(said)
