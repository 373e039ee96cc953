"""How are the figures of a planned run told to people, in English or in Chinese?"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rageval_kit.report.figures import bound

if TYPE_CHECKING:
    from rageval_kit.run.figures import FamilyPlan, RunPlan

_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {
        "goal": "To say that fewer than {rate} of pairs leak, at {confidence}: {needed} distinct "
        "pairs of reader and document, none of them leaking.",
        "each": "To say so of every family at once (Bonferroni): {needed} in each.",
        "has": "This run: {cases} cases, {pairs} distinct pairs in families of security.",
        "bound": "If none leaks: at most {bound} of such pairs leak, at {confidence}. {enough}",
        "enough": "That is enough.",
        "short": "{n} pairs are missing: raise suites.<name>.size.cases.",
        "no_pairs": "There is no pair, so no bound.",
        "family": "{family}: {cases} cases, {pairs} pairs, {worth}",
        "at_most": "at most {bound} if none leaks",
        "exhaustive": "every pair there is, so no bound is needed",
        "nothing": "not applicable: {reason}",
        "no_bound": "no bound",
        "choice": "hidden facts: a leaked share of {share} is found with power {power} (1 in "
        "{options} by chance, alarm by chance 1%)",
        "powerless": "hidden facts: too few for any leaked share to be found with power {power}",
        "facts": "    facts needed: {sizes} (suites.<name>.size.facts)",
        "size": "{n} for {share}",
        "time_measured": "Time: about {seconds}, measured on {n} cases of this run, one family "
        "at a time; larger batches take less.",
        "time_stated": "Time: about {seconds} at the stated rate of cases.",
        "time_none": "Time: not known; --probe measures it, --cases-per-s states it.",
        "means": "A bound speaks of pairs such as the suite draws, not of an attacker who adapts; "
        "questions put to one pair in several ways count once.",
    },
    "zh": {
        "goal": "若要以 {confidence} 的置信度说明泄露的配对少于 {rate}：需要 {needed} 个互不相同的"
        "读者与文档配对，且无一泄露。",
        "each": "若要对每个用例族同时这样说（Bonferroni）：每族需要 {needed} 个。",
        "has": "本次运行：{cases} 个用例，安全类用例族共 {pairs} 个互不相同的配对。",
        "bound": "若无泄露：此类配对中至多 {bound} 会泄露（{confidence}）。{enough}",
        "enough": "已经足够。",
        "short": "还差 {n} 个配对：请调大 suites.<name>.size.cases。",
        "no_pairs": "没有配对，因此没有上界。",
        "family": "{family}：{cases} 个用例，{pairs} 个配对，{worth}",
        "at_most": "若无泄露则至多 {bound}",
        "exhaustive": "已覆盖全部配对，无需上界",
        "nothing": "不适用：{reason}",
        "no_bound": "没有上界",
        "choice": "隐藏事实：泄露比例达 {share} 时以 {power} 的功效被发现"
        "（偶然答对为 {options} 选 1，偶然报警 1%）",
        "powerless": "隐藏事实：数量太少，任何泄露比例都达不到 {power} 的功效",
        "facts": "    所需事实数：{sizes}（suites.<name>.size.facts）",
        "size": "{share} 需 {n} 个",
        "time_measured": "时间：约 {seconds}，按本次运行的 {n} 个用例逐族实测；批量更大时更快。",
        "time_stated": "时间：按所给的用例速率约 {seconds}。",
        "time_none": "时间：未知。--probe 用少量用例实测，--cases-per-s 直接给出速率。",
        "means": "上界针对本套件抽取的这类配对，不针对会随机应变的攻击者；"
        "同一配对换几种问法只算一次。",
    },
}
_MINUTE = 90


def plan_lines(plan: "RunPlan", lang: str) -> Iterator[str]:
    said = _SAID[lang]
    sure = _share(plan.confidence)
    yield said["goal"].format(
        rate=_share(plan.leak_rate), confidence=sure, needed=f"{plan.needed:,}"
    )
    yield said["each"].format(needed=f"{plan.needed_each:,}")
    yield said["has"].format(cases=f"{plan.cases:,}", pairs=f"{plan.pairs:,}")
    if plan.bound is None:
        yield said["no_pairs"]
    else:
        missing = plan.needed - plan.pairs
        enough = said["short"].format(n=f"{missing:,}") if missing > 0 else said["enough"]
        yield said["bound"].format(bound=bound(plan.bound), confidence=sure, enough=enough)
    for family in plan.families:
        yield from _family(family, said)
    seconds = "" if plan.seconds is None else _time(plan.seconds)
    yield said[f"time_{plan.timed or 'none'}"].format(seconds=seconds, n=plan.probed)
    yield said["means"]


def _family(family: "FamilyPlan", said: Mapping[str, str]) -> Iterator[str]:
    choice = family.choice
    if family.not_applicable:
        worth = said["nothing"].format(reason=family.not_applicable)
    elif choice and choice.share is not None:
        worth = said["choice"].format(
            share=bound(choice.share), power=_share(choice.power), options=choice.options
        )
    elif choice:
        worth = said["powerless"].format(power=_share(choice.power))
    elif family.exhaustive:
        worth = said["exhaustive"]
    elif family.bound is None:
        worth = said["no_bound"]
    else:
        worth = said["at_most"].format(bound=bound(family.bound))
    yield "  " + said["family"].format(
        family=family.family, cases=family.cases, pairs=family.pairs, worth=worth
    )
    if choice:
        sizes = (said["size"].format(n=f"{n:,}", share=_share(share)) for share, n in choice.needed)
        yield said["facts"].format(sizes=", ".join(sizes))


def _share(value: float) -> str:
    """In percent, three digits; whole ones bare."""
    return f"{value * 100:.3g}%"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _MINUTE else f"{seconds / 60:.0f} min"
