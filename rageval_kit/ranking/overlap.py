"""Do a run and the judgments speak of the same queries and documents at all?"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rageval_kit.ranking.mix_up import CLEAR, Fit, MixUp, fit
from rageval_kit.ranking.natural import in_natural_order
from rageval_kit.records.faults import Fault

if TYPE_CHECKING:
    import polars as pl

DEPTH = 10
_PAIR = ["query_id", "document_id"]
_NAMED = 3
# Neighbours may share documents: lists shifted by one still hold something of their own in three of
# four where four questions are asked of each text.
_PLAINLY_OWN = 0.9


@dataclass(frozen=True, slots=True)
class Known:
    """Of `documents` in the top 10 and of `judged` ones, how many a set of ids knows."""

    documents: int
    judged: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Counts over the top 10 of every list; shares are None where there is nothing to share.

    `rows`, `judged_rows`: results of the queries on both sides, and those judged for their query.
    `reachable`: as many as could be judged, were the judged documents of each query on top.
    `documents`: distinct ids in all lists; `documents_judged`: judged for whichever query;
    `judged_below`: results further down that are judged for their query.
    `corpus`: what the corpus knows of them, where one was given.
    """

    queries_both: int
    queries_only_judged: int
    queries_only_run: int
    only_judged: tuple[str, ...]
    only_run: tuple[str, ...]
    queries_any_judged: int
    rows: int
    judged_rows: int
    reachable: int
    documents: int
    documents_judged: int
    judged_below: int
    corpus: Known | None
    judged_documents: int
    query_hint: str
    document_hint: str
    fit: Fit

    @property
    def queries_judged(self) -> int:
        return self.queries_both + self.queries_only_judged

    @property
    def queries_run(self) -> int:
        return self.queries_both + self.queries_only_run

    @property
    def any_judged_share(self) -> float | None:
        return _share(self.queries_any_judged, self.queries_both)

    @property
    def judged_share(self) -> float | None:
        return _share(self.judged_rows, self.rows)

    @property
    def reached_share(self) -> float | None:
        return _share(self.judged_rows, self.reachable)

    @property
    def documents_judged_share(self) -> float | None:
        return _share(self.documents_judged, self.documents)

    @property
    def documents_in_corpus_share(self) -> float | None:
        return None if self.corpus is None else _share(self.corpus.documents, self.documents)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares below which a warning is given.

    `queries_ranked`, of the judged queries: each that is absent scores 0, and a tenth of them moves
    a mean more than systems usually differ. `queries_judged`, of the run's: the others are left
    out, which is harmless until it is most of them. `any_judged`: below a half, the usual query is
    scored by what nobody looked at. `reached`, of the results that could be judged (not of all:
    with one judged document for each query no list has more than a tenth judged): below a tenth the
    judgments were made for other results. `in_corpus`: a result from outside the corpus is from
    another corpus, however few they are. `mix_up`, of the lists that clearly fit one query: above
    `refused` they belong to other queries, above `warned` some do.
    """

    queries_ranked: float = 0.9
    queries_judged: float = 0.5
    any_judged: float = 0.5
    reached: float = 0.1
    in_corpus: float = 1.0
    mix_up_warned: float = 0.25
    mix_up_refused: float = CLEAR


def measure(
    run: "pl.DataFrame",
    judgments: "pl.DataFrame",
    *,
    corpus: "Collection[str] | pl.Series | None" = None,
    min_grade: int = 1,
    judged_below: int = 0,
) -> Overlap:
    """Compare a run (query_id, document_id, rank) with judgments (query_id, document_id, grade).

    Of the run the top 10 is looked at. Who has joined the whole lists with the judgments knows how
    many results below it are judged, and gives that: these too show that the ids are the same.
    """
    import polars as pl

    # Ids are compared by 64 bits of them: what is counted here only warns or refuses.
    hashed = (pl.col("document_id").hash(), pl.col("query_id").hash().alias("query"))
    named_top = run.filter(pl.col("rank") <= DEPTH)
    top = named_top.select("query_id", *hashed)
    all_judged = judgments.select("query_id", *hashed, "grade")
    run_queries, judged_queries = top["query_id"].unique(), judgments["query_id"].unique()
    only_run = run_queries.filter(~run_queries.is_in(judged_queries.implode()))
    only_judged = judged_queries.filter(~judged_queries.is_in(run_queries.implode()))
    both = len(run_queries) - len(only_run)

    ours = top.filter(~pl.col("query_id").is_in(only_run.implode()))
    # A grade below 0 says that nobody could judge.
    judged = all_judged.filter(pl.col("grade") >= 0)
    met = ours.join(judged.drop("query_id"), on=["query", "document_id"])
    most = ours.group_by("query").len().join(judged.group_by("query").len(), on="query")
    reachable = most.select(pl.min_horizontal("len", "len_right").sum()).item()

    documents, known = top["document_id"].unique(), all_judged["document_id"].unique()
    documents_judged = _count(documents, known)
    in_corpus, named = None, None
    if corpus is not None:
        named = pl.Series("document_id", list(corpus), dtype=pl.String).unique()
        ids = named.hash()
        in_corpus = Known(_count(documents, ids), _count(known, ids))
    meet = documents_judged + judged_below > 0
    if in_corpus is not None:
        meet = in_corpus.documents == len(documents)
    relevant = all_judged.filter(pl.col("grade") >= min_grade).select(_PAIR)
    return Overlap(
        queries_both=both,
        queries_only_judged=len(only_judged),
        queries_only_run=len(only_run),
        only_judged=_first(only_judged),
        only_run=_first(only_run),
        queries_any_judged=met["query"].n_unique(),
        rows=ours.height,
        judged_rows=met.height,
        reachable=int(reachable),
        documents=len(documents),
        documents_judged=documents_judged,
        judged_below=judged_below,
        corpus=in_corpus,
        judged_documents=len(known),
        query_hint=_hint(only_run, only_judged),
        document_hint="" if meet else _document_hint(named_top, judgments, named),
        fit=_fit(met.filter(pl.col("grade") >= min_grade), top, relevant, both),
    )


def _fit(own: "pl.DataFrame", top: "pl.DataFrame", relevant: "pl.DataFrame", both: int) -> Fit:
    """Whom the lists fit; where nearly all hold something of their own, nobody else is tried."""
    if own["query"].n_unique() > _PLAINLY_OWN * both:
        return Fit(lists=both, own_hits=own.height)
    return fit(top, relevant)


def check(
    overlap: Overlap, thresholds: Thresholds | None = None
) -> tuple[tuple[str, ...], tuple[Fault, ...]]:
    """(warnings, faults): refused is what makes every figure meaningless."""
    limits = thresholds or Thresholds()
    faults = _faults(overlap, limits)
    if faults:
        return (), faults
    return (*_query_warnings(overlap, limits), *_document_warnings(overlap, limits)), ()


def _faults(o: Overlap, limits: Thresholds) -> tuple[Fault, ...]:
    if not o.documents:
        return (Fault("run", "holds no result", way_out="give the lists that are to be scored"),)
    if not o.judged_documents:
        return (Fault("judgments", "hold no judgment", way_out="give those of the run's queries"),)
    faults = []
    mixed = o.fit.mix_up
    if not o.queries_both:
        problem = (
            f"none of its {o.queries_run:,} query ids is among the {o.queries_judged:,} judged ones"
        )
        guess = f"the lists do fit the judgments: {_explained(mixed)}; " if mixed else ""
        way_out = guess + (o.query_hint or "give the judgments made for these queries")
        faults.append(Fault("run", problem, _against(o.only_run, o.only_judged), way_out))
    elif mixed and mixed.is_certain and mixed.share >= limits.mix_up_refused:
        faults.append(
            Fault(
                "run",
                f"its lists answer other queries than those they are named after: of the "
                f"{mixed.fits_other + mixed.fits_own:,} that clearly fit one query (n = "
                f"{mixed.lists:,}), {mixed.fits_other:,} fit another",
                _explained(mixed),
                "give each list the id its query has in the judgments",
            )
        )
    if _is_strange(o):
        problem = (
            f"none of the {o.documents:,} document ids in its top {DEPTH} is among the "
            f"{o.judged_documents:,} judged ones"
        )
        way_out = o.document_hint or "give judgments of the documents that were searched"
        faults.append(Fault("run", problem, "", way_out))
    if o.corpus is not None and not o.corpus.documents:
        problem = f"none of the {o.documents:,} document ids in its top {DEPTH} is in the corpus"
        way_out = o.document_hint or "give the corpus that was searched"
        faults.append(Fault("run", problem, "", way_out))
    return tuple(faults)


def _is_strange(o: Overlap) -> bool:
    """No id met, and no corpus vouches that both sides name the same documents."""
    vouched = o.corpus is not None and o.corpus.documents > 0 and o.corpus.judged > 0
    return not o.documents_judged and not o.judged_below and not vouched


def _query_warnings(o: Overlap, limits: Thresholds) -> list[str]:
    said = []
    if o.queries_both < limits.queries_ranked * o.queries_judged:
        said.append(
            f"{o.queries_only_judged:,} of {o.queries_judged:,} judged queries are absent from the "
            f"run and score 0{_such_as(o.only_judged)}{_but(o.query_hint)}"
        )
    if o.queries_both < limits.queries_judged * o.queries_run:
        said.append(
            f"{o.queries_only_run:,} of {o.queries_run:,} queries of the run have no judgment and "
            f"are left out{_such_as(o.only_run)}{_but(o.query_hint)}"
        )
    mixed = o.fit.mix_up
    if mixed and mixed.share >= limits.mix_up_warned:
        said.append(
            f"{mixed.fits_other:,} of the {mixed.fits_other + mixed.fits_own:,} lists that clearly "
            f"fit one query (n = {mixed.lists:,}) fit another than their own: {_explained(mixed)}"
        )
    elif o.queries_both >= DEPTH and o.fit.chance_hits > 0 and o.fit.is_at_chance:
        said.append(
            f"results in the top {DEPTH} relevant to their own query: {o.fit.own_hits:,}; the "
            f"list of any other query gives {o.fit.chance_hits:.1f} (n = {o.fit.lists:,} lists): "
            "either nothing was found, or the query ids are mixed up beyond recognition"
        )
    return said


def _document_warnings(o: Overlap, limits: Thresholds) -> list[str]:
    said = []
    if o.queries_any_judged < limits.any_judged * o.queries_both:
        said.append(
            f"{o.queries_any_judged:,} of {o.queries_both:,} queries have a judged document in the "
            f"top {DEPTH}: most values rest on what nobody judged; see judged@{DEPTH} and the "
            "bounds, or pool and judge"
        )
    if o.judged_rows < limits.reached * o.reachable:
        said.append(
            f"{o.judged_rows:,} of {o.rows:,} results in the top {DEPTH} are judged, of "
            f"{o.reachable:,} that could be: the judgments were made for other results"
        )
    if o.corpus is not None and o.corpus.documents < limits.in_corpus * o.documents:
        said.append(
            f"{o.documents - o.corpus.documents:,} of {o.documents:,} document ids in the top "
            f"{DEPTH} are not in the corpus{_but(o.document_hint)}"
        )
    return said


def _explained(mixed: MixUp) -> str:
    examples = ", ".join(
        f"run query {a} fits the judgments of query {b}" for a, b in mixed.examples
    )
    return f"{examples}; {mixed.rule}" if mixed.rule else examples


def _against(left: tuple[str, ...], right: tuple[str, ...]) -> str:
    return f"{', '.join(map(repr, left))} against {', '.join(map(repr, right))}"


def _such_as(ids: tuple[str, ...]) -> str:
    return f", such as {', '.join(map(repr, ids))}" if ids else ""


def _but(hint: str) -> str:
    return f"; {hint}" if hint else ""


def _hint(ids: "pl.Series", known: "pl.Series") -> str:
    from rageval_kit.ranking.alike import spelling_hint

    return spelling_hint(ids, known) if len(ids) and len(known) else ""


def _document_hint(
    top: "pl.DataFrame", judgments: "pl.DataFrame", corpus: "pl.Series | None"
) -> str:
    known = judgments["document_id"].unique() if corpus is None else corpus
    documents = top["document_id"].unique()
    return _hint(documents.filter(~documents.is_in(known.implode())), known)


def _first(ids: "pl.Series") -> tuple[str, ...]:
    return tuple(in_natural_order(ids)[:_NAMED])


def _count(ids: "pl.Series", known: "pl.Series") -> int:
    return int(ids.is_in(known.implode()).sum())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
