"""The suites of time on public histories: held with the validity filter, violated without it."""

import importlib.util
import sys
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location(
    "real_time_runs", Path(__file__).with_name("time_runs.py")
)
assert _SPEC
assert _SPEC.loader
time_runs = importlib.util.module_from_spec(_SPEC)
sys.modules["real_time_runs"] = time_runs
_SPEC.loader.exec_module(time_runs)

pytestmark = pytest.mark.real
# Documents that announce days of effect, one of them under three names: 80 of the 957 versions.
FEW = ("marketplace-terms", "additional-products")
HEAD = 250  # signs of each text: all versions and windows, fewer passages
SMALL = {suite: f"suites.{suite}.size.cases=12" for suite in time_runs.SUITES}
NAMES = ("site_policy", "zh_laws", "peps", "pypa_advisories", "timeqa")
RETRIEVERS = ("bm25", "dense", "hybrid")
NO_ANSWER = 84  # of timeqa's questions


@pytest.fixture(scope="module")
def data(shared_data):
    return shared_data("site_policy").parent


@pytest.fixture(scope="module")
def files(data, tmp_path_factory):
    made = {}

    def get(name):
        if name not in made:
            part = {"among": FEW} if name == "site_policy" else {}
            out = tmp_path_factory.mktemp(name)
            made[name] = time_runs.corpus(name, data, out, head=HEAD, **part)
        return made[name]

    return get


@pytest.fixture(scope="module")
def run(files, tmp_path_factory):
    archive, made = tmp_path_factory.mktemp("archive"), {}

    def start(corpus, *words):
        given = files(corpus) if isinstance(corpus, str) else corpus
        if (given, words) not in made:
            made[given, words] = time_runs.run(given, archive, *words)
        return made[given, words]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGEVAL_KEY_FILE", str(tmp_path_factory.mktemp("key") / "key"))
        yield start


def runs():
    """The retrievers by turns; the bench runs all of each. One version each: peps and timeqa."""
    for shift, suite in enumerate(time_runs.SUITES):
        for place, name in enumerate(NAMES):
            if suite != "staleness" or name not in {"peps", "timeqa"}:
                yield name, suite, RETRIEVERS[(place + shift) % len(RETRIEVERS)]


@pytest.mark.parametrize(("name", "suite", "retriever"), list(runs()))
def test_the_filtered_index_holds_and_the_unfiltered_one_is_violated(run, name, suite, retriever):
    words = (f"+suite={suite}", SMALL[suite], f"retriever={retriever}")
    filtered = run(name, *words)
    assert filtered.exit_code == 0, filtered.unmet()
    assert {row.outcome for row in filtered.rows} == {"held"}
    unfiltered = run(name, *words, "fault=ignore_c6")
    assert unfiltered.exit_code == 3
    assert {row.case_id for row in unfiltered.rows} == {row.case_id for row in filtered.rows}


def test_every_boundary_of_every_version_is_a_case(run, files):
    """80 versions in 2 documents; all but the last of each end where another begins."""
    edges, expected = time_runs.boundaries(files("site_policy").table)
    assert edges >= 2 * 80 - 2 - 6  # six were swallowed before they came into force
    assert expected == 3 * edges
    words = ("+suite=as_of", "suites.as_of.families.ids=[ASO-02]", "retriever=hybrid")
    filtered = run("site_policy", *words, f"suites.as_of.size.cases={time_runs.EVERY}")
    assert len(filtered.boundaries()) == expected
    assert filtered.exit_code == 0, filtered.unmet()


def test_without_the_filter_boundaries_of_the_corpus_itself_are_violated(run):
    words = ("+suite=as_of", "suites.as_of.families.ids=[ASO-02]", "retriever=bm25")
    found = run("site_policy", *words, "suites.as_of.size.cases=240", "fault=ignore_c6")
    rows = found.boundaries()
    assert sum(row.outcome == "violated" for row in rows) > len(rows) / 2


def test_a_law_without_a_start_date_is_in_force_at_no_time_asked_about(run):
    """137 of 264 texts: `undefined`; none may show, whatever time a case asks about."""
    found = run("zh_laws", "+suite=as_of", SMALL["as_of"], "retriever=dense")
    undated = {
        chunk.chunk_id
        for document in found.prepared.original.documents.values()
        for version in document.versions
        if version.valid_from is None
        for chunk in version.chunks
    }
    versions = {chunk_id.rsplit("#", 1)[0] for chunk_id in undated}
    assert len(versions) == 137
    shown = {
        i for row in found.rows for step in row.steps for ids in step.seen.values() for i in ids
    }
    assert shown
    assert undated.isdisjoint(shown)


@pytest.mark.parametrize("fault", ["", "ignore_c5", "withdrawn_served"])
def test_the_withdrawn_advisories_are_cases_and_held_back_only_by_their_state(run, fault):
    """Ten are withdrawn; two people of the tenant may read whatever is not."""
    words = ["suites.staleness.families.ids=[VER-02,CTL-08]", "suites.staleness.size.cases=560"]
    words += [f"fault={fault}"] if fault else []
    found = run("pypa_advisories", "+suite=staleness", "retriever=bm25", *words)
    withdrawn = [row for row in found.of_the_corpus() if row.denied_by == ("C5",)]
    assert len({(row.reader_id, row.document_id) for row in withdrawn}) == 20
    assert found.exit_code == (3 if fault else 0), found.unmet()
    assert {row.outcome for row in withdrawn if row.outcome != "held"} == (
        {"violated"} if fault else set()
    )


def test_questions_about_a_year_are_asked_as_of_it_and_84_have_nothing_to_find(run, data, tmp_path):
    whole = time_runs.corpus("timeqa", data, tmp_path)
    words = (f"samples.path={whole.samples}", "samples.grain=passage", "metrics=retrieval_core")
    found = run(whole, "retriever=bm25", *words)
    told = found.record.samples
    asked = found.prepared.questions.all
    assert (len(asked), told.n_answered, told.n_not_permitted) == (486, 486, 0)
    (step,) = asked[0].script.steps
    assert step.as_of.year == int(asked[0].sample.strata["year"])
    recall = next(m for m in found.record.metrics if m.metric == "recall@10")
    assert (recall.over, recall.n_scored, recall.n_total) == ("samples", 486 - NO_ANSWER, 486)
    assert dict(recall.reasons) == {"undefined: no document is judged relevant": NO_ANSWER}
    assert recall.value > 0.5
