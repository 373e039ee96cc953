"""A folder of Markdown and text files read as flat rows, with front matter where there is some."""

from pathlib import Path
from typing import Any

from rageval_kit.intake.files import Row, read_text
from rageval_kit.intake.report import Collector
from rageval_kit.intake.yaml_text import read_yaml
from rageval_kit.text.normalise import nfc

SUFFIXES = (".md", ".markdown", ".txt")
_FRONT_LIMIT = 65_536


def read_pages(folder: Path, faults: Collector) -> list[Row]:
    """Read every page below the folder, in the order of their names; ids are relative paths."""
    rows: list[Row] = []
    met: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            rule = "is a link, which could lead out of the folder"
            faults.fault(str(path), 0, "", None, rule, "put a copy in its place")
            continue
        if not path.is_file() or path.suffix.lower() not in SUFFIXES:
            continue
        raw_id = path.relative_to(folder).as_posix()
        page_id = nfc(raw_id)
        if page_id in met:
            rule = f"has the same id after NFC as {met[page_id]}"
            faults.fault(str(path), 0, "document_id", page_id, rule, "rename one of the two")
            continue
        met[page_id] = str(path)
        text = read_text(path, faults)
        if text is not None:
            rows.append(_page(path, page_id, text, faults))
    if not rows and not faults.faults:
        rule = "holds no page"
        way_out = f"put files ending in {', '.join(SUFFIXES)} there"
        faults.fault(str(folder), 0, "", None, rule, way_out)
    return rows


def _page(path: Path, page_id: str, text: str, faults: Collector) -> Row:
    data: dict[str, Any] = {}
    if opens_front_matter(text):
        front, rest = front_matter(text)
        if front is None:
            rule = f"opens front matter that does not close within {_FRONT_LIMIT} characters"
            faults.fault(str(path), 1, "", None, rule, "close it with a line ---")
        else:
            value = read_yaml(front, str(path), faults, first_line=2)
            if isinstance(value, dict):
                data = {key: item for key, item in value.items() if key is not None}
            elif value is not None:
                rule = "the front matter is not a mapping"
                faults.fault(str(path), 2, "", None, rule, "write key: value lines")
            text = rest
    data.setdefault("document_id", page_id)
    data["text"] = text
    return Row(str(path), 1, data)


def opens_front_matter(text: str) -> bool:
    line, end, _ = text.partition("\n")
    return bool(end) and line.rstrip() == "---"


def front_matter(text: str) -> tuple[str | None, str]:
    """Give the front matter and the text after it; None and the whole text where there is none."""
    if not opens_front_matter(text):
        return None, text
    begin = text.index("\n") + 1
    position = begin
    while position < min(len(text), begin + _FRONT_LIMIT):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        if text[position:end].rstrip() == "---":
            return text[begin:position], text[end + 1 :]
        position = end + 1
    return None, text
