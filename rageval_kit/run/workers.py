"""How do several processes share the blocks of a run, so that its rows are those of one process?

Each worker is a copy of this process, and so of the target as it was connected; the blocks go round
among them in a fixed order and are read back in that order. Which worker ran a block shows nowhere:
a block begins with the target put back, whoever runs it.
"""

import signal
from collections.abc import Generator, Sequence
from dataclasses import replace
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext
from typing import cast

from rageval_kit.execute.block import BlockResult
from rageval_kit.records.cases import Case
from rageval_kit.records.faults import InputError, KitError
from rageval_kit.records.target import Copied, Target
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.repeats import run_block
from rageval_kit.run.rows import CaseRow

Done = tuple[list[CaseRow], BlockResult]
FORK = "fork"


def run_blocks(
    prepared: Prepared, todo: Sequence[Sequence[Case]], key: bytes, *, texts: bool = False
) -> Generator[Done, None, None]:
    """What each block came to, in their order; `texts`: with its traces, which may be large."""
    workers = min(prepared.plan.spec.engine.workers, len(todo))
    if workers <= 1:
        for block in todo:
            yield run_block(prepared, block, key)
        return
    context = cast("ForkContext", get_context(FORK))
    ends: list[Connection] = []
    processes = []
    for number in range(workers):
        mine, theirs = context.Pipe(duplex=False)
        share = todo[number::workers]
        process = context.Process(
            target=_work,
            args=(prepared, share, key, theirs),
            kwargs={"texts": texts},
            daemon=True,
        )
        process.start()
        theirs.close()
        ends.append(mine)
        processes.append(process)
    try:
        for number in range(len(todo)):
            yield _received(ends[number % workers])
    finally:
        for process in processes:
            process.terminate()
            process.join()
        for end in ends:
            end.close()


def check_workers(target: Target, workers: int) -> None:
    """InputError where this target, or this machine, cannot be shared among processes."""
    if workers <= 1:
        return
    if not (isinstance(target, Copied) and target.copied):
        way_out = "leave it at 1; only a target held in this process can be copied"
        raise InputError.one("engine.workers", f"{target.name} is one", str(workers), way_out)
    if FORK not in get_all_start_methods():
        way_out = "leave it at 1"
        raise InputError.one("engine.workers", "this system copies no process", "", way_out)


def _received(end: Connection) -> Done:
    try:
        given = end.recv()
    except EOFError:
        raise KitError("a worker ended before its block was done; run with engine.workers=1") from (
            None
        )
    if isinstance(given, BaseException):
        raise given
    return cast("Done", given)


def _work(
    prepared: Prepared, share: Sequence[Sequence[Case]], key: bytes, end: Connection, *, texts: bool
) -> None:
    """One worker's life: its blocks in turn; Ctrl-C is for the process that reads them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for block in share:
        try:
            rows, result = run_block(prepared, block, key)
        except Exception as fault:  # noqa: BLE001 - raised again by whoever reads it
            end.send(fault)
            return
        end.send((rows, result if texts else replace(result, traces=())))
    end.close()
