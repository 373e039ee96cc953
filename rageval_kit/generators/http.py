"""How does somebody's own JSON endpoint answer from a question and passages?"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast
from urllib.parse import urlsplit

from rageval_kit.answering.calling import Calling, Headers
from rageval_kit.answering.citations import cited, named_sources
from rageval_kit.answering.replies import Kept
from rageval_kit.answering.settings import Connection
from rageval_kit.answering.task import Generator, Task, failed
from rageval_kit.endpoint.connection import check_installed
from rageval_kit.endpoint.paths import Absent, PathError, parse
from rageval_kit.endpoint.reply import UnparsableError, decoded, read_text, read_texts
from rageval_kit.endpoint.template import (
    UnsendableError,
    Values,
    filled,
    filled_header,
    names_in,
)
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Response, Seen, Stage, ToolCall

# Lists stand only as a whole value of the body; the rest also inside a longer text.
LISTS = frozenset({"passages", "ids", "history"})
PLACEHOLDERS = LISTS | {"query", "numbered", "principal", "session", "request_id", "repeat"}


@dataclass(frozen=True)
class ToolsMap:
    """Where the reply lists the tools that were called; `arguments` None: their names alone."""

    names: str
    arguments: str | None = None


@dataclass(frozen=True, kw_only=True)
class Config(Connection):
    """`$query`, `$passages` (texts), `$ids`, `$numbered` (one text), `$history` fill the body.

    `citations`: where the reply lists ids of passages, or their numbers from 1; None: they are read
    from `[1]` in the answer. `prompt_canary`: a token that stands in the endpoint's own hidden
    instructions, and nowhere else.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(
        default_factory=lambda: {"question": "$query", "passages": "$passages"}
    )
    answer: str = "answer"
    citations: str | None = None
    tools: ToolsMap | None = None
    prompt_canary: str = ""

    def __post_init__(self) -> None:
        faults = [
            *self.address_faults("url", self.url),
            *self._templates(),
            *self._paths(),
        ]
        if faults:
            raise InputError(faults)

    def addresses(self) -> list[str]:
        return [self.url.lower(), *super().addresses()]

    def _templates(self) -> Iterator[Fault]:
        for part, known in (("headers", PLACEHOLDERS - LISTS), ("body", PLACEHOLDERS)):
            names = set(names_in(getattr(self, part)))
            for name in sorted(names - known):
                shown = ", ".join(f"${one}" for one in sorted(known))
                yield Fault(part, "no such placeholder here", f"'${name}'", f"known: {shown}")
        there = set(names_in(self.body))
        if "query" not in there:
            yield Fault("body", "says nowhere what is asked", "", "put in $query")
        if not {"passages", "numbered"} & there:
            yield Fault("body", "hands over no passages", "", "put in $passages or $numbered")

    def _paths(self) -> Iterator[Fault]:
        paths = {"answer": self.answer, "citations": self.citations}
        if self.tools is not None:
            paths |= {"tools.names": self.tools.names, "tools.arguments": self.tools.arguments}
        for where, text in paths.items():
            if text is not None:
                try:
                    parse(text)
                except PathError as error:
                    yield Fault(where, str(error), f"'{text}'")


class HttpGenerator:
    """One call per question."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self._calling = Calling(config, config.url, "generator.url")

    @property
    def name(self) -> str:
        return f"http ({urlsplit(self.config.url).netloc})"

    @property
    def shows(self) -> frozenset[Stage]:
        tools = {Stage.TOOL} if self.config.tools is not None else set()
        return frozenset({Stage.ANSWER, Stage.CITATION} | tools)

    @property
    def prompt_canary(self) -> str:
        return self.config.prompt_canary

    @property
    def varies(self) -> bool:
        return True

    @property
    def concurrency(self) -> int:
        return self.config.concurrency

    def connect(self) -> None:
        self._calling.connect()

    def generate(self, task: Task) -> Response:
        try:
            headers, content = self._message(task)
        except UnsendableError as error:
            return Response(task.request_id, error="unsendable", detail=str(error))
        response, body = self._calling.post(task, headers, content)
        if response.error:
            return response
        try:
            seen = self._seen(task, decoded(body))
        except UnparsableError as error:
            return failed(response, "unparsable", str(error))
        if not "".join(seen[Stage.ANSWER].texts).strip() and not _called(seen):
            return failed(response, "empty", "the answer holds no text")
        return replace(response, seen=seen)

    def describe(self) -> Mapping[str, str]:
        """No header and no field of the body: any of them may be a secret."""
        return {
            "kind": "http",
            "url": self._calling.shown,
            "placeholders": ", ".join(sorted(set(names_in(self.config.body)))),
        }

    def close(self) -> None:
        self._calling.close()

    def _message(self, task: Task) -> tuple[Headers, bytes]:
        values: dict[str, Any] = {
            "query": task.question,
            "passages": [passage.text for passage in task.passages],
            "ids": [passage.passage_id for passage in task.passages],
            "numbered": "\n\n".join(
                f"[{number}]\n{passage.text}" for number, passage in enumerate(task.passages, 1)
            ),
            "history": [
                {"question": turn.question, "answer": turn.answer} for turn in task.history
            ],
            "principal": task.caller.principal_id,
            "session": task.session or None,
            "request_id": task.request_id,
            "repeat": task.repeat,
        }
        given = cast("Values", values)  # lists stand as whole values only
        sent = {name: filled_header(text, given) for name, text in self.config.headers.items()}
        headers = {"Content-Type": b"application/json", "Accept": b"application/json"}
        headers |= {name: value for name, value in sent.items() if value is not None}
        content = json.dumps(filled(self.config.body, given)).encode("ascii")
        return tuple(headers.items()), content

    def _seen(self, task: Task, reply: Any) -> dict[Stage, Seen]:
        config = self.config
        text = read_text(reply, config.answer, "answer")
        # Where ids come of their own, the numbers in the text may count something else.
        named = (
            cited(text, task.passages)
            if config.citations is None
            else Seen(self._ids(task, reply), named_sources(text))
        )
        seen = {Stage.ANSWER: Seen(texts=(text,)), Stage.CITATION: named}
        if config.tools is not None:
            seen[Stage.TOOL] = Seen(calls=_calls(config.tools, reply))
        return seen

    def _ids(self, task: Task, reply: Any) -> tuple[str, ...]:
        """Ids as they come; a number stands for the passage of that number."""
        try:
            values = parse(self.config.citations or "").values(reply)
        except Absent as absent:
            raise UnparsableError(f"citations: {absent}") from absent
        ids = []
        for value in values:
            if isinstance(value, str) and value:
                ids.append(value)
            elif type(value) is int and 1 <= value <= len(task.passages):
                ids.append(task.passages[value - 1].passage_id)
            else:
                raise UnparsableError("citations: holds neither an id nor a passage's number")
        return tuple(dict.fromkeys(ids))


def _calls(mapped: ToolsMap, reply: Any) -> tuple[ToolCall, ...]:
    names = read_texts(reply, mapped.names, "tools.names")
    if mapped.arguments is None:
        return tuple(map(ToolCall, names))
    try:
        given = parse(mapped.arguments).values(reply)
    except Absent as absent:
        raise UnparsableError(f"tools.arguments: {absent}") from absent
    if len(given) != len(names):
        raise UnparsableError(f"tools: {len(names)} names, but {len(given)} arguments")
    texts = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in given)
    return tuple(map(ToolCall, names, texts))


def _called(seen: Mapping[Stage, Seen]) -> bool:
    return Stage.TOOL in seen and bool(seen[Stage.TOOL].calls)


def build(config: Config, seed: int) -> Generator:
    del seed  # an endpoint of one's own keeps its own
    check_installed("generator", "http")
    made = HttpGenerator(config)
    return made if config.store is None else Kept(made, config.store)
