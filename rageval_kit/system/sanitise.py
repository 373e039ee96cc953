"""What of a text may whoever answers be given, and what of an answer may a reader be shown?

Into the context goes what a person reading the document would see; out of an answer nothing that
a client fetches or offers to click, save addresses of allowed hosts. Linear in the text.
"""

import html
import re
from collections.abc import Collection
from functools import partial

# Characters that are not seen: soft hyphen, fillers, zero-width and bidi controls, selectors, tags.
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
    "|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])"  # an empty cell, save as a blank in Braille
)
# No stretch but a quoted one runs over "<", and that one is short: no start is scanned for long.
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]{0,30}+)"
    r"(?P<more>(?:[^<>\"']{1,2000}+|\"[^\"]{0,500}+\"|'[^']{0,500}+'){0,16}+)>"
)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"]
)
_UNSHOWN = frozenset(["head", "noscript", "script", "style", "template", "title"])
_HIDDEN_RULE = re.compile(r"[.#]([\w-]{1,80}+)\s{0,9}+\{([^{}]{0,500})\}")
_HIDDEN_STYLE = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?![.\d]*[1-9])"
    r"|font-size:(?:0(?![.\d]*[1-9])|1px|[01]pt|0?\.\d)"
    r"|(?<![a-z-])color:(?:white|transparent|#f{3,4}(?![0-9a-f])|#f{6}(?![0-9a-f])"
    r"|rgba?\(255,255,255|rgba?\(\d+,\d+,\d+,0(?:\.0+)?\))"
    r"|(?:left|top|text-indent):-\d{3,}|(?:^|[;\"'{])(?:height|width):[01]px"
)
_STYLE = re.compile(r"""\bstyle\s{0,9}=\s{0,9}("[^"]*"|'[^']*'|\S+)""", re.IGNORECASE)
_NAMED = re.compile(r"""\b(?:class|id)\s{0,9}=\s{0,9}("[^"]*"|'[^']*'|\S+)""", re.IGNORECASE)
_HIDDEN_WORD = re.compile(r"""(?:^|\s)hidden(?=\s|$|=|/)""", re.IGNORECASE)
_NOT_STYLE = re.compile(r"\s+|/\*[^*]*\*/|!important")


def visible(text: str) -> str:
    """The text without comments, hidden elements and characters that are not seen."""
    if not text.isascii():
        text = UNSEEN.sub("", text)
    if "<" in text:
        text = _without_hidden(_without_comments(text))
    return text


def _without_comments(text: str) -> str:
    """As a browser takes them: one that is not closed reaches to the end."""
    kept: list[str] = []
    start = 0
    while (begin := text.find("<!--", start)) >= 0:
        kept.append(text[start:begin])
        end = text.find("-->", begin + 2)  # "<!-->" is a whole comment
        if end < 0:
            return "".join(kept)
        start = end + 3
    return "".join((*kept, text[start:]))


def _without_hidden(text: str) -> str:
    """Elements that are not shown go with all they hold; other tags stay as they are."""
    hiding = frozenset(_hiding_names(text))
    kept: list[str] = []
    start, hidden_in, depth = 0, "", 0
    for tag in _TAG.finditer(text):
        name = tag["name"].lower()
        if hidden_in:
            if name != hidden_in:
                continue
            depth += -1 if tag["close"] else 1
            if depth == 0:
                hidden_in, start = "", tag.end()
        elif not tag["close"] and name not in _VOID and _hides(name, tag["more"], hiding):
            kept.append(text[start : tag.start()])
            hidden_in, depth = name, 1
    if not hidden_in:
        kept.append(text[start:])
    return "".join(kept)


def _hiding_names(text: str) -> set[str]:
    """Classes and ids that the text's own style sheet hides."""
    if "{" not in text or "<style" not in text.lower():
        return set()
    rules = _HIDDEN_RULE.finditer(text)
    return {rule[1] for rule in rules if _HIDDEN_STYLE.search(_compact(rule[2]))}


def _hides(name: str, attributes: str, hiding: frozenset[str]) -> bool:
    if name in _UNSHOWN:
        return True
    if not attributes:
        return False
    attributes = html.unescape(attributes)
    style = _STYLE.search(attributes)
    if style and _HIDDEN_STYLE.search(_compact(style[1])):
        return True
    if hiding and any(
        hiding & set(one[1].strip("\"'").split()) for one in _NAMED.finditer(attributes)
    ):
        return True
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", attributes)
    return _HIDDEN_WORD.search(bare) is not None


def _compact(style: str) -> str:
    return _NOT_STYLE.sub("", style.lower())


_ADDRESS = r"[^\s<>\"'()\[\]{}`，。；、）】》”’「」]{0,2000}+"
_LIVE = re.compile(
    r"(?P<image>!\[[^\[\]]{0,300}+\]\((?P<shown>[^\s()<>]{0,2000}+)[^()<>]{0,300}+\)"
    r"|<img\b[^<>]{0,2000}+>)"
    r"|\]\([ \t\n]{0,9}+<?(?P<inline>[^\s<>()]{0,2000}+)"
    r"|\]:[ \t\n]{0,9}+<?(?P<defined>[^\s<>]{0,2000}+)"
    rf"|<(?P<auto>[hH][tT]{{2}}[pP][sS]?://{_ADDRESS})>"
    r"|<(?=[A-Za-z/!?])"
    rf"|(?P<bare>[hH][tT]{{2}}[pP][sS]?://{_ADDRESS})"
    r"|://[^\s/?#<>]{0,255}+"
    r"|//(?<![:/\w]//)(?=[\w-]{1,63}\.)[\w.-]{1,255}+"
    r"|[wW]{3}\.(?=\w)"
)
_HOST = re.compile(r"((?<!:)//|://)([^\s/?#]*)")
_ALLOWED = re.compile(r"https?://([^/?#\\@:\s]{1,253})(?::\d{1,5})?(?:[/?#](?P<rest>.*))?")
_INNER = re.compile(r"//|%2f%2f|%252f", re.IGNORECASE)


def defanged(text: str, allowed_hosts: Collection[str] = (), keep: Collection[str] = ()) -> str:
    """The text with every address shown, none to be fetched or clicked; `keep`: image, link.

    `https://a.example/x` becomes `https[:]//a[.]example/x`; Markdown and HTML that would make it
    live are parted by a space. An allowed host's address must not carry another one along.
    """
    if "&" in text and _count(plain := html.unescape(text)) > _count(text):
        text = plain  # it holds an address in entities, which would stay what it is
    return _LIVE.sub(partial(_dead, frozenset(allowed_hosts), frozenset(keep)), text)


def _count(text: str) -> int:
    return sum(1 for _ in _LIVE.finditer(text))


def _dead(allowed: frozenset[str], keep: frozenset[str], found: re.Match[str]) -> str:
    said = found[0]
    address = next((one for one in found.groups()[1:] if one is not None), None)
    if address is not None and _is_allowed(address, allowed):
        return said
    if found["image"] is not None:
        # parted at its first mark, its address is handled as any other
        return said if "image" in keep else said[0] + " " + defanged(said[1:], allowed, keep)
    if "link" in keep:
        return said
    if said[0] in "]<":
        said = f"{said[0]} {said[1:].replace('<', '< ')}"
    said = _HOST.sub(lambda m: f"{m[1].replace(':', '[:]')}{m[2].replace('.', '[.]')}", said)
    return said.replace(".", "[.]") if said.lower() == "www." else said


def _is_allowed(address: str, allowed: frozenset[str]) -> bool:
    parts = _ALLOWED.fullmatch(address)
    if parts is None or parts[1].lower() not in allowed:
        return False
    return not _INNER.search(parts["rest"] or "")
