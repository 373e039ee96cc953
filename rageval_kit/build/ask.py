"""Which runs are asked for, and is each of them a whole, checked configuration?"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path

from rageval_kit.archive.masking import (
    Mask,
    secrets_behind_environment,
    secrets_in_config,
    secrets_in_variables,
    secrets_on_command_line,
)
from rageval_kit.build.check import check
from rageval_kit.build.choices import ROOT, choices
from rageval_kit.build.composed import Composed, compose
from rageval_kit.build.dump import plain
from rageval_kit.build.overrides import read_overrides
from rageval_kit.build.planning import Request
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.schema import RunSpec


def requests(
    overrides: Sequence[str],
    *,
    config_dir: Path | None = None,
    config_name: str = ROOT,
    multirun: bool = False,
) -> tuple[tuple[Request, ...], tuple[str, ...]]:
    """Return one request for each run and the notices; every fault of every run at once.

    A sweep is checked whole before its first run: hours later is no time to learn of a typo.
    """
    found = choices(config_dir)
    words = read_overrides(overrides, found, multirun=multirun)
    mask = Mask.of(secrets_on_command_line(overrides), os.urandom(16))
    made: list[Request] = []
    faults = [masked(fault, mask) for fault in words.faults]
    for job in words.jobs:
        try:
            request = _request(compose(job, found, config_name), job)
            made.append(replace(request, config_dir=found.own, config_name=config_name))
        except InputError as error:
            faults.extend(masked(fault, mask) for fault in error.faults)
    faults.extend(_same_run_ids(made))
    if faults:
        raise InputError(dict.fromkeys(faults))
    return tuple(made), words.notices


def masked(fault: Fault, mask: Mask) -> Fault:
    """Return the fault with every secret in it blanked: a refused value may be one."""
    return Fault(*(mask.text(text) for text in astuple(fault)))


def _request(composed: Composed, job: Sequence[str]) -> Request:
    secrets = (
        secrets_behind_environment([composed.unresolved], os.environ)
        | secrets_on_command_line(job)
        | secrets_in_config(composed.values)
        | secrets_in_variables(composed.values, os.environ)
    )
    mask = Mask.of(secrets, os.urandom(16))
    try:
        spec = check(composed)
    except InputError as error:
        raise InputError(masked(fault, mask) for fault in error.faults) from error
    return Request(
        spec=spec,
        command=tuple(job),
        config_text=composed.unresolved,
        resolved_text=_resolved(spec),
        secrets=secrets,
        config_files=tuple(
            (shown, hashlib.sha256(file.read_bytes()).hexdigest()) for shown, file in composed.files
        ),
    )


def _resolved(spec: RunSpec) -> str:
    import yaml

    text: str = yaml.safe_dump(plain(spec), allow_unicode=True, sort_keys=True)
    return text


def _same_run_ids(made: Sequence[Request]) -> list[Fault]:
    given = [request.spec.archive.run_id for request in made]
    named = [run_id for run_id in given if run_id is not None]
    if len(named) == len(set(named)):
        return []
    way_out = "leave it null in a sweep, so that each run gets its own"
    return [Fault("archive.run_id", "is the same for several runs", named[0], way_out)]
