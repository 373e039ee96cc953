"""Counts were taken apart in the raw files, or stand on the data sets' own pages."""

import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rageval_kit.access import Monitor
from rageval_kit.corpus.snapshots import load_snapshot, load_world
from rageval_kit.intake.build import build_snapshot
from rageval_kit.intake.history import History
from rageval_kit.intake.lineage import Clock
from rageval_kit.intake.validate import validate
from rageval_kit.records.world import State

_TOOL = Path(__file__).parents[1] / "tools" / "versioned_corpora.py"
_SPEC = importlib.util.spec_from_file_location("versioned_corpora", _TOOL)
assert _SPEC
assert _SPEC.loader
corpora = importlib.util.module_from_spec(_SPEC)
sys.modules["versioned_corpora"] = corpora
_SPEC.loader.exec_module(corpora)

pytestmark = pytest.mark.real
# Documents that announce days of effect, one of them under three names.
FEW = ("marketplace-terms", "additional-products")


@pytest.fixture(scope="module")
def data(shared_data):
    return shared_data("site_policy").parent


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("corpora")


@pytest.fixture(scope="module")
def built(data, out):
    """Each corpus as it was built, made when first asked for."""
    made = {}

    def give(name):
        if name not in made:
            source = corpora.CORPORA[name](data, out)
            made[name] = (source, source.snapshot(out))
        return made[name]

    return give


def versions(folder):
    documents = load_snapshot(folder).documents.values()
    return [version for document in documents for version in document.versions]


def windows(folder):
    return {
        document_id: sorted(
            (v.recorded_from, str(v.recorded_to), v.valid_from, str(v.valid_to))
            for v in document.versions
        )
        for document_id, document in load_snapshot(folder).documents.items()
    }


# --- site policies ------------------------------------------------------------------------------


def test_159_versions_state_a_day_and_16_were_committed_before_it(data):
    """195 versions speak of an effective date within 30 lines; 159 of these name a day.

    The rest leave it blank or define the words. 16 is by the calendar of the people who commit; by
    the days of UTC it is 15, since one was committed in the evening before.
    """
    rows = corpora.policy_rows(data)
    assert (len(rows), len({row["path"] for row in rows})) == (957, 57)
    heads = ["\n".join(row["text"].split("\n")[: corpora.HEAD]).lower() for row in rows]
    assert sum("effective date" in head for head in heads) == 195
    days = [(corpora.stated(row["text"], corpora.GITHUB), row["date"]) for row in rows]
    dated = [(day, datetime.fromisoformat(at)) for day, at in days if day is not None]
    assert len(dated) == 159
    assert sum(at < day for day, at in dated) == 16
    assert sum(at < day.replace(tzinfo=UTC) for day, at in dated) == 15


def test_of_the_site_policies_16_versions_wait_for_their_day(built):
    _, snapshot = built("site_policy")
    found = versions(snapshot.folder)
    assert len(found) == 957
    assert sum(v.valid_from > v.recorded_from for v in found) == 16
    # six of them were replaced before it came
    assert sum(v.recorded_to is not None for v in found) == 6


def test_a_repository_gives_the_windows_that_the_dates_give(data, tmp_path):
    """Two ways that share no code: the commits read by the kit, the rows computed in the tool."""
    table = corpora.site_policy(data, tmp_path, FEW).snapshot(tmp_path)
    repository = corpora.site_policy_repository(data, tmp_path / "repo", FEW)
    history = History("site_policy", paths=("*.md",), effective=corpora.PATTERN, clock=Clock.AUTHOR)
    from_git = build_snapshot(
        repository, tmp_path / "git", name="g", timezone=corpora.GITHUB.key, history=history
    )
    expected = windows(table.folder)
    assert sorted(len(found) for found in expected.values()) == [22, 58]
    assert windows(from_git.folder) == expected


def test_the_older_policy_stays_in_force_until_the_newer_s_day(built):
    _, snapshot = built("site_policy")
    waiting = [v for v in versions(snapshot.folder) if v.valid_from > v.recorded_from]
    for document in load_snapshot(snapshot.folder).documents.values():
        for late in (v for v in document.versions if v in waiting and v.recorded_to is None):
            before = [v for v in document.versions if v.valid_to == late.valid_from]
            is_first = late.recorded_from == min(v.recorded_from for v in document.versions)
            assert before or is_first, late.version_id
            assert all(v.recorded_from <= late.recorded_from for v in before)


# --- Chinese laws -------------------------------------------------------------------------------


def test_of_the_laws_88_of_127_take_effect_later_than_published(built):
    _, snapshot = built("zh_laws")
    found = versions(snapshot.folder)
    assert len(found) == 264
    dated = [v for v in found if v.valid_from is not None]
    assert len(dated) == 127
    assert sum(v.valid_from > v.recorded_from for v in dated) == 88
    assert len(found) - len(dated) == 137


def test_31_of_42_superseded_laws_carry_no_flag_and_end_all_the_same(data, built):
    rows = corpora.law_rows(data)
    superseded = [row for row in rows if row["superseded_by"]]
    assert len(superseded) == 42
    unflagged = {row["id"] for row in superseded if not row["expired"]}
    assert len(unflagged) == 31
    _, snapshot = built("zh_laws")
    ended = {v.version_id for v in versions(snapshot.folder) if v.valid_to is not None}
    assert ended == {row["id"] for row in superseded}
    assert unflagged < ended


def test_a_law_without_a_start_is_readable_at_no_time(built):
    source, snapshot = built("zh_laws")
    world = load_world(snapshot.folder, source.directory)
    undefined = {
        chunk.chunk_id
        for document in world.documents.values()
        for version in document.versions
        if version.valid_from is None
        for chunk in version.chunks
    }
    monitor = Monitor(world)
    for year in (1990, 2015, 2023):
        bits = monitor.reason_bits("reader", as_of=datetime(year, 5, 1, tzinfo=UTC))
        readable = {c for c, why in zip(monitor.chunk_ids, bits, strict=True) if why == 0}
        assert not readable & undefined


# --- PEPs, advisories, pages --------------------------------------------------------------------


def test_a_chain_of_peps_hands_over_without_an_overlap(built):
    """PEP 241 Final 2002-02-11, 314 Final 2003-04-12, 345 later, 566 after that (the history)."""
    _, snapshot = built("peps")
    found = {v.version_id: v for v in versions(snapshot.folder)}
    assert len(found) == 64
    assert found["pep-0241"].valid_from == datetime(2002, 2, 11, 16, 9, 26, tzinfo=UTC)
    assert found["pep-0241"].valid_to == datetime(2022, 10, 7, 15, 29, 13, tzinfo=UTC)
    assert {state for _, state in found["pep-0241"].states} == {State.DRAFT, State.PUBLISHED}
    assert found["pep-0216"].states[-1][1] is State.WITHDRAWN
    assert found["pep-0216"].valid_from is None  # never accepted: in force at no time


def test_ten_advisories_of_210_are_withdrawn_at_the_instant_they_state(built):
    _, snapshot = built("pypa_advisories")
    found = versions(snapshot.folder)
    assert len(found) == 210
    withdrawn = {v.version_id: v.states[-1][0] for v in found if v.states[-1][1] is State.WITHDRAWN}
    assert len(withdrawn) == 10
    assert withdrawn["PYSEC-2022-43059@1"] == datetime(2023, 11, 8, 0, 54, 24, tzinfo=UTC)


def test_84_of_486_questions_about_time_have_no_answer_on_their_page(built):
    source, snapshot = built("timeqa")
    assert len(versions(snapshot.folder)) == 129
    report = validate(snapshot.folder, snapshot.directory, source.samples)
    assert report.faults == ()
    rows = source.samples.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 486
    assert sum('"unanswerable"' in row for row in rows) == 84


@pytest.mark.parametrize("name", sorted(corpora.CORPORA))
def test_everyone_inside_may_read_and_the_outsider_nothing(built, name):
    source, snapshot = built(name)
    world = load_world(snapshot.folder, source.directory)
    monitor = Monitor(world)
    readable = {who: sum(why == 0 for why in monitor.reason_bits(who)) for who in world.principals}
    assert readable["reader"] == readable["colleague"] > 0
    assert readable["outsider"] == 0
