"""How does one question become the body, the parameters and the headers of one HTTP request?"""

import re
from collections.abc import Iterator, Mapping
from string import Template
from typing import Any
from urllib.parse import quote

PLACEHOLDERS = frozenset(
    {
        "query",
        "k",
        "principal",
        "token",
        "tenant",
        "as_of",
        "known_at",
        "session",
        "request_id",
        "handle",
        "sink",
        "text",
        "presented",
        "via",
    }
)
Value = str | int | None
Values = Mapping[str, Value]

_WHOLE = re.compile(r"\$(?:(?P<plain>\w+)|\{(?P<braced>\w+)\})", re.ASCII)
# Who asks must not become part of what is asked: a pasted quote turns a filter into a tautology.
_WHO = frozenset({"principal", "tenant", "via"})
_ENDS_A_TEXT = re.compile(r"""["'`\\]""")
_PRINTABLE = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) != "%")


class UnsendableError(ValueError):
    """A value cannot be sent where the template puts it."""


def names_in(node: Any) -> Iterator[str]:
    """The names that a template asks for, and '' for a `$` that begins none."""
    if isinstance(node, str):
        for found in Template.pattern.finditer(node):
            if found["escaped"] is None:
                yield found["named"] or found["braced"] or ""
    elif isinstance(node, Mapping):
        for part in node.values():
            yield from names_in(part)
    elif isinstance(node, list | tuple):
        for part in node:
            yield from names_in(part)


def filled(node: Any, values: Values) -> Any:
    """The template with its placeholders replaced in text leaves.

    A leaf that is one placeholder keeps the kind of its value (`k` stays a number). A leaf that is
    null, or one placeholder without a value, is left out.
    """
    if isinstance(node, Mapping):
        parts = {str(key): filled(part, values) for key, part in node.items()}
        return {key: part for key, part in parts.items() if part is not None}
    if isinstance(node, list | tuple):
        return [part for one in node if (part := filled(one, values)) is not None]
    return _leaf(node, values) if isinstance(node, str) else node


def filled_text(text: str, values: Values) -> str | None:
    """As `filled`, for a place that holds text only."""
    value = _leaf(text, values)
    return None if value is None else str(value)


def filled_url(url: str, values: Values) -> str:
    """Every value is one piece of the path or of the query, whatever characters it holds."""
    pieces = {name: quote(_shown(value), safe="") for name, value in values.items()}
    return Template(url).substitute(pieces)


def filled_header(text: str, values: Values) -> bytes | None:
    """A value of printable ASCII; everything else in a value, and `%`, is percent-encoded.

    So no id breaks a header, and no two ids look alike in one. A token goes out as it is.
    """
    safe = {
        name: value if name == "token" or value is None else quote(str(value), safe=_PRINTABLE)
        for name, value in values.items()
    }
    made = filled_text(text, safe)
    if made is None:
        return None
    if not made.isascii() or not made.isprintable():
        raise UnsendableError("a header would hold more than printable ASCII")
    return made.encode("ascii")


def _leaf(text: str, values: Values) -> Value:
    whole = _WHOLE.fullmatch(text)
    if whole is not None:
        return values[whole["plain"] or whole["braced"]]
    for name in sorted(_WHO.intersection(names_in(text))):
        if _ENDS_A_TEXT.search(_shown(values.get(name))):
            raise UnsendableError(
                f"{name} holds a quote, and the template puts it into a longer text, a filter "
                f"expression perhaps, that a quote would end; give ${name} a field of its own"
            )
    return Template(text).substitute({name: _shown(value) for name, value in values.items()})


def _shown(value: Value) -> str:
    return "" if value is None else str(value)
