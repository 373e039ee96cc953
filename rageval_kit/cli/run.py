"""What happens when a person asks for an evaluation, or for several?"""

from typing import TYPE_CHECKING

import click

from rageval_kit.cli.words import RunWords, read

if TYPE_CHECKING:
    from rageval_kit.build.planning import Request
    from rageval_kit.records.decisions import RunRecord
    from rageval_kit.records.faults import KitError


@click.command(
    "run",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> int:
    """Evaluate: `+suite=acl_negative retriever=hybrid`, `-m retriever=bm25,hybrid`."""
    asked = read(words)
    if asked.for_hydra:
        from rageval_kit.cli.hydra_view import show

        return show(asked)
    return evaluate(asked)


def evaluate(asked: RunWords) -> int:
    """Run what was asked and return the exit code of the worst decision."""
    from rageval_kit.build import requests
    from rageval_kit.cli.streams import say

    made, notices = requests(
        asked.overrides,
        config_dir=asked.config_dir,
        config_name=asked.config_name,
        multirun=asked.multirun,
    )
    for notice in notices:
        say(f"rageval-kit: {notice}")
    if asked.multirun:
        from rageval_kit.cli.sweep import sweep

        return sweep(made, as_json=asked.json)
    return _one(made[0], as_json=asked.json)


def _one(request: "Request", *, as_json: bool) -> int:
    from pathlib import Path

    from rageval_kit.cli.door import CRASH, INTERRUPTED, SECURITY
    from rageval_kit.cli.machine import machine
    from rageval_kit.cli.streams import say
    from rageval_kit.cli.summary import people_text, told
    from rageval_kit.records.faults import KitError

    try:
        record = run_one(request)
    except KeyboardInterrupt:
        say(resume_line(request))
        return INTERRUPTED
    except KitError as error:
        raise masked_error(error, request) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the trace is kept, the person is told one line
        say(crash(error, request))
        return CRASH
    folder = Path(request.spec.archive.root) / record.run_id
    say(people_text(record, folder, request.spec.report.lang or request.spec.lang))
    code = record.decision.exit_code
    if as_json:
        try:
            machine(told(record, folder))
        except KitError as error:
            say(f"rageval-kit: {error}")
            return code if code == SECURITY else error.exit_code
    return code


def run_one(request: "Request") -> "RunRecord":
    """Build and evaluate one request, with a progress line on stderr."""
    from rageval_kit.build import plan
    from rageval_kit.cli.progress import LineProgress
    from rageval_kit.run.evaluate import evaluate as evaluate_plan

    progress = LineProgress()
    try:
        record: RunRecord = evaluate_plan(plan(request), progress)
    finally:
        progress.finish()
    return masked_record(record, request)


def masked_record(record: "RunRecord", request: "Request") -> "RunRecord":
    """Return the record as a console may show it: a target may repeat a secret it was sent."""
    import os

    mask = request.mask(os.urandom(16))
    if not mask:
        return record
    import msgspec

    from rageval_kit.archive.canonical import plain
    from rageval_kit.records.decisions import RunRecord

    return msgspec.convert(mask.structure(plain(record)), RunRecord)


def crash(error: BaseException, request: "Request") -> str:
    """Keep the trace and return the one line about it; neither shows a secret."""
    import os

    from rageval_kit.cli.door import crash_line, trace_log

    mask = request.mask(os.urandom(16))
    return mask.text(crash_line(error, trace_log(error, mask=mask)))


def masked_error(error: "KitError", request: "Request") -> "KitError":
    """Return the same kind of error whose text shows no secret."""
    import os

    from rageval_kit.build.ask import masked
    from rageval_kit.records.faults import InputError, KitError

    mask = request.mask(os.urandom(16))
    if isinstance(error, InputError):
        return InputError(masked(fault, mask) for fault in error.faults)
    shown = KitError(mask.text(str(error)))
    shown.exit_code = error.exit_code
    return shown


def resume_line(request: "Request") -> str:
    if request.spec.engine.resume == "never":
        return "interrupted; engine.resume=never: the same command starts from the beginning"
    return "interrupted; the same command goes on where it stopped (engine.resume=auto)"
