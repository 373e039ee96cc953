"""Recorded answers are given again; a question without one fails."""

import json

import pytest

from rageval_kit.answering.replies import Kept
from rageval_kit.generators.recorded import Config, build
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Caller, Response, Seen, Stage, ToolCall


@pytest.fixture
def recorded(tmp_path):
    def made(*records):
        file = tmp_path / "answers.jsonl"
        lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
        file.write_text("\n".join(lines), "utf-8")
        return build(Config(str(file)), 7)

    return made


def answer(generator, task):
    response = generator.generate(task)
    return response.error or response.seen[Stage.ANSWER].texts[0]


def test_key_comes_before_question_and_reader_before_anybody(recorded, task):
    one = task()
    anybody = {"query": one.question, "answer": "anybody"}
    reader = {"query": one.question, "principal": "u", "answer": "u"}
    assert answer(recorded(anybody), one) == "anybody"
    assert answer(recorded(anybody, reader), one) == "u"
    assert answer(recorded(anybody, reader, {"key": one.key, "answer": "key"}), one) == "key"


def test_another_reader_is_not_given_a_readers_answer(recorded, task):
    made = recorded({"query": task().question, "principal": "v", "answer": "v"})
    assert answer(made, task()) == "not_recorded"


def test_the_last_of_one_key_counts(recorded, task):
    key = task().key
    made = recorded({"key": key, "answer": "first"}, {"key": key, "answer": "second"})
    assert answer(made, task()) == "second"


def test_the_key_changes_with_all_that_decides_the_answer_and_nothing_else(task):
    from dataclasses import replace

    one = task()
    assert replace(one, request_id="x", caller=Caller("v"), session="t").key == one.key
    others = [task("other"), task(repeat=1), task(passages=one.passages[:1])]
    assert len({one.key, *(other.key for other in others)}) == 4


def test_citations_tools_and_sources_come_back(recorded, task):
    record = {
        "query": task().question,
        "answer": "so [1]",
        "citations": ["d9"],
        "tools": [{"name": "mail", "arguments": "x"}],
    }
    seen = recorded(record).generate(task()).seen
    assert seen[Stage.CITATION].ids == ("d9",)
    assert seen[Stage.TOOL].calls == (ToolCall("mail", "x"),)
    del record["citations"]
    assert recorded(record).generate(task()).seen[Stage.CITATION].ids == ("d1@1#1",)


def test_what_was_kept_comes_back_as_it_was(task, tmp_path):
    class Once:
        name, varies, concurrency, shows = "once", True, 1, frozenset({Stage.ANSWER})

        def connect(self): ...

        def describe(self):
            return {}

        def generate(self, one):
            seen = {
                Stage.ANSWER: Seen(texts=("so [2]\nSource: 伪",)),
                Stage.CITATION: Seen(("d2@1#1",), ("伪",)),
                Stage.TOOL: Seen(calls=(ToolCall("http", '{"a": 1}'),)),
            }
            return Response(one.request_id, seen)

    kept = Kept(Once(), str(tmp_path))
    kept.connect()
    told = kept.generate(task())
    assert build(Config(str(tmp_path)), 7).generate(task()) == told


def test_every_fault_of_the_file_is_told_at_once_with_its_line(recorded):
    with pytest.raises(InputError) as caught:
        recorded(
            '{"query": "a", "answer": "ok"}',
            "{",
            "[]",
            '{"answer": "x"}',
            '{"query": "b"}',
            '{"query": "a", "answer": "other"}',
            '{"query": "c", "answer": 5, "tools": [{}], "citations": "d"}',
        )
    places = [fault.where for fault in caught.value.faults]
    assert places == [
        "answers.jsonl:2",
        "answers.jsonl:3",
        "answers.jsonl:4",
        "answers.jsonl:5",
        "answers.jsonl:6",
        "answers.jsonl:7: answer",
        "answers.jsonl:7: citations",
        "answers.jsonl:7: tools",
    ]


def test_a_path_without_records_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none.jsonl"):
        with pytest.raises(InputError, match=r"generator\.path: holds no recorded answers"):
            build(Config(str(path)), 7)
