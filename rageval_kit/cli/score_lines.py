"""What does a person read on the terminal when rankings were scored?"""

from collections.abc import Iterable, Mapping, Sequence

from rageval_kit.records.scores import MetricResult
from rageval_kit.report.figures import count, figure
from rageval_kit.report.visible import visible
from rageval_kit.report.width import width_of
from rageval_kit.report.words import Lang, Words, words
from rageval_kit.run.score import Scored, Scores
from rageval_kit.stats.compare import Comparison

_NAMED = 8
_ID = 60
_DIGITS = 4


def lines(
    scores: Scores,
    judgments: tuple[str, Sequence[str]],
    notes: Mapping[str, Sequence[str]],
    unfit: Mapping[str, str],
    lang: Lang,
    *,
    intervals: bool,
) -> list[str]:
    """Judgments, what to know about each run, the measures, and further runs against the first.

    `judgments` are called by their path, with what there is to say of them; `unfit` are measures
    that were left out, and why.
    """
    said = words(lang)
    path, judgment_notes = judgments
    shown = [
        said("score.judged").format(
            path=visible(path, _ID),
            queries=count(len(scores.query_ids)),
            judgments=count(scores.judged),
            relevant=count(scores.relevant),
            grain=said(f"score.grain.{scores.conventions.grain}"),
        ),
        *(f"  {said('score.note')}: {visible(note)}" for note in judgment_notes),
    ]
    for run in scores.runs:
        shown += _about(run, scores, notes.get(run.name, ()), said)
    one = len(scores.runs) == 1
    shown += ["", *(_one(scores.runs[0], said) if one else _many(scores.runs, said))]
    if one and intervals:
        shown += _interval_notes(scores.runs[0], said)
    left_out = _foot((name, said(f"score.unfit.{why}")) for name, why in unfit.items())
    shown += [f" {said('score.left_out')}{line}" for line in left_out]
    for name, pairs in scores.comparisons.items():
        against = said("score.against").format(name=visible(scores.runs[0].name, _ID))
        shown += ["", f"{visible(name, _ID)} {against}", *_compared(pairs, said)]
    return [*shown, "", said("score.identity").format(text=scores.conventions.text)]


def _about(run: Scored, scores: Scores, notes: Sequence[str], said: Words) -> list[str]:
    lists = run.notes
    told = []
    if lists.tied_pairs:
        rule = said(f"score.rule.{scores.conventions.ties}")
        told.append(said("score.tied").format(n=count(lists.tied_pairs), rule=rule))
    for name, n in (("duplicates", lists.duplicates), ("disordered", lists.disordered)):
        if n:
            told.append(said(f"score.{name}").format(n=count(n)))
    if lists.interleaved:
        disk = said("score.disk") if lists.spilled else ""
        told.append(said("score.interleaved").format(disk=disk))
    for name, ids in (("absent", lists.absent), ("foreign", lists.unjudged)):
        if ids:
            told.append(said(f"score.{name}").format(n=count(len(ids)), ids=_ids(ids, said)))
    if run.coverage.mean is not None:
        told.append(
            said("score.coverage").format(
                share=figure(run.coverage.mean), k=run.coverage.k, n=count(run.coverage.n)
            )
        )
    head = said("score.run").format(
        name=visible(run.name, _ID), lists=count(lists.lists), results=count(lists.results)
    )
    return [
        "",
        head,
        *(f"  {said('score.note')}: {visible(one)}" for one in notes),
        *(f"  {said('score.note')}: {one}" for one in told),
        *(f"  {said('score.warning')}: {visible(one)}" for one in run.warnings),
    ]


def _ids(ids: Sequence[str], said: Words) -> str:
    named = ", ".join(visible(one, _ID) for one in ids[:_NAMED])
    more = len(ids) - _NAMED
    return said("score.more").format(ids=named, n=count(more)) if more > 0 else named


def _one(run: Scored, said: Words) -> list[str]:
    heads = [said(f"score.{name}") for name in ("measure", "value", "interval", "n")]
    rows = [
        [one.metric, _value(one.value, said), _interval(one.low, one.high, said), _n(one, said)]
        for one in run.results
    ]
    return _table(heads, rows)


def _interval_notes(run: Scored, said: Words) -> list[str]:
    """Whose interval is missing, or is another than resampling gives, and why."""
    notes = []
    for one in run.results:
        kind = "exact" if one.low is not None else "one" if one.n_scored == 1 else "equal"
        if one.interval_note:
            note = said(f"score.interval_of.{kind}").format(n=count(one.n_scored))
            notes.append((one.metric, note))
    return _foot(notes)


def _foot(notes: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each different note, with the measures it is of."""
    of: dict[str, list[str]] = {}
    for measure, note in notes:
        of.setdefault(note, []).append(measure)
    return [f" {', '.join(measures)}: {visible(note)}" for note, measures in of.items()]


def _many(runs: Sequence[Scored], said: Words) -> list[str]:
    heads = [said("score.measure"), *(visible(run.name, _ID) for run in runs), said("score.n")]
    rows = []
    for same in zip(*(run.results for run in runs), strict=True):
        ns = [_n(one, said) for one in same]
        if len(set(ns)) > 1:  # whose is which is to be seen
            ns = [f"{visible(run.name, _ID)} {n}" for run, n in zip(runs, ns, strict=True)]
        told = "; ".join(dict.fromkeys(ns))
        rows.append([same[0].metric, *(_value(one.value, said) for one in same), told])
    return _table(heads, rows)


def _compared(pairs: Sequence[tuple[Comparison, float | None]], said: Words) -> list[str]:
    heads = [
        said(f"score.{name}") for name in ("measure", "difference", "interval", "p", "better", "n")
    ]
    rows = []
    for one, p in pairs:
        effect = one.effect
        shares = (effect.better, effect.equal, effect.worse)
        rows.append(
            [
                one.metric,
                _signed(one.difference.mean, said),
                _interval(one.difference.low, one.difference.high, said),
                said("score.none") if p is None else _p(p),
                " / ".join(
                    said("score.none") if s is None else count(round(s * one.n)) for s in shares
                ),
                f"{count(one.n)}/{count(one.n_total)}",
            ]
        )
    foot = _foot(
        (one.metric, why)
        for one, _ in pairs
        if (why := one.difference.reason or (one.reason if one.verdict == "inconclusive" else ""))
    )
    return [*_table(heads, rows), *foot]


def _n(result: MetricResult, said: Words) -> str:
    n = f"{count(result.n_scored)}/{count(result.n_total)}"
    reasons = "; ".join(
        said("score.reasons").format(n=count(times), reason=visible(reason))
        for reason, times in result.reasons.items()
    )
    return f"{n} ({reasons})" if reasons else n


def _value(value: float | None, said: Words) -> str:
    return said("score.none") if value is None else figure(value, decimals=_DIGITS)


def _signed(value: float | None, said: Words) -> str:
    if value is None:
        return said("score.none")
    return ("+" if value > 0 else "−" if value < 0 else "") + figure(abs(value), decimals=_DIGITS)


def _interval(low: float | None, high: float | None, said: Words) -> str:
    if low is None or high is None:
        return said("score.none")
    return f"[{_plain(low)}, {_plain(high)}]"


def _plain(value: float) -> str:
    return ("−" if value < 0 else "") + figure(abs(value), decimals=_DIGITS)


def _p(p: float) -> str:
    return figure(p, 0.05, decimals=_DIGITS) if p >= 0.0001 else "< 0.0001"  # noqa: PLR2004


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The first and last column to the left, figures to the right."""
    every = [heads, *rows]
    wide = [max(width_of(row[i]) for row in every) for i in range(len(heads))]
    last = len(heads) - 1
    shown = []
    for row in every:
        cells = [
            cell if i == last else _padded(cell, wide[i], left=i == 0) for i, cell in enumerate(row)
        ]
        shown.append((" " + "  ".join(cells)).rstrip())
    return shown


def _padded(text: str, cells: int, *, left: bool) -> str:
    room = " " * (cells - width_of(text))
    return text + room if left else room + text
