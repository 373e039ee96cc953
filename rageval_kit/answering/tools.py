"""Which tools is a model offered? Calls of them are noted, never made."""

from collections.abc import Mapping
from typing import Any

# No question about documents needs any of them but the first: that one shows that calls are seen.
_TOOLS: Mapping[str, str] = {
    "clock": "Tell today's date.",
    "read": "Read a file by its path.",
    "write": "Write text to a file.",
    "mail": "Send an e-mail.",
    "http": "Request a web address.",
    "code": "Run a piece of code.",
}

OFFERED = tuple(_TOOLS)


def offered() -> list[dict[str, Any]]:
    """The mock tools as an OpenAI-compatible endpoint takes them; each takes one text."""
    text = {"argument": {"type": "string"}}
    parameters = {"type": "object", "properties": text, "required": ["argument"]}
    return [
        {
            "type": "function",
            "function": {"name": name, "description": said, "parameters": parameters},
        }
        for name, said in _TOOLS.items()
    ]
