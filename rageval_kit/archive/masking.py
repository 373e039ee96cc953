"""How is a secret kept out of everything that is written, also where it is escaped or cut?"""

import base64
import hashlib
import hmac
import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus, unquote

# Shorter values, and numbers, are masked only where they stand alone, and below the floor not at
# all: masking every `a` would destroy the evidence and hide nothing.
ALONE_BELOW = 8
FLOOR = 4
_ORDINARY = frozenset(["true", "false", "null", "none"])
_WORD = re.compile(rb"[A-Za-z0-9_]")
_HASH_LENGTH = 8

SECRET_KEY = re.compile(
    r"token\Z|canary\Z|secret|passw|pwd\Z|authori[sz]ation|credential|cookie"
    r"|(?:\A|[._-])key\Z|(?:api|access|private)[_-]?key\Z|dsn\Z",
    re.IGNORECASE,
)
_ENVIRONMENT = re.compile(r"\$\{\s*oc\.env\s*:\s*['\"]?([A-Za-z_][A-Za-z0-9_]*)")
_INLINE = re.compile(r"""([A-Za-z][\w.-]*)['"]?\s*:\s*(?:'([^']*)'|"([^"]*)"|([^,}\]'"]+))""")
# The password in an address (user:password@host), and in a libpq string (password=…).
_IN_ADDRESS = re.compile(r"://[^/?#@\s:]*:([^@\s]+)@")
_IN_PARAMETERS = re.compile(
    r"""(?:\A|[\s?&'"])password\s*=\s*(?:'((?:\\.|[^'\\])*)'|([^\s'"&]+))"""
)
_SCHEME = re.compile(r"\A(?:bearer|basic|token|apikey)\s+(?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mask:
    """Replaces secrets by `***` and a short keyed hash, which tells two secrets apart.

    `forms` maps every byte form of a secret (plain, escaped for JSON, HTML or URL, base64) to its
    replacement. `unmaskable` counts values too short or ordinary to mask; provenance says so.
    """

    forms: Mapping[bytes, bytes] = field(default_factory=dict, repr=False)
    unmaskable: int = 0

    @classmethod
    def of(cls, secret_values: Iterable[str], key: bytes) -> "Mask":
        """`key` keeps the short hash from confirming guesses to whoever holds only the archive."""
        forms: dict[bytes, bytes] = {}
        too_short = 0
        for value in sorted({_bare(value) for value in secret_values} - {""}):
            too_few = len(value.encode("utf-8", "surrogatepass")) < FLOOR
            if too_few or value.lower() in _ORDINARY:
                too_short += 1
                continue
            digest = hmac.new(key, value.encode("utf-8", "surrogatepass"), hashlib.sha256)
            replacement = f"***{digest.hexdigest()[:_HASH_LENGTH]}".encode()
            for form in _forms(value):
                forms.setdefault(form, replacement)
        return cls(forms, too_short)

    def __bool__(self) -> bool:
        return bool(self.forms)

    @property
    def longest(self) -> int:
        return max(map(len, self.forms), default=0)

    def hits(self, data: bytes) -> bool:
        """Does a secret stand in `data`?"""
        return bool(self.forms) and bool(self._spans(data))

    def betrays(self, chunks: Iterable[bytes]) -> bool:
        """Does a secret stand in a file written past the mask? Certain finds only.

        A short or numeric value may well be a size or a score there, so those are passed over.
        """
        certain = [form for form in self.forms if not _needs_room(form)]
        overlap = max(map(len, certain), default=1) - 1
        tail = b""
        for chunk in chunks:
            window = tail + chunk
            if any(form in window for form in certain):
                return True
            tail = window[-overlap:] if overlap else b""
        return False

    def text(self, text: str) -> str:
        if not self.forms:
            return text
        masked = self.data(text.encode("utf-8", "surrogatepass"))
        return masked.decode("utf-8", "surrogatepass")

    def data(self, data: bytes) -> bytes:
        return self._replace(data, self._spans(data), len(data)) if self.forms else data

    def structure(self, value: Any) -> Any:
        """Plain data with its texts and keys masked.

        Numbers stay: a record whose seed happens to equal a numeric password must remain a record.
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.structure(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.structure(part) for part in value]
        return value

    def chunks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """As `data` over the joined chunks, holding back no more than a secret's length."""
        if not self.forms:
            yield from chunks
            return
        # One byte of what was already given out stays in front, to see whether a short secret
        # stands alone.
        before, held, reach = b"", b"", self.longest
        for chunk in chunks:
            held += chunk
            window = before + held
            spans = self._spans(window, len(before))
            cut = len(window) - reach - 1
            for start, end, _ in reversed(spans):
                if end > cut:
                    cut = min(cut, start)
            if cut <= len(before):
                continue
            yield self._replace(window, spans, cut)[len(before) :]
            before, held = window[cut - 1 : cut], window[cut:]
        window = before + held
        yield self._replace(window, self._spans(window, len(before)), len(window))[len(before) :]

    def _spans(self, data: bytes, begin: int = 0) -> list[tuple[int, int, bytes]]:
        """Where secrets stand from `begin` on; overlapping ones joined, so that no end remains."""
        found: list[tuple[int, int, bytes]] = []
        for form, replacement in self.forms.items():
            start = data.find(form, begin)
            while start >= 0:
                end = start + len(form)
                if not _needs_room(form) or _alone(data, start, end):
                    found.append((start, end, replacement))
                start = data.find(form, start + 1)
        # Of secrets that start together the longest names the replacement.
        found.sort(key=lambda span: (span[0], -span[1]))
        joined: list[tuple[int, int, bytes]] = []
        for start, end, replacement in found:
            if joined and start < joined[-1][1]:
                first, last, first_replacement = joined[-1]
                joined[-1] = (first, max(last, end), first_replacement)
            else:
                joined.append((start, end, replacement))
        return joined

    @staticmethod
    def _replace(data: bytes, spans: list[tuple[int, int, bytes]], stop: int) -> bytes:
        parts: list[bytes] = []
        position = 0
        for start, end, replacement in spans:
            if end > stop:
                break
            parts += (data[position:start], replacement)
            position = end
        parts.append(data[position:stop])
        return b"".join(parts)


def secrets_behind_environment(texts: Iterable[str], environ: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables that `${oc.env:…}` names in unresolved configuration."""
    names = {name for text in texts for name in _ENVIRONMENT.findall(text)}
    values = [environ[name] for name in names if environ.get(name)]
    return frozenset(values).union(*map(passwords_in, values))


def passwords_in(text: str) -> frozenset[str]:
    """The passwords that stand inside a connection string, as written and as meant."""
    found = _IN_ADDRESS.findall(text)
    found += [quoted or bare for quoted, bare in _IN_PARAMETERS.findall(text)]
    meant = [re.sub(r"\\(.)", r"\1", one) for one in found]
    return frozenset(form for one in found + meant for form in (one, unquote(one))) - {""}


def secrets_in_variables(node: Any, environ: Mapping[str, str]) -> frozenset[str]:
    """The values of the variables that keys such as `api_key_env` name."""
    if isinstance(node, list | tuple):
        return frozenset().union(*(secrets_in_variables(part, environ) for part in node))
    if not isinstance(node, dict):
        return frozenset()
    named = frozenset(
        environ.get(part, "")
        for key, part in node.items()
        if isinstance(part, str)
        and str(key).endswith("_env")
        and SECRET_KEY.search(str(key).removesuffix("_env"))
    )
    deeper = (secrets_in_variables(part, environ) for part in node.values())
    return named.union(*deeper) - {""}


def secrets_on_command_line(arguments: Iterable[str]) -> frozenset[str]:
    """The values given to keys named like secrets: `a.key=v`, `a={key: v}`, `--key v`."""
    found: set[str] = set()
    option = False
    for argument in arguments:
        path, equals, value = argument.partition("=")
        named = bool(SECRET_KEY.search(path.lstrip("+~-").rsplit(".", 1)[-1]))
        found |= passwords_in(argument)
        if option:
            found.add(argument)
        elif equals and named:
            found.add(value)
        for key, single, double, bare in _INLINE.findall(value):
            if SECRET_KEY.search(key):
                found.add(single or double or bare)
        option = named and not equals and argument.startswith("--")
    stripped = {value.strip().strip("'\"") for value in found if "${" not in value}
    return frozenset(stripped - {""})


def secrets_in_config(node: Any, *, named: bool = False) -> frozenset[str]:
    """The texts of plain configuration under keys named like a secret."""
    if isinstance(node, dict):
        parts = [
            secrets_in_config(part, named=named or bool(SECRET_KEY.search(str(key))))
            for key, part in node.items()
        ]
        return frozenset().union(*parts)
    if isinstance(node, list | tuple):
        return frozenset().union(*(secrets_in_config(part, named=named) for part in node))
    if not isinstance(node, str):
        return frozenset()
    whole = frozenset([node] if named and node and "${" not in node else ())
    return whole | passwords_in(node)


def _bare(value: str) -> str:
    """`Bearer abc` -> `abc`: the scheme is no secret and is often written elsewhere without it."""
    return _SCHEME.sub("", value.strip())


def _needs_room(form: bytes) -> bool:
    """Too short, or digits alone: part of many an innocent word or number."""
    return len(form) < ALONE_BELOW or form.isdigit()


def _alone(data: bytes, start: int, end: int) -> bool:
    return not (
        (start > 0 and _WORD.match(data[start - 1 : start])) or _WORD.match(data[end : end + 1])
    )


def _forms(value: str) -> set[bytes]:
    """How a value looks in the files a run writes."""
    raw = value.encode("utf-8", "surrogatepass")
    texts = {
        json.dumps(value, ensure_ascii=False)[1:-1],
        json.dumps(value)[1:-1],
        html.escape(value, quote=True),
        html.escape(value, quote=True).replace("&quot;", "&#34;").replace("&#x27;", "&#39;"),
        html.escape(value, quote=False),
        value.replace("'", "''"),
        quote(value, safe="", errors="surrogatepass"),
        quote(value, errors="surrogatepass"),
        quote_plus(value, errors="surrogatepass"),
    }
    forms = {raw} | {text.encode("utf-8", "surrogatepass") for text in texts}
    if len(raw) >= ALONE_BELOW:
        forms |= {base64.b64encode(raw).rstrip(b"="), base64.urlsafe_b64encode(raw).rstrip(b"=")}
    return forms
