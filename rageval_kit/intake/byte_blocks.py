"""How is a text file, plain or packed, read in blocks of whole lines?"""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rageval_kit.records.faults import InputError

BLOCK = 1 << 24
BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_LINES = 200_000
_LONGEST_LINE = 1 << 26


def byte_blocks(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """Consecutive blocks of about `size` bytes, each ending with a line; the BOM is taken off."""
    for number, block in enumerate(_whole_lines(path, size)):
        if number:
            yield block
        elif block.startswith(_UTF16):
            raise InputError.one(str(path), "is UTF-16, not UTF-8", "", "save it as UTF-8")
        else:
            yield block.removeprefix(BOM)


def _whole_lines(path: Path, size: int) -> Iterator[bytes]:
    with _opened(path) as file:
        if not isinstance(file, io.RawIOBase):
            yield from _lines_of_pieces(_pieces(file, path, size), path)
            return
        # A plain file is read into one buffer, so that each byte is copied once.
        buffer, held = bytearray(size), 0
        while True:
            n = file.readinto(memoryview(buffer)[held:]) or 0
            if not n:
                break
            end = buffer.rfind(b"\n", held, held + n) + 1
            held += n
            if end:
                yield bytes(memoryview(buffer)[:end])
                buffer[: held - end] = buffer[end:held]
                held -= end
            if held == len(buffer):  # one line fills it all
                _check_length(held, path)
                buffer.extend(bytes(size))
        if held:
            yield bytes(memoryview(buffer)[:held]) + b"\n"


def _lines_of_pieces(pieces: Iterator[bytes], path: Path) -> Iterator[bytes]:
    rest: list[bytes] = []
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*rest, piece[:end]])
            rest = [piece[end:]]
        else:
            rest.append(piece)
            _check_length(sum(map(len, rest)), path)
    if any(rest):
        yield b"".join([*rest, b"\n"])


def _check_length(size: int, path: Path) -> None:
    if size > _LONGEST_LINE:
        problem = f"a line goes on for more than {_LONGEST_LINE:,} bytes"
        raise InputError.one(str(path), problem, "", "is this a text file of lines?")


def unpacked(path: Path, size: int = BLOCK) -> Iterator[bytes]:
    """The bytes of a file in pieces; how it is packed is read from its first bytes."""
    with _opened(path) as file:
        yield from _pieces(file, path, size)


@contextmanager
def _opened(path: Path) -> Iterator[io.RawIOBase | gzip.GzipFile | None]:
    """The file itself where it is plain, what unpacks it, or None for zstd."""
    try:
        with path.open("rb", buffering=0) as raw:
            head = raw.read(len(_ZSTD))
            if not raw.seekable():
                problem, way_out = "cannot be read twice", "save what the pipe gives to a file"
                raise InputError.one(str(path), problem, "a pipe", way_out)
            raw.seek(0)
            if head == _ZSTD:
                yield None
            elif head.startswith(_GZIP):
                with gzip.GzipFile(fileobj=raw, mode="rb") as file:
                    yield file
            else:
                yield raw
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise _torn(path, error) from None
        problem, met = "cannot be opened", str(error.strerror)
        raise InputError.one(str(path), problem, met, "check the path") from None
    except (EOFError, zlib.error) as error:
        raise _torn(path, error) from None


def _torn(path: Path, error: Exception) -> InputError:
    way_out = "copy or pack it again"
    return InputError.one(str(path), "is not a whole gzip file", str(error), way_out)


def _pieces(file: io.RawIOBase | gzip.GzipFile | None, path: Path, size: int) -> Iterator[bytes]:
    if file is None:
        yield from _zstd(path)
        return
    while piece := file.read(size):
        yield piece


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
