"""Passages cut out of a text by heading and paragraph, each a verbatim slice of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_TABLE_RULE = frozenset(" \t:|-")
_FENCE = ("```", "~~~")
_SENTENCE_END = re.compile(r"[。！？；!?]|[.;](?=\s)|\n")
MAX_CHARS = 1200
# What every passage below repeats must be short, whatever a text calls its heading.
_LONGEST_HEADING = 500


@dataclass(frozen=True, slots=True)
class Passage:
    """`text == source[start:end]`; `location` names headings, paragraphs and characters."""

    text: str
    location: str
    kind: str
    table_header: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    heading: tuple[str, ...]
    is_table: bool
    is_heading: bool


def first_heading(text: str) -> str:
    """Give the first heading of the first level, or nothing."""
    for block in _blocks(text):
        if block.is_heading and len(block.heading) == 1:
            return block.heading[0]
    return ""


def passages(text: str, max_chars: int = MAX_CHARS) -> list[Passage]:
    """Cut a text: never across headings, tables apart, small paragraphs together.

    A table cut in several keeps its head rows in `table_header` of each piece.
    """
    gathered = _Gathered(text, max_chars)
    for block in _blocks(text):
        gathered.take(block)
    gathered.close(at_end=True)
    return gathered.found


@dataclass(slots=True)
class _Gathered:
    """The passages so far, and the blocks from `start` to `end` that may still become one."""

    text: str
    max_chars: int
    found: list[Passage] = field(default_factory=list)
    start: int = -1
    end: int = -1
    heading: tuple[str, ...] = ()
    has_body: bool = False
    number: int = 0
    first: int = 1

    def take(self, block: _Block) -> None:
        too_long = self.has_body and block.end - self.start > self.max_chars
        if block.is_heading or block.is_table or too_long:
            self.close()
        if block.is_table:
            start = block.start if self.start < 0 else self.start
            self.number += 1
            self.found.extend(_table(self.text, start, block, self.number, self.max_chars))
            self.start = -1
            return
        if not block.is_heading:
            self.number += 1
            self.first = self.first if self.has_body else self.number
            self.has_body = True
        self.start = block.start if self.start < 0 else self.start
        self.end, self.heading = block.end, block.heading

    def close(self, *, at_end: bool = False) -> None:
        """End the passage; headings alone wait for what they head, if anything follows."""
        if self.start < 0 or not (self.has_body or at_end):
            return
        numbers = (self.first if self.has_body else self.number, self.number)
        self.found.extend(
            _cut(self.text, self.start, self.end, self.heading, numbers, self.max_chars)
        )
        self.start, self.has_body = -1, False


def _is_table_rule(line: str) -> bool:
    # no regular expression: a long line of dashes that ends otherwise would be tried without end
    return "-" in line and _TABLE_RULE.issuperset(line)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end + 1
        yield start, end
        start = end


def _blocks(text: str) -> Iterator[_Block]:
    heading: list[tuple[int, str]] = []
    begin: int | None = None
    last = 0
    fence = ""
    table = False
    previous = ""

    def titles() -> tuple[str, ...]:
        return tuple(title for _, title in heading)

    for start, end in _lines(text):
        line = text[start:end].rstrip("\r\n")
        mark = line.lstrip()[:3]
        is_short = len(line) <= _LONGEST_HEADING
        found = _HEADING.fullmatch(line) if is_short and not fence else None
        blank = not line.strip() and not fence
        if (found or blank) and begin is not None:
            yield _Block(begin, last, titles(), table, is_heading=False)
            begin, table = None, False
        if found:
            level = len(found.group(1))
            heading = [item for item in heading if item[0] < level]
            heading.append((level, found.group(2).strip().rstrip("#").strip()))
            yield _Block(start, start + len(line), titles(), is_table=False, is_heading=True)
        elif not blank:
            if mark in _FENCE and fence in ("", mark):
                fence = "" if fence else mark
            begin = start if begin is None else begin
            ruled = "|" in line and "|" in previous and _is_table_rule(line)
            table = table or (ruled and not fence)
            last = start + len(line)
        previous = line
    if begin is not None:
        yield _Block(begin, last, titles(), table, is_heading=False)


def _location(heading: tuple[str, ...], numbers: tuple[int, int], start: int, end: int) -> str:
    first, last = numbers
    paragraphs = f"¶{first}" if last <= first else f"¶{first}-{last}"
    return " ".join(part for part in (" > ".join(heading), paragraphs, f"@{start}-{end}") if part)


def _cut(
    text: str,
    start: int,
    end: int,
    heading: tuple[str, ...],
    numbers: tuple[int, int],
    max_chars: int,
) -> Iterator[Passage]:
    while start < end:
        stop = end
        if end - start > max_chars:
            stop = start + max_chars
            ends = [m.end() for m in _SENTENCE_END.finditer(text, start + max_chars // 2, stop)]
            stop = ends[-1] if ends else stop
        piece = text[start:stop]
        if piece.strip():
            place = _location(heading, numbers, start, stop)
            yield Passage(piece, place, "body", None, start, stop)
        start = stop


def _table(text: str, start: int, block: _Block, number: int, max_chars: int) -> Iterator[Passage]:
    lines = [(block.start + a, block.start + b) for a, b in _lines(text[block.start : block.end])]
    rule = next(
        n
        for n, (a, b) in enumerate(lines)
        if n and "|" in text[a:b] and _is_table_rule(text[a:b].rstrip("\r\n"))
    )
    head = (lines[rule - 1][0], lines[rule][1])
    # every piece repeats it, so one longer than a passage is not kept
    header = text[slice(*head)].rstrip("\r\n") if head[1] - head[0] <= max_chars else None
    begin = start
    for n, (a, b) in enumerate(lines):
        if n > rule + 1 and b - begin > max_chars:
            yield _row_group(text, begin, a, block, number, header)
            begin = a
    yield _row_group(text, begin, block.end, block, number, header)


def _row_group(
    text: str, start: int, end: int, block: _Block, number: int, header: str | None
) -> Passage:
    place = _location(block.heading, (number, number), start, end)
    return Passage(text[start:end], place, "table", header, start, end)
