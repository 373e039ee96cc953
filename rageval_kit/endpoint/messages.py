"""How does a question of one caller become the message that goes out?"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec

from rageval_kit.endpoint.calls import Message
from rageval_kit.endpoint.config import CallConfig, HttpConfig
from rageval_kit.endpoint.template import (
    UnsendableError,
    Value,
    filled,
    filled_header,
    filled_text,
    filled_url,
    names_in,
)
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller

_JSON = b"application/json"
_WITHOUT_LOSS = ("as_of", "known_at")


class CannotAskError(Exception):
    """A request that must not go out, with its class: it would not say what was meant."""

    def __init__(self, error: str, detail: str) -> None:
        super().__init__(detail)
        self.error, self.detail = error, detail


@dataclass(frozen=True)
class Writer:
    """Fills the templates of one configuration; `tokens` are known by the id of the principal."""

    config: HttpConfig
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)
    tenants: Mapping[str, str] = field(default_factory=dict)

    def message(
        self,
        call: CallConfig | HttpConfig,
        name: str,
        values: Mapping[str, Value],
        caller: Caller,
    ) -> Message:
        """Raises CannotAskError where the message would not say what was meant."""
        headers = {**self.config.headers, **call.headers}
        asked_for = set(names_in([call.url, headers, call.params, call.body]))
        for instant in _WITHOUT_LOSS:
            if values.get(instant) is not None and instant not in asked_for:
                detail = f"the question has {instant}, and no template sends ${instant}"
                raise CannotAskError("unsupported", detail)
        whole = {**values, **self._who(caller, asked_for)}
        try:
            params = {
                key: text
                for key, one in call.params.items()
                if (text := filled_text(one, whole)) is not None
            }
            body: dict[str, Any] = filled(call.body, whole)
            sent = {key: filled_header(text, whole) for key, text in headers.items()}
        except UnsendableError as error:
            raise CannotAskError("unsendable", str(error)) from error
        self._claim(caller, body if call.method == "POST" else params, asked_for)
        return Message(
            name=name,
            method=call.method,
            url=_with(params, filled_url(self.config.address(call.url), whole)),
            headers=_headers(sent, posts=call.method == "POST"),
            content=_json(body) if call.method == "POST" else None,
        )

    def plain(self, name: str, url: str, headers: Mapping[str, str], content: bytes) -> Message:
        """A message without placeholders, as a laboratory takes them."""
        sent = {key: text.encode("ascii") for key, text in headers.items()}
        address = self.config.address(url)
        return Message(name, "POST", address, _headers(sent, posts=True), content)

    def _who(self, caller: Caller, asked_for: set[str]) -> dict[str, Value]:
        principal_id = caller.principal_id
        token = self.tokens.get(principal_id)
        if "token" in asked_for and token is None:
            # Sent without one, the call would be somebody else's: nobody's.
            raise CannotAskError("no_token", "this principal has no token in token or token_file")
        if caller.token and "presented" not in asked_for:
            raise CannotAskError("unsupported", "a token is presented, and no template sends it")
        if caller.via and "via" not in asked_for:
            raise CannotAskError("unsupported", "it passes through agents, and no template says so")
        if any("," in hop for hop in caller.via):
            raise CannotAskError("unsendable", "the id of an agent holds a comma, as $via does")
        tenant = caller.claims.get("tenant") or self.tenants.get(principal_id) or None
        presented = caller.token or None
        return {
            "principal": principal_id,
            "token": token,
            "tenant": tenant,
            "presented": presented,
            "via": ",".join(caller.via) or None,
        }

    def _claim(self, caller: Caller, fields: dict[str, Any], asked_for: set[str]) -> None:
        """A client's untruthful claims stand beside what the template sends, never in its place."""
        sent = "tenant" in caller.claims and "tenant" in asked_for
        for claim, value in caller.claims.items():
            key = self.config.claims.get(claim)
            if key is not None and key not in fields:
                fields[key] = value
                sent = True
        if caller.claims and not sent:
            names = ", ".join(sorted(caller.claims))
            raise CannotAskError("unsupported", f"claims has no free field for {names}")


def token_file(path: str | None) -> Mapping[str, str]:
    """The tokens of a JSON file: `{"principal id": "token", …}`."""
    if path is None:
        return {}
    where = "retriever.token_file"
    try:
        return msgspec.json.decode(Path(path).expanduser().read_bytes(), type=dict[str, str])
    except OSError as error:
        raise InputError.one(where, f"cannot be read ({error.strerror})", path) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        way_out = 'write {"principal id": "token", …}'
        raise InputError.one(where, "is no JSON mapping of texts", path, way_out) from error


def _with(params: Mapping[str, str], url: str) -> str:
    if not params:
        return url
    mark = "&" if "?" in url else "?"
    return f"{url}{mark}{urlencode(params, errors='surrogatepass')}"


def _headers(sent: Mapping[str, bytes | None], *, posts: bool) -> tuple[tuple[str, bytes], ...]:
    given = {key.lower() for key in sent}
    own = {"Accept": _JSON, **({"Content-Type": _JSON} if posts else {})}
    missing = [(key, value) for key, value in own.items() if key.lower() not in given]
    return (*missing, *((key, value) for key, value in sent.items() if value is not None))


def _json(body: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8; a lone surrogate, which UTF-8 cannot hold, goes as its escape."""
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(body, allow_nan=False).encode()
