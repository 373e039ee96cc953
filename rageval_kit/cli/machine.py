"""How is a result printed for a machine?"""

import json
import sys
from typing import Any

from rageval_kit.cli.streams import put


def machine(told: Any) -> None:
    """Print JSON to stdout; a console that is not UTF-8 gets it in ASCII, never with a loss."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(told, ensure_ascii=not utf8, indent=2, allow_nan=False, default=str)
    put(text)
