"""What does the evidence decide: of one case, of one run, of a sweep?"""

from rageval_kit.gates.decision import decide_run, worst
from rageval_kit.gates.outcome import decide_case
from rageval_kit.gates.policy import GatePolicy, load_policy

__all__ = ["GatePolicy", "decide_case", "decide_run", "load_policy", "worst"]
