"""What goes out of the system, in pieces and to others, and who may break the glass."""

import pytest

from rageval_kit.build import requests
from rageval_kit.build.planning import plan, with_spec
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller, Request, Stage
from rageval_kit.retrievers.embedded import Embedded
from rageval_kit.run.prepare import prepare
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.streaming import pieces


@pytest.fixture(scope="module")
def prepared():
    asked = requests(("+suite=acl_full", "retriever=hybrid"))[0][0]
    return prepare(with_spec(plan(asked), families=["PRN-06"]))


def asked(prepared, **config):
    """The seen taps of one answer to somebody who may read it."""
    target = Embedded(EmbeddedConfig(**config))
    target.connect(prepared.world)
    case = prepared.cases[0]
    question = case.script.steps[-1]  # the twin's
    (response,) = target.answer([Request("r", question.query, question.caller)])
    target.close()
    return question.query, response.seen


@pytest.mark.parametrize(
    "answer",
    ["One. Two! Three", "一句。两句？", "A single piece", "", "No. 5 is 3.14 m. [1] End. [2]"],
)
def test_the_pieces_of_an_answer_joined_are_the_answer(answer):
    assert "".join(pieces(answer)) == answer


def test_pieces_end_with_sentences():
    assert pieces("One is here. Two is there.") == ("One is here.", " Two is there.")


def test_what_goes_out_in_a_clean_system_is_the_answer_and_no_more(prepared):
    _, seen = asked(prepared)
    assert "".join(seen[Stage.ANSWER_STREAM].texts) == seen[Stage.ANSWER].texts[0]


def test_an_embedder_is_sent_the_question_and_a_model_its_context(prepared):
    question, seen = asked(prepared)
    embedder, model = seen[Stage.EGRESS].calls
    assert (embedder.name, embedder.arguments) == ("embedder", question)
    assert model.name == "model"
    assert model.arguments == "\n".join((question, *seen[Stage.CONTEXT].texts))
    assert seen[Stage.EGRESS].ids == seen[Stage.CONTEXT].ids


def test_only_a_hosted_reranker_is_sent_the_candidates(prepared):
    _, seen = asked(prepared, hosted=("reranker",))
    (reranker,) = seen[Stage.EGRESS].calls
    assert reranker.name == "reranker"
    assert seen[Stage.EGRESS].ids == seen[Stage.RERANK_INPUT].ids
    assert asked(prepared, hosted=())[1][Stage.EGRESS].calls == ()


def test_a_part_that_nobody_can_host_is_refused():
    with pytest.raises(InputError, match="no part that others run"):
        EmbeddedConfig(hosted=("index",))


def test_the_glass_breaks_for_an_administrator_alone(prepared):
    target = Embedded()
    target.connect(prepared.world)
    step = prepared.cases[0].script.steps[0]
    keeper = Caller(prepared.cases[0].coordinates.twin_id)
    shown = target.look("break_glass", step.text, step.caller).seen[Stage.CITATION]
    assert (shown.ids, shown.status) == ((step.text,), "ok")
    for who in (keeper, Caller("stranger"), Caller("")):
        assert target.look("break_glass", step.text, who).seen[Stage.CITATION].ids == ()
    nothing = target.look("break_glass", "no-such-id", step.caller).seen[Stage.CITATION]
    assert nothing.status == "not_found"
    target.close()
