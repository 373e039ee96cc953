"""What did a chat-completions endpoint reply: text, tool calls, and why it stopped?"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rageval_kit.answering.parts import Mapped, Shown, listed, mapping, text
from rageval_kit.endpoint.reply import UnparsableError, decoded
from rageval_kit.records.target import ToolCall

_DONE = b"[DONE]"
_LEGACY = -1  # where the one call of the older field `function_call` stands among the others


@dataclass(frozen=True, slots=True)
class ChatReply:
    """`finish` as the endpoint says it: stop, length, tool_calls, content_filter …"""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = ""


def read_chat(body: bytes) -> ChatReply:
    """A whole reply or a stream of events; an endpoint may ignore which of them was asked for."""
    start = body.lstrip()[:1]
    return _stream(body) if start and start not in b"{[" else _whole(body)


def _whole(body: bytes) -> ChatReply:
    choice = _choice(decoded(body))
    if choice is None:
        raise UnparsableError("choices is empty")
    message = mapping(choice.get("message"), "choices[0].message")
    shown = Shown()
    shown.take(message)
    calls = tuple(
        _named(text(function.get("name"), "a tool's name"), _arguments(function))
        for _, _, function in _functions(message)
    )
    return ChatReply(shown.text, calls, _finish(choice))


def _stream(body: bytes) -> ChatReply:
    """Deltas joined. A stream that says neither why it stopped nor that it is done broke off."""
    shown, calls = Shown(), _Calls()
    finish, done = "", False
    for event in _events(body):
        if event == _DONE:
            done = True
            break
        choice = _choice(decoded(event))
        if choice is None:  # an event that only counts tokens
            continue
        delta = mapping(choice.get("delta") or {}, "choices[0].delta")
        shown.take(delta)
        for index, call_id, function in _functions(delta):
            calls.take(index, call_id, function)
        finish = _finish(choice) or finish
    if not done and not finish:
        raise UnparsableError("the stream broke off before its end")
    return ChatReply(shown.text, calls.whole(), finish)


@dataclass(slots=True)
class _Call:
    """A call as far as its deltas have told it."""

    call_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    def is_another(self, call_id: str, name: str) -> bool:
        return bool(self.name and self.name != name) or bool(
            call_id and self.call_id and self.call_id != call_id
        )


class _Calls:
    """Calls told in deltas, in the order in which they began.

    Not every endpoint counts its calls: a delta that names another tool, or names one under another
    id, begins another call wherever it stands.
    """

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._at: dict[int, _Call] = {}
        self._by_id: dict[str, _Call] = {}

    def take(self, index: int, call_id: str, function: Mapped) -> None:
        name = text(function.get("name") or "", "a tool's name")
        call = self._by_id.get(call_id) or self._at.get(index)
        if call is None or (name and call.is_another(call_id, name)):
            call = _Call()
            self._calls.append(call)
        call.call_id, call.name = call.call_id or call_id, call.name or name
        call.arguments.append(_arguments(function))
        self._at[index] = call
        if call_id:
            self._by_id[call_id] = call

    def whole(self) -> tuple[ToolCall, ...]:
        return tuple(_named(call.name, "".join(call.arguments)) for call in self._calls)


def _functions(message: Mapped) -> Iterator[tuple[int, str, Mapped]]:
    """Each call of a message or delta: where it stands, its id, and the function called."""
    for place, one in enumerate(listed(message.get("tool_calls"), "tool_calls")):
        call = mapping(one, "a tool call")
        told = call.get("index")
        call_id = text(call.get("id") or "", "a tool call's id")
        function = mapping(call.get("function") or {}, "its function")
        yield told if isinstance(told, int) else place, call_id, function
    legacy = message.get("function_call")
    if legacy is not None:
        yield _LEGACY, "", mapping(legacy, "function_call")


def _named(name: str, arguments: str) -> ToolCall:
    if not name:
        raise UnparsableError("a tool call names no tool")
    return ToolCall(name, arguments)


def _events(body: bytes) -> Iterator[bytes]:
    """The data of each event; lines that are no data (comments, names, times) say nothing here."""
    data: list[bytes] = []
    for line in body.replace(b"\r\n", b"\n").split(b"\n"):
        if line.startswith(b"data:"):
            data.append(line[5:].strip())
        elif not line and data:
            yield b"\n".join(data)
            data = []
    if data:
        yield b"\n".join(data)


def _choice(reply: Any) -> Mapped | None:
    """The one choice: of several, a reader would be shown one that nobody here can tell."""
    whole = mapping(reply, "the reply")
    if "choices" not in whole:
        what = "holds an error in place of choices" if "error" in whole else "has no choices"
        raise UnparsableError(f"the reply {what}")
    choices = listed(whole["choices"], "choices")
    if not choices:
        return None
    choice = mapping(choices[0], "choices[0]")
    if len(choices) > 1 or choice.get("index") not in (None, 0):
        raise UnparsableError("the reply holds several choices, expected one; leave out `n`")
    return choice


def _arguments(function: Mapped) -> str:
    return text(function.get("arguments") or "", "a tool's arguments")


def _finish(choice: Mapped) -> str:
    return text(choice.get("finish_reason") or "", "finish_reason")
