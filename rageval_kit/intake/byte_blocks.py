"""How is a text file, plain or packed, read in blocks of whole lines?"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from rageval_kit.records.faults import InputError

BLOCK = 1 << 24
BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LINES = 200_000


def byte_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """Consecutive blocks of about `size` bytes, each ending with a line; the BOM is taken off."""
    rest = b""
    first = True
    for piece in unpacked(path, size):
        block = piece
        if first:
            first = False
            if block.startswith(_UTF16):
                way_out = "save it as UTF-8"
                raise InputError.one(str(path), "is UTF-16, not UTF-8", "", way_out)
            block = block.removeprefix(BOM)
        end = block.rfind(b"\n") + 1
        if not end:
            rest += block
            continue
        yield rest + block[:end] if rest else block[:end]
        rest = block[end:]
    if rest:
        yield rest + b"\n"


def unpacked(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """The bytes of a file in pieces; how it is packed is read from its first bytes."""
    try:
        with path.open("rb", buffering=0) as raw:
            head = raw.read(len(_ZSTD))
            raw.seek(0)
            if head == _ZSTD:
                yield from _zstd(path)
            elif head.startswith(_GZIP):
                with gzip.GzipFile(fileobj=raw, mode="rb") as file:
                    while piece := file.read(size):
                        yield piece
            else:
                while piece := raw.read(size):
                    yield piece
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        problem = "is not a whole gzip file"
        raise InputError.one(str(path), problem, str(error), "copy or pack it again") from None
    except OSError as error:
        problem, met = "cannot be opened", str(error.strerror)
        raise InputError.one(str(path), problem, met, "check the path") from None


def _zstd(path: Path) -> Iterator[bytes]:
    """Unpack with polars, whose reader of lines streams; so no further package is needed."""
    import polars as pl

    lines = 0
    try:
        for batch in pl.scan_lines(path, glob=False).collect_batches(chunk_size=_LINES):
            if batch.height:
                lines += batch.height
                yield (batch["line"].str.join("\n").item() + "\n").encode()
    except pl.exceptions.ComputeError as error:
        problem = f"is not UTF-8, somewhere after line {lines}"
        way_out = "unpack it to be told the line, and save it as UTF-8"
        raise InputError.one(str(path), problem, str(error), way_out) from None
    except OSError as error:
        problem = "is not a whole zstd file"
        raise InputError.one(str(path), problem, str(error), "copy or pack it again") from None
