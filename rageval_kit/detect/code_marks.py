"""Which stretches of a Markdown text are surely code, and so neither fetched nor clickable?"""

import re
from bisect import bisect_left
from collections import defaultdict

_RUN = re.compile(r"`+")
_INLINE = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_BESIDE = re.compile(r"[^`~\w]*(?:```|~~~)")  # a fence inside a list or quotation, or indented
_CLOSING = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*")
_VEIL = {code: "\ufffd" for code in range(0x21, 0x7F) if not chr(code).isalnum()}


def without_code(text: str) -> str:
    """The text with the punctuation of its code blanked out: no address can be read there.

    Code is believed in only up to the first doubtful mark (raw HTML, a mark left open, a fence
    inside something else): from there on a renderer may see it otherwise, so nothing is exempt.
    """
    if "`" not in text and "~~~" not in text:
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    fence = ""
    for number, line in enumerate(lines):
        if fence:
            closing = _CLOSING.fullmatch(line)
            if closing and closing[1].startswith(fence):
                fence = ""
            else:
                lines[number] = line.translate(_VEIL)
            continue
        opening = _FENCE.fullmatch(line)
        if opening and not (line[0] == "`" and "`" in opening[2]):
            fence = opening[1]
            lines[number] = line.translate(_VEIL)
            continue
        lines[number], is_sure = _spans(line)
        if not is_sure:
            break
    return "\n".join(lines)


def _spans(line: str) -> tuple[str, bool]:
    """The line with its code spans blanked out, and whether every mark in it was understood."""
    if "`" not in line and "<" not in line and "~~~" not in line:
        return line, True
    if _BESIDE.match(line):
        return line, False
    closers: dict[int, list[int]] = defaultdict(list)
    for run in _RUN.finditer(line):
        closers[len(run[0])].append(run.start())
    done, position = [], 0
    while mark := _INLINE.search(line, position):
        if mark[0][0] == "\\":
            done.append(line[position : mark.end()])
            position = mark.end()
            continue
        starts = closers.get(len(mark[0]), []) if mark[0][0] == "`" else []
        place = bisect_left(starts, mark.end())
        if place == len(starts) or "|" in line[mark.end() : starts[place]]:
            return "".join((*done, line[position:])), False
        end = starts[place] + len(mark[0])
        done += [line[position : mark.start()], line[mark.start() : end].translate(_VEIL)]
        position = end
    return "".join((*done, line[position:])), True
