"""What does a person read on the terminal when a run has ended?"""

import re
from collections.abc import Callable, Sequence

from rageval_kit.records.decisions import (
    FamilyResult,
    FindingRecord,
    GateKind,
    RunOutcome,
    RunRecord,
    SamplesResult,
)
from rageval_kit.records.verdicts import CountsAs
from rageval_kit.report.figures import bound, count, figure, gate_value
from rageval_kit.report.page import base_name
from rageval_kit.report.phrases import plain
from rageval_kit.report.sound import require_sound
from rageval_kit.report.telling import breach_told
from rageval_kit.report.view import ENTITLED, a_few_of_each, rank, view
from rageval_kit.report.visible import visible
from rageval_kit.report.width import width_of
from rageval_kit.report.words import Lang, Words, words

_SHOWN = 3
_FAMILIES = 8  # violated; more are told by severity
_MARKED = 20
_ID = 40
_COLOURS = {"pass": "32", "fail": "31", "incomplete": "33"}
_NUMBERS = 4


def console(text: str, encoding: str | None) -> str:
    """`text` as a console of that encoding can print it: what it lacks is replaced."""
    name = encoding or "utf-8"
    try:
        return text.encode(name, errors="replace").decode(name)
    except LookupError:
        return text.encode("ascii", errors="replace").decode("ascii")


def _fit(text: str, cells: int) -> str:
    """`text` in at most that many cells of a terminal, an ellipsis where it was cut."""
    if width_of(text) <= cells:
        return text
    kept = ""
    for char in text:
        if width_of(kept + char) > cells - 1:
            break
        kept += char
    return kept + "…"


def _left(text: str, cells: int) -> str:
    fitted = _fit(text, cells)
    return fitted + " " * (cells - width_of(fitted))


def _right(text: str, cells: int) -> str:
    return " " * (cells - width_of(text)) + text


def _show(text: str) -> str:
    return visible(text, _ID) if len(text) <= _ID else f"{visible(text[:_ID])}…"


def _bound(family: FamilyResult, said: Words) -> str:
    if not family.has_readers:
        return said("terminal.every_file")
    if family.exhaustive and not family.violated:
        return said("terminal.exhaustive")
    return bound(family.upper_bound) if family.upper_bound is not None else "–"


def _files(n: int, said: Words) -> str:
    return said("held.file" if n == 1 else "held.files").format(n=count(n))


def _table(families: Sequence[FamilyResult], said: Words, width: int) -> list[str]:
    numbers = ("planned", "held", "violated", "not_observed", "bound")
    heads = [said(f"col.{name}") for name in numbers]
    rows = []
    for family in families:
        title = visible(said.pick(family.title, f"family {family.family}"))
        cells = (family.planned, family.held, family.violated, family.unobserved + family.failed)
        shown = [count(cell) for cell in cells]
        if not family.has_readers:
            shown[0] = _files(family.planned, said)
        rows.append((f"{_show(family.family)} {title}", [*shown, _bound(family, said)]))
    wide = [max(width_of(head), *(width_of(r[1][i]) for r in rows)) for i, head in enumerate(heads)]
    name_heads = (said("col.family"), *(name for name, _ in rows))
    room = max(16, width - 1 - sum(cells + 2 for cells in wide))
    room = min(room, max(map(width_of, name_heads)))
    lines = [(said("col.family"), heads), *rows]
    return [
        " "
        + _left(name, room)
        + "".join("  " + _right(c, w) for c, w in zip(cs, wide, strict=True))
        for name, cs in lines
    ]


def _finding(number: int, finding: FindingRecord, said: Words) -> list[str]:
    def who(id_: str, tenant: str) -> str:
        named = said("terminal.reader").format(id=_show(id_), tenant=_show(tenant))
        return named if tenant else _show(id_)

    stage = said.known("stage", finding.stage) or _show(finding.stage)
    item = who(finding.item_id or finding.document_id, finding.document_tenant)
    reader = who(finding.principal_id, finding.principal_tenant)
    told = breach_told(finding, said, reader=reader, item=item)
    if not told and finding.role in ENTITLED:
        asked = _show(finding.asked_about) or said("findings.asked_unknown")
        told = said("terminal.also_got").format(reader=reader, item=item, stage=stage, asked=asked)
    elif not told:
        told = said("terminal.got").format(reader=reader, item=item, stage=stage)
    return [f"   {number}. {told}", f"      {visible(finding.replay, 200)}"]


def _is_gated(family: FamilyResult, run: RunRecord) -> bool:
    """Whether a gate of security that is not met speaks of the family's severity."""
    unmet = (g for g in run.decision.gates if g.kind is GateKind.SECURITY and not g.met)
    return any(str(family.severity) in gate.rule for gate in unmet)


def _by_severity(families: Sequence[FamilyResult], said: Words) -> list[tuple[FamilyResult, str]]:
    """One line for each severity, with its first family: how many violations, and where."""
    told = []
    for severity in dict.fromkeys(family.severity for family in families):
        own = [family for family in families if family.severity is severity]
        named = (
            said("terminal.of_family").format(family=_show(f.family), n=count(f.violated))
            for f in own
        )
        told.append(
            (
                own[0],
                said("terminal.of_severity").format(
                    severity=said(f"severity.{severity}"),
                    n=count(sum(family.violated for family in own)),
                    list=said("page.comma").join(named),
                ),
            )
        )
    return told


def _wrapped(text: str, cells: int) -> list[str]:
    """The text in lines of at most that many cells, broken after what is listed only."""
    lines = [""]
    for piece in re.findall(r".*?[,、:：]\s*|.+$", text):
        if lines[-1] and width_of(lines[-1] + piece.rstrip()) > cells:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def _decision(run: RunRecord, said: Words, paint: Callable[[str], str], width: int) -> list[str]:
    seen = view(run)
    mark = paint(said(f"outcome.{run.decision.outcome}"))
    lines = []
    several = _by_severity(seen.leaking, said) if len(seen.leaking) > _FAMILIES else []
    for family, told in several:
        head, *rest = _wrapped(told, width - _MARKED)
        sign = mark if _is_gated(family, run) else said("terminal.reported")
        lines.append(f" {sign}  {said('gates.kind.security')}  {head}")
        lines += [f"   {line}" for line in rest]
    own = seen.leaking_files if several else (*seen.leaking, *seen.leaking_files)
    for family in sorted(own, key=lambda f: rank(f.severity)):
        one = "_one" if family.violated == 1 else ""
        kind = "violations" if family.has_readers else "leaky_files"
        told = said(f"terminal.{kind}{one}").format(
            n=count(family.violated),
            family=_show(family.family),
            severity=said(f"severity.{family.severity}"),
        )
        sign = mark if _is_gated(family, run) else said("terminal.reported")
        lines.append(f" {sign}  {said('gates.kind.security')}  {told}")
    findings = a_few_of_each(run.findings, _SHOWN, _SHOWN)
    for number, finding in enumerate(findings, start=1):
        lines += _finding(number, finding, said)
    more = run.findings_total - len(findings)
    if more > 0:
        lines.append("   " + said("terminal.more").format(n=count(more)))
    for gate in seen.unmet:
        if gate.kind is GateKind.SECURITY and (seen.leaking or seen.leaking_files):
            continue
        told = said("terminal.unmet").format(gate=_show(gate.gate))
        shown = gate_value(gate)
        value = f" ({visible(plain(shown, said), 80)})" if shown else ""
        why = said("page.semicolon").join(
            _fit(visible(plain(reason, said)), 100) for reason in gate.reasons[:_SHOWN]
        )
        tail = f" - {why}" if why else ""
        lines.append(f" {mark}  {said(f'gates.kind.{gate.kind}')}  {told}{value}{tail}")
    advice = []
    for gate in seen.gates:
        if gate.is_advice and not gate.met:
            why = said("page.semicolon").join(visible(plain(r, said), 100) for r in gate.reasons)
            advice.append(f" {said('terminal.advice')}  {_show(gate.gate)} - {why}")
    if not run.cases_executed and run.samples is None:
        lines.append(f" {mark}  {said('terminal.nothing')}")
    if run.decision.outcome is RunOutcome.PASS or not lines:
        lines.insert(0, f" {mark}  {said('terminal.passed')}")
    return [*lines, *advice]


def _measures(run: RunRecord, samples: SamplesResult, said: Words) -> list[str]:
    judged = samples.judged
    share = None if judged is None else judged.value
    told = said("terminal.questions").format(
        answered=count(samples.n_answered),
        total=count(samples.n_questions),
        value="–" if share is None else figure(share),
    )
    lines = [" " + told]
    own = [metric for metric in run.metrics if metric.over == "samples"]
    wide = max((width_of(_show(base_name(metric.metric))) for metric in own), default=0)
    for metric in own:
        name = _left(_show(base_name(metric.metric)), wide)
        interval = said("quality.no_interval")
        if metric.low is not None and metric.high is not None:
            ends = {"low": figure(metric.low), "high": figure(metric.high)}
            interval = said("quality.interval").format(**ends)
        key = "terminal.measure" if metric.value is not None else "terminal.measure_none"
        value = "" if metric.value is None else figure(metric.value)
        n, total = count(metric.n_scored), count(metric.n_total)
        line = said(key).format(metric=name, value=value, interval=interval, n=n, total=total)
        lines.append("  " + line)
    return lines


def terminal(
    run: RunRecord,
    lang: Lang = "en",
    width: int = 100,
    color: bool = False,  # noqa: FBT001, FBT002 - the public call
    path: str = "",
) -> str:
    """The end of a run as plain text; pass it through `console` for a console's encoding."""
    require_sound(run)
    said = words(lang)

    def paint(text: str) -> str:
        code = _COLOURS[run.decision.outcome]
        return f"\x1b[1;{code}m{text}\x1b[0m" if color else text

    seen = view(run)
    alone = run.samples is not None and not run.suites
    head = said("terminal.head_samples" if alone else "terminal.head").format(
        questions=count(run.samples.n_questions) if run.samples is not None else "",
        suites=", ".join(map(_show, run.suites)) or said("verdict.none"),
        target=_show(run.target),
        snapshot=f"{_show(run.snapshot)} {_show(run.snapshot_digest[:_NUMBERS])}…",
        cases=count(run.cases_executed),
        pairs=count(sum(f.pairs_tested for f in seen.families if f.counts_as is CountsAs.SECURITY)),
    )
    parts = [[" " + head]]
    if seen.families:
        parts.append(_table(seen.families, said, width))
    if run.samples is not None:
        parts.append(_measures(run, run.samples, said))
    controls = " · ".join(
        f"{visible(said.pick(c.title, f'control {c.control}'))} "
        + (
            f"({said('controls.unmeasured')})"
            if c.met is None
            else f"{count(c.n)}/{count(c.n_total)}"
        )
        for c in run.controls
    )
    control_line = said("terminal.controls").format(list=controls)
    if not alone:
        parts.append([" " + (control_line if controls else said("terminal.controls_none"))])
    parts.append(_decision(run, said, paint, width))
    if seen.not_tested:
        listed = said("page.comma").join(
            said("terminal.not_run_item").format(
                name=said.known("stage", name) or _show(name),
                reason=visible(plain(why, said), 120),
            )
            for name, why in seen.not_tested
        )
        parts[-1].append(" " + said("terminal.not_run").format(list=listed))
    if path:
        parts.append([" " + said("terminal.report").format(path=visible(path))])
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"
