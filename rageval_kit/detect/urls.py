"""Which addresses stand in a text so that a client would fetch them or make them clickable?

A reading errs towards seeing one: what some renderer or chat client would follow counts. Only what
is surely code (a Markdown code span or fence) is text and no address. Every pattern is bounded, so
that the cost is linear in the text.
"""

import binascii
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import unquote

from rageval_kit.detect.code_marks import without_code
from rageval_kit.detect.decode import html_entities
from rageval_kit.detect.fold import flags, to_codes
from rageval_kit.detect.unseen import without_ignored

LONGEST = 4096
PROGRAM = "program"
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME = r"(?:https?|ftps?|wss?|smb|cifs|nfs|davs?|sftp)"
# Of a file the host alone leaves the machine: neither "file:///x" nor "file://C:/x" has one.
_FILE = r"file:(?:[/\\]{2}|[/\\]{4,5})(?!localhost[/\\]|[A-Za-z][:|])(?=[^\s/\\])"
_BARE = re.compile(
    rf"{_SCHEME}:[/\\]{{2}}[^\s<>\"'`]{{1,{LONGEST}}}"
    rf"|(?<![\w./@-])www\.[^\s<>\"'`]{{1,{LONGEST}}}"
    rf"|{_FILE}[^\s<>\"'`]{{1,{LONGEST}}}"
    rf"|mailto:[^\s<>\"'`]{{1,{LONGEST}}}",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(rf"\](?:\(|:)\s{{0,16}}<?([^\s<>]{{1,{LONGEST}}})")
_ATTRIBUTE = re.compile(
    r"\b(?:src|href|srcset|imagesrcset|poster|background|data|action|formaction|ping|cite|longdesc"
    rf"|manifest)\s{{0,8}}=\s{{0,8}}(?:\"([^\"]{{0,{LONGEST}}})\"|'([^']{{0,{LONGEST}}})'"
    rf"|([^\s\"'<>]{{1,{LONGEST}}}))",
    re.IGNORECASE,
)
_STYLE = re.compile(
    rf"(?:\burl\s{{0,8}}[(=]\s{{0,8}}[\"']?|@import\s{{0,8}}[\"'])([^\s\"'()<>;]{{1,{LONGEST}}})",
    re.IGNORECASE,
)
_IMAGE_SET = re.compile(rf"\bimage-set\([^;{{}}]{{0,{LONGEST}}}", re.IGNORECASE)
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_CSS_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{1,6})[ \t\r\n\f]?")
_SHARE = re.compile(  # a Windows path to another machine, which mail and office programs follow
    rf"(?<![\\\w:])\\\\([\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}})(?:@[\w@]{{1,16}})?"
    rf"\\[^\s\\<>\"'`][^\s<>\"'`]{{0,{LONGEST}}}"
)
_NAMES_ADDRESS = "src|href|srcset|poster|background|data|action|formaction|ping"
# An address that is a program: run where it is clicked or shown, it can send out what it likes.
_BROKEN = "[\t\r\n]{0,4}"  # browsers read a scheme over these
_PROGRAM = re.compile(
    r"(?:\](?:\(|:)\s{0,16}<?|<"
    rf"|<[A-Za-z][^<>]{{0,{LONGEST}}}?\b(?:{_NAMES_ADDRESS})\s{{0,8}}=[\s\x00-\x20]{{0,8}}[\"']?"
    r"[\x00-\x20]{0,8})"
    rf"(?P<url>(?P<scheme>{'|'.join(map(_BROKEN.join, ('javascript', 'vbscript', 'livescript')))}"
    r"|data:\s{0,8}(?:text/(?:html|xml)|image/svg|application/(?:xhtml|xml)))"
    rf"[\s:+;,]{{1,8}}[^\s<>\"']{{0,{LONGEST}}})",
    re.IGNORECASE,
)
_ABSOLUTE = re.compile(rf"(?:{_FILE}|{_SCHEME}:[/\\]*|[/\\]{{2,}})(?=[^/\\])", re.IGNORECASE)
_DEAD = re.compile(r"[/\\]{2,}[^/\\?#\s<>\"'`\[]+\[")
_NESTED = re.compile(
    rf"(?:(?:{_SCHEME}:|(?<=[=?&#]))[/\\]{{2,}}|/(?:https?|amp/s)/)([^\s/\\?#&\"'<>]{{1,255}})",
    re.IGNORECASE,
)
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{14,2048}")
_AUTHORITY = re.compile(r"[^/\\?#\s<>\"'`]*")
_AFTER_HOST = re.compile("[()\\[\\]{}|^,;*!~\uff0c\u3001\uff1b\uff1a\uff01\uff1f\uff08\uff09"
                         "\u3010\u3011\u300a\u300b\u201c\u201d\u2018\u2019\u2026]"
                         "|\u3002(?![a-z0-9])")  # fmt: skip
_DOTS = {ord(dot): "." for dot in "\u3002\uff0e\uff61"}
_UNQUOTED = 3
_LAST_CODE = 0x10FFFF
_LONGEST_LABEL = 63


@dataclass(frozen=True, slots=True)
class Link:
    """`form`: image, link, html, css, bare, mail, nested (inside another's address) or program.

    The host of a program is its scheme with a colon, as no host has one.
    """

    url: str
    host: str
    form: str


def links_in(text: str) -> tuple[Link, ...]:
    """Every address in the text, each (address, host) once, in the order met."""
    raw = without_ignored(without_code(text))
    found: dict[tuple[str, str], Link] = {}
    read = _read_out(raw)
    for view in dict.fromkeys((raw, read, _css_read(raw), _css_read(read))):
        for link in _links(view):
            found.setdefault((link.url, link.host), link)
    return tuple(found.values())


def host_of(authority: str) -> str:
    """A host as it is compared: what a browser would go to, in Unicode, without user and port.

    Look-alike letters stay what they are, so a look-alike of an allowed host is another host.
    """
    plain = unicodedata.normalize("NFKC", unquote(authority)).casefold().rpartition("@")[2]
    if plain.startswith("["):
        return plain.partition("]")[0] + "]"
    plain = _AFTER_HOST.split(plain, maxsplit=1)[0].partition(":")[0].translate(_DOTS)
    return ".".join(_label(label) for label in plain.strip("._-'\ufffd").split("."))


def _label(label: str) -> str:
    if not label.startswith("xn--") or len(label) > _LONGEST_LABEL:
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def _read_out(text: str) -> str:
    """The text with its HTML entities and Markdown escapes read, as a renderer reads them."""
    plain = next(html_entities(text, flags(to_codes("")), 0), text)
    return _ESCAPE.sub(r"\1", plain)


def _css_read(text: str) -> str:
    r"""The text with its CSS escapes read: `u\72l(` is `url(` to a browser."""
    return _CSS_ESCAPE.sub(_css_character, text) if "\\" in text else text


def _css_character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LAST_CODE else "\ufffd"


def _links(text: str) -> Iterator[Link]:
    for found in _MARKDOWN.finditer(text):
        yield from _absolute(found[1].rstrip(")"), _is_image(text, found.start()))
    for found in _ATTRIBUTE.finditer(text):
        value = found[1] or found[2] or found[3] or ""
        yield from _absolute(re.sub(r"[\t\r\n]", "", value).strip(), "html")
        for part in re.split(r"[\s,]+", value)[1:]:  # srcset
            yield from _absolute(part, "html")
    for found in _PROGRAM.finditer(text):
        scheme = re.sub(r"\s", "", found["scheme"]).partition(":")[0].lower()
        yield Link(found["url"], f"{scheme}:", PROGRAM)
    for found in _STYLE.finditer(text):
        yield from _absolute(found[1], "css")
    for found in _IMAGE_SET.finditer(text):
        for quoted in _QUOTED.finditer(found[0]):
            yield from _absolute(quoted[1] or quoted[2] or "", "css")
    for found in _SHARE.finditer(text):
        yield Link(found[0], host_of(found[1]), "bare")
    for found in _BARE.finditer(text):
        yield from _bare(found[0])


def _is_image(text: str, at: int) -> str:
    opening = text.rfind("[", max(0, at - 200), at)
    return "image" if opening > 0 and text[opening - 1] == "!" else "link"


def _absolute(address: str, form: str) -> Iterator[Link]:
    """The link of an address that leaves the page; a relative one stays where it is."""
    start = _ABSOLUTE.match(address)
    # To a browser "//a[.]b" is no address, and without a scheme nobody else looks for one.
    if start and not _DEAD.match(address):
        yield from _opened(address, address[start.end() :], form)


def _bare(address: str) -> Iterator[Link]:
    kind = address[:4].lower()
    if kind == "mail":
        people = address[len("mailto:") :].partition("?")[0]
        for person in re.split("[,;]|%2c", people, flags=re.IGNORECASE):
            yield Link(address, host_of(person.rpartition("@")[2]), "mail")
    elif kind == "file":
        yield from _absolute(address, "bare")
    else:
        after = address if kind == "www." else address.partition(":")[2].lstrip("/\\")
        yield from _opened(address, after, "bare")


def _opened(address: str, after: str, form: str) -> Iterator[Link]:
    """The link itself, and those that its path and parameters would lead on to."""
    authority = _AUTHORITY.match(after)
    if authority is None or not (host := host_of(authority[0])):
        return
    yield Link(address, host, form)
    tail = after[authority.end() :]
    for view in _views(tail):
        for found in _NESTED.finditer(view):
            if nested := host_of(found[1]):
                yield Link(address, nested, "nested")


def _views(tail: str) -> Iterator[str]:
    """The tail of an address as it stands, with its escapes read, and what base64 in it says."""
    view = tail
    for _ in range(_UNQUOTED):
        yield view
        for blob in _BLOB.findall(view):
            yield from _decoded(blob)
        after = unquote(view)
        if after == view:
            return
        view = after
    yield view


def _decoded(blob: str) -> Iterator[str]:
    """The blob read as base64, whole or after the last slash (a path may end in one)."""
    read = partial(binascii.a2b_base64, strict_mode=False)
    for part in {blob, blob.rpartition("/")[2]}:
        cut = part.translate({ord("-"): "+", ord("_"): "/"})
        cut = cut[: len(cut) - (len(cut) % 4 == 1)]
        text = read(cut + "=" * (-len(cut) % 4)).decode("utf-8", "replace")
        if "//" in text:
            yield text
