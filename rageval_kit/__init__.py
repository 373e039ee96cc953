"""Does a retrieval system find the right evidence, and show nobody what they may not see?

The promised face of the kit; each name is loaded when it is first used. Anything else can be
imported but may change.
"""

from importlib import import_module
from typing import Any

_FACE = {
    "compose": "rageval_kit.build",
    "evaluate": "rageval_kit.run.evaluate",
    "evaluate_ranking": "rageval_kit.run.one_ranking",
    "score_rankings": "rageval_kit.run.given",
    "render": "rageval_kit.report.render",
    "verify": "rageval_kit.archive.verify",
    "Target": "rageval_kit.records.target",
}

__all__ = [
    "Target",
    "compose",
    "evaluate",
    "evaluate_ranking",
    "render",
    "score_rankings",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _FACE:
        raise AttributeError(f"module 'rageval_kit' has no attribute {name!r}")
    return getattr(import_module(_FACE[name]), name)
