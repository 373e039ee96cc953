"""How is the embedded system asked over HTTP, as a search service of some company would be?

Who asks is what the transport vouches for: the header X-Principal (percent-encoded), as a gateway
in front would set it, or a bearer token where tokens were given. Fields of the body are the
client's own words. The laboratory (`lab=True`) adds a trace of every stage and the powers to plant,
change and restore; it is for tests on one machine.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar
from urllib.parse import unquote

from rageval_kit.endpoint.wire import WireError, change_from_json, world_from_json
from rageval_kit.records.target import Caller, Request, Response, Seen, Stage
from rageval_kit.system import doors
from rageval_kit.system.listening import Listening
from rageval_kit.system.service import System

MAX_BODY = 1024 * 1024
MAX_WORLD = 1024 * 1024 * 1024
LOOK = "/look/"
_IDLE_S = 60
_MAX_K = 1000
_MAX_DIGITS = 16
_OWN_FIELDS = frozenset(
    {"query", "k", "as_of", "known_at", "session", "request_id", "handle", "via"}
)


class RefusedError(Exception):
    """A request that is not served, with the status that says so."""

    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status, self.said = status, said


class Service(Listening):
    """`tokens` maps a bearer token to its principal; without any, X-Principal is believed."""

    def __init__(
        self,
        system: System,
        address: tuple[str, int] = ("127.0.0.1", 0),
        *,
        tokens: Mapping[str, str] | None = None,
        lab: bool = False,
    ) -> None:
        self.system, self.tokens, self.lab = system, dict(tokens or {}), lab
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "rageval-kit-example"
    sys_version = ""
    timeout = _IDLE_S
    disable_nagle_algorithm = True
    server: Service

    def do_GET(self) -> None:
        self._reply(HTTPStatus.OK, {"service": "rageval-kit example", "lab": self.server.lab})

    def do_HEAD(self) -> None:
        self._reply(HTTPStatus.OK, {})

    def do_POST(self) -> None:
        try:
            body = self._body()
            handle = self._route()
            status, told = HTTPStatus.OK, handle(self, body)
        except RefusedError as refused:
            status, told = refused.status, {"error": refused.said}
        except Exception as fault:  # noqa: BLE001 - a service answers 500 and goes on
            status, told = HTTPStatus.INTERNAL_SERVER_ERROR, {"error": type(fault).__name__}
        self._reply(status, told)

    def log_message(self, *_words: Any) -> None:
        """Requests hold queries and ids; a terminal is no place for them."""

    def search(self, body: bytes) -> Any:
        return self._asked(body, answering=False)

    def answer(self, body: bytes) -> Any:
        return self._asked(body, answering=True)

    def resolve(self, body: bytes) -> Any:
        fields = _fields(body)
        response = self.server.system.resolve(_text(fields, "handle"), self._caller({}))
        seen = response.seen[Stage.CITATION]
        passages = [
            {"id": one, "text": text} for one, text in zip(seen.ids, seen.texts, strict=True)
        ]
        return {"status": seen.status, "passages": passages}

    def count(self, body: bytes) -> Any:
        response = self.server.system.count(_text(_fields(body), "query"), self._caller({}))
        _usable(response)
        return {"count": response.seen[Stage.SUGGEST].count}

    def look(self, body: bytes) -> Any:
        """At the door that the address names; a token presented is the caller's own word."""
        fields = _fields(body)
        caller = replace(self._caller({}), token=str(fields.get("token", "")))
        door, session = self.path.removeprefix(LOOK), str(fields.get("session", ""))
        response = self.server.system.look(door, _text(fields, "text"), caller, session)
        _usable(response)
        (seen,) = response.seen.values()
        return {
            "ids": seen.ids,
            "texts": seen.texts,
            "count": seen.count,
            "facets": [{"value": value, "count": n} for value, n in seen.facets],
            "links": seen.links,
            "status": seen.status or "ok",
        }

    def log(self, body: bytes) -> Any:
        """The operator's log; in this example whoever may use the laboratory is the operator."""
        response = self.server.system.read(str(_fields(body).get("sink", "log")))
        _usable(response)
        return {"lines": response.seen[Stage.LOG].texts}

    def lab_connect(self, body: bytes) -> Any:
        self.server.system.connect(_decoded(world_from_json, body))
        return {}

    def lab_restore(self, body: bytes) -> Any:
        del body
        self.server.system.restore()
        return {}

    def lab_apply(self, body: bytes) -> Any:
        return {"acknowledged": self.server.system.apply(_decoded(change_from_json, body))}

    routes: ClassVar[Mapping[str, Callable[["_Handler", bytes], Any]]] = {
        "/search": search,
        "/answer": answer,
        "/open": resolve,
        "/count": count,
    }
    lab_routes: ClassVar[Mapping[str, Callable[["_Handler", bytes], Any]]] = {
        "/log": log,
        "/lab/connect": lab_connect,
        "/lab/restore": lab_restore,
        "/lab/apply": lab_apply,
    }

    def _route(self) -> Callable[["_Handler", bytes], Any]:
        known = {**self.routes, **(self.lab_routes if self.server.lab else {})}
        known |= {f"{LOOK}{door}": _Handler.look for door in doors.names()}
        found = known.get(self.path)
        if found is None:
            raise RefusedError(HTTPStatus.NOT_FOUND, "no such address")
        return found

    def _body(self) -> bytes:
        """Only JSON is taken: a page in somebody's browser cannot send that unasked."""
        length = self.headers.get("Content-Length", "")
        limit = MAX_WORLD if self.server.lab and self.path == "/lab/connect" else MAX_BODY
        counted = length.isascii() and length.isdigit() and len(length) < _MAX_DIGITS
        if not counted or int(length) > limit:
            self.close_connection = True  # what was not read would be taken for the next request
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {limit} bytes")
        body = self.rfile.read(int(length))
        if self.headers.get_content_type() != "application/json":
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")
        return body

    def _caller(self, claims: Mapping[str, str]) -> Caller:
        tokens = self.server.tokens
        if tokens:
            scheme, _, token = self.headers.get("Authorization", "").partition(" ")
            principal_id = tokens.get(token.strip()) if scheme.lower() == "bearer" else None
        else:
            principal_id = unquote(self.headers.get("X-Principal", "")) or None
        if principal_id is None:
            raise RefusedError(HTTPStatus.UNAUTHORIZED, "say who asks")
        return Caller(principal_id, claims)

    def _asked(self, body: bytes, *, answering: bool) -> Any:
        fields = _fields(body)
        claims = {
            key: value
            for key, value in fields.items()
            if key not in _OWN_FIELDS and isinstance(value, str)
        }
        via = _text(fields, "via") if "via" in fields else ""
        request = Request(
            request_id=str(fields.get("request_id", "")),
            query=_text(fields, "query"),
            # Agents between can but narrow what is shown: a client may name them itself.
            caller=replace(self._caller(claims), via=tuple(filter(None, via.split(",")))),
            k=_k(fields),
            as_of=_instant(fields, "as_of"),
            known_at=_instant(fields, "known_at"),
            session=str(fields.get("session", "")),
        )
        (response,) = self.server.system.ask([request], answering=answering)
        _usable(response)
        return _told(response, answering=answering, traced=self.server.lab)

    def _reply(self, status: HTTPStatus, told: Any) -> None:
        content = json.dumps(told, ensure_ascii=False, allow_nan=False).encode(
            "utf-8", "surrogatepass"
        )
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _told(response: Response, *, answering: bool, traced: bool) -> dict[str, Any]:
    """What a client is shown; the trace of the stages in the laboratory alone."""
    seen = response.seen
    told: dict[str, Any] = {"request_id": response.request_id}
    final = seen.get(Stage.RERANK) or seen.get(Stage.RETRIEVE)
    if not answering:
        told["hits"] = _hits(final or Seen())
    else:
        told["answer"] = "\n".join(seen.get(Stage.ANSWER, Seen()).texts)
        cited = seen.get(Stage.CITATION, Seen())
        told["citations"] = [
            {"id": one, "title": title} for one, title in zip(cited.ids, cited.texts, strict=True)
        ]
    if traced:
        told["stages"] = {
            stage.replace(".", "_"): {
                "ids": one.ids,
                "scores": one.scores,
                "texts": one.texts,
                "calls": [{"name": c.name, "arguments": c.arguments} for c in one.calls],
                "as_of": one.as_of and one.as_of.isoformat(),
            }
            for stage, one in seen.items()
        }
    return told


def _hits(seen: Seen) -> list[dict[str, Any]]:
    scores = seen.scores or (None,) * len(seen.ids)
    return [{"id": one, "score": score} for one, score in zip(seen.ids, scores, strict=True)]


def _usable(response: Response) -> None:
    if response.error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, response.error)


def _decoded(read: Callable[[bytes], Any], body: bytes) -> Any:
    try:
        return read(body)
    except WireError as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from error


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, "is not JSON") from error
    if not isinstance(fields, dict):
        raise RefusedError(HTTPStatus.BAD_REQUEST, "must be a JSON object")
    return fields


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{key} must be text")
    return value


def _k(fields: Mapping[str, Any]) -> int:
    k = fields.get("k", 10)
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= _MAX_K:
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"k must be from 1 to {_MAX_K}")
    return k


def _instant(fields: Mapping[str, Any], key: str) -> datetime | None:
    value = fields.get(key)
    if value is None:
        return None
    try:
        instant = datetime.fromisoformat(value)
    except (TypeError, ValueError) as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{key} must be an instant") from error
    if instant.tzinfo is None:
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{key} must have a time zone")
    return instant
