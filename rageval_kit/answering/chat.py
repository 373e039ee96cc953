"""What did a chat-completions endpoint reply: text, tool calls, and why it stopped?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rageval_kit.endpoint.paths import noun
from rageval_kit.endpoint.reply import UnparsableError, decoded
from rageval_kit.records.target import ToolCall

_DONE = b"[DONE]"


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
    message = _mapping(choice.get("message"), "choices[0].message")
    calls = tuple(
        ToolCall(_text(function.get("name"), "a tool's name"), _arguments(function))
        for call in _list(message.get("tool_calls"), "tool_calls")
        for function in [_mapping(_mapping(call, "a tool call").get("function"), "its function")]
    )
    text = _content(message.get("content")) or _content(message.get("refusal"))
    return ChatReply(text, calls, _finish(choice))


def _stream(body: bytes) -> ChatReply:
    """Deltas joined. A stream that says neither why it stopped nor that it is done broke off."""
    text: list[str] = []
    names: dict[int, str] = {}
    arguments: dict[int, str] = {}
    finish, done = "", False
    for event in _events(body):
        if event == _DONE:
            done = True
            break
        choice = _choice(decoded(event))
        if choice is None:  # an event that only counts tokens
            continue
        delta = _mapping(choice.get("delta") or {}, "choices[0].delta")
        text.append(_content(delta.get("content")) or _content(delta.get("refusal")))
        for place, one in enumerate(_list(delta.get("tool_calls"), "tool_calls")):
            call = _mapping(one, "a tool call")
            told = call.get("index")
            index = told if isinstance(told, int) else place
            function = _mapping(call.get("function") or {}, "its function")
            names[index] = names.get(index, "") + _text(function.get("name") or "", "a tool's name")
            arguments[index] = arguments.get(index, "") + _arguments(function)
        finish = _finish(choice) or finish
    if not done and not finish:
        raise UnparsableError("the stream broke off before its end")
    calls = tuple(ToolCall(name, arguments[index]) for index, name in names.items())
    return ChatReply("".join(text), calls, finish)


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


def _choice(reply: Any) -> dict[str, Any] | None:
    whole = _mapping(reply, "the reply")
    if "choices" not in whole:
        what = "holds an error in place of choices" if "error" in whole else "has no choices"
        raise UnparsableError(f"the reply {what}")
    choices = _list(whole["choices"], "choices")
    return _mapping(choices[0], "choices[0]") if choices else None


def _content(value: Any) -> str:
    """Text, or a list of parts each with its text."""
    if isinstance(value, list):
        parts = [_mapping(part, "a part of the content").get("text") or "" for part in value]
        return "".join(_text(part, "a part of the content") for part in parts)
    return "" if value is None else _text(value, "content")


def _arguments(function: dict[str, Any]) -> str:
    return _text(function.get("arguments") or "", "a tool's arguments")


def _finish(choice: dict[str, Any]) -> str:
    return _text(choice.get("finish_reason") or "", "finish_reason")


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnparsableError(f"{where} is {noun(value)}, expected a mapping")
    return value


def _list(value: Any, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnparsableError(f"{where} is {noun(value)}, expected a list")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise UnparsableError(f"{where} is {noun(value)}, expected text")
    return value
