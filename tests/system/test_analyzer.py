"""Stems are those of Porter's paper; scores with repeated words come from bm25s."""

import logging
import threading
from datetime import UTC, datetime, timedelta

import bm25s
import numpy as np
import pytest

from rageval_kit.records import changes as ch
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Principal,
    State,
    SubjectKind,
    Tenant,
    Version,
    World,
)
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.system import analysis
from rageval_kit.system.analysis import bigrams, english
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.segment import first_segment, later_segment, sources
from rageval_kit.text.words import units, words, words_and_units

pytest.importorskip("snowballstemmer")
logging.getLogger("bm25s").setLevel(logging.WARNING)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
PAST = NOW - timedelta(days=30)


def test_the_default_is_the_words_of_the_kit():
    assert EmbeddedConfig().analyze is words_and_units


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        # steps 1a, 1b, 4 of the paper: caresses, ponies, plastered, hopping, adjustment, effective
        ("caresses ponies plastered", ["caress", "poni", "plaster"]),
        ("Hopping, adjustment: EFFECTIVE", ["hop", "adjust", "effect"]),
        ("the patient's pills are not in these", ["patient", "pill"]),
        ("the patient\u2019s", ["patient"]),
        ("to be or not to be", []),
        ("1,000 doses of 3.5mg", ["1,000", "dose", "3.5", "mg"]),
        ("KTXMR-48293 file_name", ["ktxmr", "48293", "file", "name"]),
        ("ＴＡＢＬＥＳ 年假 carry", ["tabl", "年", "假", "年假", "carri"]),
    ],
)
def test_english_terms_are_stems_without_stop_words(text, terms):
    assert english(text)[0] == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("年假几天", ["年假", "假几", "几天"]),
        ("税（年假）", ["税", "年假"]),
        ("用v2.1.0版本", ["用", "v2.1.0", "v2", "1", "0", "版本"]),
        ("Caresses", ["caresses"]),
        ("", []),
    ],
)
def test_bigrams_are_pairs_that_cross_no_mark(text, terms):
    assert bigrams(text)[0] == terms


@pytest.mark.parametrize("text", ["the menu of today's lunch", "年假 is 15 days", "don't", ""])
def test_the_length_for_a_budget_is_the_same_for_every_analyzer(text):
    assert english(text)[1] == bigrams(text)[1] == units(text)


def test_every_term_but_a_lone_ideograph_is_a_word_of_the_default():
    text = "第二十三条 the KTXMR-48293 of 3.5、don't 税"
    assert set(bigrams(text)[0]) == {w for w in words(text) if w == "税" or len(w) > 1 or w < "一"}


def test_threads_that_stem_at_once_stem_as_one_does():
    many = [f"relational{n} {n}ponies hopefulness{'s' * (n % 7)}" for n in range(400)]
    alone = [english(text)[0] for text in many]
    analysis._stem.cache_clear()
    found = [None] * 4

    def work(slot):
        found[slot] = [english(text)[0] for text in many]

    threads = [threading.Thread(target=work, args=(slot,)) for slot in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


def document(name, text, title="", at=PAST):
    version = Version(
        f"{name}@1",
        title,
        (Chunk(f"{name}#1", text),),
        valid_from=at,
        states=((at, State.PUBLISHED),),
    )
    readers = (Entry(f"{name}/all", Effect.ALLOW, SubjectKind.EVERYONE),)
    return Document(name, "t", (version,), entries=readers)


def connected(*documents, **config):
    target = Embedded(EmbeddedConfig(arms=("sparse",), cache=False, **config))
    target.connect(
        World(
            documents={one.document_id: one for one in documents},
            folders={},
            tenants={"t": Tenant("t"), "other": Tenant("other")},
            principals={"ann": Principal("ann", "t"), "eve": Principal("eve", "other")},
            units={},
            memberships={},
            guests={},
            links={},
            clock=NOW,
        )
    )
    return target


def found(target, query, who="ann"):
    (response,) = target.search([Request("q", query, Caller(who))])
    return response.error or response.seen[Stage.RETRIEVE].ids


PAY = document("pay", "Salaries were raised by the council. Nothing else changed.", "Raises")
LAW = document("law", "员工每年享有年假十五天。")


@pytest.mark.parametrize("analyzer", analysis.ANALYZERS)
def test_bug_035_a_chinese_question_finds_the_one_document_that_holds_its_word(analyzer):
    texts = {"d1": "差旅报销标准与流程", "d2": "年假申请流程", "d3": "食堂本周菜单"}
    target = connected(*(document(*one) for one in texts.items()), analyzer=analyzer)
    (response,) = target.search([Request("q", "报销", Caller("ann"))])
    seen = response.seen[Stage.RETRIEVE]
    # What shares no word with the question scores 0, and is not returned.
    assert seen.ids == ("d1#1",)
    assert seen.scores[0] > 0
    (line,) = target.read("log", Caller("operator")).seen[Stage.LOG].texts
    n_words = {"words": 3, "english": 3, "bigrams": 1}[analyzer]  # 报, 销 and 报销, or the pair
    assert f" words={n_words} " in line
    assert found(target, "，。！") == "query_has_no_tokens"


def test_an_inflected_query_finds_the_passage_only_with_stems():
    assert found(connected(PAY, LAW, analyzer="english"), "raising a salary") == ("pay#1",)
    assert found(connected(PAY, LAW), "raising a salary") == ()


def test_a_title_is_cut_as_the_query_is():
    titled = document("memo", "nothing", "Reimbursements")
    assert found(connected(titled, analyzer="english"), "reimbursing") == ("memo#1",)


def test_what_is_published_later_is_cut_as_the_first_index_was():
    target = connected(PAY, analyzer="english")
    assert target.apply(ch.Publish(document("late", "Policies concerning parking.")))
    assert found(target, "a policy on parked cars") == ("late#1",)


def test_who_may_not_read_finds_nothing_with_any_analyzer():
    for analyzer in analysis.ANALYZERS:
        assert found(connected(PAY, LAW, analyzer=analyzer), "salaries 年假", "eve") == ()


def test_a_query_of_stop_words_alone_holds_no_word():
    target = connected(PAY, analyzer="english")
    assert found(target, "to be or not to be") == "query_has_no_tokens"


def test_an_answer_quotes_the_sentence_that_holds_the_stems():
    target = connected(PAY, LAW, analyzer="english")
    (response,) = target.answer([Request("q", "who raises a salary?", Caller("ann"))])
    assert response.seen[Stage.ANSWER].texts == ("Salaries were raised by the council. [1]",)


def test_a_count_is_of_documents_that_hold_every_stem():
    target = connected(PAY, LAW, analyzer="english")
    seen = target.count("raise the salary", Caller("ann")).seen
    assert seen[Stage.SUGGEST].count == 1


def test_one_ideograph_finds_a_longer_word_by_default_and_not_by_bigrams():
    assert found(connected(LAW), "假") == ("law#1",)
    assert found(connected(LAW, analyzer="bigrams"), "假") == ()
    assert found(connected(LAW, analyzer="bigrams"), "年假几天") == ("law#1",)


def test_an_unfiltered_arm_shows_with_any_analyzer():
    for analyzer in analysis.ANALYZERS:
        faulty = connected(PAY, analyzer=analyzer, fault="sparse_arm_unfiltered")
        (response,) = faulty.search([Request("q", "salaries", Caller("eve"))])
        assert response.seen[Stage.RETRIEVE_SPARSE].ids == ("pay#1",)
        assert response.seen[Stage.RETRIEVE].ids == ()


TEXTS = ["red green blue", "red red yellow", "green green", "blue yellow red red"]
ASKED = ["red", "red", "yellow"]


@pytest.mark.parametrize(("repeats", "asked"), [(True, ASKED), (False, ["red", "yellow"])])
def test_a_repeated_word_counts_twice_only_where_repeats_count(repeats, asked):
    documents = [document(f"№{n}", text) for n, text in enumerate(TEXTS)]
    target = connected(*documents, rerank=False, count_repeats=repeats)
    peer = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    peer.index([s.body + s.title for s in sources(documents, AccessPolicy())], show_progress=False)
    (response,) = target.search([Request("q", " ".join(ASKED), Caller("ann"))])
    seen = response.seen[Stage.RETRIEVE]
    expected = {f"№{n}#1": score for n, score in enumerate(peer.get_scores(asked)) if score > 0}
    assert dict(zip(seen.ids, seen.scores, strict=True)) == pytest.approx(expected)


def test_a_text_published_later_counts_repeats_as_its_twin_of_the_first_index():
    made = list(sources([document(f"d{n}", text) for n, text in enumerate(TEXTS)], AccessPolicy()))
    segment, lexicon = first_segment(made, 64, 1.5, 0.75)
    later, _ = later_segment([made[1]], len(TEXTS), lexicon, 64)
    number = lexicon.vocabulary.number
    asked = np.array(sorted(number(word) for word in ASKED), dtype=np.int32)
    twin = segment.sparse_scores(asked, None)[1]
    assert later.sparse_scores(asked, None) == pytest.approx([twin])
    assert twin > segment.sparse_scores(np.unique(asked), None)[1]


def test_wrong_choices_are_refused_together():
    with pytest.raises(InputError) as refused:
        EmbeddedConfig(analyzer="porter", k1=-1.0, b=1.5)
    said = str(refused.value)
    assert len(refused.value.faults) == 3
    assert "'porter'" in said
    assert "['bigrams', 'english', 'words']" in said


def test_without_the_stemmer_only_english_is_refused_by_name(monkeypatch):
    monkeypatch.setattr(analysis, "find_spec", lambda _name: None)
    EmbeddedConfig(analyzer="bigrams")
    with pytest.raises(InputError, match="pip install snowballstemmer"):
        EmbeddedConfig(analyzer="english")


def test_the_record_names_the_analyzer_and_its_stemmer():
    assert Embedded().describe()["analyzer"] == "words"
    assert "repeats" not in Embedded().describe()["sparse"]
    named = Embedded(EmbeddedConfig(analyzer="english", count_repeats=True)).describe()
    assert named["analyzer"].startswith("english, Porter stems of snowballstemmer ")
    assert named["sparse"].endswith(", repeats counted")
