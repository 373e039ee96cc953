"""How is a stand-in for a language model asked over HTTP, as OpenAI-compatible servers are?

POST /v1/chat/completions, whole or as a stream of events, with tools; GET /v1/models. It holds no
model: what it says is set by its behaviour, so that tests of a real endpoint can be repeated.
"""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any

from rageval_kit.system.listening import Listening
from rageval_kit.system.model_behaviour import BEHAVIOURS, READS, Heard, Said, hear, pieces, say

MAX_BODY = 64 * 1024 * 1024
_IDLE_S = 60
_MOST_PIECES = 100_000
_MAX_DIGITS = 12
_TURNS = ("http_500", "broken_json", "closed_socket", "careful")


class RefusedError(Exception):
    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


@dataclass(frozen=True, slots=True)
class Chat:
    """One request that can be answered."""

    heard: Heard
    model: str
    seed: int
    max_pieces: int
    stream: bool
    tools: frozenset[str]


class ModelService(Listening):
    """`key`: a token that every call must bring. `piece_s`: seconds that a slow piece takes.

    `reads`: whether who obeys reads orders as they are written, or decodes them as well.
    """

    def __init__(
        self,
        behaviour: str,
        address: tuple[str, int] = ("127.0.0.1", 0),
        *,
        key: str = "",
        piece_s: float = 0.05,
        reads: str = READS[0],
    ) -> None:
        for name, known in ((behaviour, BEHAVIOURS), (reads, READS)):
            if name not in known:
                raise ValueError(f"no behaviour {name!r}; known: {', '.join(known)}")
        self.behaviour, self.key, self.reads = behaviour, key, reads
        self.piece_s = piece_s if behaviour == "slow" else 0.0
        self._calls = 0
        self._lock = threading.Lock()
        super().__init__(address, _Handler)

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def turn(self) -> str:
        """What the behaviour `failing` does next: its ways of failing by turns, then one reply."""
        with self._lock:
            self._calls += 1
            return _TURNS[(self._calls - 1) % len(_TURNS)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "rageval-kit-model"
    sys_version = ""
    timeout = _IDLE_S
    disable_nagle_algorithm = True
    server: ModelService

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            model = {"id": self.server.behaviour, "object": "model", "owned_by": "rageval-kit"}
            self._reply(HTTPStatus.OK, {"object": "list", "data": [model]})
        else:
            self._reply(HTTPStatus.OK, {"service": "rageval-kit model"})

    def do_HEAD(self) -> None:
        self._reply(HTTPStatus.OK, {})

    def do_POST(self) -> None:
        try:
            chat = self._chat()
        except RefusedError as refused:
            self._reply(refused.status, {"error": {"message": refused.said}})
            return
        turn = self.server.turn() if self.server.behaviour == "failing" else ""
        if turn == "http_500":
            self._reply(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": {"message": "overloaded"}})
        elif turn == "broken_json":
            self._send(HTTPStatus.OK, b'{"choices": [{"message": {"content": "The answ')
        elif turn == "closed_socket":
            self.close_connection = True
        else:
            server = self.server
            said = say(server.behaviour, chat.heard, chat.seed, chat.max_pieces, server.reads)
            said = _allowed(said, chat)
            if chat.stream or self.server.behaviour == "streaming":
                self._stream(said, chat)
            else:
                time.sleep(self.server.piece_s * len(pieces(said.text)))
                self._reply(HTTPStatus.OK, _whole(said, chat))

    def log_message(self, *_words: Any) -> None:
        """Requests hold passages; a terminal is no place for them."""

    def _chat(self) -> Chat:
        body = self._body()
        if self.path != "/v1/chat/completions":
            raise RefusedError(HTTPStatus.NOT_FOUND, "no such address")
        if self.server.key:
            brought = self.headers.get("Authorization", "").encode("latin-1", "replace")
            if not compare_digest(brought, f"Bearer {self.server.key}".encode()):
                raise RefusedError(HTTPStatus.UNAUTHORIZED, "bring a key")
        return read_request(body)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        counted = length.isascii() and length.isdigit() and len(length) < _MAX_DIGITS
        if not counted or int(length) > MAX_BODY:
            self.close_connection = True  # what was not read would be taken for the next request
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY} bytes")
        return self.rfile.read(int(length))

    def _stream(self, said: Said, chat: Chat) -> None:
        """Its end is that of the connection: no length is known at its beginning."""
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for event in _events(said, chat):
                self.wfile.write(b"data: " + event + b"\n\n")
                self.wfile.flush()
                time.sleep(self.server.piece_s)
        except OSError:  # the client has left
            return

    def _reply(self, status: HTTPStatus, told: Any) -> None:
        self._send(status, _json(told))

    def _send(self, status: HTTPStatus, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def read_request(body: bytes) -> Chat:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "is not JSON") from error
    messages = fields.get("messages") if isinstance(fields, dict) else None
    if not isinstance(messages, list) or not messages:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "messages must be a list that holds some")
    if not all(isinstance(m, dict) and isinstance(m.get("content"), str) for m in messages):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "each message must hold content as text")
    tools = fields.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "tools must be a list of tools")
    functions = [tool.get("function") for tool in tools]
    names = [f.get("name") for f in functions if isinstance(f, dict)]
    return Chat(
        hear(messages),
        str(fields.get("model", "")),
        _number(fields, "seed", 0),
        _number(fields, "max_tokens", _MOST_PIECES),
        fields.get("stream") is True,
        frozenset(name for name in names if isinstance(name, str)),
    )


def _number(fields: Mapping[str, Any], name: str, usual: int) -> int:
    value = fields.get(name, usual)
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{name} must be a whole number")
    return value


def _allowed(said: Said, chat: Chat) -> Said:
    """A model can call only what it is offered."""
    calls = tuple(call for call in said.calls if call.name in chat.tools)
    finish = "tool_calls" if calls and said.finish == "stop" else said.finish
    return Said(said.text, calls, finish)


def _whole(said: Said, chat: Chat) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.calls:
        message["tool_calls"] = _calls(said)
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    return {**_head(chat), "object": "chat.completion", "choices": [choice]}


def _events(said: Said, chat: Chat) -> Iterator[bytes]:
    def event(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _json({**_head(chat), "object": "chat.completion.chunk", "choices": [choice]})

    yield event({"role": "assistant"})
    for piece in pieces(said.text):
        yield event({"content": piece})
    if said.calls:
        yield event({"tool_calls": _calls(said)})
    yield event({}, said.finish)
    yield b"[DONE]"


def _head(chat: Chat) -> dict[str, Any]:
    return {"id": "chatcmpl-0", "created": 0, "model": chat.model}


def _calls(said: Said) -> list[dict[str, Any]]:
    return [
        {
            "index": number,
            "id": f"call_{number}",
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps({"argument": call.arguments}, ensure_ascii=False),
            },
        }
        for number, call in enumerate(said.calls)
    ]


def _json(told: Any) -> bytes:
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")
