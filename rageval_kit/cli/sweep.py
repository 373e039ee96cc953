"""How did each run of a sweep end, and which of the ends is the worst?"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rageval_kit.build.planning import Request
from rageval_kit.cli.door import INTERRUPTED, SECURITY, crash_line, one_line, trace_log
from rageval_kit.cli.machine import machine
from rageval_kit.cli.run import resume_line, run_one
from rageval_kit.cli.streams import say
from rageval_kit.cli.summary import people_text
from rageval_kit.gates.decision import worst
from rageval_kit.records.decisions import Decision
from rageval_kit.records.faults import KitError

_SAID = {
    0: "pass",
    1: "availability or quality gate failed",
    3: "security gate failed",
    4: "evidence incomplete",
    5: "target never answered, or the kit failed",
}


@dataclass(frozen=True, slots=True)
class _Ended:
    """One run of a sweep: its folder (None: it has none) and the error that ended it, if any."""

    label: str
    folder: Path | None
    error: str = ""


def sweep(requests: Sequence[Request], *, as_json: bool) -> int:
    """Run all requests one after another; a failing one does not keep the rest from running."""
    labels = _labels(requests)
    say(f"{len(requests)} runs, one after another:")
    for number, label in enumerate(labels, 1):
        say(f"  {number}. {label}")
    ended: list[_Ended] = []
    for number, (request, label) in enumerate(zip(requests, labels, strict=True), 1):
        say(f"\n{number}/{len(requests)} {label}")
        try:
            ended.append(_run(request, label))
        except KeyboardInterrupt:
            say(resume_line(request))
            _tell(ended, as_json=as_json)
            return INTERRUPTED
    return _tell(ended, as_json=as_json)


def _run(request: Request, label: str) -> _Ended:
    mask = request.mask(os.urandom(16))
    try:
        record = run_one(request)
    except KitError as error:
        message = mask.text(one_line(str(error)))
        return _Ended(label, None, f"error {type(error).__name__}: {message}")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the other runs of the sweep go on
        log = trace_log(error, mask=mask)
        say(mask.text(crash_line(error, log)))
        return _Ended(label, None, f"error {type(error).__name__}; trace: {log or 'none kept'}")
    folder = Path(request.spec.archive.root) / record.run_id
    say(people_text(record, folder, request.spec.report.lang or request.spec.lang))
    return _Ended(label, folder)


def _tell(ended: Sequence[_Ended], *, as_json: bool) -> int:
    """Print one line for each run and return the worst exit code, read from what lies on disk."""
    decisions = [None if one.folder is None else decided(one.folder) for one in ended]
    codes = [worst([decision]) for decision in decisions]
    say("\nsweep:")
    for number, (one, code) in enumerate(zip(ended, codes, strict=True), 1):
        said = one.error or _SAID.get(code, f"exit {code}")
        where = f" · {one.folder}" if one.folder is not None else ""
        say(f"  {number}. {one.label}: {said} (exit {code}){where}")
    exit_code = worst(decisions)
    if as_json:
        runs = [
            {
                "overrides": one.label,
                "exit_code": code,
                "folder": None if one.folder is None else str(one.folder),
                "error": one.error,
            }
            for one, code in zip(ended, codes, strict=True)
        ]
        try:
            machine({"exit_code": exit_code, "runs": runs})
        except KitError as error:
            say(f"rageval-kit: {error}")
            return exit_code if exit_code == SECURITY else error.exit_code
    return exit_code


def decided(folder: Path) -> Decision | None:
    """Return the decision that lies on disk, whatever the process believes; None: none is there."""
    from rageval_kit.archive.encoding import decode_record
    from rageval_kit.archive.reading import read_file

    try:
        return decode_record(read_file(folder, "decision.json"), Decision, where=str(folder))
    except KitError:
        return None


def _labels(requests: Sequence[Request]) -> list[str]:
    """Return what tells each run from the others: the overrides that not all of them share."""
    if not requests:
        return []
    shared = set(requests[0].command).intersection(*(request.command for request in requests))
    key = os.urandom(16)
    return [
        request.mask(key).text(
            " ".join(word.lstrip("+") for word in request.command if word not in shared)
            or " ".join(word.lstrip("+") for word in request.command)
        )
        for request in requests
    ]
