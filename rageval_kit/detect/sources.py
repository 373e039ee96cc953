"""Does a text name something as a source, as sources are named there: in brackets, or after a word?

To say what a document calls itself, or what it asks to be called, is no attribution.
"""

import re
from functools import lru_cache

_SOURCE = r"(?:sources?|references?|cited|来源|出处|引用)"
_MARKUP = r"[ \t*_`\"'“”‘’「」《》<]{0,6}"
_LISTED = r"(?:[^\s,，、;；]{1,120}[ \t]?[,，、;；]){0,16}"  # others named before it


def names_source(name: str, text: str) -> bool:
    """`[name]` or `Source: name`, alone or in a list, whatever the case and width of marks."""
    return bool(name) and _pattern(name).search(text) is not None


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    said = re.escape(name) + r"(?![\w-])"
    what = r"(?:(?:the )?(?:document|passage)|文档|文件|段落)?"
    bracketed = rf"[\[【［]{_MARKUP}{_LISTED}{_MARKUP}{said}{_MARKUP}[\]】］,，、;；]"
    told = rf"{_SOURCE}{_MARKUP}[:：]{_MARKUP}{_LISTED}{_MARKUP}{what}{_MARKUP}[\[【［]?{said}"
    return re.compile(f"{bracketed}|{told}", re.IGNORECASE)
