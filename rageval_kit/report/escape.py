"""What must be done to a text before it may stand in Markdown, and which links may be written?"""

import re

from rageval_kit.records.faults import KitError
from rageval_kit.report.visible import visible

_MARK = re.compile(r"[\\`*_\[\]|~#$]")
_START = re.compile(r"^(\s*)([-+](?=\s|$)|-{2,}|=+|\d+(?=[.)](?:\s|$)))")
_ID = re.compile(r"[A-Za-z0-9_.:/@+#-]{1,100}\Z")
_COMMAND = re.compile(r"[A-Za-z0-9 _.:/@+#=,'\"{}\[\]*?!-]{1,2000}\Z")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_HREF = re.compile(
    r"(?:https?://[A-Za-z0-9.-]+(?:/[\w./%#?=&+:-]*)?|#[\w-]+|[A-Za-z0-9_-][\w.-]*)\Z"
)


def markdown(text: str) -> str:
    """One line of Markdown that reads as `text` and is nothing else: no row, heading, link, tag."""
    return escaped(visible(text))


def escaped(line: str) -> str:
    """`line`, known to hold no hidden character, with all that Markdown would read as a mark."""
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _MARK.sub(r"\\\g<0>", line)
    # Many readers turn bare addresses into links; a backslash keeps them text.
    line = re.sub(r"(?i)(?<=[a-z]):(?=/|[^\s/])", r"\\:", line)
    line = re.sub(r"(?i)\bwww\.", r"www\\.", line)
    line = line.replace("!\\[", "\\!\\[")
    return _START.sub(_at_start, line)


def _at_start(found: re.Match[str]) -> str:
    space, mark = found.group(1), found.group(2)
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def marked(text: str) -> str:
    """Untrusted text, set apart: a plain id as code, where nothing is a mark; else quoted."""
    return f"`{text}`" if _ID.match(text) else f"“{markdown(text)}”"


def marked_command(text: str) -> str:
    """A command as code where it holds no character that could end the code, else quoted."""
    return f"`{text}`" if _COMMAND.match(text) and text.strip() == text else f"“{markdown(text)}”"


def fenced(text: str) -> str:
    """`text` as the inside of a Markdown fence: no line can close it, nothing can start a tag."""
    kept = _TAG.sub("⟨U+003C⟩", visible(text, lines=True))
    return kept.replace("```", "⟨U+0060⟩⟨U+0060⟩⟨U+0060⟩").replace(
        "~~~", "⟨U+007E⟩⟨U+007E⟩⟨U+007E⟩"
    )


def safe_href(href: str) -> str:
    """`href` if it is http(s), an anchor or a file beside the report; anything else is refused."""
    if not _HREF.match(href):
        raise KitError(
            f"report link: only http(s), '#…' or a file beside it (met {visible(href, 80)!r})"
        )
    return href
