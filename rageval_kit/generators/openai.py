"""How does a model behind an OpenAI-compatible endpoint answer from the passages?"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rageval_kit.answering.calling import Calling
from rageval_kit.answering.chat import ChatReply, read_chat
from rageval_kit.answering.citations import cited
from rageval_kit.answering.prompt import Kind, Memory, load_prompt
from rageval_kit.answering.replies import Kept
from rageval_kit.answering.settings import Connection
from rageval_kit.answering.task import Generator, Task, failed
from rageval_kit.answering.tools import offered
from rageval_kit.detect.canary import PROMPT_CANARY
from rageval_kit.endpoint.connection import check_installed
from rageval_kit.endpoint.reply import UnparsableError
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Response, Seen, Stage

_OWN_FIELDS = frozenset({"model", "messages", "stream", "tools"})


@dataclass(frozen=True, kw_only=True)
class Config(Connection):
    """`api_key_env` names the variable that holds the key; the key itself stands nowhere.

    `seed` None: the run's. Repeats of a case send the seed plus the number of the repeat. `extra`:
    further fields of the body; one that is null leaves out a field of ours. A reply cut off at
    `max_tokens` fails as `truncated` unless `allow_truncated`.
    """

    base_url: str
    model: str
    api_key_env: str | None = None
    prompt: Kind = "marked"
    history: Memory = "turns"
    temperature: float = field(default=0.0, metadata={"min": 0})
    max_tokens: int = field(default=800, metadata={"min": 1})
    seed: int | None = field(default=None, metadata={"min": 0})
    stream: bool = False
    tools: bool = False
    allow_truncated: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        faults = [*self.address_faults("base_url", self.base_url), *self._fields()]
        if faults:
            raise InputError(faults)

    @property
    def url(self) -> str:
        return f"{self.base_url.rstrip('/')}/chat/completions"

    def addresses(self) -> list[str]:
        return [self.url.lower(), *super().addresses()]

    def _fields(self) -> Iterator[Fault]:
        if not self.model:
            yield Fault("model", "is empty", "", "name the model as the endpoint knows it")
        for name in sorted(_OWN_FIELDS & self.extra.keys()):
            yield Fault(f"extra.{name}", "is set by the kit itself", "", "leave it out")


class OpenAI:
    """One call per question. `key` is sent in a header and held nowhere else."""

    def __init__(self, config: Config, seed: int, key: str = "") -> None:
        self.config = config
        self._seed = seed if config.seed is None else config.seed
        self._prompt = load_prompt(config.prompt)
        accepted = b"text/event-stream" if config.stream else b"application/json"
        self._headers: tuple[tuple[str, bytes], ...] = (
            ("Content-Type", b"application/json"),
            ("Accept", accepted),
            *((("Authorization", f"Bearer {key}".encode("ascii")),) if key else ()),
        )
        self._calling = Calling(config, config.url, "generator.base_url")

    @property
    def name(self) -> str:
        return f"openai ({self.config.model})"

    @property
    def shows(self) -> frozenset[Stage]:
        tools = {Stage.TOOL} if self.config.tools else set()
        return frozenset({Stage.ANSWER, Stage.CITATION} | tools)

    @property
    def prompt_canary(self) -> str:
        return PROMPT_CANARY  # both prompts of the kit hold it

    @property
    def varies(self) -> bool:
        return True

    @property
    def concurrency(self) -> int:
        return self.config.concurrency

    def connect(self) -> None:
        self._calling.connect()

    def generate(self, task: Task) -> Response:
        content = json.dumps(self.body(task)).encode("ascii")
        response, body = self._calling.post(task, self._headers, content)
        if response.error:
            return response
        try:
            return self._shown(task, response, read_chat(body))
        except UnparsableError as error:
            return failed(response, "unparsable", str(error))

    def body(self, task: Task) -> dict[str, Any]:
        config = self.config
        own: dict[str, Any] = {
            "model": config.model,
            "messages": self._prompt.messages(task, config.history, self._seed),
            "temperature": config.temperature,
            "max_tokens": config.max_tokens,
            "seed": self._seed + task.repeat,
            "stream": config.stream,
            **({"tools": offered()} if config.tools else {}),
            **config.extra,
        }
        return {name: value for name, value in own.items() if value is not None}

    def describe(self) -> Mapping[str, str]:
        config = self.config
        return {
            "kind": "openai",
            "url": self._calling.shown,
            "model": config.model,
            "temperature": f"{config.temperature:g}",
            "max tokens": str(config.max_tokens),
            "seed": str(self._seed),
            "prompt": f"{config.prompt}, sha-256 {self._prompt.digest[:16]}",
            "history": config.history,
            "tools": "offered" if config.tools else "none",
            "extra": ", ".join(sorted(config.extra)) or "none",
        }

    def close(self) -> None:
        self._calling.close()

    def _shown(self, task: Task, response: Response, reply: ChatReply) -> Response:
        config = self.config
        if reply.finish == "length" and not config.allow_truncated:
            detail = f"the reply was cut off at max_tokens={config.max_tokens}"
            return failed(response, "truncated", detail)
        if reply.finish == "content_filter":
            return failed(response, "filtered", "the endpoint withheld the reply")
        if not reply.text.strip() and not reply.calls:
            return failed(response, "empty", "no text and no tool call")
        seen = {
            Stage.ANSWER: Seen(texts=(reply.text,)),
            Stage.CITATION: cited(reply.text, task.passages),
        }
        if config.tools or reply.calls:
            seen[Stage.TOOL] = Seen(calls=reply.calls)
        if config.history == "full" and task.history:
            earlier = [p for turn in task.history for p in turn.passages]
            given = dict.fromkeys([*task.passages, *earlier])
            ids, texts = tuple(p.passage_id for p in given), tuple(p.text for p in given)
            seen[Stage.CONTEXT] = Seen(ids, texts)
        return replace(response, seen=seen)


def build(config: Config, seed: int) -> Generator:
    check_installed("generator", "openai")
    key = read_key(config.api_key_env)
    made = OpenAI(config, seed, key)
    return made if config.store is None else Kept(made, config.store, key)


def read_key(variable: str | None) -> str:
    """The key from the environment; what a faulty one holds is not shown."""
    if variable is None:
        return ""
    key = os.environ.get(variable, "").strip()
    where = "generator.api_key_env"
    if not key:
        way_out = f"export {variable}=…, or leave api_key_env null for an endpoint without keys"
        raise InputError.one(where, "names a variable that is not set", variable, way_out)
    if not key.isascii() or not key.isprintable():
        way_out = "set it again; a line break may have come along"
        raise InputError.one(where, "holds more than printable ASCII", variable, way_out)
    return key
