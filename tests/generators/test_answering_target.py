"""A generator behind a retriever: whose taps and powers, whose memory, whose errors."""

import pytest

from rageval_kit.answering.target import AnsweringTarget
from rageval_kit.records.target import (
    Answers,
    Caller,
    Counts,
    Instructed,
    Laboratory,
    Power,
    Request,
    Response,
    Seen,
    Stage,
    Target,
    Varies,
)


class Parrot:
    """Says how many turns it was told of, and the question."""

    name, varies, concurrency = "parrot", True, 3
    shows = frozenset({Stage.ANSWER, Stage.CITATION})

    def __init__(self, error=""):
        self.error, self.tasks = error, []

    def connect(self): ...
    def close(self): ...

    def describe(self):
        return {"kind": "parrot"}

    def generate(self, task):
        self.tasks.append(task)
        if self.error:
            return Response(task.request_id, error=self.error, detail="why")
        text = f"{len(task.history)} turns; {task.question}"
        return Response(
            task.request_id, {Stage.ANSWER: Seen(texts=(text,)), Stage.CITATION: Seen()}
        )


def asked(target, *requests):
    return [one.seen[Stage.ANSWER].texts[0] for one in target.answer(requests)]


def question(text="q", who="u", session="s", script="case-1", repeat=0):
    return Request("r", text, Caller(who), session=session, script=script, repeat=repeat)


def test_it_keeps_the_protocols_of_the_retriever_and_no_other(shelf):
    target = AnsweringTarget(shelf(), Parrot())
    for kept in (Target, Answers, Laboratory, Varies):
        assert isinstance(target, kept)
    assert not isinstance(target, Counts)
    assert target.powers == {Power.RESTORE, Power.MUTATE}
    assert target.taps == {Stage.RETRIEVE, Stage.CONTEXT, Stage.ANSWER, Stage.CITATION}
    assert target.describe()["generator kind"] == "parrot"


@pytest.mark.parametrize("at", [Stage.CONTEXT, Stage.CACHE, Stage.RERANK])
def test_passages_come_from_where_the_retriever_shows_texts(shelf, at):
    parrot = Parrot()
    (response,) = AnsweringTarget(shelf(at=at), parrot).answer([question()])
    ids = ("d1@1#1", "d2@1#1")
    assert tuple(p.passage_id for p in parrot.tasks[0].passages) == ids
    assert response.seen[Stage.CONTEXT].ids == ids
    assert response.seen[Stage.CONTEXT].texts[1] == "The museum is closed on Mondays."


def test_the_retrievers_own_answer_is_not_taken_for_the_generators(shelf):
    assert asked(AnsweringTarget(shelf(), Parrot()), question("why")) == ["0 turns; why"]


def test_ids_without_texts_fail_and_nothing_found_is_asked_with_nothing(shelf):
    class Ids(shelf):
        def search(self, requests):
            return [Response(r.request_id, {Stage.RETRIEVE: Seen(self.passages)}) for r in requests]

    (response,) = AnsweringTarget(Ids(("d1",)), Parrot()).answer([question()])
    assert (response.error, response.seen) == ("no_texts", {})
    parrot = Parrot()
    (response,) = AnsweringTarget(Ids(()), parrot).answer([question()])
    assert response.error == ""
    assert parrot.tasks[0].passages == ()


@pytest.mark.parametrize(("found", "told"), [("http_500", ""), ("", "truncated")])
def test_an_error_of_either_is_an_error_and_never_an_empty_answer(shelf, found, told):
    target = AnsweringTarget(shelf(error=found), Parrot(told))
    (response,) = target.answer([question()])
    assert response.error == found + told
    assert Stage.ANSWER not in response.seen
    assert (Stage.RETRIEVE in response.seen) is (not found)
    assert response.request_id == "r"


def test_history_stays_with_its_reader_session_script_and_repeat(shelf):
    target = AnsweringTarget(shelf(), Parrot())
    assert asked(target, question()) == ["0 turns; q"]
    assert asked(target, question()) == ["1 turns; q"]
    others = [
        question(who="v"),
        question(session="t"),
        question(script="case-2"),
        question(repeat=1),
        question(session=""),
        question(session=""),
    ]
    assert asked(target, *others) == ["0 turns; q"] * 6
    target.restore()
    assert asked(target, question()) == ["0 turns; q"]


def test_a_failed_answer_is_not_remembered(shelf):
    parrot = Parrot("timeout")
    target = AnsweringTarget(shelf(), parrot)
    target.answer([question()])
    parrot.error = ""
    assert asked(target, question()) == ["0 turns; q"]


def test_closing_closes_both_even_where_one_cannot(shelf):
    class Stuck(Parrot):
        def close(self):
            raise OSError("stuck")

    kept = shelf()
    with pytest.raises(OSError, match="stuck"):
        AnsweringTarget(kept, Stuck()).close()
    assert kept.closed


def test_the_token_of_the_instructions_is_that_of_whoever_answers(shelf):
    """A retriever's own is of no account here, and a generator that tells none has none."""
    shelf.prompt_canary = "the-shelf's"
    assert AnsweringTarget(shelf, Parrot()).prompt_canary == ""
    told = Parrot()
    told.prompt_canary = "harbourmaster77"
    assert AnsweringTarget(shelf, told).prompt_canary == "harbourmaster77"
    assert isinstance(AnsweringTarget(shelf, told), Instructed)
