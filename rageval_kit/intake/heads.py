"""What snapshot.json declares: file format, clock, time zone, name and policy."""

from collections.abc import Callable, Mapping
from typing import Any

from rageval_kit.corpus.digests import SCHEMA
from rageval_kit.corpus.snapshots import Snapshot
from rageval_kit.corpus.times import TimeError, parse_instant, zone
from rageval_kit.intake.cells import CellError, read_flag, time_text
from rageval_kit.intake.files import Row
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.records.world import AccessPolicy
from rageval_kit.text.normalise import nfc

_POLICY_KEYS = ("labels", "unlabelled", "archive")
_UNLABELLED = ("lowest", "deny")


def read_head(row: Row, faults: Collector, timezone: str | None) -> Snapshot | None:
    """Judge the head; None where anything in it is wrong."""
    data = row.data
    if not isinstance(data, Mapping):
        return None
    before = len(faults.faults)

    def fault(key: str, value: Any, rule: str, way_out: str) -> None:
        faults.fault(row.file, row.line, key, value, rule, way_out)

    check_schema(row, faults)
    name = data.get("timezone") or timezone or "UTC"
    clock = None
    try:
        zone(str(name))
        if data.get("clock") is None:
            rule = "the snapshot declares no clock"
            fault("clock", None, rule, "add the instant at which its rights are judged")
        else:
            clock = parse_instant(time_text(data["clock"]), str(name))
    except TimeError as error:
        fault("clock", data.get("clock"), error.problem, error.way_out)
    except CellError as error:
        fault("clock", data.get("clock"), error.rule, error.way_out)
    policy = _read_policy(data.get("policy") or {}, fault)
    if len(faults.faults) > before or clock is None or policy is None:
        return None
    return Snapshot({}, {}, clock, policy, str(name), str(data.get("name") or ""))


def check_schema(row: Row, faults: Collector) -> None:
    """Refuse another version of the file format: what it means cannot be known."""
    schema = row.data.get("schema")
    if isinstance(schema, bool) or schema not in (SCHEMA, str(SCHEMA)):
        rule = "is not a version of the file format that this kit reads"
        faults.fault(row.file, row.line, "schema", schema, rule, f"write schema: {SCHEMA}")


def _read_policy(value: Any, fault: Callable[[str, Any, str, str], None]) -> AccessPolicy | None:
    if not isinstance(value, Mapping):
        fault("policy", value, "is not an object", f"write {', '.join(_POLICY_KEYS)}")
        return None
    for key in value:
        if key is not None and key not in _POLICY_KEYS:
            way_out = nearest(str(key), _POLICY_KEYS)
            fault(f"policy.{key}", None, "is no key of the policy", way_out)
    labels = value.get("labels") or []
    if not isinstance(labels, list) or not all(isinstance(x, str) and x.strip() for x in labels):
        fault("policy.labels", labels, "is not a list of labels", "write them lowest first")
        return None
    if len({nfc(label) for label in labels}) != len(labels):
        fault("policy.labels", labels, "names a label twice", "rank each label once")
    unlabelled = value.get("unlabelled") or "lowest"
    if unlabelled not in _UNLABELLED:
        way_out = nearest(str(unlabelled), _UNLABELLED)
        fault("policy.unlabelled", unlabelled, "is no rule for what has no label", way_out)
    archive = False
    try:
        if value.get("archive") is not None:
            archive = read_flag(value["archive"])
    except CellError as error:
        fault("policy.archive", value["archive"], error.rule, error.way_out)
    return AccessPolicy(
        labels=tuple(nfc(label) for label in labels),
        unlabelled_denied=unlabelled == "deny",
        archive=archive,
    )
