"""Did a source of low authority stand above the authoritative one in the list? Told, not judged."""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "tier_order"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """`low_tier_first`: a carrier is listed before every passage of the true document.

    A ranking is a matter of relevance, so the order alone is no breach; what is answered is.
    """
    del args, aids
    told: dict[str, bool] = {}
    true, carriers = (expectation.roles.get(r, frozenset()) for r in ("true", "carrier"))
    for observation in trace.observations:
        tap = Stage.RERANK if Stage.RERANK in observation.seen else Stage.RETRIEVE
        seen = observation.seen.get(tap)
        if observation.role != "reader" or seen is None:
            continue
        first = next((item for item in seen.ids if item in true | carriers), None)
        if first is not None:
            told["low_tier_first"] = told.get("low_tier_first", False) or first in carriers
    return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="told, not judged", told=told)
