"""How does a text read once its markup is rendered, as far as what stands beside what goes?

Linear in the text, however hostile. Of two places in one tag the quotes never come to the same
state, so that no more than three readings run over a character; every other pattern stops where
the next start may be.
"""

import re
from collections.abc import Iterator

_QUOTED = re.compile(
    r"<(?P<name>[A-Za-z/!?][A-Za-z0-9]{0,30}+)(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>"
    r"|<(?P<other>/?[A-Za-z0-9]{0,30}+)[^<>]*+>"
)
_BLIND = re.compile(r"<(?P<name>/?[A-Za-z0-9]{0,30}+)[^<>]*+>")
# Elements that begin a line or a cell of their own: what stands on either side is not one word.
_PARTING = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote br caption center dd details dialog div dl dt fieldset "
        "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section "
        "select summary table tbody td tfoot th thead tr ul",
    )
)
_TARGET = r"\((?:[^()]++|\([^()]*+\))*+\)|\[[^\[\]]*+\]"
_LINK = re.compile(rf"!?\[(?P<text>[^\[\]]*+)\](?:{_TARGET})")


def rendered(text: str) -> Iterator[str]:
    """The text without tags, comments and link targets; another reading where quotes are open."""
    has_tags = "<" in text and ">" in text
    if not has_tags and "](" not in text and "][" not in text:
        return
    aware = _without_links(_QUOTED.sub(_parted, _without_comments(text)) if has_tags else text)
    yield aware
    if has_tags and ("'" in text or '"' in text or "<!--" in text):
        blind = _without_links(_BLIND.sub(_parted, text))
        if blind != aware:
            yield blind


def _without_links(text: str) -> str:
    return _LINK.sub(r"\g<text>", text) if "](" in text or "][" in text else text


def _parted(found: re.Match[str]) -> str:
    name = found["name"] or found.groupdict().get("other") or ""
    return "\n" if name.strip("/").lower() in _PARTING else ""


def _without_comments(text: str) -> str:
    kept: list[str] = []
    start = 0
    while (begin := text.find("<!--", start)) >= 0 and (end := text.find("-->", begin + 2)) >= 0:
        kept.append(text[start:begin])
        start = end + 3
    return "".join((*kept, text[start:]))
