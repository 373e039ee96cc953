"""What was answered before: how are recorded answers given again, without asking anybody?"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rageval_kit.answering.citations import cited, named_sources
from rageval_kit.answering.task import Generator, Task
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Response, Seen, Stage, ToolCall

NOT_RECORDED = "not_recorded"
_LONGEST = 16 * 1024 * 1024
_TEXTS = ("key", "query", "principal", "answer")
_LISTS = ("citations", "sources", "tools")


@dataclass(frozen=True)
class Config:
    """`path`: a JSONL file of answers, or a folder of such files (as generator.store writes them).

    A line holds `answer` and what it answers: `key`, or `query` with `principal` where different
    readers were answered differently. `citations` are ids; without them `[1]` is read.
    """

    path: str
    context_tokens: int = field(default=800, metadata={"min": 1})


class Recorded:
    """The record of exactly this task; else that of the question, for this reader or for anybody.

    A question without a record fails as `not_recorded`: what was not answered was not harmless.
    """

    def __init__(self, records: Mapping[tuple[str, ...], Mapping[str, Any]], digest: str) -> None:
        self._records, self._digest = records, digest

    @property
    def name(self) -> str:
        return "recorded"

    @property
    def shows(self) -> frozenset[Stage]:
        return frozenset({Stage.ANSWER, Stage.CITATION, Stage.TOOL})

    @property
    def varies(self) -> bool:
        return False

    @property
    def concurrency(self) -> int:
        return 1

    def connect(self) -> None:
        """Everything was read when this was built."""

    def generate(self, task: Task) -> Response:
        principal = task.caller.principal_id
        asked = ((task.key,), (task.question, principal), (task.question, ""))
        record = next((self._records[one] for one in asked if one in self._records), None)
        if record is None:
            detail = f"key {task.key[:16]}…; record it with generator=openai or http"
            return Response(task.request_id, error=NOT_RECORDED, detail=detail)
        text = record["answer"]
        ids = record.get("citations")
        sources = record.get("sources")
        read = cited(text, task.passages) if ids is None else Seen(tuple(ids), named_sources(text))
        tools = record.get("tools", ())
        seen = {
            Stage.ANSWER: Seen(texts=(text,)),
            Stage.CITATION: replace(read, texts=read.texts if sources is None else tuple(sources)),
            Stage.TOOL: Seen(
                calls=tuple(ToolCall(t["name"], t.get("arguments", "")) for t in tools)
            ),
        }
        return Response(task.request_id, seen)

    def describe(self) -> Mapping[str, str]:
        return {
            "kind": "recorded",
            "records": str(len(self._records)),
            "sha-256": self._digest[:16],
        }

    def close(self) -> None:
        """Nothing is held open."""


def build(config: Config, seed: int) -> Generator:
    del seed
    return Recorded(*read_records(Path(config.path).expanduser()))


def read_records(path: Path) -> tuple[dict[tuple[str, ...], Mapping[str, Any]], str]:
    """Every record by key or by question and reader, and a digest; every fault at once."""
    import hashlib

    where = "generator.path"
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files or not files[0].is_file():
        way_out = "give a JSONL file, or a folder that holds some"
        raise InputError.one(where, "holds no recorded answers", str(path), way_out)
    digest = hashlib.sha256()
    records: dict[tuple[str, ...], Mapping[str, Any]] = {}
    faults: list[Fault] = []
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError as error:
            raise InputError.one(where, f"cannot be read ({error.strerror})", str(file)) from error
        digest.update(raw)
        for number, line in enumerate(raw.split(b"\n"), 1):
            if line.strip():
                place = f"{file.name}:{number}"
                faults += _take(line, place, records)
    if faults:
        raise InputError(faults)
    return records, digest.hexdigest()


def _take(
    line: bytes, place: str, records: dict[tuple[str, ...], Mapping[str, Any]]
) -> Iterator[Fault]:
    """Note the record of one line. The last of one key counts; a question has one."""
    if len(line) > _LONGEST:
        yield Fault(place, "is too long for an answer", f"{len(line)} bytes", "leave it out")
        return
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        yield Fault(place, "is not JSON in UTF-8")
        return
    if not isinstance(record, dict):
        yield Fault(place, "is no JSON object", type(record).__name__)
        return
    faults = list(_faults(record, place))
    yield from faults
    if faults:
        return
    if record.get("key"):
        records[record["key"],] = record
        return
    asked = (record["query"], record.get("principal", ""))
    if asked in records and records[asked] != record:
        way_out = "give one of them the key of its task, or leave it out"
        yield Fault(place, "answers a question that another line answers", "", way_out)
    records[asked] = record


def _faults(record: Mapping[str, Any], place: str) -> Iterator[Fault]:
    for name in _TEXTS:
        if name in record and not isinstance(record[name], str):
            yield Fault(f"{place}: {name}", "must be text", type(record[name]).__name__)
    for name in _LISTS:
        if name in record and not isinstance(record[name], list):
            yield Fault(f"{place}: {name}", "must be a list", type(record[name]).__name__)
    if "answer" not in record:
        yield Fault(place, "has no answer", "", 'write {"query": "…", "answer": "…"}')
    if not record.get("key") and not record.get("query"):
        yield Fault(place, "does not say what it answers", "", "give it key or query")
    for name in ("citations", "sources"):
        if any(not isinstance(one, str) or not one for one in _listed(record, name)):
            yield Fault(f"{place}: {name}", "must hold texts")
    for tool in _listed(record, "tools"):
        texts = isinstance(tool, dict) and isinstance(tool.get("arguments", ""), str)
        if not texts or not isinstance(tool.get("name"), str):
            yield Fault(f"{place}: tools", "must hold {name, arguments} as texts")


def _listed(record: Mapping[str, Any], name: str) -> list[Any]:
    value = record.get(name, [])
    return value if isinstance(value, list) else []
