"""Does a text carry a planted token, however it was spelt, folded or encoded?"""

from rageval_kit.detect.canary import new_canary
from rageval_kit.detect.detector import Detector, Match, Rung
from rageval_kit.detect.ladder import LadderReport, RungResult, ladder_self_test

__all__ = [
    "Detector",
    "LadderReport",
    "Match",
    "Rung",
    "RungResult",
    "ladder_self_test",
    "new_canary",
]
