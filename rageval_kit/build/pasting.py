"""How is an override written so that shell and Hydra take its value as it stands?"""

import re
import shlex

# Characters that neither of the two reads as anything but themselves.
_PLAIN = re.compile(r"[A-Za-z0-9_./-]+", re.ASCII)


def pasted(key: str, value: str) -> str:
    """Return `key=value` for pasting into a shell: plain words as they are, any other quoted."""
    if _PLAIN.fullmatch(value):
        return f"{key}={value}"
    from hydra.core.override_parser.types import Quote, QuotedString

    text = value.replace("${", "\\${")  # else OmegaConf would look it up
    return shlex.quote(f"{key}={QuotedString(text, Quote.double).with_quotes()}")
