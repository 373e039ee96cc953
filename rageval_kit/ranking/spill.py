"""How are rows gathered by query when a ranking states its lists interleaved?"""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from rageval_kit.records.faults import KitError

IN_MEMORY = 4_000_000
_SHARES = 64


@contextmanager
def gathered(
    blocks: Iterable[pl.DataFrame], in_memory: int = IN_MEMORY
) -> Iterator[tuple[Iterator[pl.DataFrame], bool]]:
    """Frames of whole lists, and whether rows went to disk: more than `in_memory` of them do.

    On disk, queries are dealt to shares by their hash, so that each share is a fraction of the
    whole; the folder is a temporary one and is gone afterwards.
    """
    held: list[pl.DataFrame] = []
    rows = 0
    iterator = iter(blocks)
    for block in iterator:
        held.append(block)
        rows += len(block)
        if rows > in_memory:
            break
    else:
        yield iter([_by_query(pl.concat(held))] if held else []), False
        return
    with tempfile.TemporaryDirectory(prefix="rageval-") as folder:
        try:
            for number, block in enumerate(_chain(held, iterator)):
                _deal(block, Path(folder), number)
        except OSError as error:
            raise KitError(
                f"{folder}: the rows of interleaved lists cannot be kept there "
                f"({error.strerror or error}); sort the ranking by query, or set TMPDIR to a "
                "folder with room"
            ) from error
        yield _shares(Path(folder)), True


def _chain(held: list[pl.DataFrame], rest: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    while held:
        yield held.pop(0)
    yield from rest


def _deal(block: pl.DataFrame, folder: Path, number: int) -> None:
    share = (block["query_id"].hash() % _SHARES).alias("share")
    for (name,), part in block.with_columns(share).partition_by("share", as_dict=True).items():
        into = folder / f"{name:02d}"
        into.mkdir(exist_ok=True)
        part.drop("share").write_ipc(into / f"{number:08d}.ipc")


def _shares(folder: Path) -> Iterator[pl.DataFrame]:
    for share in sorted(folder.iterdir()):
        parts = [pl.read_ipc(part) for part in sorted(share.iterdir())]
        yield _by_query(pl.concat(parts))


def _by_query(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.sort("query_id", maintain_order=True)
